/**
 * The calls that are cut off: generators of all kinds of formats, and every operation of these
 * generators and formats.
 */

import assert from "node:assert/strict";
import { GraupelError } from "graupel";
import { IssuedIds } from "../../support/issued.mjs";
import { Identity } from "../fuzz/clock/identity.ts";
import type { AnyFormat, AnyGenerator, Id } from "../support/any-format.ts";
import { EPOCH, type FormatUnderTest, rowOf } from "../support/formats.ts";
import type { Package } from "./realm.ts";

/**
 * The reading of all clocks, which tests move; and the last given time. Given times ascend, and
 * each is in a new tick.
 */
export const clock = { now: Date.UTC(2025, 0, 1), given: Date.UTC(2024, 11, 1) };

/** A format of one copy of the package. */
export interface Subject {
  readonly row: FormatUnderTest;
  /** The fixed fields and the bounds of the identity with this number, 0 to 3. */
  identity(number: number): Readonly<Record<string, number>>;
  /** The other options of a generator. */
  readonly options?: object;
  /** Whether all numbers are one identity, because the format has no fixed field. */
  readonly isOne?: boolean;
}

const AHEAD = { sequenceFull: "borrow", clockBackwards: "hold", maxAheadMs: 2e9 };

/** A generator of the identity with this number. */
export const maker = ({ row, identity, options }: Subject, number: number, more = {}): AnyGenerator =>
  row.format.generator({ clock: () => clock.now, ...AHEAD, ...identity(number), ...options, ...more });

/** The subjects of a copy. */
export function subjectsOf(copy: Package) {
  const row = (name: string, format: unknown) => ({ ...rowOf(name), format: format as AnyFormat });
  const sno = row("sno", copy.sno);
  const twitter = row("twitter", copy.twitter);
  const si = row("snowflake-si", copy.snowflakeSI({ epoch: EPOCH }));
  return {
    sno: { row: sno, identity: (partition) => ({ partition }) },
    // The tick-tock bit changes whenever the clock goes back.
    "sno, tick-tock": {
      row: sno,
      identity: (number) => ({ partition: 100 + number }),
      options: {
        clockBackwards: "tick-tock",
        // Advances while a call waits.
        clock: () => {
          clock.now += 0.05;
          return clock.now;
        },
      },
    },
    "sno, a small pool": {
      row: sno,
      identity: (number) => ({ partition: 200, sequenceMin: number * 4, sequenceMax: number * 4 + 3 }),
    },
    nanoflake: {
      row: row("nanoflake", copy.nanoflake({ epoch: EPOCH })),
      identity: (generatorId) => ({ generatorId }),
    },
    twitter: { row: twitter, identity: (workerId) => ({ workerId, datacenterId: 1 }) },
    "twitter, with callbacks": {
      row: twitter,
      identity: (workerId) => ({ workerId, datacenterId: 2 }),
      options: { onClockBackwards() {}, onOverflow() {} },
    },
    snowflakeSI: { row: si, identity: (machineId) => ({ machineId }) },
    "snowflakeSI, continue": {
      row: si,
      identity: (number) => ({ machineId: 8 + number }),
      options: { sequenceStart: "continue" },
    },
    ulidFlake: { row: row("ulid-flake", copy.ulidFlake), identity: () => ({}), isOne: true },
    ulidFlakeScalable: {
      row: row("ulid-flake-scalable", copy.ulidFlakeScalable),
      identity: (scalability) => ({ scalability }),
    },
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
  (pair: Pair, deliver: (number: number, ids: Iterable<Id>) => void) => void
> = {
  next: ({ makers: [a] }, deliver) => deliver(0, [a?.next() as Id]),
  nextText: ({ subject, makers: [a] }, deliver) => deliver(0, [subject.row.format.parse(a?.nextText())]),
  "two identities in turns": ({ makers: [a, b] }, deliver) => {
    for (const _ of [1, 2]) {
      deliver(0, [a?.next() as Id]);
      deliver(1, [b?.next() as Id]);
    }
  },
  "nextMany of a few": ({ makers: [a] }, deliver) => deliver(0, a?.nextMany(5) as Iterable<Id>),
  "nextMany of many": ({ makers: [a] }, deliver) => deliver(0, a?.nextMany(1500) as Iterable<Id>),
  at: ({ makers }, deliver) => {
    clock.given += 20;
    deliver(2, [makers[2]?.at(clock.given) as Id]);
  },
  "snapshot and back": ({ subject, makers: [a] }, deliver) =>
    deliver(0, [maker(subject, 0, { snapshot: a?.snapshot() }).next()]),
  notBefore: ({ subject }, deliver) => deliver(0, [maker(subject, 0, { notBefore: clock.now - 50 }).next()]),
  stats: ({ makers: [a] }) => {
    a?.stats();
  },
  "another generator of the identity": ({ subject }, deliver) => deliver(1, [maker(subject, 1).next()]),
  "a generator that nobody shares": ({ subject }) => {
    maker(subject, 3, { isolated: true }).next();
  },
  "a batch that may be refused": ({ subject }, deliver) => {
    const impatient = maker(subject, 0, { maxAheadMs: 0, maxWaitMs: 0 });
    try {
      deliver(0, impatient.nextMany(5000));
    } catch (error) {
      if (!GraupelError.is(error)) throw error;
    }
  },
  verbs: ({
    subject: {
      row: { format },
    },
  }) => {
    const { min, max } = format.range(clock.now, clock.now + 1000);
    format.compose({ ...format.inspect(format.parse(min)), ticks: undefined });
    format.compare(format.fromBytes(format.toBytes(max)), min);
  },
};

/** Checks the IDs that a subject issues. */
export class Ledger {
  readonly pair: Pair;
  readonly #identities: readonly Identity[];

  constructor(readonly subject: Subject) {
    const { row, identity, options } = subject;
    const issued = new IssuedIds();
    const isUnordered = "sequenceStart" in (options ?? {});
    this.pair = { subject, makers: [0, 1, 2].map((number) => maker(subject, number)) };
    this.#identities = [0, 1, 2].map((i) => new Identity(row, identity(i), issued, isUnordered));
  }

  /** Uses the generators again, even after an operation was cut off. */
  goOn(): void {
    const [a, b] = this.pair.makers;
    for (const name of ["two identities in turns", "nextMany of a few", "verbs"]) this.work(name);
    // If all numbers are one identity, `notBefore` has used up these times.
    if (!this.subject.isOne) this.work("at");
    this.deliver(1, b?.nextMany(2) as Iterable<Id>);
    assert.ok((a?.stats().issued ?? 0) > 0);
  }

  work(name: string): void {
    operations[name]?.(this.pair, this.deliver);
  }

  deliver = (number: number, ids: Iterable<Id>): void => {
    const all = [...ids];
    const identity = this.#identities[number] as Identity;
    identity.enter(all, identity.mark());
    const last = identity.timeOf(identity.highest);
    assert.ok(last >= clock.now - 4e9 && last <= clock.now + 2e9, `time of ${all.at(-1)}`);
  };
}
