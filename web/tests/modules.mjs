// Loads the app's own TypeScript modules into a test, through the bundler that builds the app.
import { createServer } from "vite";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Calls `use` with a function that loads modules by their path below `web`. */
export async function withModules(use) {
  globalThis.navigator ??= { language: "en" };
  globalThis.matchMedia ??= () => ({ matches: false, addEventListener() {} });
  const vite = await createServer({ root, configFile: `${root}/vite.config.ts`, server: { middlewareMode: true, watch: null, ws: false }, appType: "custom", logLevel: "error" });
  try {
    return await use((path) => vite.ssrLoadModule(path));
  } finally {
    await vite.close();
  }
}
