// The spirits of Yokai no Mori, drawn for Tengen: a pentagonal tile that points where its owner moves, a face, and
// a dot for every direction in which the piece may step. The box is 100 x 100; the other side's tiles are turned.
import type { JSX } from "preact";

type Way = "n" | "ne" | "e" | "se" | "s" | "sw" | "w" | "nw";

const DOTS: Record<Way, [number, number]> = {
  n: [50, 12.5], ne: [78.5, 22], e: [87, 57], se: [84.5, 88], s: [50, 90.5], sw: [15.5, 88], w: [13, 57], nw: [21.5, 22],
};
const GOLD: Way[] = ["n", "ne", "nw", "e", "w", "s"];

const WAYS: Record<string, Way[]> = {
  kodama: ["n"],
  samurai: GOLD,
  kitsune: ["ne", "se", "sw", "nw"],
  tanuki: ["n", "e", "s", "w"],
  koropokkuru: ["n", "ne", "e", "se", "s", "sw", "w", "nw"],
  oni: ["n", "ne", "nw", "se", "sw"],
  "super-oni": GOLD,
  kirin: GOLD,
};

const eye = (cx: number, cy: number, r = 2.6) => <circle cx={cx} cy={cy} r={r} fill="#23201d" />;

/** The faces, each about sixty wide around (50, 53). */
const FACES: Record<string, () => JSX.Element> = {
  // A tree spirit: a pale lopsided head with hollow eyes, and a sprout.
  kodama: () => (
    <>
      <path d="M50 35c-1-6 1-10 5-13M55 22c6-3 11-1 13 3c-5 3-10 2-13-3z" fill="#7cab54" stroke="#47702d" stroke-width="1.8" stroke-linejoin="round" />
      <path d="M50 34c15-1 24 8 23 21c-1 14-10 22-23 22s-24-8-23-22c1-12 9-20 23-21z" fill="#f4f7ee" stroke="#8aa08a" stroke-width="2" />
      <ellipse cx="40.5" cy="53" rx="5" ry="6.2" fill="#2b302b" transform="rotate(-8 40.5 53)" />
      <ellipse cx="60" cy="52" rx="4.3" ry="5.4" fill="#2b302b" />
      <ellipse cx="50.5" cy="66.5" rx="3" ry="3.7" fill="#2b302b" />
    </>
  ),
  // The Kodama in armour: a helmet with a golden crescent, a mask below.
  samurai: () => (
    <>
      <path d="M27 60c-5 4-6 10-4 15c7-1 12-5 14-10zM73 60c5 4 6 10 4 15c-7-1-12-5-14-10z" fill="#7e2f2b" stroke="#4d1a18" stroke-width="1.8" stroke-linejoin="round" />
      <path d="M34 54h32v12c0 8-7 13-16 13s-16-5-16-13z" fill="#f4f7ee" stroke="#8aa08a" stroke-width="1.8" />
      <path d="M36 67c8 4 20 4 28 0c0 8-6 12.5-14 12.500s-14-4.5-14-12.500z" fill="#3b4356" stroke="#20263a" stroke-width="1.6" />
      <path d="M43.5 72.500c4 1.8 9 1.8 13 0" fill="none" stroke="#e7e2d4" stroke-width="1.8" stroke-linecap="round" />
      <ellipse cx="43" cy="61.5" rx="3.4" ry="3" fill="#2b302b" /><ellipse cx="57" cy="61.5" rx="3.4" ry="3" fill="#2b302b" />
      <path d="M26 58c0-16 10-25 24-25s24 9 24 25c-8-4.5-16-5.5-24-5.500s-16 1-24 5.500z" fill="#3b4356" stroke="#20263a" stroke-width="2" stroke-linejoin="round" />
      <path d="M50 34v18M39 36.500c-2 5-3 10-3 17M61 36.500c2 5 3 10 3 17" fill="none" stroke="#67718c" stroke-width="1.6" />
      <path d="M33 24c1 11 8 17 17 17s16-6 17-17c5 14-4 24-17 24s-22-10-17-24z" fill="#e5b33a" stroke="#94690f" stroke-width="1.8" stroke-linejoin="round" />
    </>
  ),
  // A fox: tall ears, white cheeks, eyes closed in a smile.
  kitsune: () => (
    <>
      <path d="M27 25c7 3 13 8 16 14h14c3-6 9-11 16-14c3 12 3 24-1 34c-4 10-12 18-22 21c-10-3-18-11-22-21c-4-10-4-22-1-34z" fill="#e8813a" stroke="#96440f" stroke-width="2" stroke-linejoin="round" />
      <path d="M31 32c4 2.5 7 6 9 10c-4 1-6.5 3-8 6c-1.5-5-2-11-1-16zM69 32c-4 2.5-7 6-9 10c4 1 6.5 3 8 6c1.5-5 2-11 1-16z" fill="#fbe3cf" />
      <path d="M29 56c8-1 16 5 21 13c5-8 13-14 21-13c-4 11-12 20-21 24c-9-4-17-13-21-24z" fill="#fffaf3" />
      <path d="M33.5 54c3.5-3.5 8-3.5 11 .5M66.5 54c-3.5-3.5-8-3.5-11 .5" fill="none" stroke="#23201d" stroke-width="2.8" stroke-linecap="round" />
      <path d="M46.3 72.500h7.400l-3.7 4.800z" fill="#23201d" stroke="#23201d" stroke-width="1.5" stroke-linejoin="round" />
      <path d="M50 40l2.6 6l-2.6 4l-2.6-4z" fill="#b3261e" />
    </>
  ),
  // A raccoon dog: round ears, dark mask, a leaf on the head for its tricks.
  tanuki: () => (
    <>
      <circle cx="30.5" cy="38" r="8.5" fill="#6b4a30" stroke="#3f2a19" stroke-width="2" />
      <circle cx="69.5" cy="38" r="8.5" fill="#6b4a30" stroke="#3f2a19" stroke-width="2" />
      <path d="M50 32c16 0 26 9 27 22c1 15-11 25-27 25s-28-10-27-25c1-13 11-22 27-22z" fill="#a97c50" stroke="#5d3f24" stroke-width="2" />
      <path d="M46 54c-3-7-12-9-18-4c-5 5-4 12 1 15c7 2 14-3 17-11zM54 54c3-7 12-9 18-4c5 5 4 12-1 15c-7 2-14-3-17-11z" fill="#4a3220" />
      <ellipse cx="50" cy="66" rx="11" ry="8.5" fill="#f3e3cc" />
      <circle cx="38" cy="56" r="4" fill="#fffaf3" />{eye(38.5, 56.3, 2.3)}
      <circle cx="62" cy="56" r="4" fill="#fffaf3" />{eye(61.5, 56.3, 2.3)}
      <ellipse cx="50" cy="62.5" rx="4" ry="2.9" fill="#23201d" />
      <path d="M50 65.500v3M45 69.500c2.5 2 7.5 2 10 0" fill="none" stroke="#23201d" stroke-width="1.8" stroke-linecap="round" />
      <path d="M38 32c4-9 14-12 24-8c-4 9-14 12-24 8z" fill="#7cab54" stroke="#47702d" stroke-width="1.8" stroke-linejoin="round" />
      <path d="M40 31.500c7-1 13-3 19-6.5" fill="none" stroke="#47702d" stroke-width="1.5" />
    </>
  ),
  // The little lord under his butterbur leaf: the king of the game.
  koropokkuru: () => (
    <>
      <path d="M70 40c2 14 2 26-1 38" fill="none" stroke="#47702d" stroke-width="3.4" stroke-linecap="round" />
      <path d="M31 59c0-11 8-18 19-18s19 7 19 18c0 14-8 21-19 21s-19-7-19-21z" fill="#f2c9a1" stroke="#87592f" stroke-width="2" />
      <path d="M31.5 62c4 3 8 3 11 1c4-2 11-2 15 0c3 2 7 2 11-1c0 12-8 19-18.5 19s-18.5-7-18.5-19z" fill="#fdfaf3" stroke="#b8a98f" stroke-width="1.6" />
      {eye(42.5, 56)}{eye(57.5, 56)}
      <path d="M45.5 69c3 1.8 6 1.8 9 0" fill="none" stroke="#a2564b" stroke-width="2" stroke-linecap="round" />
      <circle cx="37.5" cy="61" r="2.6" fill="#e59a83" opacity=".8" /><circle cx="62.5" cy="61" r="2.6" fill="#e59a83" opacity=".8" />
      <path d="M20 45c0-16 13-24 30-24s30 8 30 24c-5-3-9-3-12 0c-3-3.5-8-4-11 0c-4-4-10-4-14 0c-3-4-8-3.5-11 0c-3-3-7-3-12 0z" fill="#5fa052" stroke="#2f6127" stroke-width="2" stroke-linejoin="round" />
      <path d="M50 22v19M50 28c-7 1-13 5-17 12M50 28c7 1 13 5 17 12" fill="none" stroke="#2f6127" stroke-width="1.6" stroke-linecap="round" />
    </>
  ),
  // A demon: two horns, heavy brows, fangs.
  oni: () => (
    <>
      <path d="M33 40c-6-4-8-11-6-19c5 3 10 8 13 14zM67 40c6-4 8-11 6-19c-5 3-10 8-13 14z" fill="#f4ead2" stroke="#8b7440" stroke-width="1.8" stroke-linejoin="round" />
      <path d="M50 32c15 0 25 9 25 23c0 15-10 25-25 25s-25-10-25-25c0-14 10-23 25-23z" fill="#cf4a3c" stroke="#7c2018" stroke-width="2" />
      <path d="M30 40c6-7 12-8 20-4c8-4 14-3 20 4c-6-1-10 1-14 4c-3-3-9-3-12 0c-4-3-8-5-14-4z" fill="#33231f" />
      <path d="M33 48l12 4.500M67 48l-12 4.5" stroke="#33231f" stroke-width="4" stroke-linecap="round" />
      <circle cx="40.5" cy="56.5" r="4" fill="#fff6d8" /><circle cx="59.5" cy="56.5" r="4" fill="#fff6d8" />{eye(41, 56.8, 1.9)}{eye(59, 56.8, 1.9)}
      <path d="M37 67c8 4 18 4 26 0c0 6-5 9.5-13 9.500s-13-3.5-13-9.500z" fill="#5a1410" />
      <path d="M41 68.500l2.6-7l2.9 8zM59 68.500l-2.6-7l-2.9 8z" fill="#fffaf0" stroke="#8b7440" stroke-width=".8" />
    </>
  ),
  // The same, grown: three horns, a crown of flame, blue with fury.
  "super-oni": () => (
    <>
      <path d="M24 58c-5-12-1-24 7-33c1 6 3 9 6 11c2-7 7-13 13-17c6 4 11 10 13 17c3-2 5-5 6-11c8 9 12 21 7 33z" fill="#f0a52c" stroke="#a75f08" stroke-width="1.8" stroke-linejoin="round" />
      <path d="M50 36c14 0 23 8 23 21c0 14-9 23-23 23s-23-9-23-23c0-13 9-21 23-21z" fill="#3f6fa8" stroke="#1c3c66" stroke-width="2" />
      <path d="M34 44c-7-2-10-8-10-15c6 1 11 5 14 10zM66 44c7-2 10-8 10-15c-6 1-11 5-14 10zM45.5 38c0-7 1.5-12 4.5-16c3 4 4.5 9 4.5 16z" fill="#f4ead2" stroke="#8b7440" stroke-width="1.6" stroke-linejoin="round" />
      <path d="M34 50l12 4.500M66 50l-12 4.5" stroke="#142a47" stroke-width="4" stroke-linecap="round" />
      <circle cx="41" cy="58.5" r="4" fill="#ffe9a3" /><circle cx="59" cy="58.5" r="4" fill="#ffe9a3" />{eye(41.5, 58.7, 1.9)}{eye(58.5, 58.7, 1.9)}
      <path d="M38 68c7.5 4 16.5 4 24 0c0 5.5-5 9-12 9s-12-3.5-12-9z" fill="#14233a" />
      <path d="M41 69.500l2.6-8l2.9 9zM59 69.500l-2.6-8l-2.9 9z" fill="#fffaf0" stroke="#8b7440" stroke-width=".8" />
    </>
  ),
  // A golden beast with antlers and a mane like clouds.
  kirin: () => (
    <>
      <path d="M43 36c-3-4-8-6-12-12c-1 5 0 8 2 11c-3 0-6-1-9-4c1 7 7 11 14 12M57 36c3-4 8-6 12-12c1 5 0 8-2 11c3 0 6-1 9-4c-1 7-7 11-14 12" fill="#f1e2b8" stroke="#8b7440" stroke-width="1.8" stroke-linejoin="round" />
      <path d="M28 48c-6 3-8 9-5 14c-3 4-2 9 3 11c0 4 4 7 9 6h30c5 1 9-2 9-6c5-2 6-7 3-11c3-5 1-11-5-14c-5-8-13-11-22-11s-17 3-22 11z" fill="#3d8f86" stroke="#1c544e" stroke-width="2" stroke-linejoin="round" />
      <path d="M50 33c9 0 15 5 15 14c0 6-2 10-3 16c-1 11-5 17-12 17s-11-6-12-17c-1-6-3-10-3-16c0-9 6-14 15-14z" fill="#efbd4d" stroke="#8f6410" stroke-width="2" />
      <path d="M38.5 50l8 2.600M61.5 50l-8 2.6" stroke="#5d3f0b" stroke-width="2.2" stroke-linecap="round" />
      {eye(42.5, 55)}{eye(57.5, 55)}
      <path d="M41.5 68c2-3 5-4 8.5-4s6.5 1 8.5 4c0 7-3.5 11-8.5 11s-8.5-4-8.5-11z" fill="#fbe6b2" stroke="#8f6410" stroke-width="1.4" />
      <circle cx="46.8" cy="69" r="1.4" fill="#5d3f0b" /><circle cx="53.2" cy="69" r="1.4" fill="#5d3f0b" />
      <path d="M45.5 74.200c3 1.6 6 1.6 9 0" fill="none" stroke="#5d3f0b" stroke-width="1.7" stroke-linecap="round" />
      <path d="M50 38l3 5l-3 4l-3-4z" fill="#b3261e" />
    </>
  ),
};

const TILE = "M50 3.500c1.5 0 3 .4 4.3 1.100l27 11.600c2.6 1.2 4.3 3.3 4.7 6.200l6.7 67.100c.4 4.4-2.3 7.5-6.6 7.500h-72.200c-4.3 0-7-3.1-6.6-7.500l6.7-67.100c.4-2.9 2.1-5 4.7-6.200l27-11.600c1.3-.7 2.8-1.1 4.3-1.100z";

export const YOKAI: Record<string, () => JSX.Element> = Object.fromEntries(
  Object.entries(FACES).map(([shape, Face]) => [
    shape,
    () => (
      <>
        <path d={TILE} class="yk-tile" />
        <path d={TILE} class={shape === "samurai" || shape === "super-oni" ? "yk-rim yk-promoted" : "yk-rim"} />
        {(WAYS[shape] ?? []).map((way) => <circle key={way} cx={DOTS[way][0]} cy={DOTS[way][1]} r="4.3" class="yk-dot" />)}
        <g transform="translate(50 54.5) scale(1.1) translate(-50 -52)"><Face /></g>
      </>
    ),
  ]),
);
