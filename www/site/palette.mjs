// One colour for each kind of field, the same as in the command line (js/cli/palette.json), as custom properties of the style.

import { readFileSync } from "node:fs";
import { fromRoot } from "../../xtask/lib/process.mjs";

const ID = "virtual:palette.css";

/** For Vite: the style sheet `virtual:palette.css`. */
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
