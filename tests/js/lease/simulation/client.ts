/**
 * A process in a world, with a lease, a generator and its own clock. It sleeps, gets killed and
 * loses messages.
 */
import { inspect } from "node:util";
import { GraupelError, type snowflake } from "graupel";
import { leaseIn } from "../../../../js/lease/lease.ts";
import type { HeldLease, LeaseStore } from "../../../../js/lease/types.ts";
import type { Random } from "../../support/random.ts";
import type { Schedule } from "./schedule.ts";

type Format = ReturnType<
  typeof snowflake<{ readonly time: 41; readonly worker: number; readonly sequence: 8 }>
>;

interface Made {
  readonly name: string;
  readonly random: Random;
  readonly schedule: Schedule;
  /** When the world began, in Unix milliseconds. */
  readonly start: number;
  readonly format: Format;
  readonly store: LeaseStore;
  readonly ttlMs: number;
  readonly quarantineMs: number;
  /**
   * Reports an error that no process may get. If the client threw it, only the test runner would
   * see it, without a seed.
   */
  readonly failed: (error: Error) => void;
}

/** The errors that a process with a lease may get. */
const EXPECTED = /^(LEASE_(LOST|FULL|STORE|SKEW)|OUTSIDE_INTERVAL|CLOCK_(BACKWARDS|STUCK)|SEQUENCE_FULL)$/;
const isExpected = (error: unknown) => GraupelError.is(error) && EXPECTED.test(error.code);

export type Client = ReturnType<typeof newClient>;

export function newClient({ name, random, schedule, start, format, store, failed, ...times }: Made) {
  /** The time at which its clock stands still; undefined if it runs. */
  let stands: number | undefined;
  /** When it wakes up, in the world's time. */
  let asleep = 0;
  let isDead = false;
  const leaving = new AbortController();
  let generator: ReturnType<Format["generator"]> | undefined;
  const clock = () => Math.floor(start + (stands ?? schedule.now) + self.offset);
  const leased = leaseIn({
    wall: clock,
    elapsed: () => schedule.now,
    random: () => `${name}-${random.u32().toString(16)}`,
    jitter: () => random.unit(),
    after: (ms, _keeps, work) => schedule.after(ms, () => self.within(work)),
    onWake: () => () => {},
    label: () => name,
  });
  const self = {
    name,
    /** How far its clock is ahead of the world's, in milliseconds. */
    offset: 0,
    lease: undefined as HeldLease | undefined,
    /** Runs a function in this process: not before it wakes up, and never after its end. */
    within(work: () => void): void {
      if (isDead) return;
      if (asleep > schedule.now) schedule.after(asleep - schedule.now, () => self.within(work));
      else work();
    },
    /** Does nothing for a while, and notices afterwards what has happened. */
    sleep(ms: number) {
      asleep = schedule.now + ms;
    },
    stand(isStanding: boolean) {
      stands = isStanding ? schedule.now : undefined;
    },
    /** Requests a lease until it gets one. */
    async begin(): Promise<void> {
      try {
        const { signal } = leaving;
        const lease = await leased(store, { format, namespace: "world", signal, ...times });
        if (isDead) return;
        const sequenceFull = random.chance(0.5) ? "borrow" : "wait";
        const maxAheadMs = random.pick([0, 5, 100, 10_000]);
        self.lease = lease;
        generator = format.generator({ lease, clock, maxWaitMs: 0, sequenceFull, maxAheadMs });
      } catch (error) {
        const again = () => self.within(() => void self.begin());
        if (leaving.signal.aborted) return;
        if (isExpected(error)) schedule.after(random.below(times.ttlMs), again);
        else failed(new Error(`${name}: lease() rejected with ${inspect(error)}`));
      }
    },
    /** Issues up to `n` IDs. Returns none if the process cannot issue IDs now. */
    make(n: number): readonly bigint[] {
      if (generator === undefined || isDead || asleep > schedule.now) return [];
      try {
        return n === 1 ? [generator.next()] : generator.nextMany(n);
      } catch (error) {
        if (!isExpected(error)) throw error;
        return [];
      }
    },
    /** Releases its number and ends, even if it still waits for one. */
    leave() {
      generator = undefined;
      leaving.abort();
      self.lease?.release().catch(() => {});
    },
    kill() {
      isDead = true;
      generator = self.lease = undefined;
    },
  };
  return self;
}
