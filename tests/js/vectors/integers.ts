// Traces of the formats whose IDs are integers: what they share.
import assert from "node:assert/strict";
import { type Item, type Json, number, text } from "./data.ts";
import { type Outcome, outcome, type ScriptedClock } from "./script.ts";
import type { Verdict } from "./tally.ts";

/** Far more than any trace waits or runs ahead, so that every wait is waited out. */
export const PATIENCE = 1_000_000;

/** What a trace runs on. */
export interface Setup<Id extends bigint | number> {
  readonly clock: ScriptedClock;
  readonly generator: { next(): Id; nextText(): string; nextMany(n: number): ArrayLike<Id> };
  readonly format: { parse(x: unknown): Id; format(id: Id): string };
  /** Makes an ID of what is recorded. */
  id(recorded: Json | undefined): Id;
  /** The sequence field, within which repeated calls count. */
  readonly mask: bigint;
  /** The codes of the reference's errors. */
  readonly codes: Readonly<Record<string, string>>;
  /** Decides about a step that is not as recorded: a name if it may be so (after checking it), `undefined` if not. */
  excuse(found: Outcome<Id>, recorded: Json | undefined, situation: Situation): string | undefined;
}

/** Where a trace stands at a step that is not as recorded. */
export interface Situation {
  /** The clock's last reading. */
  readonly now: number;
  /** Whether that is below an earlier one. */
  readonly back: boolean;
  /** Whether an earlier step was not as recorded. */
  readonly before: boolean;
}

/** Runs a trace twice, on two generators: by `next`, and as text with repeated calls at once. */
export function runTrace<Id extends bigint | number>(item: Item, setup: () => Setup<Id>): Verdict {
  const byNumber = new Run(setup(), item.number("start"), false);
  const byText = new Run(setup(), item.number("start"), true);
  for (const [index, step] of item.steps().entries()) {
    try {
      byNumber.step(step);
      byText.step(step);
    } catch (error) {
      throw new Error(`step ${index}: ${error instanceof Error ? error.message : error}`);
    }
  }
  assert.equal(byText.stands, byNumber.stands);
  return byNumber.stands;
}

class Run<Id extends bigint | number> {
  readonly #seen = new Set<Id>();
  #highest = Number.NEGATIVE_INFINITY;
  stands: string | undefined;

  constructor(
    readonly setup: Setup<Id>,
    readonly start: number,
    readonly asText: boolean,
  ) {}

  /** `next`: an ID as recorded; `error`: a refusal with its code; `repeat`: so many IDs at one reading. */
  step([op, readings, recorded, first, last]: readonly Json[]): void {
    const { clock, codes, excuse, id } = this.setup;
    const now = clock.set(readings, this.start);
    const back = now < this.#highest;
    this.#highest = Math.max(this.#highest, now);
    if (op === "repeat") {
      this.#repeat(number(recorded), id(first), id(last));
      return;
    }
    assert.ok(op === "next" || op === "error", `unknown step ${op}`);
    const found = outcome(() => this.#next());
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

  #next(): Id {
    const { format, generator } = this.setup;
    if (!this.asText) {
      return generator.next();
    }
    const it = generator.nextText();
    const id = format.parse(it);
    assert.equal(format.format(id), it);
    return id;
  }

  #remember(id: Id): void {
    assert.ok(!this.#seen.has(id), `${id} was repeated`);
    this.#seen.add(id);
  }

  #repeat(count: number, first: Id, last: Id): void {
    const { generator, mask } = this.setup;
    const ids = this.asText
      ? Array.from(generator.nextMany(count))
      : Array.from({ length: count }, () => this.#next());
    assert.equal(ids.length, count);
    for (const [index, id] of ids.entries()) {
      // Rises by one; a kept sequence goes on from its largest value with 0.
      const wanted = (BigInt(first) & ~mask) | ((BigInt(first) + BigInt(index)) & mask);
      assert.equal(BigInt(id), wanted, `ID ${index} of ${count}`);
      this.#remember(id);
    }
    assert.equal(ids.at(-1), last, "last ID");
  }
}
