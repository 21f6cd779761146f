// The tables of www/docs/formats/ and of www/docs/reference.md: the text between `<!-- name -->` and `<!-- /name -->` on a page comes
// from the package's own data and from what the clock stories show of it. `node --import tsx tests/js/docs/format-pages.ts --write`
// writes them; the test compares.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SUBJECTS } from "../generator/subjects.ts";
import { PAGES } from "../support/formats.ts";
import { root } from "../support/places.ts";
import { diagram, factsTable } from "./facts.ts";
import { declarationsTable, optionsTable } from "./options.ts";
import { policyTables } from "./policy-tables.ts";
import { surfaceTable } from "./sno-surface.ts";

const directory = join(root, "www/docs");

/** Beside the pages of the formats, the one whose tables are of all formats. */
const REFERENCE = "reference";

/** All pages with tables. */
export const WRITTEN: readonly string[] = [...PAGES, REFERENCE];

export const pathOf = (page: string): string =>
  join(directory, page === REFERENCE ? "" : "formats", `${page}.md`);

/** The tables of a page, by the names of their markers. */
function tablesOf(page: string): ReadonlyMap<string, string> {
  if (page === REFERENCE) {
    return new Map([
      ["declarations", declarationsTable()],
      ["options", optionsTable()],
    ]);
  }
  const subjects = SUBJECTS.filter((subject) => subject.page === page);
  // Custom layouts, and subjects that differ from another one only in options, have no facts of their own.
  const facts = subjects.filter(
    ({ name }) => name !== "a layout of your own" && name !== "snowflake-si, keep",
  );
  const tables = new Map([
    ["layout", `\`\`\`text\n${facts.map(diagram).join("\n\n")}\n\`\`\``],
    ["facts", factsTable(facts)],
    ["policies", policyTables(subjects)],
  ]);
  if (page === "sno") {
    tables.set("surface", surfaceTable());
  }
  return tables;
}

/** A page with its tables. Every marker must be there once. */
export function rewritten(page: string, text: string): string {
  let result = text;
  for (const [name, table] of tablesOf(page)) {
    const block = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`, "g");
    if (result.match(block)?.length !== 1) {
      throw new Error(`${page}.md: expected one pair of markers ${name}`);
    }
    result = result.replace(block, (_, start, end) => `${start}${table}\n${end}`);
  }
  return result;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const write = process.argv.includes("--write");
  for (const page of WRITTEN) {
    const text = readFileSync(pathOf(page), "utf8");
    const wanted = rewritten(page, text);
    if (write && wanted !== text) {
      writeFileSync(pathOf(page), wanted);
    }
    console.log(
      `${page}.md: ${wanted === text ? "as it should be" : write ? "written" : "differs; --write writes it"}`,
    );
    process.exitCode ||= wanted === text || write ? 0 : 1;
  }
}
