// The tree of moves: the main line in rows of two, variations below the row they leave, glyphs beside mistakes.
import { Fragment, type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../../i18n";
import type { Node } from "../../protocol/messages";
import { memo } from "../../ui/memo";
import type { TableState } from "./client";
import { glyph } from "./sentences";

interface Props { nodes: TableState["nodes"]; childrenOf: TableState["children"]; at: number; onGo(node: number): void }

interface Row { number: number; first: Cell | null; second: Cell | null; branches: number[] }
/** A move with the roll before it, if dice were thrown. */
interface Cell { node: Node; roll: Node | null }

export const Moves = memo(({ nodes, childrenOf, at, onGo }: Props) => <List nodes={nodes} childrenOf={childrenOf} at={at} onGo={onGo} />);

function List({ nodes, childrenOf, at, onGo }: Props) {
  const t = words();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Only the list is scrolled, never the page.
    const box = list.current;
    const current = box?.querySelector<HTMLElement>("[aria-current]");
    if (!box || !current) return;
    const topOf = () => current.getBoundingClientRect().top - box.getBoundingClientRect().top;
    const isOutside = (height: number) => topOf() < 0 || topOf() + current.offsetHeight > height;
    const show = () => {
      if (isOutside(box.clientHeight)) box.scrollTop += topOf() - box.clientHeight / 2;
      if (current.offsetLeft < box.scrollLeft || current.offsetLeft > box.scrollLeft + box.clientWidth - 60) box.scrollLeft = current.offsetLeft - box.clientWidth / 2;
    };
    show();
    // A panel that opens takes room from the list: a move that was in sight stays so, one that was scrolled away does not come back.
    let height = box.clientHeight;
    const observer = new ResizeObserver(() => {
      if (!isOutside(height)) show();
      height = box.clientHeight;
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [at, nodes.size]);

  const button = (node: Node, prefix = ""): JSX.Element => {
    const mark = glyph(node.judged);
    return (
      <button type="button" class={`move ${node.judged ? `move-${node.judged.kind}` : ""}`} aria-current={node.id === at ? "step" : undefined} onClick={() => onGo(node.id)}>
        {prefix}{label(node)}{mark && <span class="glyph" title={t.tree.quality[node.judged?.kind ?? ""]}>{mark}</span>}
        {node.comment && <span class="has-comment" aria-label={t.tree.comment}>✎</span>}
      </button>
    );
  };
  const label = (node: Node) => (node.played?.move === "pass" ? t.pass : t.board.bare[node.played?.move ?? ""]?.toLowerCase() ?? node.played?.label ?? "");
  const cell = (one: Cell) => <span class="move-cell">{one.roll && <button type="button" class="move move-roll" aria-current={one.roll.id === at ? "step" : undefined} onClick={() => onGo((one.roll as Node).id)}>{label(one.roll)}</button>}{button(one.node)}</span>;

  /** A variation as running text, with its own variations in brackets. */
  const branch = (start: number): JSX.Element => {
    const parts: JSX.Element[] = [];
    let first = true;
    for (let id: number | undefined = start; id !== undefined; ) {
      const node = nodes.get(id);
      if (!node) break;
      const number = moveNumber(nodes, node);
      const prefix = node.side === "first" ? `${number}. ` : first && node.side === "second" ? `${number}… ` : "";
      parts.push(<Fragment key={id}>{button(node, prefix)} {node.comment && <q class="comment-inline">{node.comment}</q>}</Fragment>);
      const [next, ...others]: number[] = childrenOf.get(id) ?? [];
      others.forEach((other) => parts.push(<span key={`b${other}`} class="branch-nested">({branch(other)})</span>));
      first = others.length > 0;
      id = next;
    }
    return <span class="branch-line">{parts}</span>;
  };

  // The main line in rows.
  const rows: Row[] = [];
  let roll: Node | null = null;
  for (let id = childrenOf.get(0)?.[0], parent = 0; id !== undefined; ) {
    const node = nodes.get(id);
    if (!node) break;
    const branches = (childrenOf.get(parent) ?? []).slice(1);
    if (node.side === null) roll = node;
    else {
      const row = rows.at(-1);
      const fits = row && node.side === "second" && row.second === null && row.branches.length === 0;
      if (fits) row.second = { node, roll };
      else rows.push({ number: moveNumber(nodes, node), first: node.side === "first" ? { node, roll } : null, second: node.side === "second" ? { node, roll } : null, branches: [] });
      roll = null;
    }
    rows.at(-1)?.branches.push(...branches);
    [parent, id] = [id, childrenOf.get(id)?.[0]];
  }
  return (
    <div class="moves" ref={list} role="group" aria-label={t.table.moves} tabIndex={-1}>
      <button type="button" class="move move-start" aria-current={at === 0 ? "step" : undefined} onClick={() => onGo(0)}>{t.table.start}</button>
      {rows.length === 0 && <p class="quiet moves-none">{t.table.noMoves}</p>}
      {rows.map((row) => (
        <Fragment key={(row.first ?? row.second)?.node.id}>
          <div class="move-row">
            <span class="move-number">{row.number}</span>
            {row.first ? cell(row.first) : <span class="move-cell quiet">…</span>}
            {row.second ? cell(row.second) : <span class="move-cell" />}
          </div>
          {[row.first, row.second].map((one) => one?.node.comment && <p key={one.node.id} class="comment-block">{one.node.comment}</p>)}
          {row.branches.length > 0 && <div class="branches">{row.branches.map((id) => <p key={id} class="branch">{branch(id)}</p>)}</div>}
        </Fragment>
      ))}
      {roll && <div class="move-row"><span class="move-number" /><span class="move-cell"><button type="button" class="move move-roll" aria-current={roll.id === at ? "step" : undefined} onClick={() => onGo((roll as Node).id)}>{label(roll)}</button></span><span /></div>}
    </div>
  );
}

/** The number people give to a move: decisions are counted in pairs, rolls are not. */
function moveNumber(nodes: TableState["nodes"], node: Node): number {
  const sides: string[] = [];
  for (let at: Node | undefined = node; at; at = at.parent === null ? undefined : nodes.get(at.parent)) if (at.side !== null) sides.push(at.side);
  let number = 0;
  let before: string | null = null;
  for (const side of sides.reverse()) {
    // A new pair begins with every move of the first side, at the start, and where one side moves again.
    if (side === "first" || before !== "first") number++;
    before = side;
  }
  return number;
}
