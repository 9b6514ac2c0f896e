// Which lessons are done, remembered in this browser.
import { remember, remembered, Store } from "../ui/store";

export const done = new Store<Record<string, string[]>>(remembered("lessons", {}));

export function finish(family: string, lesson: string): void {
  const list = done.value[family] ?? [];
  if (list.includes(lesson)) return;
  done.set({ ...done.value, [family]: [...list, lesson] });
  remember("lessons", done.value);
}
