/**
 * The generated parts of documents and their contents: tables between `<!-- name -->` and `<!--
 * /name -->`, images, rows, and figures in sentences. They come from the package's data, package.json,
 * and the output of the bench and the duel. `node --import tsx
 * tests/js/docs/generated.ts --write` writes them; the test compares them.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { FORMATS, type FormatUnderTest, optionOf, PAGES } from "../support/formats.ts";
import { root } from "../support/places.ts";
import { diagram, factsTable } from "./facts.ts";
import { declarationsTable, optionsTable } from "./options.ts";

/**
 * A pattern that finds a part in its file, and a function that writes the part from the pattern's
 * groups.
 */
type Part = readonly [pattern: RegExp, write: (...groups: string[]) => string];
type Parts = readonly Part[];

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const load = (file: string) => import(pathToFileURL(join(root, file)).href);

/** The text between two marks. */
const marked = (name: string, text: () => string): Part => [
  new RegExp(`(?<=<!-- ${name} -->\\n)[\\s\\S]*?(?=<!-- /${name} -->)`, "g"),
  () => `${text()}\n`,
];

/**
 * A sentence with figures in place of `#`. It may be broken into lines anywhere. `figures` are the
 * current values.
 */
function sentence(words: string, ...figures: string[]): Part {
  // Each group is the text between two figures.
  const pieces = words.split(/#/).map((piece) => `(${piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")})`);
  const pattern = pieces.join("[\\d,]*\\d(?: ns)?").replaceAll(" ", "\\s+");
  return [
    new RegExp(pattern, "g"),
    (...found) => found.map((piece, i) => piece + (figures[i] ?? "")).join(""),
  ];
}

/**
 * The tables of policies. sno's page has them by hand; the others have them without tick-tock, and
 * with their own defaults.
 */
function policyTables(subjects: readonly FormatUnderTest[]): string {
  const [, tables = ""] = read("www/docs/formats/sno.md").split(/<!-- \/?policies -->\n/);
  const hasBit = subjects.some(({ backwards }) => backwards.includes("tick-tock"));
  const kept = tables
    .trimEnd()
    .replaceAll(", the default", "")
    .split("\n")
    .filter((row) => hasBit || !/^\| (?:a second step back)/.test(row));
  let option: "clockBackwards" | "sequenceFull" = "clockBackwards";
  const rows = kept.map((row) => {
    if (row.startsWith("| `sequenceFull`")) option = "sequenceFull";
    const isWide = option === "clockBackwards" && row !== "" && !hasBit;
    const own = isWide ? row.replace(/ [^|]+\|$/, "") : row;
    if (!own.startsWith("| `")) return own;
    const defaults = new Map<string, string[]>();
    for (const { name, facts } of subjects) {
      const policy = `\`"${optionOf(facts, option)?.default}"\``;
      defaults.set(policy, [...(defaults.get(policy) ?? []), name]);
    }
    return own.replace(/`"[a-z-]+"`/g, (policy) => {
      const names = defaults.get(policy);
      if (names === undefined) return policy;
      return `${policy}, the default${defaults.size === 1 ? "" : ` of ${names.join(", ")}`}`;
    });
  });
  return rows.join("\n");
}

function formatPage(page: string): Parts {
  const subjects = FORMATS.filter((subject) => subject.page === page);
  // Custom layouts, and subjects that differ from another one only in options, have no separate
  // facts.
  const own = subjects.filter(
    ({ name }) => name !== "a layout of your own" && name !== "snowflake-si, continue",
  );
  return [
    marked("layout", () => `\`\`\`text\n${own.map(diagram).join("\n\n")}\n\`\`\``),
    marked("facts", () => factsTable(own)),
    marked("policies", () => policyTables(subjects)),
  ];
}

/** The cells of a page's first row that begins with a name, without the marks for bold text. */
function row(page: string, name: string): readonly string[] {
  const lines = read(`www/docs/${page}.md`).replaceAll("**", "").split("\n");
  const line = lines.find((line) => line.startsWith(`| ${name} `));
  if (line === undefined) throw new Error(`${page} has no row ${name}`);
  return line.split("|").map((cell) => cell.trim());
}
const cell = (page: string, name: string, at: number): string => row(page, name)[at] as string;
/** A cell of the scenario in the README. */
const told = (name: string, at: number): string => {
  const [, section = ""] = read("www/docs/duel.md").split(/<!-- \/?duel-told -->/);
  const line = section
    .replaceAll("**", "")
    .split("\n")
    .find((line) => line.startsWith(`| ${name} `));
  return line?.split("|")[at]?.trim() as string;
};
const setBack = (name: string) => cell("duel", name, 2).split(/,? /)[0] as string;
const eachCall = (name: string) => cell("duel", name, 3);
const ns = (name: string) => cell("speed", name, 2);

const readme: Parts = [
  sentence(
    "`nodejs-snowflake` repeats # of # IDs and `@sapphire/snowflake` # of #",
    ...["nodejs-snowflake", "@sapphire/snowflake"].flatMap((name) => [told(name, 3), told(name, 2)]),
  ),
  sentence(
    "Generating a `twitter` ID takes #, and one with your own layout #. `nodejs-snowflake` takes #, and `@sapphire/snowflake` #",
    ...["graupel twitter", "graupel snowflake", "nodejs-snowflake", "@sapphire/snowflake"].map(ns),
  ),
];

/** Cells 6 and 7 of a row in the comparison, which are about two other packages. */
const compared = (start: string, of: (name: string) => string): Part => [
  new RegExp(`^(\\| ${start}(?:[^|]*\\|){5}) [^|]+ \\| [^|]+ \\|`, "gm"),
  (before) => `${before} ${of("@sapphire/snowflake")} | ${of("nodejs-snowflake")} |`,
];

/** The versions of a package that the tests run with, from the lowest to a prerelease. */
const versionsOf = (peer: string): readonly string[] =>
  ["lowest", "highest", "next"].flatMap((project) => {
    const { dependencies } = JSON.parse(read(`tests/libraries/${project}/package.json`));
    return (dependencies as Record<string, string>)[peer] ?? [];
  });

const tested: Part = [
  /^Tested with `(.+?)` [^(]+ \(\[/gm,
  (peer) => {
    const [lowest, highest, next] = versionsOf(peer);
    return `Tested with \`${peer}\` ${lowest} to ${highest}${next === undefined ? "" : ` and ${next}`} ([`;
  },
];
/**
 * The guides with the line "Tested with ...". GraphQL and Zod also have a section on a page about
 * other libraries.
 */
const GUIDES = readdirSync(join(root, "www/docs"))
  .filter((file) => file.endsWith(".md") && read(`www/docs/${file}`).includes("\nTested with `"))
  .map((file) => `www/docs/${file}`);

const whole = (text: string | Promise<string>) => async (): Promise<Parts> => {
  const wanted = await text;
  return [[/^[\s\S]+$/g, () => wanted]];
};

const { chart } = await load("bench/speed/chart.mjs");
const { sections, targetTable } = await load("bench/speed/pages.mjs");
const { timelines } = await load("www/site/docs/timelines.mjs");
const figures = JSON.parse(read("www/docs/bench.json"));

/** The generated parts of each file. */
export const GENERATED: Readonly<Record<string, Parts | (() => Promise<Parts>)>> = {
  "README.md": readme,
  ...Object.fromEntries(PAGES.map((page) => [`www/docs/formats/${page}.md`, formatPage(page)])),
  "www/docs/reference.md": [marked("declarations", declarationsTable), marked("options", optionsTable)],
  "www/docs/speed.md": Object.entries<string>(sections(figures)).map(([name, text]) =>
    marked(name, () => text),
  ),
  "www/docs/bench.svg": whole(chart(figures)),
  "bench/README.md": [marked("targets", () => targetTable(figures))],
  "www/docs/why.md": [
    compared("duplicates when the clock is set back", setBack),
    compared("duplicates with a new generator", eachCall),
  ],
  "www/docs/platforms.md": [
    [
      /^\| `(graupel\/[a-z-]+)` \| `([^`]+)` \| [\d.]+ \| .*$/gm,
      (entry, peer) => {
        const [lowest, ...higher] = versionsOf(peer);
        return `| \`${entry}\` | \`${peer}\` | ${lowest} | ${higher.join(", ")} |`;
      },
    ],
  ],
  ...Object.fromEntries(GUIDES.map((file) => [file, [tested]])),
  ...Object.fromEntries(
    Object.entries<() => string | Promise<string>>(timelines).map(([name, draw]) => [
      `www/docs/${name}`,
      async () => (await whole(draw()))(),
    ]),
  ),
};

/** A file's text, and the text that it should have. */
export async function comparedOf(file: string): Promise<readonly [text: string, wanted: string]> {
  const text = read(file);
  const parts = GENERATED[file] as Parts | (() => Promise<Parts>);
  let wanted = text;
  for (const [pattern, write] of typeof parts === "function" ? await parts() : parts) {
    if (wanted.search(pattern) === -1) throw new Error(`${file}: nothing matches ${pattern}`);
    // The groups are followed by the position, a number, and the whole text.
    wanted = wanted.replace(pattern, (_, ...found) =>
      write(
        ...found.slice(
          0,
          found.findIndex((one) => typeof one === "number"),
        ),
      ),
    );
  }
  return [text, wanted];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isWritten = process.argv.includes("--write");
  for (const file of Object.keys(GENERATED)) {
    const [text, wanted] = await comparedOf(file);
    if (text === wanted) continue;
    if (isWritten) writeFileSync(join(root, file), wanted);
    console.log(`${file}: ${isWritten ? "written" : "differs; --write writes it"}`);
    if (!isWritten) process.exitCode = 1;
  }
}
