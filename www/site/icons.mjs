// `node www/site/icons.mjs`: renders www/public/icon.svg as the bitmaps that manifest.webmanifest
// and the pages name. The bitmaps are committed, so that a build needs no browser.

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromRoot, run, runAsProgram } from "../../xtask/lib/process.mjs";

const publicFiles = fromRoot("www", "public");

/**
 * `full`: the background fills the square, for systems that crop icons to their own shape. `part`:
 * the share of the square that the drawing takes.
 */
const ICONS = [
  { file: "icon-192.png", size: 192, full: false, part: 1 },
  { file: "icon-512.png", size: 512, full: false, part: 1 },
  { file: "icon-maskable-512.png", size: 512, full: true, part: 0.8 },
  { file: "icon-apple-180.png", size: 180, full: true, part: 1 },
];

/** The icon's SVG at the given size. */
function drawingOf({ size, full, part }) {
  const svg = readFileSync(join(publicFiles, "icon.svg"), "utf8");
  const sized = svg.replace("<svg ", `<svg width="${size}" height="${size}" `);
  if (!full) return sized;
  const [, ground] = /<rect [^>]*fill="(#\w+)"/.exec(svg);
  const margin = 32 * (1 - part);
  return sized
    .replace(
      /<rect [^>]*>/,
      `<rect width="64" height="64" fill="${ground}"/><g transform="translate(${margin} ${margin}) scale(${part})">`,
    )
    .replace("</svg>", "</g></svg>");
}

async function main() {
  const directory = mkdtempSync(join(tmpdir(), "graupel-icons-"));
  for (const icon of ICONS) {
    const page = join(directory, "icon.html");
    const style = "margin: 0; line-height: 0; background: transparent";
    writeFileSync(page, `<!doctype html><body style="${style}">${drawingOf(icon)}`);
    const picture = join(directory, icon.file);
    const switches = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"];
    const size = `--window-size=${icon.size},${icon.size}`;
    const clear = "--default-background-color=00000000";
    const profile = `--user-data-dir=${join(directory, "profile")}`;
    await run("chromium", [...switches, size, clear, profile, `--screenshot=${picture}`, `file://${page}`]);
    copyFileSync(picture, join(publicFiles, icon.file));
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

await runAsProgram(import.meta.url, main);
