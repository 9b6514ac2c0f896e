// Small line drawings for buttons, in one place and one style: 24 x 24, drawn with the text's colour.
const PATHS = {
  play: "M7 4.5l12 7.5l-12 7.5z",
  pause: "M8 5v14M16 5v14",
  board: "M4 4h16v16h-16zM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16",
  library: "M5 4v16M10 4v16M14.5 4.6l4.5 15",
  learn: "M3 8.5l9-4.5l9 4.5l-9 4.5zM7 11v5c3 2.5 7 2.5 10 0v-5",
  watch: "M3 19h18M5 15l4-5l4 3l6-8",
  settings: "M12 8.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7zM12 3v2.5M12 18.5v2.5M3 12h2.5M18.5 12h2.5M5.6 5.6l1.8 1.8M16.6 16.6l1.8 1.8M18.4 5.6l-1.8 1.8M7.4 16.6l-1.8 1.8",
  analyse: "M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13zM15.5 15.5l5 5",
  undo: "M9 7l-5 4l5 4M4 11h10a5 5 0 0 1 0 10h-3",
  flag: "M6 21v-17M6 4.5h11l-2.5 4l2.5 4h-11",
  draw: "M4 10c3-4 6-4 8 0s5 4 8 0M4 16c3-4 6-4 8 0s5 4 8 0",
  pass: "M5 12h13M13 7l5 5l-5 5",
  rematch: "M5 12a7 7 0 0 1 12-5l2 2M19 4v5h-5M19 12a7 7 0 0 1-12 5l-2-2M5 20v-5h5",
  swap: "M7 4v14M3.5 14.5l3.5 3.5l3.5-3.5M17 20v-14M13.5 9.5l3.5-3.5l3.5 3.5",
  hint: "M9 17.5h6M10 20.5h4M12 3.5a6 6 0 0 0-3.5 10.8v1.7h7v-1.7a6 6 0 0 0-3.5-10.8z",
  flip: "M12 4v16M8.5 7.5l3.5-3.5l3.5 3.5M8.5 16.5l3.5 3.5l3.5-3.5M4 12h16",
  first: "M6 5v14M18 5l-9 7l9 7z",
  back: "M15 5l-8 7l8 7",
  forward: "M9 5l8 7l-8 7",
  last: "M18 5v14M6 5l9 7l-9 7z",
  close: "M6 6l12 12M18 6l-12 12",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  copy: "M9 9h11v11h-11zM15 9v-5h-11v11h5",
  download: "M12 4v11M7.5 11l4.5 4.5l4.5-4.5M4 20h16",
  edit: "M4 20l1-4.5l10.5-10.5l3.5 3.5l-10.5 10.5zM13.5 7l3.5 3.5",
  trash: "M5 7h14M10 7v-3h4v3M7 7l1 13h8l1-13",
  up: "M6 15l6-7l6 7",
  eye: "M2.5 12c4-7 15-7 19 0c-4 7-15 7-19 0zM12 9a3 3 0 1 0 0 6a3 3 0 1 0 0-6z",
  chat: "M4 5h16v11h-9l-4 4v-4h-3z",
  tree: "M12 4v5M12 9l-6 5v5M12 9l6 5v5M12 9v10",
  check: "M5 12.5l4.5 4.5l9.5-10",
  person: "M12 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8zM4.5 20.5c1-8 14-8 15 0",
  people: "M9 5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7zM2.5 19.5c1-7 12-7 13 0M16 5.5a3.5 3.5 0 0 1 0 6.5M18.5 14.5c2 1 3 2.7 3 5",
  machine: "M6 8h12v10h-12zM12 8v-4M9.5 12.5v1.5M14.5 12.5v1.5M3.5 11.5v4M20.5 11.5v4",
  import: "M12 15v-11M7.5 8.5l4.5-4.5l4.5 4.5M4 14v6h16v-6",
  roll: "M5 5h14v14h-14zM9 9h.01M15 15h.01M12 12h.01M15 9h.01M9 15h.01",
  grid: "M4 4h7v7h-7zM13 4h7v7h-7zM4 13h7v7h-7zM13 13h7v7h-7z",
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d={PATHS[name]} /></svg>
);
