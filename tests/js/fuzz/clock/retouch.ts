/** A snapshot as its owner may have changed it: that skips IDs, and repeats none. */
import type { Issued } from "./issued.ts";
import type { Retouch } from "./plan.ts";

interface Counter {
  sequence: number;
  left: number;
}

/** How many more than `near` are left between a value and the last one. */
const gap = (value: number, last: number, near: number) => Math.max(0, last - value - near);

/** Moves a counter forward. */
function advance(counter: Counter, last: number, near: number): void {
  const by = Math.min(gap(counter.sequence, last, near), counter.left);
  counter.sequence += by;
  counter.left -= by;
}

export function retouched(
  json: string,
  { near, dropAt, plain }: Retouch,
  { subject, naming, given }: Issued,
): object {
  const { kind, format } = subject;
  const snapshot = JSON.parse(json);
  const widest = format.capacity - 1;
  if (near !== undefined && kind === "sno" && snapshot.at.firstLive >= 0) {
    snapshot.sequence += gap(snapshot.sequence, snapshot.sequenceMax, near);
  } else if (near !== undefined && kind === "counter") {
    advance(snapshot, widest, near);
    if (snapshot.at.highest >= 0 && !snapshot.at.wrapped) {
      advance(snapshot.at, widest, near);
    }
  } else if (near !== undefined && kind === "random" && snapshot.last >= 0) {
    snapshot.sequence += gap(snapshot.sequence, widest, near * 40);
  }
  if (dropAt && !given) {
    delete snapshot.at;
  }
  if (plain && kind === "sno") {
    delete snapshot.now;
    // An equal tick-tock bit, shortly before the count of drifts wraps.
    snapshot.drifts = 2 ** 32 - 2 + (snapshot.drifts % 2);
    const { partition } = naming.fixed as { partition: number };
    snapshot.partition = [partition >> 8, partition & 255];
  }
  return snapshot;
}
