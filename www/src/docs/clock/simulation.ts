/** The reader's clock, and the lanes beside it. */
import type { AnyFormat } from "../../lib/formats.ts";
import { type Lane, laneOf, type Policy } from "./lane.ts";

/** When the clock begins. It is the same each time, so that the IDs are. */
const START = Date.UTC(2026, 0, 1, 12);

/** How many steps are there to see from the beginning, and how many of the last ones are drawn. */
const BEGUN = 12;
export const DRAWN = 32;

export interface Reading {
  readonly step: number;
  readonly now: number;
}

export interface Simulation {
  readonly format: AnyFormat;
  readonly lanes: readonly Lane[];
  /** What the policy is if none is chosen. */
  readonly byDefault: Policy;
  /** The last readings, the oldest first. */
  readonly readings: readonly Reading[];
  readonly now: number;
  /** The clock goes on, and every lane is asked for an ID. */
  step(ms: number): void;
  /** The clock goes back, and every lane is asked at once. */
  pushBack(ms: number): void;
}

/** The policies of a format: only one with a tick-tock bit can toggle it. */
const policiesOf = ({ layout }: AnyFormat): Policy[] => {
  const tickTock = layout.fields.some(({ name }) => name === "tickTock");
  return ["throw", "wait", "hold", ...(tickTock ? (["tick-tock"] as const) : [])];
};

/** What a generator without a policy does when its clock goes back by a tick. */
function defaultOf(format: AnyFormat): Policy {
  const lane = laneOf(format, undefined);
  lane.ask(0, START, false);
  lane.ask(1, START - format.layout.tickMs, true);
  if (lane.waitsFor !== undefined) return "wait";
  const happened = lane.entries.at(-1)?.happened;
  return happened === "refused" ? "throw" : happened === "toggled" ? "tick-tock" : "hold";
}

/** The shortest step: whole ticks, about 10 ms, so that each step has a tick of its own. */
export const shortestStep = ({ layout: { tickMs } }: AnyFormat): number => Math.ceil(10 / tickMs) * tickMs;

export function simulate(format: AnyFormat): Simulation {
  const lanes = policiesOf(format).map((policy) => laneOf(format, policy));
  const readings: Reading[] = [];
  let now = START - BEGUN * shortestStep(format);
  let step = 0;
  const move = (to: number, pushed: boolean) => {
    now = to;
    step++;
    readings.push({ step, now });
    readings.splice(0, readings.length - DRAWN);
    for (const lane of lanes) lane.ask(step, now, pushed);
  };
  const simulation: Simulation = {
    format,
    lanes,
    byDefault: defaultOf(format),
    readings,
    get now() {
      return now;
    },
    step: (ms) => move(now + ms, false),
    pushBack: (ms) => move(now - ms, true),
  };
  for (let i = 0; i < BEGUN; i++) simulation.step(shortestStep(format));
  return simulation;
}
