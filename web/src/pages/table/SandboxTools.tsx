// What only a sandbox can: comments, marks, setting up, main lines, cutting branches.
import { words } from "../../i18n";
import type { Wish } from "../../protocol/connection";
import type { Node } from "../../protocol/messages";
import { AskTwice } from "../../ui/AskTwice";
import { Icon } from "../../ui/Icon";

const SIGNS = { circle: "○", square: "□", triangle: "△", cross: "×", label: "A" } as const;
export type MarkShape = keyof typeof SIGNS;

interface Props { node: Node | undefined; cursor: number; marking: MarkShape | null; onMarking(shape: MarkShape | null): void; onSetUp(): void; ask(wish: Wish): void }

export function SandboxTools({ node, cursor, marking, onMarking, onSetUp, ask }: Props) {
  const t = words();
  return (
    <section class="panel sandbox-tools" aria-label={t.sandbox.title}>
      <label class="field">{t.tree.comment}
        <textarea key={cursor} rows={2} maxLength={4000} placeholder={t.tree.commentPlaceholder} defaultValue={node?.comment ?? ""} onChange={(event) => ask({ do: "comment", node: cursor, text: event.currentTarget.value })} />
      </label>
      <div class="row" role="group" aria-label={t.sandbox.marks}>
        {(Object.keys(SIGNS) as MarkShape[]).map((shape) => <button key={shape} type="button" class="chip mark-chip" aria-pressed={marking === shape} aria-label={t.sandbox.markShapes[shape]} title={t.sandbox.markShapes[shape]} onClick={() => onMarking(marking === shape ? null : shape)}>{SIGNS[shape]}</button>)}
      </div>
      <div class="row">
        <button type="button" class="button" onClick={onSetUp}><Icon name="edit" />{t.sandbox.setUp}</button>
        <button type="button" class="button" disabled={cursor === 0} onClick={() => ask({ do: "promote", node: cursor })}><Icon name="up" />{t.tree.promote}</button>
        <AskTwice icon="trash" label={t.tree.delete} sure={t.tree.deleteSure} disabled={cursor === 0} onSure={() => ask({ do: "delete", node: cursor })} />
      </div>
    </section>
  );
}

/** The marks of a node after a click with this shape: set, exchanged or taken away; letters go on from A. */
export function marksAfter(node: Node | undefined, cell: string, shape: MarkShape): Node["marks"] {
  const isLetter = (text: string) => /^[A-Z]$/.test(text);
  const others = (node?.marks ?? []).filter((mark) => mark.cell !== cell);
  const there = node?.marks.find((mark) => mark.cell === cell);
  if (there && (there.shape === shape || (shape === "label" && isLetter(there.shape)))) return others;
  const text = shape === "label" ? String.fromCharCode(65 + others.filter((mark) => isLetter(mark.shape)).length) : shape;
  return [...others, { cell, shape: text }];
}
