// A real server and a real browser for the tests: `tengen serve` on a free port with its own data, and Debian's Chromium.
// TENGEN_URL uses a server that is running already, TENGEN names the program otherwise.
import { chromium } from "playwright-core";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const QUIET = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

const freePort = () => new Promise((resolve) => { const server = createServer(); server.listen(0, "127.0.0.1", () => { const { port } = server.address(); server.close(() => resolve(port)); }); });

/** The program to test: the one named, or this checkout's own, built with the pages as they are in `web/dist`. */
function program() {
  if (process.env.TENGEN) return process.env.TENGEN;
  const root = join(here, "../..");
  execFileSync("cargo", ["build", "--quiet", "-p", "tengen"], { cwd: root, stdio: "inherit" });
  return join(root, "target/debug/tengen");
}

/** Starts the server; `stop` ends it, `restart` kills it hard and starts it again with the same data. */
export async function startServer() {
  if (process.env.TENGEN_URL) return { url: process.env.TENGEN_URL, own: false, stop() {}, async restart() {} };
  const data = mkdtempSync(join(tmpdir(), "tengen-web-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child;
  const start = async () => {
    child = spawn(program(), ["serve", "--addr", `127.0.0.1:${port}`, "--data", data], { stdio: ["ignore", "ignore", "inherit"] });
    for (let wait = 0; wait < 100; wait++) {
      if (child.exitCode !== null) throw new Error(`tengen serve ended with ${child.exitCode}`);
      if (await fetch(`${url}/api/games`).then((response) => response.ok, () => false)) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("tengen serve does not answer");
  };
  const kill = () => new Promise((resolve) => { if (child.exitCode !== null || child.signalCode !== null) return resolve(); child.once("exit", resolve); child.kill("SIGKILL"); });
  await start();
  return { url, own: true, async stop() { await kill(); rmSync(data, { recursive: true, force: true }); }, async restart() { await kill(); await start(); } };
}

export const startBrowser = () => chromium.launch({ executablePath: CHROMIUM, args: QUIET });

export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
export const SMALL = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
export const DESK = { viewport: { width: 1280, height: 800 } };

/** A page of its own visitor: nothing is remembered, and every error in its console fails the test through `errors`. */
export async function visitor(browser, url, { language = "en", settings = {}, ...options } = {}) {
  const context = await browser.newContext({ ...DESK, locale: language, reducedMotion: "reduce", baseURL: url, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => { if (message.type() === "error" && !/Failed to load resource|WebSocket/.test(message.text())) errors.push(message.text()); });
  await page.addInitScript((chosen) => { if (!localStorage.getItem("tengen.settings")) localStorage.setItem("tengen.settings", JSON.stringify(chosen)); }, { language, theme: "light", ...settings });
  return { page, context, errors };
}

/** Asks the server over HTTP. */
export async function post(url, path, body) {
  const response = await fetch(url + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${answer.code} ${answer.text}`);
  return answer;
}

/** Opens a table over HTTP and sits a page down at it. */
export async function sitAt(page, url, table) {
  const opened = await post(url, "/api/tables", table);
  await page.goto(`/t/${opened.id}#${opened.key}`);
  await page.locator(".status").waitFor();
  return opened;
}

/** The middle of a cell on the screen, by its place in the grid as the first side sees it. */
export async function cellAt(page, column, row, columns, rows, margin = 0) {
  const box = await page.locator(".board-svg").first().boundingBox();
  const [width, height] = [columns * 100 + 2 * margin, rows * 100 + 2 * margin];
  return [box.x + ((margin + (column + 0.5) * 100) / width) * box.width, box.y + ((margin + (row + 0.5) * 100) / height) * box.height];
}

/** A chess square on the screen, seen from White. */
export const square = (page, name) => cellAt(page, name.charCodeAt(0) - 97, 8 - Number(name[1]), 8, 8);

/** Clicks one chess square after another. */
export async function clickSquares(page, ...names) {
  for (const name of names) await page.mouse.click(...(await square(page, name)));
}

/** The pieces on the board, as cell names. */
export const pieces = (page) => page.locator(".piece:not(.leaving)").evaluateAll((list) => list.map((piece) => piece.getAttribute("data-cell")));
