// The documentation: each Markdown file of www/docs, and of the reference that typedoc has made, as a page of the site.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import hljs from "highlight.js/lib/common";
import MarkdownIt from "markdown-it";
import { fromRoot, targetDir } from "../../xtask/lib/process.mjs";

const sources = [
  { from: fromRoot("www", "docs"), to: "docs" },
  { from: join(targetDir, "reference"), to: "docs/reference" },
];

const highlight = (code, language) =>
  hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : "";

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, highlight });

/** Documents with their place on the site, their title and their text. */
function documents() {
  return sources.flatMap(({ from, to }) =>
    readdirSync(from, { recursive: true })
      .filter((name) => name.endsWith(".md"))
      .map((name) => {
        const text = readFileSync(join(from, name), "utf8");
        const path = `${to}/${name.split(sep).join("/").replace(/\.md$/, "")}`.replace(/\/index$/, "");
        const title = /^# (.*)$/m.exec(text)?.[1].replaceAll(/[`\\]/g, "") ?? path;
        return { path, title, text };
      }),
  );
}

/** Writes them. `document.html` is the frame, as Vite has left it. Resolves to how many there are. */
export async function writeDocuments(site) {
  const frame = readFileSync(join(site, "document.html"), "utf8");
  const all = documents();
  for (const { path, title, text } of all) {
    const file = join(site, path, "index.html");
    const up = "../".repeat(path.split("/").length);
    const html = frame
      .replaceAll(/(src|href)="(?:\.\/)?(?!\.|#|https?:)([^"]*)"/g, `$1="${up}$2"`)
      .replaceAll(/(src|href)="\.\/([^"]*)"/g, `$1="${up}$2"`)
      .replace("<!--title-->", () => `${title} · graupel`)
      .replace("<!--description-->", () => `The documentation of graupel: ${title}`)
      .replace("<!--contents-->", () => "")
      .replace("<!--content-->", () => markdown.render(text));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, html);
  }
  return all.length;
}
