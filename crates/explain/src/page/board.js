// Positions as small drawings, from the neutral description that every game gives.

const SVG = "http://www.w3.org/2000/svg";

const svg = (name, attributes = {}, ...children) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null && value !== undefined) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

const html = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
};

/** A board in a box of this size, as a group; null where there is no board. */
const drawBoard = (form, sketch, touched, size) => {
  if (!form || !sketch.cells) return null;
  return form.board === "track" ? drawTrack(form, sketch, size) : drawGrid(form, sketch, touched ?? [], size);
};

const pieceAt = (form, sketch, index) => {
  const code = sketch.cells.charCodeAt(index) - 48;
  return code > 0 ? form.pieces[code - 1] : null;
};

const drawGrid = (form, sketch, touched, size) => {
  const cell = size / Math.max(form.width, form.height);
  const group = svg("g", { class: `tx-board tx-board-${form.board}` });
  const points = form.board === "points";
  const wide = cell * form.width;
  const high = cell * form.height;
  group.append(svg("rect", { class: "tx-ground", width: wide, height: high, rx: Math.min(3, cell / 6) }));
  if (form.board === "chequered") {
    for (let i = 0; i < form.width * form.height; i++) {
      const [x, y] = [i % form.width, Math.floor(i / form.width)];
      if ((x + y) % 2) group.append(svg("rect", { class: "tx-dark", x: x * cell, y: y * cell, width: cell, height: cell }));
    }
  }
  const inset = points ? cell / 2 : 0;
  let lines = "";
  for (let i = points ? 0 : 1; i < form.width; i++) lines += `M${i * cell + inset} ${inset}V${high - inset}`;
  for (let i = points ? 0 : 1; i < form.height; i++) lines += `M${inset} ${i * cell + inset}H${wide - inset}`;
  group.append(svg("path", { class: "tx-lines", d: lines }));
  for (let i = 0; i < sketch.cells.length; i++) {
    const entry = pieceAt(form, sketch, i);
    const x = (i % form.width + 0.5) * cell;
    const y = (Math.floor(i / form.width) + 0.5) * cell;
    if (touched.includes(i)) group.append(svg("rect", { class: "tx-touched", x: x - cell * 0.46, y: y - cell * 0.46, width: cell * 0.92, height: cell * 0.92, rx: cell * 0.1 }));
    if (entry) group.append(drawPiece(form, entry[0], x, y, cell));
  }
  return group;
};

/** Light or dark, as the sides are called. */
const shade = (form, side) => (side === "first") === form.firstIsLight ? "tx-light" : "tx-dark-side";

const drawPiece = (form, piece, x, y, cell) => {
  const r = cell * 0.3;
  const side = shade(form, piece.side);
  if (piece.shape === "cross") return svg("path", { class: `tx-mark ${side}`, "stroke-width": cell * 0.12, d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}` });
  if (piece.shape === "ring") return svg("circle", { class: `tx-mark ${side}`, "stroke-width": cell * 0.12, cx: x, cy: y, r });
  if (piece.shape === "stone" || piece.shape === "disc" || piece.shape === "checker") return svg("circle", { class: `tx-disc ${side}`, cx: x, cy: y, r: cell * 0.4 });
  // A letter on a disc, so that the sides differ in more than hue.
  const text = svg("text", { class: `tx-letter ${side}`, x, y: y + cell * 0.2, "font-size": cell * (piece.letters.length > 1 ? 0.44 : 0.56), "text-anchor": "middle" });
  text.textContent = piece.letters;
  return svg("g", {}, svg("circle", { class: `tx-disc ${side}`, cx: x, cy: y, r: cell * 0.43 }), text);
};

/** Backgammon: twelve points above, twelve below, each with its number of checkers. */
const drawTrack = (form, sketch, size) => {
  const cell = size / 12;
  const group = svg("g", { class: "tx-board tx-board-track" });
  group.append(svg("rect", { class: "tx-ground", width: size, height: cell * 5, rx: 3 }));
  form.cells.forEach((name, index) => {
    const point = Number(name);
    if (!(point >= 1 && point <= 24)) return;
    const top = point > 12;
    const x = (top ? point - 13 : 12 - point) * cell + cell / 2;
    const y = top ? 0 : cell * 5;
    group.append(svg("path", { class: point % 2 ? "tx-dark" : "tx-point", d: `M${x - cell / 2} ${y}h${cell}L${x} ${y + (top ? 2 : -2) * cell}z` }));
    const entry = pieceAt(form, sketch, index);
    if (!entry) return;
    const cy = top ? cell * 0.7 : cell * 4.3;
    group.append(svg("circle", { class: `tx-disc ${shade(form, entry[0].side)}`, cx: x, cy, r: cell * 0.42 }));
    const text = svg("text", { class: `tx-letter ${shade(form, entry[0].side)}`, x, y: cy + cell * 0.22, "font-size": cell * 0.6, "text-anchor": "middle" });
    text.textContent = entry[1];
    group.append(text);
  });
  return group;
};

/** What stands beside a board, in words. */
const boardNotes = (words, trace, form, sketch) => {
  const notes = (sketch.notes ?? []).map((note) => words.notes(note.side ? trace.sides[note.side === "first" ? 0 : 1] : null, note.name, note.value));
  if (form?.board === "track") {
    form.cells.forEach((name, index) => {
      const entry = pieceAt(form, sketch, index);
      const [place, side] = name.split("-");
      if (entry && side) notes.push(words.notes(trace.sides[side === "first" ? 0 : 1], place, entry[1]));
    });
  }
  return notes;
};

