// The examples of the browser guide. Page examples run in pages, against the server that the guide
// shows.

import { pathToFileURL } from "node:url";
import { fromRoot, root } from "../../../xtask/lib/process.mjs";
import { codeOf, pageOf, printedBy, project } from "../../support/pages.mjs";
import { temporary } from "../../support/places.mjs";
import { bundled } from "./browser.mjs";

const text = pageOf("workers/browsers.md");

/** The examples for pages: each as a module without imports, with its expected output. */
export const examples = () =>
  codeOf(text, "in=tab").map((contents) => ({
    module: bundled({ stdin: { contents, resolveDir: root } }, "esm"),
    printed: printedBy(contents),
  }));

/** A function that returns the responses of the guide's server. */
export async function partServer() {
  const code = codeOf(text).find((one) => one.includes("function partFor"));
  const { write } = project(temporary("guide"), { graupel: fromRoot() });
  const file = write("server", `const console = { log() {} };\n${code}\nexport { partFor };\n`);
  const { partFor } = await import(pathToFileURL(file));
  return async (body) => JSON.stringify(await partFor(JSON.parse(body) ?? undefined));
}
