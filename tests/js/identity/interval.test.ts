/**
 * The interval of ID time of a generator, set in its state (nothing sets it yet from an option): outside it
 * there is no ID, and the error says why.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError, sno, twitter } from "graupel";
import { emptyRegistry } from "../support/other-process.ts";

const START = Date.UTC(2025, 0, 1);

/** What the copies of the package share (js/generator/shared.ts), as far as it is used here. */
interface Registry {
  readonly states: Map<string, readonly { save(): Float64Array; restore(numbers: Float64Array): void }[]>;
}

/** Sets the interval of the only generator of the realm: the last two of the saved numbers. */
function setInterval(from: number, until: number): void {
  const { states } = Reflect.get(globalThis, Symbol.for("graupel.registry")) as Registry;
  const [[state] = []] = states.values();
  assert.ok(state);
  const numbers = state.save();
  numbers.set([from, until], numbers.length - 2);
  state.restore(numbers);
}

const formats = {
  twitter: [twitter, (options: object) => twitter.generator({ datacenterId: 1, workerId: 2, ...options })],
  sno: [sno, (options: object) => sno.generator({ partition: 1, ...options })],
} as const;

for (const [name, [format, make]] of Object.entries(formats)) {
  const { tickMs } = format.layout;
  const tick = Math.ceil((START - format.epoch) / tickMs);
  const time = (ticks: number) => format.epoch + (tick + ticks) * tickMs;

  test(`${name}: no ID outside the interval, and an error that says so`, async () => {
    emptyRegistry();
    let now = time(0);
    const g = make({
      clock: () => now,
      clockBackwards: "hold",
      sequenceFull: "borrow",
      maxAheadMs: 0,
      maxWaitMs: 0,
    });
    g.next();
    g.next();
    setInterval(tick + 10, tick + 20);
    const outside = (error: unknown) => {
      assert.ok(GraupelError.is(error));
      assert.equal((error as GraupelError).code, "OUTSIDE_INTERVAL");
      assert.doesNotMatch((error as GraupelError).message, /past the last tick/);
      return true;
    };
    for (const ticks of [1, 9, 20, 30]) {
      now = time(ticks);
      assert.throws(() => g.next(), outside, `${ticks}`);
      assert.throws(() => g.nextMany(3), outside, `${ticks}`);
      await assert.rejects(g.nextAsync(), outside, `${ticks}`);
      assert.throws(() => g.at(time(ticks)), outside, `${ticks}`);
    }
    now = time(10);
    assert.equal(format.inspect(g.next() as never).timestamp, now);
    now = time(19);
    assert.equal(g.nextMany(5).length, 5);
    assert.equal(g.stats().issued, 8);
    // The generators of one identity share the interval.
    now = time(20);
    assert.throws(() => make({ clock: () => now }).next(), outside);
  });
}
