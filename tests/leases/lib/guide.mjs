// The examples of the guide to browsers: those of pages run in pages, against the server that the guide shows.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { fromRoot, root, targetDir } from "../../../xtask/lib/process.mjs";

const text = readFileSync(fromRoot("www", "docs", "workers", "browsers.md"), "utf8");
const blocks = (kind) =>
  [...text.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, code]) => code);

/** The examples of pages: a module that imports nothing more, and what it has to print. */
export function examples() {
  return blocks("js in=tab").map((code) => {
    const { outputFiles } = buildSync({
      stdin: { contents: code, resolveDir: root },
      bundle: true,
      write: false,
      format: "esm",
      logLevel: "error",
    });
    const printed = [...code.matchAll(/console\.log\(.*\);\s*\/\/ (.*)$/gm)].map(([, words]) => words);
    return { module: outputFiles[0].text, printed };
  });
}

/** What the guide's server answers with. */
export async function partServer() {
  const code = blocks("js").find((one) => one.includes("function partFor"));
  // Inside of the package, which then finds itself by its name.
  const folder = join(targetDir, "lease-guide");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `server-${process.pid}-${performance.now()}.mjs`);
  writeFileSync(file, `const console = { log() {} };\n${code}\nexport { partFor };\n`);
  const { partFor } = await import(pathToFileURL(file));
  return async (body) => JSON.stringify(await partFor(JSON.parse(body) ?? undefined));
}
