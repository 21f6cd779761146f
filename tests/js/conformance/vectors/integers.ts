// What the traces of formats with integer IDs share.
import assert from "node:assert/strict";
import { type Item, type Json, number, text } from "./data.ts";
import { awaited, type Outcome, outcome, type ScriptedClock } from "./script.ts";
import type { Verdict } from "./tally.ts";

/** More than any trace waits or runs ahead, so that no wait fails. */
export const PATIENCE = 1_000_000;

/** The generator of a trace, and how to judge it. */
export interface Setup<Id extends bigint | number> {
  readonly clock: ScriptedClock;
  readonly generator: {
    next(): Id;
    nextText(): string;
    nextMany(n: number): Id[];
    nextAsync(): Promise<Id>;
  };
  readonly format: { parse(x: unknown): Id; format(id: NoInfer<Id>): string };
  /** Converts a recorded ID. */
  id(recorded: Json | undefined): Id;
  /** The sequence field, within which repeated calls count. */
  readonly mask: bigint;
  /** The codes of the reference's errors. */
  readonly codes: Readonly<Record<string, string>>;
  /** Judges a step that differs from the recording: the name of the deviation (after checking it), or `undefined` for none. */
  excuse(found: Outcome<Id>, recorded: Json | undefined, situation: Situation): string | undefined;
}

/** The situation at a step that differs from the recording. */
export interface Situation {
  /** The clock's last reading. */
  readonly now: number;
  /** Whether it is below an earlier reading. */
  readonly back: boolean;
  /** Whether an earlier step differed from the recording. */
  readonly before: boolean;
}

/** How IDs are requested: one by one; as text, with repeated calls as a batch; asynchronously. */
type How = "next" | "text" | "async";

/** Runs a trace in each of these ways, each on its own generator. All must have the same result. */
export async function runTrace<Id extends bigint | number>(
  item: Item,
  setup: () => Setup<Id>,
  hows: readonly How[] = ["next", "text", "async"],
): Promise<Verdict> {
  const verdicts = new Set<Verdict>();
  for (const how of hows) {
    const run = new Run(setup(), item.number("start"), how);
    for (const [index, step] of item.steps().entries()) {
      try {
        await run.step(step);
      } catch (error) {
        throw new Error(`${how}, step ${index}: ${error instanceof Error ? error.message : error}`);
      }
    }
    verdicts.add(run.stands);
  }
  assert.equal(verdicts.size, 1, `not the same in every way: ${[...verdicts]}`);
  return [...verdicts][0];
}

class Run<Id extends bigint | number> {
  readonly #seen = new Set<Id>();
  #highest = Number.NEGATIVE_INFINITY;
  stands: string | undefined;

  constructor(
    readonly setup: Setup<Id>,
    readonly start: number,
    readonly how: How,
  ) {}

  /** `next`: an ID as recorded; `error`: a refusal with its code; `repeat`: several IDs at one reading. */
  async step([op, readings, recorded, first, last]: readonly Json[]): Promise<void> {
    const { clock, codes, excuse, id } = this.setup;
    const now = clock.set(readings, this.start);
    const back = now < this.#highest;
    this.#highest = Math.max(this.#highest, now);
    if (op === "repeat") {
      await this.#repeat(number(recorded), id(first), id(last));
      return;
    }
    assert.ok(op === "next" || op === "error", `unknown step ${op}`);
    const found = await this.#next();
    if (found.code === undefined) {
      this.#remember(found.value);
    }
    const met =
      op === "error"
        ? found.code === (codes[text(recorded)] ?? assert.fail(`unknown error ${recorded}`))
        : found.code === undefined && found.value === id(recorded);
    if (!met) {
      const name = excuse(found, op === "error" ? undefined : recorded, {
        now,
        back,
        before: this.stands !== undefined,
      });
      assert.ok(name, `found ${found.code ?? found.value}, wanted ${recorded}`);
      this.stands = name;
    }
  }

  async #next(): Promise<Outcome<Id>> {
    const { format, generator } = this.setup;
    if (this.how === "async") {
      return awaited(() => generator.nextAsync());
    }
    if (this.how === "next") {
      return outcome(() => generator.next());
    }
    const found = outcome(() => generator.nextText());
    if (found.code !== undefined) {
      return found;
    }
    const id = format.parse(found.value);
    assert.equal(format.format(id), found.value);
    return { value: id };
  }

  #remember(id: Id): void {
    assert.ok(!this.#seen.has(id), `${id} was repeated`);
    this.#seen.add(id);
  }

  async #repeat(count: number, first: Id, last: Id): Promise<void> {
    const { generator, mask } = this.setup;
    const ids = this.how === "text" ? generator.nextMany(count) : [];
    while (ids.length < count && this.how !== "text") {
      ids.push(this.how === "next" ? generator.next() : await generator.nextAsync());
    }
    assert.equal(ids.length, count);
    for (const [index, id] of ids.entries()) {
      // Increases by one; a kept sequence continues from its largest value with 0.
      const wanted = (BigInt(first) & ~mask) | ((BigInt(first) + BigInt(index)) & mask);
      assert.equal(BigInt(id), wanted, `ID ${index} of ${count}`);
      this.#remember(id);
    }
    assert.equal(ids.at(-1), last, "last ID");
  }
}
