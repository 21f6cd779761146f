/** A process of a world: a lease, a generator, and a clock of its own; it sleeps, is killed, and loses messages. */
import { inspect } from "node:util";
import { GraupelError, type snowflake } from "graupel";
import type { Environment } from "../../../../js/lease/environment.ts";
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
const EXPECTED = new Set([
  "LEASE_LOST",
  "LEASE_FULL",
  "LEASE_STORE",
  "LEASE_SKEW",
  "OUTSIDE_INTERVAL",
  "CLOCK_BACKWARDS",
  "SEQUENCE_FULL",
  "CLOCK_STUCK",
]);

export class Client {
  readonly name: string;
  /** How far its clock is from the world's, in milliseconds. */
  offset = 0;
  lease: HeldLease | undefined;
  /** Where its clock stands; undefined if it runs. */
  #stands: number | undefined;
  /** Until when it sleeps, in the world's time. */
  #asleep = 0;
  #isDead = false;
  readonly #made: Made;
  #generator: ReturnType<Format["generator"]> | undefined;

  constructor(made: Made) {
    this.#made = made;
    this.name = made.name;
  }

  readonly wall = (): number =>
    Math.floor(this.#made.start + (this.#stands ?? this.#made.schedule.now) + this.offset);

  /** Does something in this process: not before it wakes up, and never after its end. */
  readonly within = (work: () => void): void => {
    const { schedule } = this.#made;
    if (this.#isDead) return;
    if (this.#asleep > schedule.now) schedule.after(this.#asleep - schedule.now, () => this.within(work));
    else work();
  };

  readonly #environment: Environment = {
    wall: () => this.wall(),
    elapsed: () => this.#made.schedule.now,
    random: () => `${this.#made.name}-${this.#made.random.u32().toString(16)}`,
    jitter: () => this.#made.random.unit(),
    after: (ms, _keeps, work) => this.#made.schedule.after(ms, () => this.within(work)),
    onWake: () => () => {},
    label: () => this.name,
  };

  /** Does nothing for a while; what happens meanwhile it notices afterwards. */
  sleep(ms: number): void {
    this.#asleep = this.#made.schedule.now + ms;
  }

  jump(ms: number): void {
    this.offset += ms;
  }

  stand(stands: boolean): void {
    this.#stands = stands ? this.#made.schedule.now : undefined;
  }

  /** Asks for a lease until there is one. */
  start(): void {
    const { format, store, ttlMs, quarantineMs, schedule, failed } = this.#made;
    const options = { format, namespace: "world", ttlMs, quarantineMs };
    leaseIn(this.#environment)(store, options).then(
      (lease) => {
        if (this.#isDead) return;
        this.lease = lease;
        this.#generator = format.generator({
          lease,
          clock: this.wall,
          maxWaitMs: 0,
          sequenceFull: this.#made.random.chance(0.5) ? "borrow" : "wait",
          maxAheadMs: this.#made.random.pick([0, 5, 100, 10_000]),
        });
      },
      (error: unknown) => {
        if (!GraupelError.is(error) || !EXPECTED.has(error.code)) {
          failed(new Error(`${this.name}: lease() rejected with ${inspect(error)}`));
          return;
        }
        schedule.after(this.#made.random.below(ttlMs), () => this.within(() => this.start()));
      },
    );
  }

  /** Makes up to `n` IDs. Returns none where it may not. */
  make(n: number): { readonly ids: readonly bigint[]; readonly refused: string | undefined } {
    if (this.#generator === undefined || this.#isDead || this.#asleep > this.#made.schedule.now) {
      return { ids: [], refused: undefined };
    }
    try {
      return { ids: n === 1 ? [this.#generator.next()] : this.#generator.nextMany(n), refused: undefined };
    } catch (error) {
      if (!GraupelError.is(error) || !EXPECTED.has(error.code)) throw error;
      return { ids: [], refused: error.code };
    }
  }

  /** Gives its number back, and ends. */
  leave(): void {
    this.#generator = undefined;
    this.lease?.release().catch(() => {});
  }

  kill(): void {
    this.#isDead = true;
    this.#generator = undefined;
    this.lease = undefined;
  }
}
