/** The actors of a story: identities, their generators, and pending asynchronous calls. */

import type { AnyGenerator } from "../../support/any-format.ts";
import type { OtherProcess } from "../../support/other-process.ts";
import type { IssuedIds, Mark } from "./issued.ts";
import type { Policy, Retouch } from "./step.ts";
import type { Naming, Subject } from "./subjects.ts";

/** One identity. A restart moves it to another process, and so gives it a new state. */
export interface Identity {
  readonly naming: Naming;
  readonly issued: IssuedIds;
  /** Whether its one generator is isolated. Another identity may then have the same fields. */
  readonly isolated: boolean;
  /** The process that it lives in. */
  realm: OtherProcess;
  /** The clock of its last ID. */
  dial: number;
  /** How often its process has died. Calls and IDs of an earlier process are lost. */
  era: number;
  /** The most ticks that any of its generators could run ahead of the clock. */
  ahead: number;
  /** Snapshots of any moment, as stored on a disk. */
  saved: string[];
}

/** A generator, and what is known about it. */
export interface Actor {
  readonly generator: AnyGenerator;
  readonly identity: Identity;
  /** The identity's era that it belongs to. */
  readonly era: number;
  readonly policy: Policy;
  /** Which of the story's clocks it reads. */
  readonly dial: number;
  /** How many ticks it may run ahead of the clock. */
  readonly ahead: number;
  /** Whether callbacks or an injected source of randomness may act during its calls. */
  readonly watched: boolean;
}

/** An asynchronous call. */
export interface Open {
  readonly actor: Actor;
  readonly era: number;
  readonly start: Mark;
  readonly metabyte: number;
  readonly control: AbortController;
  /** Calls are served in this order. */
  readonly turn: number;
  over: boolean;
}

/** The ticks that a policy may run ahead. */
export function aheadOf(
  { clockBackwards, sequenceFull, maxAheadMs = 10_000 }: Policy,
  subject: Subject,
): number {
  const holds = clockBackwards === "hold" || (clockBackwards === undefined && subject.kind !== "sno");
  return holds || sequenceFull === "borrow" ? Math.floor(maxAheadMs / subject.format.layout.tickMs) : 0;
}

/** The tick of the highest reading that a snapshot knows. */
export function highestOf(snapshot: object): number {
  const { highest, wallHi } = snapshot as { highest?: number; wallHi?: number };
  return highest ?? wallHi ?? -1;
}

/** How many more than `near` are left between a value and the last one. */
const gap = (value: number, last: number, near: number) => Math.max(0, last - value - near);

interface Counters {
  sequence: number;
  left: number;
}

/** Moves a counter forward. That skips values and repeats none. */
function advance<T extends Counters>(counter: T, last: number, near: number): T {
  const by = Math.min(gap(counter.sequence, last, near), counter.left);
  return { ...counter, sequence: counter.sequence + by, left: counter.left - by };
}

/** A snapshot as its owner may have changed it. */
export function retouched(
  json: string,
  { near, dropAt, plain }: Retouch,
  identity: Identity,
  subject: Subject,
): object {
  const { naming, issued } = identity;
  let snapshot = JSON.parse(json);
  const bits = subject.format.layout.fields.find(({ name }) => name === subject.counts)?.bits ?? 0;
  const widest = 2 ** bits - 1;
  if (near !== undefined && subject.kind === "sno" && snapshot.at.firstLive >= 0) {
    snapshot.sequence += gap(snapshot.sequence, snapshot.sequenceMax, near);
  } else if (near !== undefined && subject.kind === "counter") {
    snapshot = advance(snapshot, widest, near);
    if (snapshot.at.highest >= 0 && !snapshot.at.wrapped) {
      snapshot.at = advance(snapshot.at, widest, near);
    }
  } else if (near !== undefined && snapshot.last >= 0) {
    snapshot.sequence += gap(snapshot.sequence, widest, near * 40);
  }
  if (dropAt && !issued.given) {
    delete snapshot.at;
  }
  if (plain && subject.kind === "sno") {
    delete snapshot.now;
    // An equal tick-tock bit, shortly before the count of drifts wraps.
    snapshot.drifts = 2 ** 32 - 2 + (snapshot.drifts % 2);
    const { partition } = naming.fixed as { partition: number };
    snapshot.partition = [partition >> 8, partition & 255];
  }
  return snapshot;
}
