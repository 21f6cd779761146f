// Plays a trace: generators under a scripted clock must return what the reference did, or the value
// under `here`.
import assert from "node:assert/strict";
import { IssuedIds } from "../../../support/issued.mjs";
import type { AnyFormat, AnyGenerator, Id } from "../../support/any-format.ts";
import type { Item, Json } from "./data.ts";
import { awaited, type Outcome, outcome, ScriptedClock, ScriptedRandom } from "./script.ts";

/** Longer than any trace waits or runs ahead, so that no wait fails. */
export const PATIENCE = 1_000_000;

const CODES: Readonly<Record<string, string>> = {
  backwards: "CLOCK_BACKWARDS",
  full: "SEQUENCE_FULL",
  before_epoch: "BEFORE_EPOCH",
  after_end: "END_OF_LIFE",
};

/**
 * How IDs are requested: one by one; as text, with repeated calls as a batch; or asynchronously.
 */
export type Way = "next" | "text" | "async";

/** One step: the action, the readings, the expected outcome, and how the package differs. */
export interface Step {
  readonly op: string;
  readonly rest: readonly Json[];
  readonly here: Readonly<Record<string, Json>>;
}

/** A generator under a clock and a source of randomness that follow the steps. */
export class Player {
  readonly clock = new ScriptedClock();
  readonly random = new ScriptedRandom();
  readonly #issued = new IssuedIds();
  /** Whether a step has differed from the recorded outcome. */
  differed = false;
  generator: AnyGenerator;

  /** `start` is the Unix time in ms of the reading 0, and `options` are the generator's options. */
  constructor(
    readonly format: AnyFormat,
    readonly start: number,
    readonly way: Way,
    options: object,
  ) {
    const draws = format.layout.fields.some(({ name }) => name === "randomness");
    const sources = { clock: this.clock.read, ...(draws && { random: this.random.fill }) };
    this.generator = format.generator({ isolated: true, ...sources, ...options });
  }

  /** Sets the clock to the readings of a step. Returns the last, in Unix ms. */
  set(readings: Json | undefined): number {
    return this.clock.set(readings, this.start, this.format.layout.tickMs);
  }

  /** The expected outcome: the one under `here` if there is one, otherwise the recorded one. */
  wanted(recorded: Json | undefined, { here }: Step, name = "here"): Json | undefined {
    if (here[name] === undefined) return recorded;
    assert.notDeepEqual(here[name], recorded, "no deviation");
    this.differed = true;
    return here[name];
  }

  /**
   * Plays a step. `next` expects the recorded ID, `error` an error, and `repeat` several IDs at one
   * reading.
   */
  async step(step: Step): Promise<void> {
    const { op, rest } = step;
    const [readings, recorded, third, last] = rest;
    this.set(readings);
    if (op === "repeat") {
      await this.#repeat(recorded, third, last);
      return;
    }
    assert.ok(op === "next" || op === "error", `unknown step ${op}`);
    // The third entry is a list of draws or the metabyte of this call.
    this.random.set(step.here.draws ?? (Array.isArray(third) ? third : []));
    const found = await this.#next(typeof third === "number" ? third : undefined);
    this.random.check(found.code);
    if (found.code === undefined) this.#issued.add(found.value);
    const known = op === "error" ? CODES[recorded] : String(recorded);
    assert.equal(found.code ?? String(found.value), this.wanted(known, step));
  }

  async #next(metabyte: number | undefined): Promise<Outcome<Id>> {
    const { format, generator } = this;
    const given = metabyte === undefined ? [] : [metabyte];
    if (this.way === "async") {
      return awaited(
        () => generator.nextAsync({ ...(metabyte !== undefined && { metabyte }) }) as Promise<Id>,
      );
    }
    if (this.way === "next") {
      return outcome(() => generator.next(...given) as Id);
    }
    const found = outcome(() => generator.nextText(...given) as string);
    if (found.code !== undefined) {
      return found;
    }
    const id = format.parse(found.value) as Id;
    assert.equal(format.format(id), found.value);
    return { value: id };
  }

  async #repeat(count: number, first: Json | undefined, last: Json | undefined): Promise<void> {
    const { generator, format } = this;
    const ids = this.way === "text" ? (generator.nextMany(count) as Id[]) : [];
    while (ids.length < count && this.way !== "text") {
      ids.push((this.way === "next" ? generator.next() : await generator.nextAsync()) as Id);
    }
    assert.equal(ids.length, count);
    const { fields } = format.layout;
    const place = fields.findIndex(({ name }) => name === "sequence");
    const shift = BigInt(fields.slice(place + 1).reduce((sum, { bits }) => sum + bits, 0));
    const mask = ((1n << BigInt(fields[place]?.bits ?? 0)) - 1n) << shift;
    const from = BigInt(first as string);
    for (const [index, id] of ids.entries()) {
      // The sequence increases by one. A kept one continues with 0 after its maximum.
      const wanted = (from & ~mask) | ((from + (BigInt(index) << shift)) & mask);
      assert.equal(BigInt(id), wanted, `ID ${index} of ${count}`);
      this.#issued.add(id);
    }
    assert.equal(String(ids.at(-1)), String(last), "last ID");
  }
}

const play = (player: Player, step: Step) => player.step(step);

/**
 * Plays a trace in each way with a separate generator; all ways must have the same outcome. `own`
 * plays the steps that only one format has.
 */
export async function playTrace(
  item: Item,
  make: (way: Way) => Player,
  own: Readonly<Record<string, (player: Player, step: Step) => unknown>> = {},
): Promise<void> {
  // `nextAsync` waits when the sequence is full, while the other calls fail.
  const isFull = item.steps.some(
    (step) => (step[0] === "error" && step[2] === "full") || step.at(-1)?.here === "SEQUENCE_FULL",
  );
  for (const way of isFull ? (["next", "text"] as const) : (["next", "text", "async"] as const)) {
    const player = make(way);
    for (const [index, [op, ...rest]] of item.steps.entries()) {
      const last = rest.at(-1);
      const differs = typeof last === "object" && last !== null && !Array.isArray(last);
      const step = {
        op,
        rest: differs ? rest.slice(0, -1) : rest,
        here: differs ? last : {},
      };
      try {
        await (own[step.op] ?? play)(player, step);
      } catch (error) {
        throw new Error(`${way}, step ${index}: ${error instanceof Error ? error.message : error}`);
      }
    }
    const differs = player.differed || item.here !== null;
    assert.equal(item.deviation !== null, differs, "a deviation");
  }
}
