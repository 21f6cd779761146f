/** Describes the clock and the lanes in words. */
import { type Entry, type Lane, MAX_AHEAD_MS, MAX_WAIT_MS, type Policy, type Refused } from "./lane.ts";

/** The time of day of the simulated clock. */
export const timeOfDay = (ms: number): string => new Date(ms).toISOString().slice(11, 23);

const UNITS = [
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const;

/** A duration in its largest unit, such as "30 ms" or "1.5 s". */
export function duration(ms: number): string {
  const unit = UNITS.find(([, length]) => ms >= length);
  return unit === undefined ? `${ms} ms` : `${Number((ms / unit[1]).toFixed(2))} ${unit[0]}`;
}

export const PROMISES: Readonly<Record<Policy, string>> = {
  throw: "throws until the clock has caught up",
  wait: `waits for the clock, at most ${duration(MAX_WAIT_MS)}`,
  hold: `continues in the highest tick, up to ${duration(MAX_AHEAD_MS)} ahead`,
  "tick-tock": "continues at the earlier time, with the bit toggled",
};

export function inWords({ happened, issued, reading, waited, refused }: Entry): string {
  if (refused !== undefined)
    return `threw ${refused.times > 1 ? `${refused.times} times: ` : ""}${refused.code}`;
  if (issued === undefined) return "";
  if (happened === "toggled") return `issued, the tick-tock bit toggled to ${issued.tickTock}`;
  if (happened === "waited") return `issued after a wait of ${duration(waited)}`;
  if (happened === "held") return `issued at the held time, ${duration(issued.timestamp - reading)} ahead`;
  return issued.tickTock === 1 ? "issued, the tick-tock bit is 1" : "issued";
}

/** Explains why there is no ID. */
export function whyRefused(policy: Policy, { behind, wait }: Refused): string {
  if (policy === "hold")
    return `The clock is ${duration(behind)} behind: more than maxAheadMs, ${duration(MAX_AHEAD_MS)}.`;
  if (wait !== undefined)
    return `It would have to wait for ${duration(wait)}: longer than maxWaitMs, ${duration(MAX_WAIT_MS)}.`;
  return `The clock is ${duration(behind)} behind.`;
}

/** The current state of a lane. */
export const stateOf = ({ entries, waitsFor }: Lane): string => {
  if (waitsFor !== undefined) return `waits for ${timeOfDay(waitsFor)}`;
  const last = entries.at(-1);
  return last === undefined ? "" : inWords(last);
};

/** The result of a step or a push, for readers who cannot see the drawings. */
export const announced = (began: string, lanes: readonly Lane[]): string =>
  [began, ...lanes.map((lane) => `${lane.policy}: ${stateOf(lane)}.`)].join(" ");
