// Which page is shown: the path of the address, with plain links that change it without loading anything.
import { Store, useStore } from "./store";

const path = new Store(location.pathname + location.hash);

export const usePath = (): string[] => useStore(path).replace(/#.*$/, "").split("/").filter(Boolean).map(decodeURIComponent);

export function go(to: string, replace = false): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  path.set(location.pathname + location.hash);
  if (!replace) scrollTo(0, 0);
}

/** Plain clicks on links inside the app change the page in place; everything else is the browser's. */
export function catchLinks(): void {
  addEventListener("popstate", () => path.set(location.pathname + location.hash));
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.pathname === location.pathname && link.hash) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
