// One quiet line at the edge of the page: why a move was refused, that something was copied. It goes by itself.
import { Refusal } from "../protocol/connection";
import { words } from "../i18n";
import { Store, useStore } from "./store";

interface Toast { text: string; kind: "news" | "trouble" }

const current = new Store<Toast | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

export function tell(text: string, kind: Toast["kind"] = "news"): void {
  clearTimeout(timer);
  current.set({ text, kind });
  timer = setTimeout(() => current.set(null), kind === "trouble" ? 5000 : 3000);
}

/** What went wrong, in the reader's language where the code is known; a text about files or positions is the server's own. */
export function troubleText(error: unknown): string {
  const t = words();
  if (!(error instanceof Refusal)) return error instanceof Error ? error.message : String(error);
  const known = t.trouble[error.code];
  if (known === undefined || error.code === "badText") return error.message;
  return known;
}

export const complain = (error: unknown): void => tell(troubleText(error), "trouble");

export function Toasts() {
  const toast = useStore(current);
  return <div class="toasts" role="status" aria-live="polite">{toast && <p class={`toast toast-${toast.kind}`}>{toast.text}</p>}</div>;
}
