/** A lease on a store in memory, with scripted time: no test waits for a real clock. */
import type { Environment } from "../../../js/lease/environment.ts";
import { leaseIn } from "../../../js/lease/lease.ts";
import { memory } from "../../../js/lease/memory.ts";
import type { HeldLease, LeaseOptions, LeaseStore } from "../../../js/lease/types.ts";
import { Schedule } from "./simulation/schedule.ts";

/** When scripted time begins, in Unix milliseconds. */
export const START = Date.UTC(2026, 0, 1);

/** What the stage's leases ask for, unless a test says otherwise. */
export const TIMES = { ttlMs: 1000, quarantineMs: 1000, maxWaitMs: 5000 };

export class Stage {
  readonly schedule = new Schedule();
  /** How far the clock of the process is from the store's. */
  skew = 0;
  readonly now = (): number => START + this.schedule.now;
  readonly wall = (): number => this.now() + this.skew;
  #drawn = 0;
  readonly environment: Environment = {
    wall: this.wall,
    elapsed: () => this.schedule.now,
    random: () => `token ${this.#drawn++}`,
    jitter: () => 0.5,
    after: (ms, _keeps, work) => this.schedule.after(ms, work),
    onWake: () => () => {},
    label: () => "the stage",
  };
  readonly lease = leaseIn(this.environment);

  memory(durable = true): LeaseStore {
    return memory({ clock: this.now, durable });
  }

  /** A lease, once it is granted. */
  async granted(
    store: LeaseStore,
    options: Pick<LeaseOptions, "format"> & Partial<LeaseOptions>,
  ): Promise<HeldLease> {
    return this.settle(this.lease(store, { namespace: "stage", ...TIMES, ...options }));
  }

  /** What a promise comes to, in scripted time. */
  async settle<T>(promise: Promise<T>): Promise<T> {
    let isDone = false;
    promise.then(
      () => {
        isDone = true;
      },
      () => {
        isDone = true;
      },
    );
    for (let i = 0; i < 10_000 && !isDone; i++) await this.schedule.run(this.schedule.now + 10);
    if (!isDone) throw new Error("it does not settle");
    return promise;
  }

  /** Lets time pass. */
  pass(ms: number): Promise<void> {
    return this.schedule.run(this.schedule.now + ms);
  }
}
