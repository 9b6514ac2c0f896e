// What a visitor chose for all pages, remembered in his browser: language, theme, board, sounds, coordinates, name.
import { remember, remembered, Store, useStore } from "./store";

export type Language = "en" | "fr";
export type Theme = "auto" | "light" | "dark";
export type BoardStyle = "wood" | "paper" | "dark";

export interface Settings {
  language: Language;
  theme: Theme;
  board: BoardStyle;
  sounds: boolean;
  coordinates: boolean;
  textBoard: boolean;
  name: string;
}

const DEFAULTS: Settings = {
  language: navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en",
  theme: "auto",
  board: "wood",
  sounds: false,
  coordinates: true,
  textBoard: false,
  name: "",
};

export const settings = new Store<Settings>({ ...DEFAULTS, ...remembered<Partial<Settings>>("settings", {}) });

export const useSettings = (): Settings => useStore(settings);

export function choose(change: Partial<Settings>): void {
  settings.set({ ...settings.value, ...change });
  remember("settings", settings.value);
  apply();
}

const night = matchMedia("(prefers-color-scheme: dark)");

/** Writes the choices onto the page, where the style sheets read them. */
export function apply(): void {
  const { theme, board, language } = settings.value;
  const root = document.documentElement;
  root.dataset["theme"] = theme === "auto" ? (night.matches ? "dark" : "light") : theme;
  root.dataset["board"] = board;
  root.lang = language;
}

night.addEventListener("change", apply);
