// Runs one turn of a format or a package in its own process (child.mjs): measures the nanoseconds
// of each operation and of the floors. mitata takes the samples.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { measure as sampled } from "mitata";
import { root } from "../../xtask/lib/process.mjs";
import { packages as peers } from "../packages.mjs";
import { D, floorCases } from "./floors.mjs";
import { formatCases, formats, leasedCases, readCases } from "./formats.mjs";
import { peerCases } from "./peers.mjs";

/**
 * The number of calls in a burst. A burst fits into the smallest tick, and every case and floor
 * pays the same share of the timer.
 */
const CALLS = 128;
/** Results are stored in a short ring, so that the engine cannot eliminate their creation. */
const RING = 8;

/** The amount of work: enough for stable medians, or just enough to show that everything works. */
const WHOLE = { samples: 41, warmUpBursts: 160, warmUpMs: 40 };
const QUICK = { samples: 3, warmUpBursts: 1, warmUpMs: 1 };

/**
 * Compiles a loop for each case from its code. Each call site then sees one type of result, as in a
 * program with one type of ID. The comment makes the text of each loop unique, because the engine's
 * code cache would merge equal texts. The ring is an array literal of results, so that it gets the
 * engine's array type for these results, in which numbers stay unboxed.
 */
async function compile({ operation, code, scope, awaits, inAsync, each = 1 }) {
  const [async, result] = awaits || inAsync ? ["async ", awaits ? `await ${code}` : code] : ["", code];
  const calls = Math.max(1, Math.floor(CALLS / each));
  const size = calls < RING ? 1 : RING;
  const source = `/* ${operation} */ return (${async}() => {
    const i = 0;
    const ring = [${Array.from({ length: size }, () => result).join(", ")}];
    return { ring, calls: ${calls}, burst: ${async}(_) => {
      for (let i = 0; i < ${calls}; i++) ring[i & ${size - 1}] = ${result};
    } };
  })();`;
  return new Function(...Object.keys(scope), source)(...Object.values(scope));
}

/** Throws if a case produced no results, because it then measures something else. */
function look({ operation, ring }) {
  const wrong = ring.find((result) => result === undefined || result === null || result === false);
  if (wrong !== undefined || ring.some(Number.isNaN)) throw new Error(`${operation} made ${wrong}`);
}

/** The preparation of a burst, which is not measured. */
const before = (one) => () => {
  one.before?.();
  one.room?.(one.calls * (one.each ?? 1));
};

/** Resolves to the number of bursts, which is small for a case that is slow or waits for ticks. */
async function warmUp(one, { warmUpBursts, warmUpMs }) {
  const until = performance.now() + warmUpMs;
  let bursts = 0;
  for (; bursts < warmUpBursts && performance.now() < until; bursts++) {
    before(one)();
    await one.burst();
  }
  look(one);
  return bursts;
}

/** Nanoseconds per ID, or per call if the call generates no ID: the median of several bursts. */
async function time(one, plan) {
  const samples = Math.min(plan.samples, Math.max(5, await warmUp(one, plan)));
  function* work() {
    yield { 0: before(one), bench: one.burst };
  }
  // Turn off batches of bursts, which would fill their ticks, and the garbage collection before
  // each case.
  const settings = { min_samples: samples, max_samples: samples, min_cpu_time: 0, batch_threshold: -1 };
  const { p50 } = await sampled(work, { ...settings, gc: false });
  return p50 / (one.calls * (one.each ?? 1));
}

async function casesOf(subject, { entry, isCompared }) {
  const format = formats.find(({ name }) => name === subject);
  if (format !== undefined) {
    const name = format.entry.replace("graupel/", "");
    const module = await entry(name);
    const own = formatCases(format, module);
    // Run only the cases of both packages. An earlier commit may have no leases.
    if (isCompared) return own;
    const leased = await leasedCases(format, module);
    return [...own, ...leased, ...readCases(format, module, await entry("read"))];
  }
  const peer = peers.find(({ name }) => name === subject);
  return peer === undefined ? [] : peerCases(peer);
}

/**
 * The file of an entry, from the manifest of the package, because the files of an earlier commit
 * may have other names.
 */
function fileOf(directory, name, kind) {
  const { exports } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const ways = exports[`./${name}`] ?? exports["./*"];
  const way = (kind === "cjs" ? ways.require : ways.import) ?? ways.default;
  return join(directory, (way.default ?? way).replace("*", name));
}

/**
 * Runs one turn of a `subject`. `operations`: measures only these. `directory`: measures the
 * package that was built there. `kind`: "js" for ES modules, "cjs" for CommonJS. Returns the cases
 * and the floors with their times, and sentences about faults.
 */
export async function measure({ subject, quick, operations, directory, kind = "js" }) {
  const plan = quick ? QUICK : WHOLE;
  const faults = [];
  const entry = (name) => {
    const file = fileOf(directory ?? root, name, kind);
    return kind === "cjs" ? createRequire(import.meta.url)(file) : import(pathToFileURL(file));
  };
  const attempt = async (work, what) => {
    try {
      return await work();
    } catch (error) {
      faults.push(`${subject} ${what} could not be run: ${error.message}`);
    }
  };
  const all =
    (await attempt(() => casesOf(subject, { entry, isCompared: directory !== undefined }), "")) ?? [];
  const own = all.filter(({ operation }) => operations === undefined || operations.includes(operation));
  const wanted = [D, ...own.map(({ floor }) => floor)];
  const floors = floorCases.filter(({ operation }) => subject === "floor" || wanted.includes(operation));
  const cases = [...own, ...floors.map((one) => ({ ...one, isFloor: true }))];
  // Warm up all cases before measuring any of them, because a later case changes how the engine
  // compiles shared code.
  for (const one of cases) {
    await attempt(async () => {
      Object.assign(one, await compile(one));
      await warmUp(one, plan);
    }, one.operation);
  }
  const timed = [];
  for (const one of cases.filter(({ burst }) => burst !== undefined)) {
    await attempt(async () => {
      const { operation, each, restless, floor, without, isFloor } = one;
      timed.push({ operation, each, restless, floor, without, isFloor, ns: await time(one, plan) });
    }, one.operation);
  }
  const of = (kind) => timed.filter(({ isFloor = false }) => isFloor === kind);
  return { cases: of(false), floors: of(true), faults };
}
