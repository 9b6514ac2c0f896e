// Positions as drawings, from the neutral description that every game gives. The box is 100 units a cell.

/** Silhouettes in a box of 100 by 100, for pieces that have no simpler form. */
const SHAPES = {
  pawn: "M50 20a14 14 0 0 1 9 25q8 14 10 29h6v11H25V74h6q2-15 10-29a14 14 0 0 1 9-25z",
  rook: "M27 17h12v9h7v-9h8v9h7v-9h12v21l-7 7v22l5 7h6v11H23V74h6l5-7V45l-7-7z",
  knight: "M31 74c-1-15 13-21 15-31l-13 9-9-7 10-20 6-13 8 9c20 1 29 22 26 53h4v11H26V74zM43 28a3.5 3.5 0 1 0 .1 0z",
  bishop: "M50 11a6 6 0 0 1 4 10c12 10 15 21 8 31l-4 5 5 17h9v11H28V74h9l5-17-4-5c-7-10-4-21 8-31a6 6 0 0 1 4-10zM47 33v6h-6v5h6v7h6v-7h6v-5h-6v-6z",
  queen: "M22 24a5 5 0 0 1 4 8l11 20 2-25a5 5 0 1 1 6-1l5 25 5-25a5 5 0 1 1 6 1l2 25 11-20a5 5 0 1 1 5 1l-9 38h5v14H25V71h5l-9-38a5 5 0 0 1 1-9z",
  king: "M46 9h8v7h7v8h-7v8c10-7 28-3 24 14-2 9-8 14-10 28h5v11H27V74h5c-2-14-8-19-10-28-4-17 14-21 24-14v-8h-7v-8h7z",
};

/** A shogi tile that points up. */
const TILE = "M50 8L80 24L88 90H12L20 24z";

/** How the sides look: White and Yellow are the light ones. */
const lightSide = (sides) => (["White", "Yellow"].includes(sides[0]) ? "first" : "second");

const drawPiece = (kind, board, light, flipped) => {
  const shade = kind.side === light ? "light" : "dark";
  const title = svg("title", {}, `${kind.shape}`);
  if (kind.shape === "cross") return svg("path", { class: `mark ${shade}`, d: "M25 25L75 75M75 25L25 75" }, title);
  if (kind.shape === "ring") return svg("circle", { class: `mark ${shade}`, cx: 50, cy: 50, r: 27 }, title);
  if (["stone", "disc", "checker"].includes(kind.shape)) {
    const coloured = board === "columns" ? (shade === "light" ? "yellow" : "red") : shade;
    const disc = svg("circle", { class: `disc ${coloured}`, cx: 50, cy: 50, r: kind.shape === "stone" ? 47 : 41, fill: `url(#fill-${coloured})` }, title);
    // Yellow and red differ in more than hue.
    return coloured === "red" ? svg("g", {}, disc, svg("circle", { class: "groove", cx: 50, cy: 50, r: 24 })) : disc;
  }
  if (SHAPES[kind.shape]) return svg("path", { class: `piece ${shade}`, d: SHAPES[kind.shape], "fill-rule": "evenodd" }, title);
  const down = (kind.side === "second") !== flipped;
  const tile = svg("path", { class: `piece ${shade}`, d: TILE, transform: down ? "rotate(180 50 50)" : null }, title);
  const text = svg("text", { class: `letters ${shade}`, x: 50, y: down ? 60 : 71, "font-size": kind.letters.length > 1 ? 36 : 44, "text-anchor": "middle" }, kind.letters.toUpperCase());
  return svg("g", {}, tile, text);
};

const gradients = () => {
  const shade = (id, from, to) => svg("radialGradient", { id: `fill-${id}`, cx: 0.36, cy: 0.32, r: 0.75 }, svg("stop", { offset: 0, "stop-color": from }), svg("stop", { offset: 1, "stop-color": to }));
  return svg("defs", {}, shade("light", "#ffffff", "#d9d4c8"), shade("dark", "#5a5e66", "#0f1114"), shade("yellow", "#ffe27a", "#e3a913"), shade("red", "#f0806c", "#b32d20"));
};

/** The whole picture: board, coordinates, pieces, marks of the last move. */
const drawPosition = (board, scene, touched, light, flipped) => {
  if (board.board === "bare") return null;
  return board.board === "track" ? drawTrack(board, scene, light) : drawGrid(board, scene, touched, light, flipped);
};

const drawGrid = (board, scene, touched, light, flipped) => {
  const [w, h] = [board.width * 100, board.height * 100];
  // Coordinates keep their size on the page, whatever the number of cells.
  const size = Math.max(w, h) / 850;
  const rim = 46 * size;
  const root = svg("svg", { class: `board board-${board.board}`, viewBox: `${-rim} ${-rim} ${w + 2 * rim} ${h + 2 * rim}` }, gradients());
  root.append(svg("rect", { class: "frame", x: -rim, y: -rim, width: w + 2 * rim, height: h + 2 * rim, rx: 14 * size }));
  root.append(svg("rect", { class: "ground", width: w, height: h }));
  const place = (index) => {
    const [x, y] = [index % board.width, Math.floor(index / board.width)];
    return flipped ? [board.width - 1 - x, board.height - 1 - y] : [x, y];
  };
  const points = board.board === "points";
  if (board.board === "chequered") {
    for (let i = 0; i < board.cells.length; i++) if ((i % board.width + Math.floor(i / board.width)) % 2) root.append(svg("rect", { class: "dark-square", x: place(i)[0] * 100, y: place(i)[1] * 100, width: 100, height: 100 }));
  } else if (board.board === "columns") {
    for (let i = 0; i < board.cells.length; i++) root.append(svg("circle", { class: "hole", cx: place(i)[0] * 100 + 50, cy: place(i)[1] * 100 + 50, r: 42 }));
  } else {
    const inset = points ? 50 : 0;
    let lines = "";
    for (let i = points ? 0 : 1; i < board.width; i++) lines += `M${i * 100 + inset} ${inset}V${h - inset}`;
    for (let i = points ? 0 : 1; i < board.height; i++) lines += `M${inset} ${i * 100 + inset}H${w - inset}`;
    root.append(svg("path", { class: "lines", d: lines }));
    if (points && board.width === board.height && board.width >= 7) {
      const near = board.width < 13 ? 2 : 3;
      const middle = (board.width - 1) / 2;
      const stars = board.width % 2 ? (board.width > 13 ? [near, middle, board.width - 1 - near] : [near, board.width - 1 - near]) : [near, board.width - 1 - near];
      for (const x of stars) for (const y of stars) root.append(svg("circle", { class: "star", cx: x * 100 + 50, cy: y * 100 + 50, r: 9 }));
      if (board.width % 2 && board.width <= 13) root.append(svg("circle", { class: "star", cx: middle * 100 + 50, cy: middle * 100 + 50, r: 9 }));
    }
  }
  // Coordinates, where cells are named by a letter and a number.
  const parts = board.cells.map((name) => /^([A-Za-z]+)(\d+)$/.exec(name));
  if (parts.every(Boolean)) {
    for (let i = 0; i < board.width; i++) root.append(svg("text", { class: "coordinate", x: place(i)[0] * 100 + 50, y: h + 32 * size, "font-size": 26 * size, "text-anchor": "middle" }, parts[i][1]));
    for (let i = 0; i < board.height; i++) root.append(svg("text", { class: "coordinate", x: -24 * size, y: place(i * board.width)[1] * 100 + 50 + 9 * size, "font-size": 26 * size, "text-anchor": "middle" }, parts[i * board.width][2]));
  }
  const filled = !points && board.board !== "columns";
  if (filled) for (const index of touched) root.append(svg("rect", { class: "touched", x: place(index)[0] * 100 + 3, y: place(index)[1] * 100 + 3, width: 94, height: 94, rx: 8 }));
  scene.cells.forEach((number, index) => {
    if (!number) return;
    const [x, y] = place(index);
    root.append(svg("g", { transform: `translate(${x * 100} ${y * 100})` }, drawPiece(scene.kinds[number - 1], board.board, light, flipped)));
  });
  if (!filled && touched.length) {
    const [x, y] = place(touched.at(-1));
    root.append(svg("circle", { class: "last", cx: x * 100 + 50, cy: y * 100 + 50, r: 22 }));
  }
  return root;
};

/** Backgammon: points 13 to 24 above, 12 to 1 below, the bar in the middle, checkers borne off beside. */
const drawTrack = (board, scene, light) => {
  const root = svg("svg", { class: "board board-track", viewBox: "-46 -60 1452 1120" }, gradients());
  root.append(svg("rect", { class: "frame", x: -46, y: -60, width: 1452, height: 1120, rx: 16 }), svg("rect", { class: "ground", width: 1300, height: 1000 }), svg("rect", { class: "bar-place", x: 600, width: 100, height: 1000 }));
  board.cells.forEach((name, index) => {
    const point = Number(name);
    const number = scene.cells[index];
    const kind = number ? scene.kinds[number - 1] : null;
    const stack = (x, y, step) => {
      const shown = Math.min(kind.count, 5);
      for (let i = 0; i < shown; i++) root.append(svg("g", { transform: `translate(${x} ${y + i * step})` }, drawPiece(kind, "track", light, false)));
      if (kind.count > 5) root.append(svg("text", { class: `letters ${kind.side === light ? "light" : "dark"}`, x: x + 50, y: y + (shown - 1) * step + 64, "font-size": 40, "text-anchor": "middle" }, kind.count));
    };
    if (point >= 1 && point <= 24) {
      const top = point > 12;
      const column = top ? point - 13 : 12 - point;
      const x = column * 100 + (column > 5 ? 100 : 0);
      root.append(svg("path", { class: point % 2 ? "point-a" : "point-b", d: top ? `M${x} 0h100L${x + 50} 430z` : `M${x} 1000h100L${x + 50} 570z` }));
      root.append(svg("text", { class: "coordinate", x: x + 50, y: top ? -18 : 1040, "font-size": 30, "text-anchor": "middle" }, name));
      if (kind) stack(x, top ? 0 : 900, top ? 88 : -88);
    } else if (kind) {
      const [where, side] = name.split("-");
      stack(where === "bar" ? 600 : 1300, side === "first" ? 560 : 340, side === "first" ? 88 : -88);
    }
  });
  return root;
};

/** The position in words, for those who do not see it. */
const positionInWords = (board, scene, sides) => {
  const lists = { first: [], second: [] };
  scene.cells.forEach((number, index) => {
    if (!number) return;
    const kind = scene.kinds[number - 1];
    lists[kind.side].push(`${kind.count > 1 ? `${kind.count} ` : ""}${kind.shape} ${board.cells[index]}`);
  });
  return ["first", "second"].map((side, i) => `${sides[i]}: ${lists[side].join(", ") || "nothing on the board"}.`);
};
