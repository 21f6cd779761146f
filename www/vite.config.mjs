// Bundles the pages of www/ into static files that work under any path.

import { join } from "node:path";
import { defineConfig } from "vite";
import { targetDir } from "../xtask/lib/process.mjs";
import { frame } from "./site/frame.mjs";
import { palette } from "./site/palette.mjs";

const page = (...path) => join(import.meta.dirname, ...path);

export default defineConfig({
  root: import.meta.dirname,
  // Makes addresses relative to the page.
  base: "./",
  plugins: [frame(), palette()],
  worker: { format: "es" },
  build: {
    outDir: join(targetDir, "www"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        look: page("index.html"),
        make: page("make", "index.html"),
        range: page("range", "index.html"),
        choose: page("choose", "index.html"),
        missing: page("404.html"),
        // The frame of the documentation's pages, see site/docs/documents.mjs.
        document: page("document.html"),
        "service-worker": page("src", "offline", "service-worker.ts"),
      },
      output: {
        entryFileNames: ({ name }) => (name === "service-worker" ? "[name].js" : "assets/[name]-[hash].js"),
      },
    },
  },
});
