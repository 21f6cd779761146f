// sno's overflow notifications. Calls wait in `nextAsync` while the clock stands still, with mocked
// timers, where each millisecond is one tick of the stall.
import assert from "node:assert/strict";
import { mock } from "node:test";
import { sno } from "graupel/sno";
import { settled } from "../../support/scripted-clock.ts";
import type { Item, Json } from "./data.ts";

/** A generator whose tick is used up, and the calls that wait for the next one. */
class Stall {
  readonly #now = Date.UTC(2024, 0);
  readonly notifications: { readonly time: number; readonly count: number; readonly ticks: number }[] = [];
  readonly #waiting: AbortController[] = [];
  readonly #calls: Promise<string>[] = [];
  readonly #generator = sno.generator({
    partition: 7,
    sequenceMin: 0,
    sequenceMax: 3,
    maxWaitMs: 1_000_000,
    clock: () => this.#now,
    isolated: true,
    onOverflow: (event) => this.notifications.push(event),
  });

  constructor() {
    for (let i = 0; i < this.#generator.capacity; i++) {
      this.#generator.next();
    }
  }

  /** Adds calls, or aborts the last ones, until this many wait. */
  async wait(count: number): Promise<void> {
    while (this.#waiting.length < count) {
      const controller = new AbortController();
      this.#waiting.push(controller);
      const call = this.#generator.nextAsync({ signal: controller.signal });
      // `end` checks how it settles.
      call.catch(() => undefined);
      this.#calls.push(call);
    }
    for (const controller of this.#waiting.splice(count)) {
      controller.abort();
    }
    await settled();
  }

  /** The count and ticks of the notified event, or undefined if there was none. */
  taken(): [number, number] | undefined {
    const events = this.notifications.splice(0);
    assert.ok(events.length <= 1, `${events.length} notifications in one tick`);
    assert.equal(events[0]?.time ?? this.#now, this.#now, "time");
    return events[0] && [events[0].count, events[0].ticks];
  }

  /** Aborts the remaining calls. All calls must have been rejected, so none returned an ID. */
  async end(): Promise<void> {
    await this.wait(0);
    for (const call of await Promise.allSettled(this.#calls)) {
      assert.equal(call.status, "rejected");
    }
  }
}

/**
 * Each step is one millisecond: the number of waiting calls, and the notification of that tick, if
 * any.
 */
export async function overflowNotifications(item: Item): Promise<void> {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const stall = new Stall();
    let differed = false;
    for (const [index, [stalled, , ...rest]] of item.steps.entries()) {
      const here = rest.find((one: Json) => one !== null && typeof one === "object") as
        | { here: Json }
        | undefined;
      await stall.wait(stalled);
      mock.timers.tick(1);
      await settled();
      const recorded = typeof rest[0] === "number" ? rest.slice(0, 2) : null;
      assert.deepEqual(stall.taken() ?? null, here === undefined ? recorded : here.here, `tick ${index + 1}`);
      differed ||= here !== undefined;
    }
    assert.equal(item.deviation !== null, differed, "a deviation");
    await stall.end();
  } finally {
    mock.timers.reset();
  }
}
