// The keys of the app. A page gives the keys it knows; typing into a field or a dialog is left alone.
import { useEffect, useRef } from "preact/hooks";

export type KeyMap = Record<string, (() => void) | undefined>;

export function useKeys(map: KeyMap): void {
  const latest = useRef(map);
  latest.current = map;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as HTMLElement | null;
      if (target?.closest("input, textarea, select, [contenteditable], dialog")) return;
      // Space and Enter belong to a focused button.
      if ((event.key === " " || event.key === "Enter") && target?.closest("button, a, summary, [role=tab]")) return;
      const act = latest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
