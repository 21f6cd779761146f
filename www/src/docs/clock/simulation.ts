/** The reader's clock, and the lanes beside it. */
import { type FormatName, facts } from "graupel/facts";
import type { AnyFormat } from "../../lib/formats.ts";
import { Lane, type Policy } from "./lane.ts";

/** The clock always begins at this time, so that the IDs are always the same. */
const START = Date.UTC(2026, 0, 1, 12);

/** The number of steps at the beginning, and the number of latest steps that are drawn. */
const BEGUN = 12;
export const DRAWN = 32;

export interface Reading {
  readonly step: number;
  readonly now: number;
  /** By how much the clock was pushed back for this step, in milliseconds. */
  readonly pushed: number;
}

export interface Simulation {
  readonly format: AnyFormat;
  readonly lanes: readonly Lane[];
  /** The default policy. */
  readonly byDefault: Policy;
  /** The latest readings, oldest first. */
  readonly readings: readonly Reading[];
  readonly now: number;
  /** Advances the clock, and requests an ID from every lane. */
  step(ms: number): void;
  /** Sets the clock back, and requests an ID from every lane at once. */
  pushBack(ms: number): void;
}

/** The option of a format that selects the policy for a clock that goes back. */
const optionOf = ({ name }: AnyFormat) =>
  facts[name as FormatName].options.find((option) => option.name === "clockBackwards");

/** The shortest step: about 10 ms of whole ticks, so that each step has a tick of its own. */
export const shortestStep = ({ layout: { tickMs } }: AnyFormat): number => Math.ceil(10 / tickMs) * tickMs;

export function simulate(format: AnyFormat): Simulation {
  const lanes = (optionOf(format)?.words ?? []).map((policy) => new Lane(format, policy as Policy));
  const readings: Reading[] = [];
  let now = START - BEGUN * shortestStep(format);
  let step = 0;
  const move = (to: number, pushed: number) => {
    now = to;
    step++;
    readings.push({ step, now, pushed });
    readings.splice(0, readings.length - DRAWN);
    for (const lane of lanes) lane.ask(step, now, pushed > 0);
  };
  const simulation: Simulation = {
    format,
    lanes,
    byDefault: optionOf(format)?.default as Policy,
    readings,
    get now() {
      return now;
    },
    step: (ms) => move(now + ms, 0),
    pushBack: (ms) => move(now - ms, ms),
  };
  for (let i = 0; i < BEGUN; i++) simulation.step(shortestStep(format));
  return simulation;
}
