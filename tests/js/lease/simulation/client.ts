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
const EXPECTED = /^(LEASE_(LOST|FULL|STORE|SKEW)|OUTSIDE_INTERVAL|CLOCK_(BACKWARDS|STUCK)|SEQUENCE_FULL)$/;
const isExpected = (error: unknown): error is GraupelError =>
  GraupelError.is(error) && EXPECTED.test(error.code);

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

  readonly #wall = (): number =>
    Math.floor(this.#made.start + (this.#stands ?? this.#made.schedule.now) + this.offset);

  /** Does something in this process: not before it wakes up, and never after its end. */
  readonly within = (work: () => void): void => {
    const { schedule } = this.#made;
    if (this.#isDead) return;
    if (this.#asleep > schedule.now) schedule.after(this.#asleep - schedule.now, () => this.within(work));
    else work();
  };

  readonly #environment: Environment = {
    wall: () => this.#wall(),
    elapsed: () => this.#made.schedule.now,
    random: () => `${this.name}-${this.#made.random.u32().toString(16)}`,
    jitter: () => this.#made.random.unit(),
    after: (ms, _keeps, work) => this.#made.schedule.after(ms, () => this.within(work)),
    onWake: () => () => {},
    label: () => this.name,
  };

  /** Does nothing for a while; what happens meanwhile it notices afterwards. */
  sleep(ms: number): void {
    this.#asleep = this.#made.schedule.now + ms;
  }

  stand(stands: boolean): void {
    this.#stands = stands ? this.#made.schedule.now : undefined;
  }

  /** Asks for a lease until there is one. */
  async start(): Promise<void> {
    const { format, store, ttlMs, quarantineMs, schedule, random, failed } = this.#made;
    try {
      const options = { format, namespace: "world", ttlMs, quarantineMs };
      const lease = await leaseIn(this.#environment)(store, options);
      if (this.#isDead) return;
      this.lease = lease;
      this.#generator = format.generator({
        ...{ lease, clock: this.#wall, maxWaitMs: 0 },
        sequenceFull: random.chance(0.5) ? "borrow" : "wait",
        maxAheadMs: random.pick([0, 5, 100, 10_000]),
      });
    } catch (error) {
      if (isExpected(error)) schedule.after(random.below(ttlMs), () => this.within(() => void this.start()));
      else failed(new Error(`${this.name}: lease() rejected with ${inspect(error)}`));
    }
  }

  /** Makes up to `n` IDs. Returns none where it may not. */
  make(n: number): { readonly ids: readonly bigint[]; readonly refused?: string } {
    const generator = this.#generator;
    if (generator === undefined || this.#isDead || this.#asleep > this.#made.schedule.now) return { ids: [] };
    try {
      return { ids: n === 1 ? [generator.next()] : generator.nextMany(n) };
    } catch (error) {
      if (!isExpected(error)) throw error;
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
    this.#generator = this.lease = undefined;
  }
}
