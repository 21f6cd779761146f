// A generator whose tick is full, on a clock that stands still, so that its calls wait; and fake
// timers for these waits.
import { afterEach } from "node:test";
import FakeTimers from "@sinonjs/fake-timers";
import { snowflakeSI } from "graupel";

export const START = 1.75e12;
export const PER_TICK = 256;
export const format = snowflakeSI({ epoch: 1.6e12 });

/** The generator and its clock, which stands still until a test moves it. */
export function full(options: object = {}) {
  const clock = { now: START };
  const common = { machineId: 1, isolated: true, clock: () => clock.now };
  const generator = format.generator({ ...common, ...options });
  generator.nextMany(PER_TICK);
  return { clock, generator };
}

let fake: FakeTimers.Clock | undefined;
afterEach(() => fake?.uninstall());

/** Replaces timers and the monotonic clock with fakes until the test ends. */
export function fakeTimers(
  ...toFake: readonly ("setTimeout" | "clearTimeout" | "performance")[]
): FakeTimers.Clock {
  const all = ["setTimeout", "clearTimeout", "performance"] as const;
  fake = FakeTimers.install({ toFake: [...(toFake.length > 0 ? toFake : all)] });
  return fake;
}

/** Fake timers with a monotonic clock whose readings each take this long. */
export function slowReadings(ms: number): FakeTimers.Clock {
  const timers = fakeTimers();
  let elapsed = 0;
  globalThis.performance.now = () => {
    elapsed += ms;
    return elapsed;
  };
  return timers;
}
