/** The shortest form of the bench. Speed itself is not tested. */
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
import { root } from "../support/places.ts";

const run = promisify(execFile);
const speed = join(root, "bench", "speed");

interface Target {
  readonly reached?: boolean;
}
interface Run {
  readonly cases: readonly { readonly subject: string; readonly operation: string }[];
  readonly saturated: readonly object[];
  readonly start: readonly object[];
  readonly targets: readonly Target[];
  readonly faults: readonly string[];
}

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
    // The formats and packages with this in their names.
    const some = '{"quick":true,"only":"sno"}';
    await run(process.execPath, [join(speed, "measure.mjs"), file, some], { cwd: root });
    measured = JSON.parse(await readFile(file, "utf8"));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  test("measures and prints every operation, and finds nothing wrong", async () => {
    const { cases, saturated, start, targets, faults } = measured;
    assert.deepEqual(faults, []);
    for (const all of [cases, saturated, start, targets]) assert.ok(all.length > 0);
    const { stdout } = await print();
    for (const { subject, operation } of cases)
      assert.ok(stdout.includes(subject) && stdout.includes(operation), `${subject} ${operation}`);
    assert.ok(!/NaN|undefined|Infinity/.test(stdout));
  });

  test("exits with 1 if something could not be measured", async () => {
    await assert.rejects(print({ faults: ["x could not be run"] }), ({ code, stdout }) => {
      return code === 1 && stdout.includes("FAULT: Node");
    });
  });
});

test("a target is reached at its bound, and not above it; a figure without one is shown", async () => {
  const { targetsOf } = await import(pathToFileURL(join(speed, "targets.mjs")).href);
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
    const find = (subject: string, operation: string) => {
      const found = cases[`${subject} ${operation}`];
      return found && { subject, ...found };
    };
    const lines: readonly Target[] = targetsOf({ find, saturated: [], started: [] });
    return lines.map(({ reached }) => reached);
  };
  assert.deepEqual(verdicts(1), [true, true, true, true, undefined]);
  assert.deepEqual(verdicts(1.01), [true, false, false, false, undefined]);
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
