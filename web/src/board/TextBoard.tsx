// The board as a table of words, with the legal moves as buttons: the whole game can be played without seeing it.
import { words } from "../i18n";
import { memo } from "../ui/memo";
import { describePiece } from "./describe";
import type { Choice, Drawn } from "./types";

interface Props { drawn: Drawn; choices: Choice[]; sideNames: readonly [string, string]; onPlay(move: string): void }

export const TextBoard = memo(({ drawn, choices, sideNames, onPlay }: Props) => {
  const t = words();
  const rows = drawn.board === "track" ? [] : Array.from({ length: drawn.height }, (_, row) => drawn.cells.slice(row * drawn.width, (row + 1) * drawn.width));
  return (
    <div class="text-board">
      {rows.length > 0 && (
        <table>
          <caption>{t.board.asText}</caption>
          <tbody>
            {rows.map((cells, row) => (
              <tr key={row}>
                {cells.map((cell, column) => <td key={cell.name} aria-label={`${cell.name} ${describePiece(drawn, row * drawn.width + column, sideNames)}`}>{cell.piece ? cell.piece.letters : "·"}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {drawn.board === "track" && <ul>{drawn.cells.map((cell, index) => cell.count > 0 && <li key={cell.name}>{cell.name}: {describePiece(drawn, index, sideNames)}</li>)}</ul>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const input = event.currentTarget.elements.namedItem("move") as HTMLInputElement;
          if (input.value.trim()) onPlay(input.value.trim());
          input.value = "";
        }}
      >
        <label>{t.board.typeMove} <input name="move" autocomplete="off" autocapitalize="off" spellcheck={false} list="text-moves" /></label>
        <datalist id="text-moves">{choices.slice(0, 400).map((choice) => <option key={choice.move} value={choice.move}>{choice.label}</option>)}</datalist>
        <button type="submit" class="button">{t.board.playIt}</button>
      </form>
    </div>
  );
});
