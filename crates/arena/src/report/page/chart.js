// Curves with their uncertainty, drawn as wide as the page is, so that letters keep their size on a phone.

/** Round numbers that cover a range, about so many. */
const ticks = (low, high, about) => {
  const rough = (high - low) / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-6; tick += step) found.push(Math.abs(tick) < step * 1e-6 ? 0 : tick);
  return { found, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
};

const drawChart = (figure, chart) => {
  const width = Math.max(260, figure.clientWidth);
  const small = figure.hasAttribute("data-small");
  const height = small ? 170 : Math.min(340, Math.max(220, width * 0.42));
  const named = chart.lines.length > 1;
  const edge = { left: 46, right: named ? Math.min(150, width * 0.3) : 14, top: 12, bottom: 34 };
  const banded = chart.band;
  const all = chart.lines.flatMap((line) => line.points);
  let [x0, x1] = [0, Math.max(1, ...all.map((point) => point[0]))];
  // Early intervals are wide as the sky: the axis fits the values and the later half of the band.
  const values = all.map((point) => point[1]).concat(chart.rules.map((rule) => rule[0]));
  if (banded) for (const point of all) if (point[0] >= x1 * 0.15) values.push(point[2], point[3]);
  let [y0, y1] = [Math.min(...values), Math.max(...values)];
  const room = (y1 - y0 || 1) * 0.06;
  [y0, y1] = [y0 - room, y1 + room];
  const x = (value) => edge.left + ((value - x0) / (x1 - x0)) * (width - edge.left - edge.right);
  const y = (value) => edge.top + ((y1 - value) / (y1 - y0)) * (height - edge.top - edge.bottom);
  const root = svg("svg", { class: "chart", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${chart.y} over ${chart.x}; the numbers follow as a table` });
  const clip = `clip-${figure.dataset.chart}`;
  root.append(svg("clipPath", { id: clip }, svg("rect", { x: edge.left, y: edge.top, width: width - edge.left - edge.right, height: height - edge.top - edge.bottom })));

  const rows = ticks(y0, y1, small ? 3 : 5);
  for (const tick of rows.found) {
    root.append(svg("line", { class: "grid", x1: edge.left, x2: width - edge.right, y1: y(tick), y2: y(tick) }));
    root.append(svg("text", { class: "tick", x: edge.left - 7, y: y(tick) + 4, "text-anchor": "end" }, minus(tick.toFixed(rows.digits))));
  }
  const columns = ticks(x0, x1, (width - edge.left - edge.right) / 90);
  for (const tick of columns.found) root.append(svg("text", { class: "tick", x: x(tick), y: height - 14, "text-anchor": "middle" }, tick.toFixed(0)));
  root.append(svg("text", { class: "tick", x: width - edge.right, y: height - 1, "text-anchor": "end" }, chart.x));

  for (const [value, label] of chart.rules) {
    root.append(svg("line", { class: label ? "rule" : "zero", x1: edge.left, x2: width - edge.right, y1: y(value), y2: y(value) }));
    if (label) root.append(svg("text", { class: "rule-label", x: width - edge.right - 8, "text-anchor": "end", y: y(value) + (y(value) < edge.top + 20 ? 14 : -5) }, label));
  }
  const path = (points, column) => points.map((point, i) => `${i ? "L" : "M"}${x(point[0]).toFixed(1)} ${y(point[column]).toFixed(1)}`).join("");
  const ends = [];
  chart.lines.forEach((line, index) => {
    const group = svg("g", { class: `line line-${index % 6}`, "clip-path": `url(#${clip})` });
    if (banded) group.append(svg("path", { class: "band", d: `${path(line.points, 3)}L${path([...line.points].reverse(), 2).slice(1)}z` }));
    group.append(svg("path", { class: "curve", d: path(line.points, 1) }));
    root.append(group);
    const last = line.points.at(-1);
    root.append(svg("circle", { class: `dot line-${index % 6}`, cx: x(last[0]), cy: y(last[1]), r: 3.5 }));
    ends.push({ index, name: line.name, at: y(last[1]) + 4 });
  });
  if (named) {
    // Names at the ends of their curves, moved apart where they would touch.
    ends.sort((a, b) => a.at - b.at);
    for (let i = 1; i < ends.length; i++) ends[i].at = Math.max(ends[i].at, ends[i - 1].at + 14);
    const over = ends.at(-1).at - (height - edge.bottom + 4);
    if (over > 0) for (let i = ends.length - 1; i >= 0; i--) ends[i].at = Math.min(ends[i].at, height - edge.bottom + 4 - 14 * (ends.length - 1 - i));
    const letters = Math.floor((edge.right - 12) / 6.6);
    for (const end of ends) root.append(svg("text", { class: `end line-${end.index % 6}`, x: width - edge.right + 9, y: end.at }, end.name.length > letters ? `${end.name.slice(0, letters - 1)}…` : end.name));
  }

  // What the curve says where the pointer is.
  const hair = svg("line", { class: "hair", y1: edge.top, y2: height - edge.bottom, visibility: "hidden" });
  root.append(hair);
  const tip = html("div", { class: "tip", hidden: true });
  root.addEventListener("pointerleave", () => { hair.setAttribute("visibility", "hidden"); tip.hidden = true; });
  root.addEventListener("pointermove", (event) => {
    const at = x0 + ((event.offsetX - edge.left) / (width - edge.left - edge.right)) * (x1 - x0);
    const near = chart.lines.map((line) => line.points.reduce((best, point) => (Math.abs(point[0] - at) < Math.abs(best[0] - at) ? point : best), line.points[0]));
    const digits = rows.digits + 1;
    hair.setAttribute("x1", x(near[0][0]));
    hair.setAttribute("x2", x(near[0][0]));
    hair.setAttribute("visibility", "visible");
    const say = (point, line) => `${named ? `${line.name}: ` : ""}${minus(point[1].toFixed(digits))}${point.length > 3 ? ` (${minus(point[2].toFixed(digits))} to ${minus(point[3].toFixed(digits))})` : ""}`;
    tip.replaceChildren(html("b", {}, `${near[0][0]} ${chart.x}`), ...near.map((point, i) => html("span", {}, say(point, chart.lines[i]))));
    tip.hidden = false;
    const left = x(near[0][0]);
    tip.style.left = `${left > width / 2 ? left - tip.offsetWidth - 10 : left + 10}px`;
  });
  figure.replaceChildren(root, tip);
};

const drawCharts = (charts) => {
  const draw = () => {
    for (const figure of document.querySelectorAll("figure[data-chart]")) if (charts[figure.dataset.chart]) drawChart(figure, charts[figure.dataset.chart]);
  };
  draw();
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) draw();
    width = innerWidth;
  });
};
