/**
 * The shortest form of the bench: everything is measured, judged, printed and drawn. Speed itself
 * is not tested.
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
/** A measurement. Every property that has quartiles is a figure. */
type Measured = Readonly<Record<string, unknown>>;
interface Case extends Measured {
  readonly subject: string;
  readonly operation: string;
  readonly ns: Spread;
}
interface Target extends Measured {
  readonly group: string;
  readonly name: string;
  /** A figure without a bound is only shown, not judged. */
  readonly most?: number;
  readonly least?: number;
  readonly reached?: boolean;
}
interface Run {
  readonly node: string;
  readonly cases: readonly Case[];
  readonly saturated: readonly (Measured & { readonly subject: string; readonly perSecond: Spread })[];
  readonly queued: readonly Measured[];
  readonly start: readonly Measured[];
  readonly targets: readonly Target[];
  readonly faults: readonly string[];
}

/** The formats that are not a layout of another format. */
const FORMATS = Object.values(facts)
  .filter(({ given }) => Object.keys(given).length === 0)
  .map((one) => one.export);
const OPERATIONS = "next nextText parse isValid inspect timestamp compose".split(" ");
/** The verbs that are measured with a format and again with `graupel/read`. */
const READS = "parse inspect timestamp".split(" ").map((operation) => `${operation}, of graupel/read`);

const isFigure = (part: unknown): part is Spread => Object(part) === part && "median" in (part as object);

describe("the bench", () => {
  let directory: string;
  let measured: Run;
  /** Prints figures like the bench. */
  const print = async (changes: object = {}) => {
    const file = join(directory, "figures.json");
    await writeFile(file, JSON.stringify({ runs: [{ ...measured, ...changes }], missing: [] }));
    return run(process.execPath, [join(speed, "main.mjs"), "--from", file]);
  };
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "graupel-bench-"));
    const file = join(directory, "measured.json");
    await run(process.execPath, [join(speed, "measure.mjs"), file, '{"quick":true}'], { cwd: root });
    measured = JSON.parse(await readFile(file, "utf8"));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  test("measures every operation of everybody, and finds nothing wrong", async () => {
    assert.deepEqual(measured.faults, []);
    assert.equal(measured.node, process.versions.node);
    const { cases, saturated, queued, start, targets } = measured;
    const found = new Set(cases.map(({ subject, operation }) => `${subject} ${operation}`));
    const { packages } = await load("../packages.mjs");
    assert.ok(packages.length >= 18);
    const wanted = [
      ...FORMATS.flatMap((name) => [...OPERATIONS, ...READS].map((operation) => `${name} ${operation}`)),
      ...(packages as readonly { name: string }[]).map(({ name }) => `${name} next`),
      ...["sno next(7)", "sno next, under a lease", "snowflakeSI nextMany(200)", "floor Date.now()"],
    ];
    assert.deepEqual(
      wanted.filter((name) => !found.has(name)),
      [],
    );
    assert.deepEqual(new Set(saturated.map(({ subject }) => subject)), new Set(FORMATS));
    assert.ok(queued.length > 0 && start.filter(({ toNanoid }) => isFigure(toNanoid)).length === 5);
    for (const one of [...cases, ...saturated, ...queued, ...start, ...targets]) {
      const figures = Object.values(one).filter(isFigure);
      assert.ok(figures.length > 0, JSON.stringify(one));
      for (const { median, q1, q3 } of figures)
        assert.ok(Number.isFinite(median) && q1 <= q3, JSON.stringify(one));
    }
  });

  test("says of every target whether it is reached, nothing of what has none, and prints all", async () => {
    const { targets, cases } = measured;
    const isBounded = ({ most, least }: Target) => (most ?? least) !== undefined;
    for (const one of targets) assert.equal(typeof one.reached, isBounded(one) ? "boolean" : "undefined");
    const bounded = targets.filter(isBounded);
    const { stdout } = await print();
    const verdicts = stdout.match(/^ +(not )?reached .+: .+, at (most|least) .+$/gm) ?? [];
    assert.equal(verdicts.length, bounded.length);
    assert.equal(stdout.match(/^ +shown .+: .+, no target$/gm)?.length, targets.length - bounded.length);
    const reached = targets.filter((line) => line.reached).length;
    assert.ok(stdout.includes(`${reached} of ${bounded.length} targets reached`));
    for (const { operation } of cases) assert.ok(stdout.includes(operation), operation);
    assert.ok(!/NaN|undefined|Infinity/.test(stdout));
  });

  test("ends with 1 where something could not be measured", async () => {
    await assert.rejects(print({ faults: ["x could not be run"] }), ({ code, stdout }) => {
      return code === 1 && stdout.includes("FAULT: Node");
    });
  });

  test("draws a chart that is well-formed, of all that it shows and their figures", async () => {
    const { chart, SHOWN } = await load("chart.mjs");
    const svg: string = chart({ runs: [measured] });
    // Throws unless every element is closed in order and every attribute is quoted.
    await transform(svg, { loader: "jsx" });
    for (const { subject, operation, ns } of measured.cases) {
      if (operation !== "next" || !SHOWN.includes(subject)) continue;
      const name = FORMATS.includes(subject) ? `graupel ${subject}` : subject;
      assert.ok(svg.includes(`>${name}</text>`), name);
      // Bars that are cut off have a mark before their label.
      const label = `${ns.median > 600 ? "› " : ""}${Math.round(ns.median).toLocaleString("en")}`;
      assert.ok(svg.includes(`>${label}</text>`), `${name}: ${ns.median}`);
    }
  });
});

test("a target is reached at its bound, and not above it; a figure without one is shown", async () => {
  const { targetsOf } = await load("targets.mjs");
  /** The same figure in every round. */
  const rounds = (ns: number, more: object = {}) => ({ rounds: [ns, ns], ...more });
  const verdicts = (times: number) => {
    const cases: Record<string, object> = {
      "floor Date.now()": rounds(100),
      "floor text16": rounds(100),
      "sno next": rounds(100, { floor: "text16" }),
      "sno next(7)": rounds(110 * times),
      "sno next, under a lease": rounds(110 * times, { without: "next" }),
      "sno parse": rounds(120 * times),
      "nanoflake parse": rounds(500 * times),
    };
    const lines: readonly Target[] = targetsOf({
      find: (subject: string, operation: string) => {
        const found = cases[`${subject} ${operation}`];
        return found && { subject, ...found };
      },
      saturated: [],
      queued: [
        { subject: "snowflakeSI", own: 100, runs: [{ all: 300 * times, longest: 20 * times, loop: 1 }] },
      ],
      started: [{ entry: "nanoid" }],
    });
    return lines.map(({ reached }) => reached);
  };
  assert.deepEqual(verdicts(1), [true, true, true, true, undefined, true, true]);
  assert.deepEqual(verdicts(1.01), [true, false, false, false, undefined, false, false]);
});

test("the tables for users say what was measured: nanoseconds, and IDs a second", async () => {
  const { timeTable, operationTable } = await load("pages.mjs");
  const figures: { readonly runs: readonly Run[] } = JSON.parse(
    await readFile(join(root, "www/docs/bench.json"), "utf8"),
  );
  const last = figures.runs.at(-1) ?? assert.fail();
  const time = (subject: string, operation: string) =>
    last.cases.find((one) => one.subject === subject && one.operation === operation)?.ns.median ?? Number.NaN;
  const full = last.saturated.find(({ subject }) => subject === "twitter")?.perSecond.median ?? Number.NaN;
  const [times, operations]: string[] = [timeTable(figures), operationTable(figures)];
  for (const [table, name, at, wanted] of [
    [times, "ulid", 1, time("ulid", "next")],
    [times, "ulid", 2, 1e3 / time("ulid", "next")],
    [times, "**graupel twitter**", 2, full / 1e6],
    [operations, "`parse(text)`", 1, time("twitter", "parse")],
  ] as const) {
    const row = table?.split("\n").find((line) => line.startsWith(`| ${name} |`)) ?? "";
    const found = Number(/[\d.]+/.exec(row.split(" | ")[at] ?? "")?.[0]);
    assert.ok(Math.abs(found / wanted - 1) < 0.05, `${name}: ${found}, and not ${wanted}`);
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
