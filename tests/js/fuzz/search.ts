/**
 * The search of both fuzzers: properties of fast-check, checked in turn with one seed after the other, until each has done enough. A
 * case that fails is made smaller, reported with the command that repeats it, and ends its property.
 */
import { parseArgs } from "node:util";
import fc from "fast-check";
import { settled } from "../support/scripted-clock.ts";
import { seedOfRun } from "../support/seed.ts";

/** A property. */
export interface Part {
  readonly property: fc.IAsyncProperty<unknown>;
  /** How many cases each seed has. */
  readonly cases: number;
  /** How many IDs or calls there were. */
  done(): number;
}

interface Goal {
  /** `npm run` starts it. */
  readonly command: string;
  readonly seed: number;
  /** One of the seed's cases, as fast-check names it; it alone is then checked. */
  readonly path?: string | undefined;
  /** Each property is checked until it has had this many IDs or calls. */
  readonly enough: number;
}

/** An error's message, and those of its causes. */
const reason = (error: unknown): string =>
  error instanceof Error
    ? [error.message, ...(error.cause === undefined ? [] : [reason(error.cause)])].join("\n    ")
    : String(error);

/** Searches, and yields a report of each part that fails. `progress`: called after each seed of a part. */
export async function* search(
  parts: ReadonlyMap<string, Part>,
  { command, seed, path, enough }: Goal,
  progress = (_name: string, _done: number): void => {},
): AsyncGenerator<string> {
  const left = new Map(parts);
  const repeated = path === undefined ? {} : { path, endOnFailure: true };
  for (let n = seed; left.size > 0; n = (n + 1) % 2 ** 32) {
    for (const [name, { property, cases, done }] of left) {
      const before = done();
      const found = await fc.check(property, { seed: n, numRuns: cases, ...repeated });
      // In a turn of the event loop, the engine frees collected memory.
      await settled();
      progress(name, done());
      if (found.failed) {
        const again = `npm run ${command} -- --only ${name} --seed ${n} --path ${found.counterexamplePath}`;
        const shrunk = `${found.numRuns} cases and ${found.numShrinks} steps to a smaller one`;
        yield `${name} shows a defect after ${before}, ${shrunk}\n    ${reason(found.errorInstance)}\n  ${again}`;
      }
      if (found.failed || path !== undefined || done() >= enough) {
        left.delete(name);
      }
    }
  }
}

/** Milliseconds between two lines of progress. */
const EVERY = 5000;

function refuse(what: string): never {
  console.error(what);
  process.exit(2);
}

function whole(name: string, text: string, max: number): number {
  const isWhole = /^\d+$/.test(text) && Number(text) <= max;
  return isWhole ? Number(text) : refuse(`--${name}: expected an integer of 0 to ${max}, got ${text}`);
}

/** Searches as the command line says. `unit`: the option that says how much is enough. Returns the number of defects, and a summary. */
export async function searchAsTold(command: string, unit: string, parts: ReadonlyMap<string, Part>) {
  const text = { type: "string" } as const;
  const names = [...parts.keys()];
  const { values } = parseArgs({
    options: {
      [unit]: { ...text, default: "1000000" },
      seed: text,
      only: { ...text, multiple: true, default: names },
      path: text,
    },
  });
  const { seed: given, only, path } = values as { seed?: string; only: string[]; path?: string };
  const enough = whole(unit, String(values[unit]), 2 ** 40);
  const seed = given === undefined ? seedOfRun() : whole("seed", given, 2 ** 32 - 1);
  if (only.some((name) => !parts.has(name)) || (path !== undefined && only.length > 1)) {
    refuse(`--only: expected one of ${names.join(", ")}`);
  }
  // At once, because a call that hangs cannot say so.
  console.log(`seed ${seed}`);
  const chosen = new Map([...parts].filter(([name]) => only.includes(name)));
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(0)} s`;
  let said = started;
  let defects = 0;
  const progress = (name: string, done: number) => {
    if (Date.now() - said > EVERY) {
      said = Date.now();
      console.log(`${name}: ${done.toLocaleString("en")} ${unit}, ${seconds()}`);
    }
  };
  for await (const report of search(chosen, { command, seed, path, enough }, progress)) {
    defects++;
    console.log(`\n${report}\n`);
  }
  return { defects, isWhole: only.length === names.length && path === undefined, enough, seconds };
}
