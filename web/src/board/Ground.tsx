// What lies under the pieces, one drawing a kind of board, and the quiet coordinates at its edges.
// It depends on the layout alone, so it is drawn once and never again while a game goes on.
import { memo } from "../ui/memo";
import { CELL, type Layout, TRACK } from "./layout";

const range = (n: number) => Array.from({ length: n }, (_, index) => index);

export const Ground = memo(({ layout, coordinates }: { layout: Layout; coordinates: boolean }) => (
  <g class={`ground ground-${layout.kind}`}>
    {layout.kind === "chequered" && <Chequered layout={layout} />}
    {layout.kind === "squares" && <Squares layout={layout} />}
    {layout.kind === "points" && <Points layout={layout} />}
    {layout.kind === "track" && <Track layout={layout} />}
    {layout.kind === "columns" && <rect width={layout.width} height={layout.height} rx="26" class="frame-back" />}
    {coordinates && layout.kind !== "track" && <Coordinates layout={layout} />}
    {coordinates && layout.kind === "track" && <TrackNumbers layout={layout} />}
  </g>
));

function Chequered({ layout }: { layout: Layout }) {
  const { columns, rows } = layout;
  const dark = range(rows).flatMap((row) => range(columns).filter((column) => (row + column) % 2 === 1).map((column) => `M${column * CELL} ${row * CELL}h${CELL}v${CELL}h-${CELL}z`));
  return (
    <>
      <rect width={layout.width} height={layout.height} class="square-light" />
      <path d={dark.join("")} class="square-dark" />
    </>
  );
}

function Squares({ layout }: { layout: Layout }) {
  const { columns, rows, margin: m, width, height } = layout;
  const w = columns * CELL;
  const h = rows * CELL;
  const lines = [
    ...range(columns + 1).map((i) => `M${m + i * CELL} ${m}v${h}`),
    ...range(rows + 1).map((i) => `M${m} ${m + i * CELL}h${w}`),
  ];
  const cloth = columns === rows && columns >= 6;
  const dots = cloth ? [2, columns - 2].flatMap((x) => [2, rows - 2].map((y) => [x, y] as const)) : [];
  return (
    <>
      <rect width={width} height={height} rx="10" class="frame" />
      <rect x={m} y={m} width={w} height={h} class={cloth ? "cloth" : "plain"} />
      <path d={lines.join("")} class={cloth ? "lines lines-cloth" : "lines"} />
      {dots.map(([x, y]) => <circle key={`${x}-${y}`} cx={m + x * CELL} cy={m + y * CELL} r="6.5" class="cloth-dot" />)}
    </>
  );
}

/** The points that are marked on Go boards of the usual sizes. */
function stars(size: number): [number, number][] {
  if (size < 7) return size % 2 === 1 && size >= 5 ? [[(size - 1) / 2, (size - 1) / 2]] : [];
  const edge = size >= 13 ? 3 : 2;
  const middle = size % 2 === 1 ? (size - 1) / 2 : null;
  const rows = [edge, size - 1 - edge];
  const corners = rows.flatMap((x) => rows.map((y): [number, number] => [x, y]));
  if (middle === null) return corners;
  const sides: [number, number][] = size >= 15 ? rows.flatMap((x): [number, number][] => [[x, middle], [middle, x]]) : [];
  return [...corners, ...sides, [middle, middle]];
}

function Points({ layout }: { layout: Layout }) {
  const { columns, rows, margin, width, height } = layout;
  const m = margin + CELL / 2;
  const lines = [
    ...range(columns).map((i) => `M${m + i * CELL} ${m}v${(rows - 1) * CELL}`),
    ...range(rows).map((i) => `M${m} ${m + i * CELL}h${(columns - 1) * CELL}`),
  ];
  return (
    <>
      <rect width={width} height={height} class="wood" />
      <path d={lines.join("")} class="lines lines-points" />
      <rect x={m} y={m} width={(columns - 1) * CELL} height={(rows - 1) * CELL} class="lines lines-edge" />
      {columns === rows && stars(columns).map(([x, y]) => <circle key={`${x}-${y}`} cx={m + x * CELL} cy={m + y * CELL} r="9" class="star" />)}
    </>
  );
}

/** The front of a Connect Four rack: a plate with holes, drawn over the discs that fall behind it. */
export const Plate = memo(({ layout }: { layout: Layout }) => {
  const { width, height, places } = layout;
  const holes = places.map(({ x, y }) => `M${x - 41} ${y}a41 41 0 1 0 82 0a41 41 0 1 0 -82 0z`).join("");
  return (
    <g class="plate" pointer-events="none">
      <path d={`M26 0H${width - 26}a26 26 0 0 1 26 26V${height - 26}a26 26 0 0 1 -26 26H26a26 26 0 0 1 -26 -26V26a26 26 0 0 1 26 -26z${holes}`} fill-rule="evenodd" class="plate-front" />
      {places.map(({ x, y, name }) => <circle key={name} cx={x} cy={y} r="41" class="plate-rim" />)}
    </g>
  );
});

function Track({ layout }: { layout: Layout }) {
  const { frame, bar, tray, height } = TRACK;
  const { width } = layout;
  const halves = [frame, frame + 6 * CELL + bar];
  const middle = height / 2;
  const long = 400;
  const wedges = range(24).map((index) => {
    const column = index % 12;
    const x = frame + column * CELL + (column >= 6 ? bar : 0);
    const top = index < 12;
    const d = top ? `M${x + 4} ${frame}L${x + 50} ${frame + long}L${x + 96} ${frame}z` : `M${x + 4} ${height - frame}L${x + 50} ${height - frame - long}L${x + 96} ${height - frame}z`;
    return <path key={index} d={d} class={(column + (top ? 0 : 1)) % 2 ? "wedge-a" : "wedge-b"} />;
  });
  const trayX = width - frame - tray + 14;
  return (
    <>
      <rect width={width} height={height} rx="16" class="frame" />
      {halves.map((x) => <rect key={x} x={x} y={frame} width={6 * CELL} height={height - 2 * frame} class="felt" />)}
      <rect x={trayX} y={frame} width={tray - 14} height={middle - frame - 14} rx="6" class="felt felt-deep" />
      <rect x={trayX} y={middle + 14} width={tray - 14} height={middle - frame - 14} rx="6" class="felt felt-deep" />
      {wedges}
      <path d={`M${frame + 6 * CELL + bar / 2} ${frame}V${height - frame}`} class="hinge" />
    </>
  );
}

function TrackNumbers({ layout }: { layout: Layout }) {
  return (
    <g class="coordinates coordinates-frame" aria-hidden="true">
      {layout.places.slice(0, 24).map((place) => (
        <text key={place.name} x={place.x} y={place.row === 0 ? 32 : layout.height - 14} font-size="24">{place.name}</text>
      ))}
    </g>
  );
}

function Coordinates({ layout }: { layout: Layout }) {
  const { kind, places, columns, rows, margin: m, width, height } = layout;
  // The labels are read off the cells' names: letters for columns, digits for rows.
  const split = (index: number) => /^([A-Za-z]*)(\d*)$/.exec(places[index]?.name ?? "") ?? ["", "", ""];
  const letters = range(columns).map((column) => ({ text: split((rows - 1) * columns + column)[1] ?? "", x: places[(rows - 1) * columns + column]?.x ?? 0 }));
  const digits = range(rows).map((row) => ({ text: split(row * columns)[2] ?? "", y: places[row * columns]?.y ?? 0 }));
  if (kind === "columns") return null;
  if (kind === "chequered") {
    // Inside the edge squares, in the colour of the other squares.
    const shade = (x: number, y: number) => ((Math.floor(x / CELL) + Math.floor(y / CELL)) % 2 ? "on-dark" : "on-light");
    return (
      <g class="coordinates coordinates-inside" aria-hidden="true">
        {letters.map(({ text, x }) => <text key={text} x={x + 42} y={height - 7} font-size="19" class={`at-end ${shade(x, height - 1)}`}>{text}</text>)}
        {digits.map(({ text, y }) => <text key={text} x={6} y={y - 28} font-size="19" class={shade(1, y)}>{text}</text>)}
      </g>
    );
  }
  const size = kind === "points" ? Math.min(29, 13 + 1.3 * columns) : Math.min(25, m * 0.6);
  const far = kind === "points" ? m * 0.62 : m * 0.5;
  return (
    <g class={`coordinates ${kind === "points" ? "coordinates-wood" : "coordinates-frame"}`} aria-hidden="true">
      {letters.flatMap(({ text, x }) => [<text key={text} x={x} y={far + size * 0.36} font-size={size}>{text}</text>, kind === "points" && <text key={`${text}-`} x={x} y={height - far + size * 0.36} font-size={size}>{text}</text>])}
      {digits.flatMap(({ text, y }) => [<text key={text} x={far} y={y + size * 0.36} font-size={size}>{text}</text>, kind === "points" && <text key={`${text}-`} x={width - far} y={y + size * 0.36} font-size={size}>{text}</text>])}
    </g>
  );
}
