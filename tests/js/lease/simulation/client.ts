/** A process of a world: a lease, a generator, and a clock of its own; it sleeps, is killed, and loses messages. */
import { inspect } from "node:util";
import { GraupelError, type snowflake } from "graupel";
import { leaseIn } from "../../../../js/lease/lease.ts";
import type { HeldLease, LeaseStore } from "../../../../js/lease/types.ts";
import type { Random } from "../../support/random.ts";
import type { Schedule } from "./schedule.ts";

type Format = ReturnType<
  typeof snowflake<{ readonly time: 41; readonly worker: number; readonly sequence: 8 }>
>;

/** What a client is made of. */
interface Made {
  readonly name: string;
  readonly random: Random;
  readonly schedule: Schedule;
  /** Unix milliseconds when the world began. */
  readonly start: number;
  readonly format: Format;
  readonly store: LeaseStore;
  readonly ttlMs: number;
  readonly quarantineMs: number;
  /** Is told what a process must not meet; thrown here, it would reach nobody but the runner, without a seed. */
  readonly failed: (error: Error) => void;
}

/** The refusals that a process under a lease may meet. */
const EXPECTED = /^(LEASE_(LOST|FULL|STORE|SKEW)|OUTSIDE_INTERVAL|CLOCK_(BACKWARDS|STUCK)|SEQUENCE_FULL)$/;
const isExpected = (error: unknown) => GraupelError.is(error) && EXPECTED.test(error.code);

export type Client = ReturnType<typeof newClient>;

export function newClient({ name, random, schedule, start, format, store, failed, ...times }: Made) {
  /** Where its clock stands; undefined if it runs. */
  let stands: number | undefined;
  /** Until when it sleeps, in the world's time. */
  let asleep = 0;
  let isDead = false;
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
    /** How far its clock is from the world's, in milliseconds. */
    offset: 0,
    lease: undefined as HeldLease | undefined,
    /** Does something in this process: not before it wakes up, and never after its end. */
    within(work: () => void): void {
      if (isDead) return;
      if (asleep > schedule.now) schedule.after(asleep - schedule.now, () => self.within(work));
      else work();
    },
    /** Does nothing for a while; what happens meanwhile it notices afterwards. */
    sleep(ms: number) {
      asleep = schedule.now + ms;
    },
    stand(isStanding: boolean) {
      stands = isStanding ? schedule.now : undefined;
    },
    /** Asks for a lease until there is one. */
    async begin(): Promise<void> {
      try {
        const lease = await leased(store, { format, namespace: "world", ...times });
        if (isDead) return;
        const sequenceFull = random.chance(0.5) ? "borrow" : "wait";
        const maxAheadMs = random.pick([0, 5, 100, 10_000]);
        self.lease = lease;
        generator = format.generator({ lease, clock, maxWaitMs: 0, sequenceFull, maxAheadMs });
      } catch (error) {
        const again = () => self.within(() => void self.begin());
        if (isExpected(error)) schedule.after(random.below(times.ttlMs), again);
        else failed(new Error(`${name}: lease() rejected with ${inspect(error)}`));
      }
    },
    /** Makes up to `n` IDs. Returns none where it may not. */
    make(n: number): readonly bigint[] {
      if (generator === undefined || isDead || asleep > schedule.now) return [];
      try {
        return n === 1 ? [generator.next()] : generator.nextMany(n);
      } catch (error) {
        if (!isExpected(error)) throw error;
        return [];
      }
    },
    /** Gives its number back, and ends. */
    leave() {
      generator = undefined;
      self.lease?.release().catch(() => {});
    },
    kill() {
      isDead = true;
      generator = self.lease = undefined;
    },
  };
  return self;
}
