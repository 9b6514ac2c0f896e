// Text must be readable: every pair of colours that meets as text and ground has a contrast of at least 4.5 to 1.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../src/ui/tokens.css", import.meta.url), "utf8");

/** The colours of all blocks with this selector, later ones first. */
function tokens(selector) {
  const found = {};
  for (const [, head, body] of css.matchAll(/(?:^|\n)([^{}\n]+)\{([^}]*)\}/g)) {
    if (head.trim() !== selector) continue;
    for (const [, name, value] of body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)) found[name] = value;
  }
  return found;
}

function luminance(hex) {
  const channels = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2];
}
const contrast = (a, b) => { const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x); return (light + 0.05) / (dark + 0.05); };

const PAIRS = [
  ...["desk", "desk-deep", "card", "raised"].flatMap((ground) => [["ink", ground], ["quiet", ground]]),
  ["accent", "card"], ["accent", "desk"], ["accent-ink", "accent"], ["ink", "accent-soft"], ["warn", "card"], ["card", "warn"], ["ink", "warn-soft"], ["bad", "card"], ["card", "bad"], ["bad", "bad-soft"], ["good", "good-soft"], ["card", "ink"],
];
const BOARD_PAIRS = [["frame-text", "frame"], ["wood-text", "wood-a"]];

test("the pages' colours", () => {
  const light = tokens(":root");
  for (const [name, theme] of [["light", light], ["dark", { ...light, ...tokens(':root[data-theme="dark"]') }]])
    for (const [text, ground] of PAIRS) assert.ok(contrast(theme[text], theme[ground]) >= 4.5, `${name}: ${text} on ${ground} has ${contrast(theme[text], theme[ground]).toFixed(2)}`);
});

test("the boards' colours", () => {
  const wood = tokens(":root");
  for (const style of ["wood", "paper", "dark"]) {
    const theme = { ...wood, ...tokens(`:root[data-board="${style}"]`) };
    for (const [text, ground] of BOARD_PAIRS) assert.ok(contrast(theme[text], theme[ground]) >= 4.5, `${style}: ${text} on ${ground} has ${contrast(theme[text], theme[ground]).toFixed(2)}`);
  }
});
