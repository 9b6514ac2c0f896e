// The words of the language that is chosen. Two dictionaries of one type, so that neither can lack a word.
import { settings } from "../ui/settings";
import { en, type Words } from "./en";
import { fr } from "./fr";

const DICTIONARIES: Record<"en" | "fr", Words> = { en, fr };

export const words = (): Words => DICTIONARIES[settings.value.language];

/** A text that the server gives in both languages. */
export const say = (text: { en: string; fr: string }): string => text[settings.value.language];

export type { Words };
