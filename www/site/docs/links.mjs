// Resolves the links of a Markdown file to addresses on the site. A link to a missing file, or to a
// Markdown file without a page, is an error.

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import { fromRoot } from "../../../xtask/lib/process.mjs";

/** Files that get no page of their own but are copied to the site. */
const COPIED = new Set([".svg", ".png", ".json"]);

const isElsewhere = (address) => /^[a-z]+:/.test(address);

/** The address of one page relative to another page, so that the site works under any path. */
export function relativeTo(from, to) {
  const path = relative(from, to).split("\\").join("/");
  return path === "" ? "./" : `${path}/`;
}

/**
 * Returns functions that resolve the links and the images of one page. `pages`: all pages, by file.
 * `copies`: collects the files to copy, as a Map from a file to its path on the site.
 */
export function linksOf(page, pages, copies) {
  const wrong = (address, why) =>
    new Error(`${relative(fromRoot(), page.file)}: the link ${address} leads nowhere: ${why}`);

  const copied = (file) => {
    const place = `docs/files/${basename(file)}`;
    const other = [...copies].find(([path, at]) => at === place && path !== file);
    if (other !== undefined) throw new Error(`two files for ${place}: ${other[0]} and ${file}`);
    copies.set(file, place);
    return relative(page.path, place).split("\\").join("/");
  };

  return {
    /**
     * The link's target on the site: `{ href }`, or `{ source }` for a file of the repository that
     * the site does not show.
     */
    link(address) {
      if (isElsewhere(address) || address.startsWith("#")) return { href: address };
      const [path, fragment] = address.split("#");
      const file = join(dirname(page.file), decodeURI(path));
      const there = pages.get(file);
      if (there !== undefined) {
        const hash = fragment === undefined ? "" : `#${fragment}`;
        return { href: relativeTo(page.path, there.path) + hash };
      }
      if (!existsSync(file)) throw wrong(address, "there is no such file");
      if (COPIED.has(extname(file))) return { href: copied(file) };
      if (extname(file) === ".md" || extname(file) === "") throw wrong(address, "it has no page on the site");
      return { source: relative(fromRoot(), file).split("\\").join("/") };
    },

    /** Returns an image with its width and height, so that nothing moves when it loads. */
    image(address) {
      if (isElsewhere(address)) throw wrong(address, "the site shows no images of other sites");
      const file = join(dirname(page.file), decodeURI(address));
      if (!existsSync(file)) throw wrong(address, "there is no such file");
      const [width, height] = sizeOf(file);
      return { src: copied(file), width, height };
    },
  };
}

function sizeOf(file) {
  const bytes = readFileSync(file);
  // A PNG file has its size in the first chunk.
  if (extname(file) === ".png") return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const tag = /<svg\b[^>]*>/.exec(bytes.toString())?.[0] ?? "";
  const size = ["width", "height"].map((name) => new RegExp(`\\b${name}="(\\d+)"`).exec(tag)?.[1]);
  if (size.includes(undefined)) throw new Error(`${file} says neither width nor height`);
  return size.map(Number);
}
