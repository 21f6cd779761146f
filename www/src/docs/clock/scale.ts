/** Maps steps and times to positions in a drawing. */
import { DRAWN, type Simulation, shortestStep } from "./simulation.ts";

/** The margins, in percent of the width and of the height. */
const EDGE_X = 1.5;
const EDGE_Y = 9;

export interface Scale {
  /** The first step in the drawing. */
  readonly first: number;
  /** The horizontal position of a step, in percent of the width. */
  x(step: number): number;
  /** The vertical position of a time, in percent of the height, from the top. */
  y(time: number): number;
}

/**
 * All drawings of a simulation share one scale, so that readers can compare them. Both an hour and
 * 10 ms must be visible, so the scale draws a gap between two times by its logarithm. This keeps
 * the order, and equal gaps stay equal.
 */
export function scaleOf({ readings, lanes, format }: Simulation): Scale {
  const first = readings[0]?.step ?? 0;
  const times = new Set([
    ...readings.map(({ now }) => now),
    ...lanes.flatMap(({ marks }) =>
      marks.flatMap(({ step, timestamp }) => (step >= first && timestamp !== undefined ? [timestamp] : [])),
    ),
  ]);
  const unit = shortestStep(format);
  const heights = new Map<number, number>();
  let height = 0;
  let before: number | undefined;
  for (const time of [...times].sort((a, b) => a - b)) {
    if (before !== undefined) height += Math.log1p((time - before) / unit);
    heights.set(time, height);
    before = time;
  }
  return {
    first,
    x: (step) => EDGE_X + ((step - first) / (DRAWN - 1)) * (100 - 2 * EDGE_X),
    y: (time) => 100 - EDGE_Y - ((heights.get(time) ?? 0) / (height || 1)) * (100 - 2 * EDGE_Y),
  };
}
