// Links to a table, the game as a file, the position as text.
import { words } from "../../i18n";
import { exported } from "../../protocol/api";
import type { GameInfo, Live } from "../../protocol/messages";
import { Dialog } from "../../ui/Dialog";
import { Icon } from "../../ui/Icon";
import { complain, tell } from "../../ui/toast";
import { recentTable } from "../recent";

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(words().copied);
  } catch {
    // Without the right to the clipboard the field stays selected for the reader to copy.
  }
}

export const CopyField = ({ label, value, secret }: { label: string; value: string; secret?: boolean }) => (
  <label class="copy-field">
    <span>{label}</span>
    <span class="copy-row">
      <input readOnly value={value} class={secret ? "secret" : ""} onFocus={(event) => event.currentTarget.select()} />
      <button type="button" class="button" onClick={() => void copyText(value)}><Icon name="copy" />{words().copy}</button>
    </span>
  </label>
);

export function saveFile(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const formatsOf = (game: GameInfo | undefined): string[] => (game?.family === "chess" ? ["pgn", "sgf", "json", "text"] : ["sgf", "json", "text"]);

export function Share({ live, game, position, onClose }: { live: Live; game: GameInfo | undefined; position: string; onClose(): void }) {
  const t = words();
  const seat = recentTable(live.id);
  const here = `${location.origin}/t/${live.id}`;
  const save = (format: string, copy: boolean) =>
    exported(`tables/${live.id}`, format).then((text) => (copy ? copyText(text) : saveFile(`tengen-${live.game}-${live.id}.${format === "text" ? "txt" : format}`, text)), complain);
  return (
    <Dialog title={t.share.title} onClose={onClose}>
      <div class="stack">
        <CopyField label={t.share.spectate} value={here} />
        {live.mode === "link" && seat?.otherKey && <CopyField label={t.share.other} value={`${here}#${seat.otherKey}`} />}
        {seat && live.mode !== "watch" && <CopyField label={t.share.seat} value={`${here}#${seat.key}`} secret />}
        <CopyField label={t.share.position} value={position} />
        <div role="group" aria-label={t.share.save} class="save-list">
          <span>{t.share.save}</span>
          {formatsOf(game).map((format) => (
            <span key={format} class="save-item">
              <button type="button" class="button" onClick={() => void save(format, false)}><Icon name="download" />{t.share.formats[format]}</button>
              <button type="button" class="icon-button" aria-label={`${t.copy} ${t.share.formats[format]}`} title={`${t.copy} ${t.share.formats[format]}`} onClick={() => void save(format, true)}><Icon name="copy" /></button>
            </span>
          ))}
        </div>
      </div>
    </Dialog>
  );
}
