// The programs of pages. Tests run the fenced blocks of Markdown unchanged. The words after a
// block's language describe it. Plain JavaScript, so that hosts and leases can load it.

import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import MarkdownIt from "markdown-it";

const root = join(import.meta.dirname, "..", "..");
const markdown = new MarkdownIt();

/** The text of a page below www/docs. */
export const pageOf = (/** @type {string} */ page) => readFileSync(join(root, "www", "docs", page), "utf8");

/**
 * The blocks of a text.
 *
 * @param {string} text
 * @returns {{ language: string, words: string, code: string }[]} The language, and the words after
 *   it.
 */
export const blocksOf = (text) =>
  markdown
    .parse(text, {})
    .filter(({ type }) => type === "fence")
    .map(({ info, content: code }) => {
      const [, language = "", words = ""] = /^(\S*)\s*(.*)$/.exec(info.trim()) ?? [];
      return { language, words, code };
    });

/**
 * The code of the blocks of JavaScript with these words. TypeScript blocks without words only show
 * types or need a server.
 *
 * @param {string} text
 */
export const codeOf = (text, words = "") =>
  blocksOf(text)
    .filter((block) => block.language === "js" && block.words === words)
    .map(({ code }) => code);

/**
 * The programs of a page, by the name after a word such as `recipe=`. Blocks with the same name are
 * one program.
 *
 * @param {string} text
 */
export function programsOf(text, word = "") {
  /** @type {Map<string, string>} */
  const programs = new Map();
  for (const { language, words, code } of blocksOf(text)) {
    if (!/^[jt]s$/.test(language) || words === "" || !words.startsWith(word)) continue;
    const name = words.slice(word.length);
    programs.set(name, (programs.get(name) ?? "") + code);
  }
  return programs;
}

/**
 * The program of a recipe.
 *
 * @param {string} page
 * @param {string} name
 */
export function recipe(page, name) {
  const code = programsOf(pageOf(page), "recipe=").get(name);
  if (code === undefined) throw new Error(`${page} has no recipe "${name}"`);
  return code;
}

/**
 * The expected output of a program, from its comments beside a call of console.log and below one.
 *
 * @param {string} code
 */
export function printedBy(code) {
  const lines = [];
  let isPrinting = false;
  for (const line of code.split("\n")) {
    const [, below] = /^\/\/ ?(.*)$/.exec(line) ?? [];
    const [, beside] = /^ *console\.log\(.*\);\s*\/\/ (.*)$/.exec(line) ?? [];
    if (below !== undefined && isPrinting) lines.push(below);
    else if (beside !== undefined) lines.push(beside);
    isPrinting = /console\.log\(.*\);$/.test(line) || (below !== undefined && isPrinting);
  }
  return lines;
}

/**
 * Makes a folder in which programs find these packages.
 *
 * @param {string} parent the folder that contains it
 * @param {Readonly<Record<string, string>>} packages names with their directories
 */
export function project(parent, packages) {
  const folder = mkdtempSync(join(parent, "project-"));
  for (const [name, directory] of Object.entries(packages)) {
    const place = join(folder, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(directory, place);
  }
  return {
    folder,
    /**
     * Writes a program and returns its file. `name`: with a file extension, or without one for
     * `.mjs`.
     */
    write(/** @type {string} */ name, /** @type {string} */ code) {
      const file = join(folder, /\.[cm]?[jt]s$/.test(name) ? name : `${name}.mjs`);
      writeFileSync(file, code);
      return file;
    },
  };
}
