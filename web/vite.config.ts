// Builds the pages into `dist`, which the server embeds. In development the server's part is asked on its usual port.
import { defineConfig } from "vite";

const server = "http://127.0.0.1:7350";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 400 },
  server: {
    proxy: {
      "/api": { target: server, ws: true },
      "/explain.js": server,
      "/explain.css": server,
    },
  },
});
