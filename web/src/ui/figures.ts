// Numbers as people read them: short counts, percentages, clocks, points. One place, so that all pages agree.
import { settings } from "./settings";

/** So many digits after the point, which is a comma in French. */
export const fixed = (value: number, digits: number): string => value.toFixed(digits).replace(".", settings.value.language === "fr" ? "," : ".");

/** 950, 1.2k, 34k, 5.6M. */
export function short(n: number): string {
  if (n < 1000) return Math.round(n).toString();
  const [value, unit] = n < 1e6 ? [n / 1e3, "k"] : n < 1e9 ? [n / 1e6, "M"] : [n / 1e9, "G"];
  return (value < 10 ? fixed(value, 1).replace(/[.,]0$/, "") : Math.round(value).toString()) + unit;
}

/** A value in [−1, 1] as a chance of winning in [0, 1]. */
export const chanceOf = (value: number): number => Math.min(1, Math.max(0, (value + 1) / 2));

export const percent = (chance: number): string => `${Math.round(chance * 100)} %`;

/** +3.5, −0.8, 0.0. */
export function signed(value: number, digits = 1): string {
  const text = fixed(Math.abs(value), digits);
  return /[1-9]/.test(text) ? (value < 0 ? "−" : "+") + text : text;
}

/** 1:02:03, 4:05, and tenths below ten seconds. */
export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return fixed(Math.floor(left / 100) / 10, 1);
  const seconds = Math.ceil(left / 1000);
  const pad = (n: number) => n.toString().padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
}

/** How long something takes: 40 s, 12 min, 3 h 20. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${(minutes % 60).toString().padStart(2, "0")}` : `${Math.round(hours / 24)} d`;
}
