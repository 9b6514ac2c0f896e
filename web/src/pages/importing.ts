// Opening whatever somebody pastes or drops: the server finds out what it is and opens a sandbox with it.
import { useEffect, useState } from "preact/hooks";
import { importText } from "../protocol/api";
import { go } from "../ui/router";
import { complain } from "../ui/toast";
import { sitDown } from "./recent";

export async function openText(text: string, game?: string): Promise<void> {
  try {
    const opened = await importText({ text, ...(game ? { game } : {}) });
    sitDown({ id: opened.id, key: opened.key, game: game ?? "", mode: "sandbox", at: Date.now() });
    go(`/t/${opened.id}`);
  } catch (error) {
    complain(error);
  }
}

/** Files and texts may be dropped anywhere on the page, and pasted where no field has the focus. True while something hovers. */
export function useDrop(game?: string, enabled = true): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (!enabled) return;
    let depth = 0;
    const enter = (event: DragEvent) => { if (event.dataTransfer && event.dataTransfer.types.length > 0) { depth++; setOver(true); } };
    const leave = () => { depth = Math.max(0, depth - 1); if (depth === 0) setOver(false); };
    const hover = (event: DragEvent) => event.preventDefault();
    const drop = async (event: DragEvent) => {
      event.preventDefault();
      depth = 0;
      setOver(false);
      const file = event.dataTransfer?.files[0];
      const text = file ? await file.text() : event.dataTransfer?.getData("text/plain") ?? "";
      if (text.trim()) await openText(text, game);
    };
    const paste = (event: ClipboardEvent) => {
      if ((event.target as Element | null)?.closest?.("input, textarea")) return;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text.trim()) void openText(text, game);
    };
    addEventListener("dragenter", enter);
    addEventListener("dragleave", leave);
    addEventListener("dragover", hover);
    addEventListener("drop", drop);
    addEventListener("paste", paste);
    return () => {
      removeEventListener("dragenter", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("dragover", hover);
      removeEventListener("drop", drop);
      removeEventListener("paste", paste);
    };
  }, [game, enabled]);
  return over;
}
