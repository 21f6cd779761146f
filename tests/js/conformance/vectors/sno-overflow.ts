// sno's overflow notifications. Calls wait in `nextAsync` while the clock stands still, with mocked
// timers, where each millisecond is one tick of the stall.
import assert from "node:assert/strict";
import { mock } from "node:test";
import { sno } from "graupel/sno";
import { settled } from "../../support/scripted-clock.ts";
import type { Item, Json } from "./data.ts";

/**
 * Each step is one millisecond: the number of waiting calls, and the notification of that tick, if
 * any.
 */
export async function overflowNotifications(item: Item): Promise<void> {
  const now = Date.UTC(2024, 0);
  const events: { readonly time: number; readonly count: number; readonly ticks: number }[] = [];
  const generator = sno.generator({
    ...{ partition: 7, sequenceMin: 0, sequenceMax: 3, maxWaitMs: 1_000_000, isolated: true },
    clock: () => now,
    onOverflow: (event) => events.push(event),
  });
  generator.nextMany(generator.capacity);
  const waiting: AbortController[] = [];
  const calls: Promise<void>[] = [];
  /** Adds calls, or aborts the last ones, until this many wait. No call may return an ID. */
  const wait = async (count: number) => {
    while (waiting.length < count) {
      const controller = new AbortController();
      waiting.push(controller);
      calls.push(assert.rejects(generator.nextAsync({ signal: controller.signal })));
    }
    for (const controller of waiting.splice(count)) controller.abort();
    await settled();
  };
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    let differed = false;
    for (const [index, [stalled, , ...rest]] of item.steps.entries()) {
      const here = rest.find((one: Json) => one !== null && typeof one === "object") as
        | { here: Json }
        | undefined;
      await wait(stalled);
      mock.timers.tick(1);
      await settled();
      const recorded = typeof rest[0] === "number" ? rest : null;
      const event = here === undefined ? recorded : here.here;
      const expected = event === null ? [] : [{ time: now, count: event[0], ticks: event[1] }];
      assert.deepEqual(events.splice(0), expected, `tick ${index + 1}`);
      differed ||= here !== undefined;
    }
    assert.equal(item.deviation !== null, differed, "a deviation");
    await wait(0);
    await Promise.all(calls);
  } finally {
    mock.timers.reset();
  }
}
