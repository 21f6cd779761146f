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
import { transform } from "esbuild";
import { named } from "../support/layouts.ts";
import { facts } from "../support/make.ts";
import { root } from "../support/places.ts";

const run = promisify(execFile);
const speed = join(root, "bench", "speed");

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
type One = Readonly<Record<string, unknown>> & { readonly subject: string };
interface Run {
  readonly node: string;
  readonly cases: readonly Case[];
  readonly saturated: readonly (One & { readonly perSecond: Spread })[];
  readonly queued: readonly (One & Readonly<Record<"loop" | "all" | "longest", Spread>>)[];
  readonly start: readonly {
    readonly entry: string;
    readonly wall: Spread;
    readonly cpu: Spread;
    readonly toNanoid?: Spread;
  }[];
  readonly targets: readonly Target[];
  readonly faults: readonly string[];
}

/** The formats that are no layout of another one. */
const ALL = Object.values(facts).filter(({ given }) => Object.keys(given).length === 0);
const FORMATS = ALL.map((one) => one.export);
const TEXTS = ALL.filter(({ id }) => id.type === "string").map((one) => one.export);
const NUMBERS = FORMATS.filter((name) => !TEXTS.includes(name));
const DECIMALS = ALL.filter(({ text }) => text.base === 10).map((one) => one.export);
/** Those of which a tick holds few. */
const NARROW = ALL.filter(({ capacity }) => capacity !== null && capacity < 1000).map((one) => one.export);

/** Those whose number a lease can give, and of those the ones whose batches surely fit into a tick. */
const LEASED = ALL.filter(({ fields }) => fields?.some(({ role }) => role === "fixed") ?? true).map(
  (one) => one.export,
);
const LEASED_BATCHES = LEASED.filter((name) => name !== "ulidFlakeScalable");

/** What is read with a format, and again with `graupel/read`, and compared with other packages. */
const READS = ["parse", "inspect", "timestamp", "timestamp of text"];

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

  test("measures every operation of everybody, and finds nothing wrong", async () => {
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
        "timestamp of text",
        "compose",
        ...READS.map((operation) => `${operation}, of graupel/read`),
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
    const { packages } = await load("../packages.mjs");
    assert.ok(packages.length >= 18);
    for (const { name } of packages as readonly { readonly name: string }[]) has(name, "next");
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

  test("says of every target whether it is reached, nothing of what has none, and prints all", async () => {
    const { targets, cases } = measured;
    const bounded = targets.filter(({ most, least }) => (most ?? least) !== undefined);
    assert.deepEqual(new Set(bounded.map(({ reached }) => typeof reached)), new Set(["boolean"]));
    const shown = targets.filter((line) => !bounded.includes(line));
    assert.deepEqual(new Set(shown.map(({ reached }) => reached)), new Set([undefined]));
    // All names of each group, in the order of the groups.
    const groups = new Map<string, string[]>();
    for (const { group, name } of targets) groups.set(group, [...(groups.get(group) ?? []), name]);
    const { packages } = await load("../packages.mjs");
    const besides = ["next", ...READS, ...READS].map((operation) =>
      (packages as readonly Record<string, unknown>[])
        .filter((one) => one.beside !== undefined && (operation === "next" || one[operation] !== undefined))
        .map(({ name, beside }) => `${(beside as string[])[0]} beside ${name}`),
    );
    const si = ["snowflakeSI"];
    const wide = NUMBERS.filter((name) => !si.includes(name));
    const wanted = [
      ...[NUMBERS, TEXTS, TEXTS, TEXTS, DECIMALS, wide, si, NUMBERS, ["sno"], ["sno"], ["sno"]],
      ...[
        LEASED,
        LEASED_BATCHES,
        TEXTS,
        si,
        wide,
        ["sno", "twitter", "twitter", "nanoflake", ...si],
        FORMATS,
      ],
      ...[["nanoflake", "twitter", "snowflake", ...si], ["sno"], ...besides, si, si],
      ["graupel/nanoflake", "graupel/snowflake", "graupel/snowflake-si"],
      ["graupel/sno", "graupel/ulid-flake"],
    ];
    const sorted = (lists: Iterable<readonly string[]>) => Array.from(lists, (names) => [...names].sort());
    assert.deepEqual(sorted(groups.values()), sorted(wanted));
    assert.deepEqual(shown.map(({ name }) => name).sort(), [...wide].sort());
    for (const { group, name, figure } of targets) assert.ok(isSpread(figure), `${group} ${name}`);
    const figures = join(directory, "all.json");
    await writeFile(figures, JSON.stringify({ runs: [measured], missing: [] }));
    const { stdout } = await run(process.execPath, [join(speed, "main.mjs"), "--from", figures]);
    const verdicts = stdout.match(/^ +(not )?reached .+: .+, at (most|least) .+$/gm) ?? [];
    assert.equal(verdicts.length, bounded.length);
    assert.equal(stdout.match(/^ +shown .+: .+, no target$/gm)?.length, shown.length);
    const reached = targets.filter((line) => line.reached).length;
    assert.ok(stdout.includes(`${reached} of ${bounded.length} targets reached`));
    for (const { operation } of cases) assert.ok(stdout.includes(operation), operation);
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
    // Each element is closed, in order, and each attribute quoted: else this throws.
    await transform(svg, { loader: "jsx" });
    for (const { subject, operation, ns } of measured.cases) {
      if (operation !== "next" || !SHOWN.includes(subject)) continue;
      const name = FORMATS.includes(subject) ? `graupel ${subject}` : subject;
      assert.ok(svg.includes(`>${name}</text>`), name);
      assert.ok(svg.includes(`>${label(ns.median)}</text>`), `${name}: ${ns.median}`);
    }
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

test("the tables for users say what was measured: nanoseconds, and IDs a second", async () => {
  const { timeTable, operationTable } = await load("pages.mjs");
  const figures: { readonly runs: readonly Run[] } = JSON.parse(
    await readFile(join(root, "www/docs/bench.json"), "utf8"),
  );
  assert.deepEqual(
    figures.runs.map(({ node }) => node.split(".")[0]),
    ["20", "24"],
  );
  const last = figures.runs.at(-1) ?? assert.fail();
  const time = (subject: string, operation: string) =>
    last.cases.find((one) => one.subject === subject && one.operation === operation)?.ns.median ?? Number.NaN;
  const full = last.saturated.find(({ subject }) => subject === "twitter")?.perSecond.median;
  const [times, operations]: string[] = [timeTable(figures), operationTable(figures)];
  for (const [table, name, at, wanted] of [
    [times, "ulid", 1, time("ulid", "next")],
    [times, "ulid", 2, 1e3 / time("ulid", "next")],
    [times, "**graupel twitter**", 1, time("twitter", "next")],
    [times, "**graupel twitter**", 2, (full ?? Number.NaN) / 1e6],
    [operations, "`parse(text)`", 1, time("twitter", "parse")],
  ] as const) {
    const cells =
      table
        ?.split("\n")
        .find((line) => line.startsWith(`| ${name} |`))
        ?.split(" | ") ?? [];
    const found = Number(/[\d.]+/.exec(cells[at] ?? "")?.[0]);
    assert.ok(Math.abs(found / wanted - 1) < 0.05, `${name}: ${cells[at]}, and not ${wanted}`);
  }
});

test("V8 keeps no format as a hash table, in which it takes longer to find a method", () => {
  setFlagsFromString("--allow-natives-syntax");
  const isTable = new Function("object", "return !%HasFastProperties(object)") as (object: object) => boolean;
  assert.ok(isTable(Object.create(null)));
  for (const { name: label, format } of named()) {
    assert.ok(!isTable(format), label);
    assert.ok(!isTable(format.text), `${label}, text`);
  }
});

/** The chart's label of a time; cut bars have a mark before it. */
const label = (ns: number) => `${ns > 600 ? "› " : ""}${Math.round(ns).toLocaleString("en")}`;
