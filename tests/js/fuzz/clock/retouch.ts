/** A snapshot as its owner may have changed it: that skips IDs, and repeats none. */
import type { Identity } from "./identity.ts";
import type { Retouch } from "./plan.ts";

/** Moves a counter forward, until `near` values before the last one, or until nothing is left. */
function advance(counter: { sequence: number; left?: number }, last: number, near: number): void {
  const by = Math.min(Math.max(0, last - counter.sequence - near), counter.left ?? last);
  counter.sequence += by;
  if (counter.left !== undefined) {
    counter.left -= by;
  }
}

export function retouched(json: string, { near, dropAt, plain }: Retouch, identity: Identity): object {
  const { kind, format } = identity.subject;
  const snapshot = JSON.parse(json);
  const widest = format.capacity - 1;
  if (near !== undefined && kind === "sno" && snapshot.at.firstLive >= 0) {
    advance(snapshot, snapshot.sequenceMax, near);
  } else if (near !== undefined && kind === "counter") {
    advance(snapshot, widest, near);
    if (snapshot.at.highest >= 0 && !snapshot.at.wrapped) {
      advance(snapshot.at, widest, near);
    }
  } else if (near !== undefined && kind === "random" && snapshot.last >= 0) {
    snapshot.sequence += Math.max(0, widest - snapshot.sequence - near * 40);
  }
  if (dropAt && !identity.given) {
    delete snapshot.at;
  }
  if (plain && kind === "sno") {
    delete snapshot.now;
    // An equal tick-tock bit, shortly before the count of drifts wraps.
    snapshot.drifts = 2 ** 32 - 2 + (snapshot.drifts % 2);
    const { partition = 0 } = identity.naming.fixed;
    snapshot.partition = [partition >> 8, partition & 255];
  }
  return snapshot;
}
