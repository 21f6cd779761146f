// What is left to do once Vite has bundled the pages: the documentation, and the list of files that the service worker keeps.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { writeDocuments } from "./docs/documents.mjs";

/** The paths of all files, as addresses below the site's root. */
const filesOf = (site) =>
  readdirSync(site, { recursive: true })
    .filter((path) => statSync(join(site, path)).isFile())
    .map((path) => path.split(sep).join("/"))
    .sort();

/** A page is kept under the address that links lead to, which ends with its folder. */
const addressOf = (path) => path.replace(/(^|\/)index\.html$/, "$1") || "./";

function listFiles(site) {
  const worker = join(site, "service-worker.js");
  const paths = filesOf(site).filter((path) => path !== "service-worker.js");
  const hash = createHash("sha256");
  for (const path of paths) hash.update(path).update(readFileSync(join(site, path)));
  const addresses = JSON.stringify(paths.map(addressOf));
  const text = readFileSync(worker, "utf8")
    .replace("%VERSION%", hash.digest("hex").slice(0, 12))
    .replace(/(["'`])%FILES%\1/, () => JSON.stringify(addresses));
  writeFileSync(worker, text);
  return paths.length;
}

/** Resolves to what was done, in words. */
export async function finish(site) {
  const documents = await writeDocuments(site);
  rmSync(join(site, "document.html"));
  return `${documents}; ${listFiles(site)} files in all`;
}
