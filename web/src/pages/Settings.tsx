// Settings: everything one can choose for all pages, and the list of keys.
import { Board } from "../board/Board";
import type { Drawn } from "../board/types";
import { words } from "../i18n";
import { en } from "../i18n/en";
import { fr } from "../i18n/fr";
import { Choices } from "../ui/Choices";
import { KeyList } from "../ui/KeyList";
import { type BoardStyle, choose, type Language, type Theme, useSettings } from "../ui/settings";
import { play } from "../ui/sound";

export function SettingsPage() {
  const t = words();
  const { language, theme, board, sounds, coordinates, textBoard, name } = useSettings();
  const toggle = (legend: string, key: string, value: boolean, change: (on: boolean) => void) => (
    <Choices legend={legend} name={key} value={value ? "on" : "off"} onChange={(to) => change(to === "on")} options={[{ value: "off", label: t.settings.off }, { value: "on", label: t.settings.on }]} />
  );
  return (
    <div class="page narrow settings">
      <h1>{t.settings.title}</h1>
      <div class="panel settings-grid">
        <Choices<Language> legend={t.settings.language} name="language" value={language} onChange={(to) => choose({ language: to })} options={[{ value: "en", label: en.language }, { value: "fr", label: fr.language }]} />
        <Choices<Theme> legend={t.settings.theme} name="theme" value={theme} onChange={(to) => choose({ theme: to })} options={(["auto", "light", "dark"] as const).map((value) => ({ value, label: t.settings.themes[value] }))} />
        <Choices<BoardStyle> legend={t.settings.board} name="board" value={board} onChange={(to) => choose({ board: to })} options={(["wood", "paper", "dark"] as const).map((value) => ({ value, label: t.settings.boards[value] }))} />
        <div class="settings-boards" aria-hidden="true">
          <Board still drawn={SAMPLE_GO} toMove="first" label="" sideNames={["", ""]} last={{ touched: ["C2"] }} />
          <Board still drawn={SAMPLE_CHESS} toMove="first" label="" sideNames={["", ""]} last={{ touched: ["b2", "c3"] }} />
        </div>
        {toggle(t.settings.sounds, "sounds", sounds, (on) => { choose({ sounds: on }); play("move"); })}
        {toggle(t.settings.coordinates, "coordinates", coordinates, (on) => choose({ coordinates: on }))}
        {toggle(t.settings.textBoard, "textBoard", textBoard, (on) => choose({ textBoard: on }))}
        <label class="field">{t.settings.name}<input value={name} maxLength={40} onInput={(event) => choose({ name: event.currentTarget.value })} /></label>
      </div>
      <h2>{t.settings.keys}</h2>
      <div class="panel"><KeyList /></div>
      <p class="quiet">{t.settings.remembered} {t.settings.about}</p>
    </div>
  );
}

// Two little boards that show the style: pictures, not positions of any game.
function sample(board: Drawn["board"], size: number, letters: string, pieces: Record<string, ["first" | "second", string]>): Drawn {
  const cells = Array.from({ length: size * size }, (_, index) => {
    const name = `${letters[index % size]}${size - Math.floor(index / size)}`;
    const piece = pieces[name];
    return { name, piece: piece ? { side: piece[0], shape: piece[1], letters: "" } : null, count: piece ? 1 : 0 };
  });
  return { board, width: size, height: size, cells, hands: [[], []], dice: [], facts: [] };
}
const SAMPLE_GO = sample("points", 5, "ABCDE", { B4: ["first", "stone"], C2: ["second", "stone"], D3: ["first", "stone"], D2: ["second", "stone"], C4: ["second", "stone"] });
const SAMPLE_CHESS = sample("chequered", 4, "abcd", { a1: ["first", "king"], c3: ["first", "knight"], b4: ["second", "king"], d4: ["second", "rook"], c1: ["first", "queen"], d2: ["second", "pawn"], b1: ["first", "bishop"] });
