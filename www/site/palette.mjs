// Turns the colours of the field kinds, which the command line uses, too (js/cli/palette.json),
// into custom properties of CSS.

import { readFileSync } from "node:fs";
import { fromRoot } from "../../xtask/lib/process.mjs";

const ID = "virtual:palette.css";

/** The plugin for Vite that provides the style sheet `virtual:palette.css`. */
export const palette = () => ({
  name: "palette",
  resolveId: (id) => (id === ID ? ID : undefined),
  load(id) {
    if (id !== ID) return undefined;
    const { kinds } = JSON.parse(readFileSync(fromRoot("js", "cli", "palette.json"), "utf8"));
    const lines = (theme) => Object.entries(kinds).map(([kind, colours]) => `--${kind}: ${colours[theme]};`);
    const classes = Object.keys(kinds).map((kind) => `.kind-${kind} { --kind: var(--${kind}); }`);
    return [
      `:root { ${lines("light").join(" ")} }`,
      `@media (prefers-color-scheme: dark) { :root { ${lines("dark").join(" ")} } }`,
      ...classes,
    ].join("\n");
  },
});
