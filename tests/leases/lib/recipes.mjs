// The recipes of www/docs: programs that a test runs as they are written there. The packages that they import are in a folder of their own.

import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromRoot } from "../../../xtask/lib/process.mjs";

const textOf = (page) => readFileSync(fromRoot("www", "docs", page), "utf8");

/** The program of a recipe. `page`: its file below www/docs. */
export function recipe(page, name) {
  const text = textOf(page);
  const [, code] = new RegExp(`^\`\`\`js recipe=${name}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(text) ?? [];
  if (code === undefined) throw new Error(`${page} has no recipe "${name}"`);
  return code;
}

/** The manifest of a page. `env`: what it sets; `value`: that of a key, which has to be the same everywhere. */
export function manifest(page) {
  const [, yaml = ""] = /^```yaml\n([\s\S]*?)^```$/m.exec(textOf(page)) ?? [];
  const pairs = [...yaml.matchAll(/\{ name: (\w+), value: "([^"]*)" \}/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  return {
    env: Object.fromEntries(pairs),
    value(key) {
      const found = [...yaml.matchAll(new RegExp(`\\b${key}: ([^ ,}\\n]+)`, "g"))].map(([, value]) => value);
      if (new Set(found).size !== 1)
        throw new Error(`${page}: ${key} is ${found.join(" and ") || "missing"}`);
      return found[0];
    },
  };
}

/** A folder in which programs find these packages: names with their directories. `parent`: where it is made. */
export function project(parent, packages) {
  const folder = mkdtempSync(join(parent, "project-"));
  for (const [name, directory] of Object.entries(packages)) {
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    symlinkSync(directory, join(folder, "node_modules", name));
  }
  return {
    folder,
    /** Writes a program, and gives its file. */
    write(name, code) {
      const file = join(folder, `${name}.mjs`);
      writeFileSync(file, code);
      return file;
    },
  };
}
