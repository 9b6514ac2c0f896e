// The shell around all pages: the bar with their names, the page itself, the list of keys, and one quiet line for news.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Defs } from "./board/pieces/round";
import { words } from "./i18n";
import { Home } from "./pages/home/Home";
import { TablePage } from "./pages/table/Table";
import { Dialog } from "./ui/Dialog";
import { Icon, type IconName } from "./ui/Icon";
import { KeyList } from "./ui/KeyList";
import { useKeys } from "./ui/keys";
import { usePath } from "./ui/router";
import { useSettings } from "./ui/settings";
import { Toasts } from "./ui/toast";

/** A page that is fetched when it is first opened. */
function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function Later(props: P) {
    const [Page, show] = useState<ComponentType<P> | null>(() => loaded);
    useEffect(() => {
      if (!loaded) void load().then((page) => { loaded = page; show(() => page); });
    }, []);
    return Page ? <Page {...props} /> : <p class="page quiet">{words().loading}</p>;
  };
}

const Open = later(() => import("./pages/Open").then((module) => module.Open));
const Library = later<{ open?: number | undefined }>(() => import("./pages/Library").then((module) => module.Library));
const Learn = later(() => import("./pages/Learn").then((module) => module.Learn));
const Lessons = later<{ game: string }>(() => import("./learn/Lessons").then((module) => module.Lessons));
const Machine = later(() => import("./pages/Machine").then((module) => module.Machine));
const Watch = later(() => import("./pages/Watch").then((module) => module.Watch));
const RunPage = later<{ id: string }>(() => import("./pages/Watch").then((module) => module.RunPage));
const SettingsPage = later(() => import("./pages/Settings").then((module) => module.SettingsPage));

const PAGES: { path: string; icon: IconName; name: "play" | "analyse" | "library" | "learn" | "watch" | "settings" }[] = [
  { path: "/", icon: "grid", name: "play" },
  { path: "/analyse", icon: "analyse", name: "analyse" },
  { path: "/library", icon: "library", name: "library" },
  { path: "/learn", icon: "learn", name: "learn" },
  { path: "/watch", icon: "watch", name: "watch" },
  { path: "/settings", icon: "settings", name: "settings" },
];

export function App() {
  useSettings();
  const t = words();
  const path = usePath();
  const [keyList, showKeys] = useState(false);
  useKeys({ "?": () => showKeys(true) });
  const [section, detail] = path;
  useEffect(() => {
    const name = PAGES.find((page) => page.path === `/${section ?? ""}`)?.name;
    document.title = name && name !== "play" ? `${t.nav[name]} · Tengen` : "Tengen";
  }, [section, t]);
  return (
    <>
      <Defs />
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById("main")?.focus(); }}>{t.skip}</a>
      <header class={`bar ${section === "t" ? "bar-table" : ""}`}>
        <a class="brand" href="/" aria-label="Tengen"><img src="/icon.svg" alt="" width="28" height="28" /><span>Tengen</span></a>
        <nav class="nav" aria-label={t.nav.label}>
          {PAGES.map(({ path: to, icon, name }) => (
            <a key={to} href={to} class={`nav-link nav-${name}`} aria-current={to === `/${section ?? ""}` ? "page" : undefined}><Icon name={icon} /><span>{t.nav[name]}</span></a>
          ))}
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        {section === undefined ? <Home />
          : section === "t" && detail ? <TablePage key={detail} id={detail} />
          : section === "analyse" ? <Open />
          : section === "library" ? <Library open={detail === undefined ? undefined : Number(detail)} />
          : section === "learn" && detail === "machine" ? <Machine />
          : section === "learn" && detail ? <Lessons key={detail} game={detail} />
          : section === "learn" ? <Learn />
          : section === "watch" && detail ? <RunPage key={detail} id={detail} />
          : section === "watch" ? <Watch />
          : section === "settings" ? <SettingsPage />
          : <Home />}
      </main>
      {keyList && <Dialog title={t.keys.title} onClose={() => showKeys(false)}><KeyList /></Dialog>}
      <Toasts />
    </>
  );
}
