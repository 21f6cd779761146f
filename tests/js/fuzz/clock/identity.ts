/** What the generators of one identity may issue. */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import type { IssuedIds } from "../../../support/issued.mjs";
import type { AnyGenerator, Id } from "../../support/any-format.ts";
import { idFaults, inspected, integerOf, type Values } from "../../support/expected.ts";
import type { FormatUnderTest } from "../../support/formats.ts";
import type { Policy } from "./plan.ts";
import type { World } from "./world.ts";

type Position = readonly [tick: number, value: number];

/** What the IDs of a call must be above: a tick that is spent, and the last ID with each value of sno's tick-tock bit. */
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

/** How many ticks a generator with a policy may be ahead of the clock. */
export function aheadOf({ reference: { spec } }: FormatUnderTest, policy: Partial<Policy>): number {
  const isSno = spec.name === "sno";
  const { clockBackwards = isSno ? "tick-tock" : "hold", sequenceFull, maxAheadMs = 10_000 } = policy;
  const holds = clockBackwards === "hold" || (clockBackwards === "tick-tock" && !isSno);
  return holds || sequenceFull === "borrow" ? Math.floor(maxAheadMs / spec.tickMs) : 0;
}

export class Identity {
  /** The highest tick of any ID. */
  highest = -1;
  /** The last tick that a generator was told to spend. */
  spent = -1;
  /** Snapshots of any moment, as stored on a disk. */
  readonly saved: string[] = [];
  readonly #last: [Position, Position] = [NONE, NONE];
  /** How many asynchronous calls there were, and which was served last. */
  #calls = 0;
  #served = -1;
  /** Whether one began within another call: then they end in another order than they are served. */
  #isTangled = false;

  /** `issued`: shared by the identities of a story, whose IDs must differ, too. `options`: its fixed fields, and bounds. */
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

  /** The mark that IDs of a call that begins now must be above. */
  mark = (): Mark => ({ spent: this.spent, last: [...this.#last] });

  /** Checks that an ID is of the format and the identity, new, and after what is spent. */
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
    // Two IDs that differ only in the metabyte, which is the user's, count as the same.
    this.issued.add(r.spec.name === "sno" ? integer & ~(255n << 32n) : integer);
    this.highest = Math.max(this.highest, tick);
    return { tick, value, tickTock };
  }

  /** Records the IDs of a call that began at a mark: they ascend, and are above all IDs whose calls had ended by then. */
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

  /** Checks that the IDs of a call, which alone has read the clock, are not behind their readings, nor further ahead than they may be. */
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

  /** An asynchronous call begins; what is returned records its ID, which comes before those of all later calls. */
  queued(isNested: boolean): (id: Id) => void {
    this.#isTangled ||= isNested;
    const [mark, call] = [this.mark(), this.#calls++];
    return (id) => {
      assert.ok(this.#isTangled || call > this.#served, `${inspect(id)} is of a call that came earlier`);
      this.#served = call;
      this.enter([id], mark);
    };
  }

  /** Records that all ticks that start before a time are spent. */
  spend(ms: number): void {
    const { spec, lastTick } = this.subject.reference;
    const early = spec.rounds === true ? 0.5 : 0;
    const first = Math.ceil((ms + early - spec.epoch) / spec.tickMs);
    this.spent = Math.max(this.spent, Math.min(first - 1, Number(lastTick)));
  }
}
