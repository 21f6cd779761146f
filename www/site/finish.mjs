// Completes the site after Vite has bundled the pages: writes the documentation, the preview
// pictures, the page for unknown addresses, and the list of files that the service worker caches.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { addresses } from "./address.mjs";
import { lowered, writeDocuments } from "./docs/documents.mjs";
import { plainText } from "./docs/plain-text.mjs";
import { API } from "./docs/sources.mjs";
import { previews } from "./preview.mjs";

/** The paths of all files, relative to the site's root. */
const filesOf = (site) =>
  readdirSync(site, { recursive: true })
    .filter((path) => statSync(join(site, path)).isFile())
    .map((path) => path.split(sep).join("/"))
    .sort();

/** A page is cached under the address that links use, which ends with its folder. */
const addressOf = (path) => path.replace(/(^|\/)index\.html$/, "$1") || "./";

/** Files that only a host or another site requests are not cached. */
const isKept = (path) => !/^(?:service-worker\.js|404\.html|robots\.txt|preview\/.*)$/.test(path);

function listFiles(site) {
  const worker = join(site, "service-worker.js");
  const paths = filesOf(site).filter(isKept);
  const hash = createHash("sha256");
  for (const path of paths) hash.update(path).update(readFileSync(join(site, path)));
  const addresses = JSON.stringify(paths.map(addressOf));
  const text = readFileSync(worker, "utf8")
    .replace("%VERSION%", hash.digest("hex").slice(0, 12))
    .replace(/(["'`])%FILES%\1/, () => JSON.stringify(addresses));
  writeFileSync(worker, text);
  return paths.length;
}

/** A host serves this page at any address, so its links must start at the root of the host. */
function placeMissing(site) {
  const file = join(site, "404.html");
  writeFileSync(file, lowered(readFileSync(file, "utf8"), addresses.path));
}

/** The text of the preview picture that all pages of the reference share. */
const REFERENCE = {
  title: API,
  line: "Everything that graupel exports: formats, generators, options and errors.",
};

/** Draws the preview picture of each page. Pages that name the same picture share it. */
async function drawPreviews(site) {
  const pages = new Map();
  for (const path of filesOf(site).filter((path) => path.endsWith(".html"))) {
    const html = readFileSync(join(site, path), "utf8");
    const [, name] = /<meta property="og:image" content="[^"]*preview\/([^"]*)\.png">/.exec(html);
    if (pages.has(name)) continue;
    const [, heading] = /<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html);
    const [, line] = /<meta name="description" content="(.*)">/.exec(html);
    pages.set(name, { title: plainText(heading), line: plainText(line) });
  }
  pages.set("reference", REFERENCE);
  mkdirSync(join(site, "preview"));
  const draw = await previews();
  for (const [name, words] of pages) writeFileSync(join(site, "preview", `${name}.png`), await draw(words));
  return pages.size;
}

/** Resolves to a summary in words. */
export async function finish(site) {
  const documents = await writeDocuments(site);
  rmSync(join(site, "document.html"));
  placeMissing(site);
  const pictures = await drawPreviews(site);
  return `${documents}; ${pictures} pictures of links; ${listFiles(site)} files without a network`;
}
