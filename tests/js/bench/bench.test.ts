/**
 * The shortest form of the bench: everything is measured, printed and drawn. Speed itself is not tested.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { facts } from "../support/make.ts";
import { root } from "../support/places.ts";
import { named } from "../support/subjects.ts";

const run = promisify(execFile);
const speed = join(root, "bench", "speed");
const pages = join(root, "www", "docs");

/** A module of the bench, which is plain JavaScript. */
const load = (name: string) => import(pathToFileURL(join(speed, name)).href);

interface Spread {
  readonly median: number;
  readonly q1: number;
  readonly q3: number;
}
interface Case {
  readonly subject: string;
  readonly operation: string;
  readonly ns: Spread;
  readonly toD: Spread;
  readonly toF?: Spread;
}
interface Target {
  readonly group: string;
  readonly name: string;
  readonly figure: Spread;
  readonly most?: number;
  readonly least?: number;
  /** Missing if a figure is only shown. */
  readonly reached?: boolean;
}
interface Run {
  readonly node: string;
  readonly date: string;
  readonly formats: readonly string[];
  readonly cases: readonly Case[];
  readonly saturated: readonly { readonly subject: string; readonly perSecond: Spread }[];
  readonly queued: readonly {
    readonly subject: string;
    readonly loop: Spread;
    readonly all: Spread;
    readonly longest: Spread;
  }[];
  readonly start: readonly {
    readonly entry: string;
    readonly floor?: true;
    readonly wall: Spread;
    readonly cpu: Spread;
    readonly toNanoid?: Spread;
  }[];
  readonly targets: readonly Target[];
  readonly faults: readonly string[];
}
interface Figures {
  readonly runs: readonly Run[];
}

/** The formats that are no layout of another one. */
const ALL = Object.values(facts).filter(({ given }) => Object.keys(given).length === 0);
const FORMATS = ALL.map((one) => one.export);
const PEERS = [
  "nodejs-snowflake",
  "@sapphire/snowflake",
  "flake-idgen",
  "snowflake-id",
  "@skorotkiewicz/snowflake-id",
  "snowflakify",
  "snowflake-uuid",
  "xid-js",
  "ulid",
  "uuidv7",
  "uuid v7",
  "typeid-js",
  "bson ObjectId",
  "bson ObjectId, hex",
  "uuid v4",
  "nanoid",
  "hyperid",
  "crypto.randomUUID",
];
const TEXTS = ALL.filter(({ id }) => id.type === "string").map((one) => one.export);
const DECIMALS = ALL.filter(({ text }) => text.base === 10).map((one) => one.export);
/** Those of which a tick holds few. */
const NARROW = ALL.filter(({ capacity }) => capacity !== null && capacity < 1000).map((one) => one.export);

/** Those whose number a lease can give, and of those the ones whose batches surely fit into a tick. */
const LEASED = ALL.filter(({ fields }) => fields?.some(({ role }) => role === "fixed") ?? true).map(
  (one) => one.export,
);
const LEASED_BATCHES = LEASED.filter((name) => name !== "ulidFlakeScalable");

/** Lines of targets: of the formats, of other packages that also generate, parse, inspect and read the time, of the entries. */
const LINES =
  FORMATS.length + // next
  2 * TEXTS.length + // and used
  DECIMALS.length + // nextText
  (FORMATS.length - TEXTS.length + 1) + // nextMany
  (FORMATS.length - TEXTS.length) + // nextTyped
  2 + // next with a metabyte
  (LEASED.length + LEASED_BATCHES.length) + // under a lease
  (TEXTS.length + 1) + // parse
  5 + // sorts
  FORMATS.length + // inspect
  5 + // saturated
  2 + // nextAsync under load
  (14 + 4 + 7 + 2) + // beside others
  5; // start
/** Lines without a target: the formats whose texts are long numbers, or numbers of base 36. */
const SHOWN = FORMATS.length - TEXTS.length - 1;

const isSpread = ({ median, q1, q3 }: Spread) => [median, q1, q3].every(Number.isFinite) && q1 <= q3;

describe("the bench", () => {
  let directory: string;
  let file: string;
  let measured: Run;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "graupel-bench-"));
    file = join(directory, "figures.json");
    await run(process.execPath, [join(speed, "measure.mjs"), file, '{"quick":true}'], { cwd: root });
    measured = JSON.parse(await readFile(file, "utf8"));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  test("measures every operation of everybody, and finds nothing wrong", () => {
    assert.deepEqual(measured.faults, []);
    assert.equal(measured.node, process.versions.node);
    const { cases } = measured;
    const has = (subject: string, operation: string) =>
      assert.ok(
        cases.some((one) => one.subject === subject && one.operation === operation),
        `${subject} ${operation}`,
      );
    for (const format of FORMATS) {
      const some = NARROW.includes(format) ? 200 : 1000;
      const calls = TEXTS.includes(format) ? ["nextMany"] : ["nextMany", "nextTyped"];
      const many = calls.flatMap((call) => [10, some, 65_536].map((n) => `${call}(${n})`));
      for (const operation of [
        "next",
        "nextText",
        ...many,
        "parse",
        "isValid",
        "inspect",
        "timestamp",
        "compose",
      ]) {
        has(format, operation);
      }
      const text = TEXTS.includes(format) ? "next" : "nextText";
      has(format, `${text}, to a Buffer`);
      has(format, `${text}, as a Map key`);
    }
    for (const format of LEASED) has(format, "next, under a lease");
    for (const format of LEASED_BATCHES)
      has(format, `nextMany(${NARROW.includes(format) ? 200 : 1000}), under a lease`);
    for (const peer of PEERS) has(peer, "next");
    for (const call of ["next(7)", "next(i & 255)"]) has("sno", call);
    for (const floor of ["Date.now()", "number", "bigint", "text16", "text13"]) has("floor", floor);
    for (const { subject, operation, ns, toD, toF } of cases) {
      for (const figure of [ns, toD, toF ?? ns]) {
        assert.ok(isSpread(figure) && figure.median > 0, `${subject} ${operation}`);
      }
    }
    assert.deepEqual(new Set(measured.saturated.map(({ subject }) => subject)), new Set(FORMATS));
    assert.ok(measured.saturated.every(({ perSecond }) => isSpread(perSecond)));
    assert.deepEqual(
      measured.queued.map(({ subject }) => subject),
      ["snowflakeSI"],
    );
    for (const { loop, all, longest } of measured.queued) {
      assert.ok([loop, all, longest].every((figure) => isSpread(figure) && figure.median > 0));
      assert.ok(all.median > loop.median && all.median > longest.median);
    }
    assert.equal(measured.start.filter(({ toNanoid }) => toNanoid && isSpread(toNanoid)).length, 5);
    assert.equal(measured.start.filter(({ entry }) => entry === "nanoid").length, 1);
    assert.ok(measured.start.every(({ wall, cpu }) => isSpread(wall) && isSpread(cpu)));
  });

  test("says of every target whether it is reached, and nothing of what has none", () => {
    const bounded = measured.targets.filter(({ most, least }) => (most ?? least) !== undefined);
    assert.equal(bounded.length, LINES);
    assert.ok(bounded.every(({ reached }) => typeof reached === "boolean"));
    assert.equal(measured.targets.length, LINES + SHOWN);
    const shown = measured.targets.filter((line) => !bounded.includes(line));
    assert.ok(shown.every(({ reached }) => reached === undefined));
    for (const { group, name, figure } of measured.targets) assert.ok(isSpread(figure), `${group} ${name}`);
  });

  test("prints all of it, and a missed target is no error", async () => {
    const figures = join(directory, "all.json");
    await writeFile(figures, JSON.stringify({ runs: [measured], missing: [] }));
    const { stdout } = await run(process.execPath, [join(speed, "main.mjs"), "--from", figures]);
    const verdicts = stdout.match(/^ +(not )?reached .+: .+, at (most|least) .+$/gm) ?? [];
    assert.equal(verdicts.length, LINES);
    assert.equal(stdout.match(/^ +shown .+: .+, no target$/gm)?.length, SHOWN);
    const reached = measured.targets.filter((line) => line.reached).length;
    assert.ok(stdout.includes(`${reached} of ${LINES} targets reached`));
    for (const { operation } of measured.cases) assert.ok(stdout.includes(operation), operation);
    assert.ok(!/NaN|undefined|Infinity/.test(stdout));
  });

  test("ends with 1 where something could not be measured", async () => {
    const figures = join(directory, "broken.json");
    const broken = { ...measured, faults: ["x could not be run"] };
    await writeFile(figures, JSON.stringify({ runs: [broken], missing: [] }));
    const failed = run(process.execPath, [join(speed, "main.mjs"), "--from", figures]);
    await assert.rejects(failed, (error: { code: number; stdout: string }) => {
      return error.code === 1 && error.stdout.includes("FAULT: Node");
    });
  });

  test("draws a chart that is well-formed, of all that it shows and their figures", async () => {
    const { chart } = await load("chart.mjs");
    const { SHOWN } = await load("chart.mjs");
    const svg: string = chart({ runs: [measured] });
    wellFormed(svg);
    for (const { subject, operation, ns } of measured.cases) {
      if (operation !== "next" || !SHOWN.includes(subject)) continue;
      const name = FORMATS.includes(subject) ? `graupel ${subject}` : subject;
      assert.ok(svg.includes(`>${name}</text>`), name);
      assert.ok(svg.includes(`>${label(ns.median)}</text>`), `${name}: ${ns.median}`);
    }
    const [first] = measured.cases.filter(
      ({ subject, operation }) => subject === "sno" && operation === "next",
    );
    const slower = measured.cases.map((one) =>
      one === first ? { ...one, ns: { ...one.ns, median: 77.7 } } : one,
    );
    assert.ok(chart({ runs: [{ ...measured, cases: slower }] }).includes(">78</text>"));
  });
});

/** A measured case, with the same figure in every round. */
const rounds = (nanoseconds: number, floor?: string) => ({ rounds: [nanoseconds, nanoseconds], floor });
const queued = (all: number, longest: number) => {
  const own = 100;
  return [{ subject: "snowflakeSI", own, runs: [{ all: all * own, longest, loop: 1 }] }];
};
const spreadOf = (n: number): Spread => ({ median: n, q1: n, q3: n });
/** The figures for targetsOf: each exactly at its bound, or all a little above. */
const figures = (times: number) => {
  const cases: Record<string, object> = {
    "floor Date.now()": rounds(100),
    "floor text16": rounds(100),
    "sno next": rounds(100, "text16"),
    "sno next(7)": rounds(110 * times),
    "sno next(i & 255)": rounds(110 * times),
    "sno next, under a lease": { ...rounds(110 * times), without: "next" },
    "sno nextMany(1000)": rounds(20),
    "sno nextMany(1000), under a lease": { ...rounds(22 * times), without: "nextMany(1000)" },
    "sno parse": rounds(120 * times),
    "snowflakeSI parse": rounds(120 * times),
    "nanoflake parse": rounds(500 * times),
  };
  return {
    find(subject: string, operation: string) {
      const found = cases[`${subject} ${operation}`];
      return found && { subject, ...found };
    },
    saturated: [],
    queued: queued(3 * times, 20 * times),
    started: [
      { entry: "nanoid" },
      { entry: "an empty file", floor: true },
      { entry: "graupel/sno", random: true, toNanoid: spreadOf(1.5 * times) },
      { entry: "graupel/snowflake", toNanoid: spreadOf(1.2 * times) },
    ],
  };
};

test("a target is reached at its bound, and not above it; a figure without one is shown", async () => {
  const { targetsOf } = await load("targets.mjs");
  const { targetTable } = await load("pages.mjs");
  const told = (times: number) =>
    Object.fromEntries(
      targetsOf(figures(times)).map(({ group, name, reached }: Target) => [`${group} ${name}`, reached]),
    );
  const verdicts = (reached: boolean) => ({
    "`next()`, text sno": true,
    "sno with a metabyte: `next(7)` sno": reached,
    "sno with a metabyte: `next(i & 255)` sno": reached,
    "`nextMany(1000)` per ID, sno sno": true,
    "`next()` under a lease sno": reached,
    "`nextMany(1000)` under a lease (200 where a tick holds fewer) sno": reached,
    "`parse`, 13 to 16 characters sno": reached,
    "`parse`, Snowflake-SI snowflakeSI": reached,
    "`parse`, 64-bit numbers: decimal, and base 36 of 13 digits nanoflake": undefined,
    "`nextAsync` under load: until all have their IDs snowflakeSI": reached,
    "`nextAsync` under load: longest block of the event loop snowflakeSI": reached,
    "start: one entry imported, its first ID made graupel/snowflake": reached,
    "start: one entry imported, its first ID made with a random byte graupel/sno": reached,
  });
  assert.deepEqual(told(1), verdicts(true));
  assert.deepEqual(told(1.01), verdicts(false));

  const page: string = targetTable({ runs: [{ node: "1.2.3", targets: targetsOf(figures(1.01)) }] });
  const row = (start: string) => page.split("\n").find((text) => text.startsWith(start));
  assert.equal(
    row("| sno with a metabyte: `next(7)`"),
    "| sno with a metabyte: `next(7)` | at most 1.1 `next()` | **not reached** by 1 of 1: 1.111 |",
  );
  assert.equal(
    row("| `parse`, 64"),
    "| `parse`, 64-bit numbers: decimal, and base 36 of 13 digits | in D, no target | shown: 5.050 |",
  );
  assert.match(
    page,
    /longest block of the event loop \| at most 20 ms \| \*\*not reached\*\* by 1 of 1: 20\.2 ms/,
  );
});

test("the speed page, the table of targets and the chart are those of the figures beside them", async () => {
  const figures: Figures = JSON.parse(await readFile(join(pages, "bench.json"), "utf8"));
  assert.deepEqual(
    figures.runs.map(({ node }) => node.split(".")[0]),
    ["20", "24"],
  );
  const { chart } = await load("chart.mjs");
  const { sections, targetTable } = await load("pages.mjs");
  const svg = await readFile(join(pages, "bench.svg"), "utf8");
  assert.equal(svg, chart(figures));
  wellFormed(svg);
  const page = await readFile(join(pages, "speed.md"), "utf8");
  const readme = await readFile(join(root, "bench", "README.md"), "utf8");
  for (const [name, text] of Object.entries<string>(sections(figures)))
    assert.ok(page.includes(`<!-- ${name} -->\n${text}\n<!-- /${name} -->`), name);
  assert.ok(readme.includes(`<!-- targets -->\n${targetTable(figures)}\n<!-- /targets -->`));
});

test("the speed page says for users what was measured: nanoseconds, and IDs a second", async () => {
  const { timeTable, operationTable } = await load("pages.mjs");
  const figures: Figures = JSON.parse(await readFile(join(pages, "bench.json"), "utf8"));
  const [, last] = figures.runs;
  const time = (subject: string, operation: string) =>
    last?.cases.find((one) => one.subject === subject && one.operation === operation)?.ns.median ??
    Number.NaN;
  const cellsOf = (table: string, name: string) =>
    table
      .split("\n")
      .find((line) => line.startsWith(`| ${name} |`))
      ?.split("|")
      .slice(2, -1)
      .map((cell) => cell.trim()) ?? assert.fail(name);
  const nanoseconds = (cell = "") => Number(/^([\d,.]+) ns$/.exec(cell)?.[1]?.replaceAll(",", ""));
  const near = (found: number, wanted: number) => assert.ok(Math.abs(found / wanted - 1) < 0.05, `${found}`);

  const ulid = cellsOf(timeTable(figures), "ulid");
  near(nanoseconds(ulid[0]), time("ulid", "next"));
  near(Number(/^≤ ([\d.]+) M$/.exec(ulid[1] ?? "")?.[1]) * 1e6, 1e9 / time("ulid", "next"));
  const twitter = cellsOf(timeTable(figures), "**graupel twitter**");
  near(nanoseconds(twitter[0]), time("twitter", "next"));
  const full = last?.saturated.find(({ subject }) => subject === "twitter")?.perSecond.median ?? Number.NaN;
  near(Number(/^([\d.]+) M$/.exec(twitter[1] ?? "")?.[1]) * 1e6, full);
  near(nanoseconds(cellsOf(operationTable(figures), "`parse(text)`")[0]), time("twitter", "parse"));
});

test("V8 keeps no format as a hash table, in which it takes longer to find a method", () => {
  setFlagsFromString("--allow-natives-syntax");
  const isTable = new Function("object", "return !%HasFastProperties(object)") as (object: object) => boolean;
  assert.ok(isTable(Object.create(null)));
  for (const { label, format } of named()) {
    assert.ok(!isTable(format), label);
    assert.ok(!isTable(format.text), `${label}, text`);
  }
});

/** The chart's label of a time; cut bars have a mark before it. */
const label = (ns: number) => `${ns > 600 ? "› " : ""}${Math.round(ns).toLocaleString("en")}`;

/** Checks what an XML parser demands: elements closed in order, attributes quoted, no stray characters. */
function wellFormed(xml: string) {
  const open: string[] = [];
  const rest = xml.replace(
    /<(\/?)([a-z]+)((?: [\w:-]+="[^"<&]*")*)(\/?)>/g,
    (_tag, closing, name, _, empty) => {
      if (closing !== "") assert.equal(open.pop(), name);
      else if (empty === "") open.push(name);
      return "";
    },
  );
  assert.deepEqual(open, []);
  assert.ok(!/[<>]|&(?!#\d+;)/.test(rest), rest);
}
