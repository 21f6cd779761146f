// The examples of the guide to browsers: those of pages run in pages, against the server that the guide shows.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { root, targetDir } from "../../../xtask/lib/process.mjs";
import { codeOf, pageOf, printedBy } from "../../support/pages.mjs";

const text = pageOf("workers/browsers.md");

/** The examples of pages: a module that imports nothing more, and what it has to print. */
export function examples() {
  return codeOf(text, "in=tab").map((code) => {
    const { outputFiles } = buildSync({
      stdin: { contents: code, resolveDir: root },
      bundle: true,
      write: false,
      format: "esm",
      logLevel: "error",
    });
    return { module: outputFiles[0].text, printed: printedBy(code) };
  });
}

/** What the guide's server answers with. */
export async function partServer() {
  const code = codeOf(text).find((one) => one.includes("function partFor"));
  // Inside of the package, which then finds itself by its name.
  const folder = join(targetDir, "lease-guide");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `server-${process.pid}-${performance.now()}.mjs`);
  writeFileSync(file, `const console = { log() {} };\n${code}\nexport { partFor };\n`);
  const { partFor } = await import(pathToFileURL(file));
  return async (body) => JSON.stringify(await partFor(JSON.parse(body) ?? undefined));
}
