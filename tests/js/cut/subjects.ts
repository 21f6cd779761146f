/**
 * The calls that are cut off: generators of all kinds of formats, and every operation of these
 * generators and formats.
 */

import assert from "node:assert/strict";
import * as shipped from "graupel";
import { type AnyFormat, type AnyGenerator, type AnyId, GraupelError } from "graupel";
import { IssuedIds } from "../../support/issued.mjs";
import type { Package } from "./realm.ts";

/**
 * The reading of all clocks, which tests move; and the last given time. Given times ascend, and
 * each is in a new tick.
 */
export const clock = { now: Date.UTC(2025, 0, 1), given: Date.UTC(2024, 11, 1) };

/** A format under test, in one copy of the package. */
export interface Subject {
  readonly format: AnyFormat;
  /** A generator of the identity with this number, 0 to 3. */
  make(number: number, options?: object): AnyGenerator;
  /** The name of the fixed field that contains the number. */
  readonly field: string | undefined;
  /** Whether a later ID is always larger. */
  readonly ordered: boolean;
  /** Whether all numbers are one identity, because the format has no fixed field. */
  readonly one: boolean;
}

const epoch = Date.UTC(2020, 0, 1);
const AHEAD = { sequenceFull: "borrow", clockBackwards: "hold", maxAheadMs: 2e9 };

/** The subjects of a copy. */
export function subjectsOf({ sno, nanoflake, twitter, snowflakeSI, ulidFlake, ulidFlakeScalable }: Package) {
  const options = (more: object) => ({ clock: () => clock.now, ...AHEAD, ...more });
  // biome-ignore lint/suspicious/noExplicitAny: each format types its own options
  const of = (format: any, field: string | undefined, fixed: (number: number) => object): Subject => ({
    format,
    field,
    ordered: true,
    one: false,
    make: (number, more = {}) => format.generator(options({ ...fixed(number), ...more })),
  });
  const nano = nanoflake({ epoch });
  const si = snowflakeSI({ epoch });
  return {
    sno: of(sno, "partition", (partition) => ({ partition })),
    // The tick-tock bit changes whenever the clock goes back.
    "sno, tick-tock": {
      ...of(sno, "partition", (partition) => ({
        partition: 100 + partition,
        clockBackwards: "tick-tock",
        // Advances while a call waits.
        clock: () => {
          clock.now += 0.05;
          return clock.now;
        },
      })),
      ordered: false,
      field: undefined,
    },
    "sno, a small pool": of(sno, undefined, (number) => ({
      partition: 200,
      sequenceMin: number * 4,
      sequenceMax: number * 4 + 3,
    })),
    nanoflake: of(nano, "generatorId", (generatorId) => ({ generatorId })),
    twitter: of(twitter, "workerId", (workerId) => ({ workerId, datacenterId: 1 })),
    "twitter, with callbacks": of(twitter, "workerId", (workerId) => ({
      workerId,
      datacenterId: 2,
      onClockBackwards() {},
      onOverflow() {},
    })),
    snowflakeSI: of(si, "machineId", (machineId) => ({ machineId })),
    "snowflakeSI, continue": {
      ...of(si, "machineId", (machineId) => ({ machineId: 8 + machineId, sequenceStart: "continue" })),
      ordered: false,
      field: undefined,
    },
    ulidFlake: { ...of(ulidFlake, undefined, () => ({})), one: true },
    ulidFlakeScalable: of(ulidFlakeScalable, "scalability", (scalability) => ({ scalability })),
  } satisfies Record<string, Subject>;
}

export type SubjectName = keyof ReturnType<typeof subjectsOf>;

/** Generators of different identities. */
export interface Pair {
  readonly subject: Subject;
  readonly makers: readonly AnyGenerator[];
}

/**
 * Operations. Each delivers the IDs that it has issued: from the first identity, from the second,
 * and with `at` from the third.
 */
export const operations: Record<
  string,
  (pair: Pair, deliver: (number: number, ids: Iterable<AnyId>) => void) => void
> = {
  next: ({ makers: [a] }, deliver) => deliver(0, [a?.next() as AnyId]),
  nextText: ({ subject, makers: [a] }, deliver) => deliver(0, [subject.format.parse(a?.nextText())]),
  "two identities in turns": ({ makers: [a, b] }, deliver) => {
    for (const _ of [1, 2]) {
      deliver(0, [a?.next() as AnyId]);
      deliver(1, [b?.next() as AnyId]);
    }
  },
  "nextMany of a few": ({ makers: [a] }, deliver) => deliver(0, a?.nextMany(5) as Iterable<AnyId>),
  "nextMany of many": ({ makers: [a] }, deliver) => deliver(0, a?.nextMany(1500) as Iterable<AnyId>),
  at: ({ makers }, deliver) => {
    clock.given += 20;
    deliver(2, [makers[2]?.at(clock.given) as AnyId]);
  },
  "snapshot and back": ({ subject, makers: [a] }, deliver) =>
    deliver(0, [subject.make(0, { snapshot: a?.snapshot() }).next()]),
  notBefore: ({ subject }, deliver) => deliver(0, [subject.make(0, { notBefore: clock.now - 50 }).next()]),
  stats: ({ makers: [a] }) => {
    a?.stats();
  },
  "another generator of the identity": ({ subject }, deliver) => deliver(1, [subject.make(1).next()]),
  "a generator that nobody shares": ({ subject }) => {
    subject.make(3, { isolated: true }).next();
  },
  "a batch that may be refused": ({ subject }, deliver) => {
    const maker = subject.make(0, { maxAheadMs: 0, maxWaitMs: 0 });
    try {
      deliver(0, maker.nextMany(5000));
    } catch (error) {
      if (!GraupelError.is(error)) throw error;
    }
  },
  verbs: ({ subject: { format } }) => {
    const { min, max } = format.range(clock.now, clock.now + 1000);
    format.compose({ ...format.inspect(format.parse(min)), ticks: undefined });
    format.compare(format.fromBytes(format.toBytes(max)), min);
  },
};

/** The subjects of the installed package, whose calls are never cut off. */
export const references = subjectsOf(shipped);

/** Checks the IDs that a subject issues. */
export class Ledger {
  readonly pair: Pair;
  readonly #subject: Subject;
  readonly #reference: Subject;
  readonly issued = new IssuedIds();
  readonly #last = new Map<number, AnyId>();

  constructor(subject: Subject, name: SubjectName) {
    this.#subject = subject;
    this.#reference = references[name];
    this.pair = { subject, makers: [0, 1, 2].map((number) => subject.make(number)) };
  }

  /** Uses the generators again, even after an operation was cut off. */
  goOn(): void {
    const [a, b] = this.pair.makers;
    for (const name of ["two identities in turns", "nextMany of a few", "verbs"]) this.work(name);
    // If all numbers are one identity, `notBefore` has used up these times.
    if (!this.#subject.one) this.work("at");
    this.deliver(1, b?.nextMany(2) as Iterable<string>);
    assert.ok((a?.stats().issued ?? 0) > 0);
  }

  work(name: string): void {
    operations[name]?.(this.pair, this.deliver);
  }

  deliver = (number: number, ids: Iterable<AnyId>): void => {
    const { field, ordered, one, format } = this.#subject;
    for (const id of ids) {
      this.issued.add(id, one ? "" : `${number}`);
      const fields = this.#reference.format.inspect(id);
      assert.deepEqual(format.inspect(id), fields);
      if (field !== undefined) assert.equal(fields[field], number, `${field} of ${id}`);
      assert.ok(fields.timestamp >= clock.now - 4e9 && fields.timestamp <= clock.now + 2e9, `time of ${id}`);
      const last = this.#last.get(number);
      if (ordered && number < 2 && last !== undefined) {
        assert.equal(this.#reference.format.compare(last, id), -1, `${last}, and then ${id}`);
      }
      this.#last.set(number, id);
    }
  };
}
