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
  readonly saturated: readonly Measured[];
  readonly queued: readonly Measured[];
  readonly start: readonly Measured[];
  readonly targets: readonly Target[];
  readonly faults: readonly string[];
}

/** The formats that are not a layout of another format. */
const FORMATS = Object.values(facts)
  .filter(({ given }) => Object.keys(given).length === 0)
  .map((one) => one.export);

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

  test("measures every format and every package, and finds nothing wrong", async () => {
    assert.deepEqual(measured.faults, []);
    assert.equal(measured.node, process.versions.node);
    const { cases, saturated, queued, start, targets } = measured;
    const { packages } = await load("../packages.mjs");
    const subjects = new Set(cases.map(({ subject }) => subject));
    for (const name of [...FORMATS, ...(packages as readonly { name: string }[]).map(({ name }) => name)])
      assert.ok(subjects.has(name), name);
    for (const all of [saturated, queued, start, targets]) assert.ok(all.length > 0);
    for (const one of [...cases, ...saturated, ...queued, ...start, ...targets]) {
      const figures = Object.values(one).filter(isFigure);
      assert.ok(figures.length > 0, JSON.stringify(one));
      for (const { median, q1, q3 } of figures)
        assert.ok(Number.isFinite(median) && q1 <= q3, JSON.stringify(one));
    }
  });

  test("prints every figure, and whether each target with a bound is reached", async () => {
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

  test("exits with 1 if something could not be measured", async () => {
    await assert.rejects(print({ faults: ["x could not be run"] }), ({ code, stdout }) => {
      return code === 1 && stdout.includes("FAULT: Node");
    });
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

test("V8 keeps no format as a hash table, in which it takes longer to find a method", () => {
  setFlagsFromString("--allow-natives-syntax");
  const isTable = new Function("object", "return !%HasFastProperties(object)") as (object: object) => boolean;
  assert.ok(isTable(Object.create(null)));
  for (const { name: label, format } of named()) {
    assert.ok(!isTable(format), label);
    assert.ok(!isTable(format.text), `${label}, text`);
  }
});
