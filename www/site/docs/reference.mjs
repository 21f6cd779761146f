// Builds the reference from the Markdown that typedoc generates from the comments in js/. Each
// entry of the package becomes a table of its exports, and each export becomes tables of its
// members. The rest of typedoc's output is not used.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { targetDir } from "../../../xtask/lib/process.mjs";

const root = join(targetDir, "reference");

/**
 * The folders into which typedoc sorts an entry's exports, each with the kind of its exports. Any
 * other folder is an entry.
 */
const KINDS = {
  variables: "value",
  functions: "function",
  classes: "class",
  interfaces: "type",
  "type-aliases": "type",
};
const ORDER = Object.values(KINDS);

const kindOf = (file) => KINDS[file.split(sep).at(-2)];

/** "Interface: Format\<Id\>" is "Format". */
const nameOf = (text) => /^# (?:.*?: )?([^\\<(\n]*)/.exec(text)[1].replaceAll("`", "").trim();

/**
 * Splits a text into sections: each has a heading and the text up to the next heading. The first
 * section is the page's own.
 */
function sectionsOf(text) {
  const sections = [];
  let fenced = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) fenced = !fenced;
    const heading = fenced ? null : /^(#+) (.*)$/.exec(line);
    if (heading !== null) sections.push({ level: heading[1].length, title: heading[2], body: "" });
    else sections.at(-1).body += `${line}\n`;
  }
  return sections.map((section) => ({ ...section, body: section.body.replace(/\n\*\*\*\n*$/, "").trim() }));
}

const withoutCode = (text) => text.replaceAll(/^```[\s\S]*?^```$/gm, "").trim();
const codeIn = (text) => /^```ts\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? "";
const inOneLine = (text) => text.replaceAll(/\s*\n\s*/g, " ").trim();
/** A dot in an abbreviation or in code does not end a sentence. */
const firstSentence = (text) => /^[\s\S]*?[.](?=\s+[A-Z`"]|\s*$)/.exec(text)?.[0] ?? text;

const rowsOf = (table) =>
  table
    .split("\n")
    .slice(2)
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );

const table = (heads, rows) =>
  [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Gives a row of a table an ID, see markdown.mjs. */
const mark = (id) => `{#${id.toLowerCase()}} `;

/** The sections below a section, up to the next section of its level. */
function below(sections, i) {
  const end = sections.findIndex(({ level }, j) => j > i && level <= sections[i].level);
  return sections.slice(i + 1, end === -1 ? undefined : end);
}

/** A call as one line: its name, its parameters with their types, and its result. */
function callOf(name, { body }, inner) {
  const find = (title) => inner.find((section) => section.title === title)?.body ?? "";
  const parameters = rowsOf(find("Parameters")).filter(([parameter]) => parameter !== "`this`");
  const taken = parameters.map(([parameter, type]) => `${parameter.replaceAll("`", "")}: ${type}`).join(", ");
  const scope = /^static /.test(codeIn(body)) ? "static " : "";
  const returns = inOneLine(find("Returns")).replaceAll(/(?<!\\)\|/g, "\\|");
  return `${scope}${name}(${taken})${returns === "" ? "" : `: ${returns}`}`;
}

/** Shows the methods of a section as one table, followed by their examples. */
function callsTable(sections) {
  const rows = [];
  const examples = [];
  const top = Math.min(...sections.map(({ level }) => level));
  for (const [i, section] of sections.entries()) {
    if (section.level !== top) continue;
    const name = section.title.replaceAll(/\(\)|`/g, "");
    const inner = below(sections, i);
    const overloads = inner.filter(({ title }) => title === "Call Signature");
    const calls = overloads.length > 0 ? overloads : [section];
    for (const [n, call] of calls.entries()) {
      const own = call === section ? inner : below(inner, inner.indexOf(call));
      const said = inOneLine(withoutCode(call.body));
      rows.push([`${n === 0 ? mark(name) : ""}${callOf(name, call, own)}`, said]);
    }
    for (const { title, body } of inner)
      if (title === "Example") examples.push(`### Example of ${name}\n\n${body}`);
  }
  return [table(["Call", "Description"], rows), ...examples].join("\n\n");
}

/** Gives rows of properties their IDs. Rows of type parameters need none. */
const withMarks = (body) =>
  body.replaceAll(/<a id="property-([^"]*)"><\/a> /g, "{#$1} ").replaceAll(/<a id="[^"]*"><\/a> /g, "");

/**
 * Sections that readers do not need. Only the package creates errors, so their constructors are
 * left out.
 */
const LEFT_OUT = new Set(["Extended by", "Type Parameters", "Constructors"]);

/**
 * Shows a function with several signatures as one. The description of the first signature is valid
 * for all of them.
 */
function merged(sections) {
  const [top, ...rest] = sections;
  const calls = rest.filter(({ level, title }) => level === 2 && title === "Call Signature");
  if (calls.length === 0) return sections;
  const code = calls.map(({ body }) => codeIn(body)).join("");
  const example = rest.filter(({ title }) => title === "Example").slice(0, 1);
  const body = `\`\`\`ts\n${code}\`\`\`\n\n${withoutCode(calls[0].body)}`;
  return [{ ...top, body }, ...example.map((one) => ({ ...one, level: 2 }))];
}

/** The text of a section that was not shown yet; empty if there is none. */
function shown(section, i, sections) {
  const { level, title, body } = section;
  if (level > 2) return undefined;
  if (title === "Methods") return `## Methods\n\n${callsTable(below(sections, i))}`;
  if (title === "Extends")
    return `Extends ${body
      .split("\n")
      .map((line) => line.replace(/^- /, ""))
      .join(", ")}.`;
  if (title === "Returns") return `Returns ${inOneLine(body)}.`;
  if (LEFT_OUT.has(title)) return undefined;
  const inner = below(sections, i).map((one) => `${"#".repeat(one.level)} ${one.title}\n\n${one.body}`);
  return withMarks([`## ${title}`, body, ...inner].join("\n\n"));
}

/** The page of an export. `entry`: a link to the page of its entry. */
function exportPage(text, file, entry) {
  const [top, ...sections] = merged(sectionsOf(text));
  const kind = kindOf(file).replace(/^./, (letter) => letter.toUpperCase());
  const examples = sections.filter(({ level, title }) => level === 2 && title === "Example");
  const parts = sections
    .filter((section) => !examples.includes(section))
    .map((section, i, others) => shown(section, i, others))
    .filter((part) => part !== undefined);
  // The description comes before the declaration.
  const code = codeIn(top.body);
  const declared = code === "" ? [] : [`\`\`\`ts\n${code}\`\`\``];
  return [
    `# ${nameOf(text)}`,
    withoutCode(top.body),
    `${kind} of ${entry}.`,
    ...declared,
    ...parts,
    ...examples.map(({ body }) => `## Example\n\n${body}`),
  ]
    .join("\n\n")
    .replaceAll("#property-", "#");
}

/**
 * The first sentence about an export. A function with several signatures has the description of the
 * first.
 */
function descriptionOf(file) {
  const texts = sectionsOf(readFileSync(file, "utf8")).map(({ body }) => withoutCode(body));
  return inOneLine(firstSentence(texts.find((text) => text !== "").split("\n\n")[0]));
}

/** Rewrites the relative links of a description for another page. */
const movedLinks = (text, from, to) =>
  text.replaceAll(/\]\(([^)#:]+\.md)/g, (_, link) => `](${relative(dirname(to), join(dirname(from), link))}`);

/**
 * The page of an entry: its description, and a table of its exports. Its own exports come before
 * those of other entries.
 */
function entryPage(text, file) {
  const [top, ...rest] = sectionsOf(text);
  const links = rest.flatMap(({ body }) => {
    const own = rowsOf(body).map(([name]) => name);
    return [...own, ...body.split("\n").filter((line) => line.startsWith("Re-exports "))];
  });
  const rows = links
    .map((text) => /\[(.*?)\]\((.*?)\)/.exec(text))
    .map(([, name, link]) => ({ name, link, from: join(dirname(file), link) }));
  const rank = ({ from, link }) => (link.startsWith(".") ? ORDER.length : 0) + ORDER.indexOf(kindOf(from));
  const cells = rows
    .sort((a, b) => rank(a) - rank(b) || (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
    .map(({ name, link, from }) => [
      `[${name}](${link})`,
      kindOf(from),
      movedLinks(descriptionOf(from), from, file),
    ]);
  return [`# ${top.title}`, top.body, "## Exports", table(["Name", "Kind", "Description"], cells)].join(
    "\n\n",
  );
}

/**
 * The pages that typedoc generated. `module`: the entry that a page belongs to. The page of an
 * entry comes before those of its exports.
 */
export function referencePages() {
  return readdirSync(root, { recursive: true })
    .map((name) => name.split(sep).join("/"))
    .filter((name) => name.endsWith(".md") && name !== "index.md")
    .map((name) => {
      const file = join(root, name);
      const entry = name.endsWith("/index.md");
      const folders = name.split("/").slice(0, -1);
      const module = folders.filter((folder) => KINDS[folder] === undefined).join("/");
      const place = `reference/${name.replace(/(\/index)?\.md$/, "")}`;
      return { file, place, line: "", entry, module };
    })
    .sort((a, b) => {
      const [first, second] = [a, b].map(({ module, entry, place }) => `${module} ${entry ? "" : place}`);
      return first < second ? -1 : 1;
    });
}

/** The text of a page of the reference. */
export function referenceText({ file, entry, module }) {
  const text = readFileSync(file, "utf8");
  if (entry) return entryPage(text, file);
  const up = relative(dirname(file), join(root, module, "index.md"));
  return exportPage(text, file, `[\`${module}\`](${up})`);
}
