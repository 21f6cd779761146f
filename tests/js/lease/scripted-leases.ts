/** A lease on an in-memory store with scripted time, so that no test waits for a real clock. */
import assert from "node:assert/strict";
import type { Environment } from "../../../js/lease/environment.ts";
import { leaseIn } from "../../../js/lease/lease.ts";
import { memory } from "../../../js/lease/memory.ts";
import type { AcquireRequest, HeldLease, LeaseOptions, LeaseStore } from "../../../js/lease/types.ts";
import { Schedule } from "./simulation/schedule.ts";

/** The start of scripted time, in Unix milliseconds. */
export const START = Date.UTC(2026, 0, 1);

/** The default times of scripted leases. */
export const TIMES = { ttlMs: 1000, quarantineMs: 1000, maxWaitMs: 5000 };

/** A request for a number, for tests that call a store themselves. */
export const request: AcquireRequest = {
  ...{ namespace: "orders", layout: "a layout", last: 3, mask: 0, bits: 0 },
  ...{ ttlMs: 1000, quarantineMs: 1000, token: "first", label: "a test" },
};

type Options = Pick<LeaseOptions, "format"> & Partial<LeaseOptions>;

export class ScriptedLeases {
  readonly schedule = new Schedule();
  /** How far the clock of the process is ahead of the store's. */
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
    label: () => "a test",
  };
  readonly lease = leaseIn(this.environment);

  memory(durable = true): LeaseStore {
    return memory({ clock: this.now, durable });
  }

  /** An in-memory store whose calls do something else while `fails` is set. */
  faulty() {
    const store = this.memory();
    const fault: { fails?: (() => Promise<never>) | undefined } = {};
    const calls = Object.entries(store).map(([name, call]) => {
      const faulty = (request: never) => (fault.fails ?? call)(request);
      return [name, typeof call === "function" ? faulty : call];
    });
    return { fault, store: Object.fromEntries(calls) as LeaseStore };
  }

  /** Requests a lease and waits until it is granted. */
  async granted(store: LeaseStore, options: Options): Promise<HeldLease> {
    return this.settle(this.lease(store, { namespace: "stage", ...TIMES, ...options }));
  }

  /** Checks that a lease fails with such an error within this many milliseconds. */
  async refused(store: LeaseStore, options: object, like: object, withinMs = 60_000): Promise<void> {
    const began = this.schedule.now;
    await assert.rejects(this.granted(store, options as Options), like, JSON.stringify(options));
    const took = this.schedule.now - began;
    assert.ok(took < withinMs, `after ${took} ms`);
  }

  /** Awaits a promise in scripted time. */
  async settle<T>(promise: Promise<T>): Promise<T> {
    let isDone = false;
    const done = () => {
      isDone = true;
    };
    promise.then(done, done);
    for (let i = 0; i < 10_000 && !isDone; i++) await this.pass(10);
    if (!isDone) throw new Error("it does not settle");
    return promise;
  }

  /** Lets time pass. */
  pass(ms: number): Promise<void> {
    return this.schedule.run(this.schedule.now + ms);
  }

  /** The numbers that are held in a store. */
  async heldIn(store: LeaseStore): Promise<number[]> {
    const records = (await store.list?.("stage")) ?? [];
    return records.filter(({ held }) => held).map(({ number }) => number);
  }
}
