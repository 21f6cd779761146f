/** Checks the IDs that the generators of one identity issue. */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import type { IssuedIds } from "../../../support/issued.mjs";
import type { AnyGenerator, Id } from "../../support/any-format.ts";
import { idFaults, inspected, integerOf, type Values } from "../../support/expected.ts";
import type { FormatUnderTest } from "../../support/formats.ts";
import type { Policy } from "./plan.ts";
import type { World } from "./world.ts";

type Position = readonly [tick: number, value: number];

/**
 * The lower limit for the IDs of a call: a tick that is used up, and the last ID with each value of
 * sno's tick-tock bit.
 */
export interface Mark {
  readonly spent: number;
  readonly last: [Position, Position];
}

const isAfter = ([tick, value]: Position, [otherTick, other]: Position): boolean =>
  tick > otherTick || (tick === otherTick && value > other);

const NONE: Position = [-1, -1];

/** A generator of a story. */
export interface Actor {
  readonly generator: AnyGenerator;
  readonly identity: Identity;
  /** How many ticks it may be ahead of the clock. */
  readonly ahead: number;
  /** Whether callbacks may act during its calls. */
  readonly isWatched: boolean;
}

/** How many ticks a generator with the given policy may be ahead of the clock. */
export function aheadOf({ reference: { spec } }: FormatUnderTest, policy: Partial<Policy>): number {
  const isSno = spec.name === "sno";
  const { clockBackwards = isSno ? "tick-tock" : "hold", sequenceFull, maxAheadMs = 10_000 } = policy;
  const holds = clockBackwards === "hold" || (clockBackwards === "tick-tock" && !isSno);
  return holds || sequenceFull === "borrow" ? Math.floor(maxAheadMs / spec.tickMs) : 0;
}

export class Identity {
  /** The highest tick of all IDs. */
  highest = -1;
  /** The last tick that a generator was told to treat as used up. */
  spent = -1;
  /** Snapshots from various moments, as if stored on disk. */
  readonly saved: string[] = [];
  readonly #last: [Position, Position] = [NONE, NONE];
  /** The number of asynchronous calls so far, and the last one that was served. */
  #calls = 0;
  #served = -1;
  /**
   * Whether an asynchronous call began within another call. Then calls may settle in a different
   * order than they are served.
   */
  #isTangled = false;

  /**
   * `issued` is shared by all identities of a story, because their IDs must also differ. `options`
   * contains the fixed fields and the bounds.
   */
  constructor(
    readonly subject: FormatUnderTest,
    readonly options: Values,
    readonly issued: IssuedIds,
    /** Whether values within a tick may come in any order. */
    readonly isUnordered = false,
  ) {}

  timeOf(tick: number): number {
    const { epoch, tickMs } = this.subject.reference.spec;
    return epoch + tick * tickMs;
  }

  /** The lower limit for the IDs of a call that begins now. */
  mark = (): Mark => ({ spent: this.spent, last: [...this.#last] });

  /**
   * Checks that an ID matches the format and the identity, is new, and comes after the ticks that
   * are used up.
   */
  look(id: Id, spent: number): { tick: number; value: number; tickTock: number } {
    const { reference: r, format, counts, fixed } = this.subject;
    assert.equal(typeof id, r.spec.idType, inspect(id));
    assert.deepEqual(idFaults(r, id), [], `${inspect(id)} is no ID`);
    const integer = integerOf(r, id);
    const fields = inspected(r, integer) as Record<string, number>;
    assert.deepEqual(format.inspect(id), fields);
    for (const name of Object.keys(fixed))
      assert.equal(fields[name], this.options[name], `${name} of ${inspect(id)}`);
    const { ticks: tick = 0, [counts]: value = 0, tickTock = 0 } = fields;
    const { sequenceMin = 0, sequenceMax = value } = this.options as Record<string, number>;
    assert.ok(value >= sequenceMin && value <= sequenceMax, `${inspect(id)} is outside the bounds`);
    assert.ok(tick > spent, `${inspect(id)} is of tick ${tick}, and ${spent} was spent`);
    // The metabyte is chosen by the user, so two IDs that differ only in it count as equal.
    this.issued.add(r.spec.name === "sno" ? integer & ~(255n << 32n) : integer);
    this.highest = Math.max(this.highest, tick);
    return { tick, value, tickTock };
  }

  /**
   * Records the IDs of a call that began at a mark. They must ascend and be above all IDs of calls
   * that had ended at the mark.
   */
  enter(ids: readonly Id[], { spent, last }: Mark): void {
    for (const id of ids) {
      const { tick, value, tickTock } = this.look(id, spent);
      const before = last[tickTock] as Position;
      const isInOrder = this.isUnordered ? tick >= before[0] : isAfter([tick, value], before);
      assert.ok(isInOrder, `${inspect(id)} is of tick ${tick}.${value}, and follows ${before.join(".")}`);
      last[tickTock] = [tick, value];
    }
    for (const bit of [0, 1] as const) {
      if (isAfter(last[bit], this.#last[bit])) this.#last[bit] = last[bit];
    }
  }

  /**
   * Checks the IDs of a call that was the only one to read the clock: they must not be behind its
   * readings, nor further ahead than allowed.
   */
  near(ids: readonly Id[], { first, last }: Pick<World, "first" | "last">, ahead: number): void {
    const { reference: r, format } = this.subject;
    const [low, high] = [Number(r.tick(first)), Number(r.tick(last)) + ahead];
    for (const id of ids) {
      const { ticks } = format.inspect(id) as { ticks: number };
      assert.ok(
        ticks >= low && ticks <= high,
        `${inspect(id)} is of tick ${ticks}, not of ${low} to ${high}`,
      );
    }
  }

  /**
   * Records that an asynchronous call begins. The returned function records its ID, which must come
   * before the IDs of all later calls.
   */
  queued(isNested: boolean): (id: Id) => void {
    this.#isTangled ||= isNested;
    const [mark, call] = [this.mark(), this.#calls++];
    return (id) => {
      assert.ok(this.#isTangled || call > this.#served, `${inspect(id)} is of a call that came earlier`);
      this.#served = call;
      this.enter([id], mark);
    };
  }

  /** Records that all ticks that start before the given time are used up. */
  spend(ms: number): void {
    const { spec, lastTick } = this.subject.reference;
    const early = spec.rounds === true ? 0.5 : 0;
    const first = Math.ceil((ms + early - spec.epoch) / spec.tickMs);
    this.spent = Math.max(this.spent, Math.min(first - 1, Number(lastTick)));
  }
}
