import { en, type Words } from "./en";
export const words = (): Words => en;
