/** Where steps and times are in a drawing. */
import { DRAWN, type Simulation, shortestStep } from "./simulation.ts";

/** The margins, in percent of the width and of the height. */
const EDGE_X = 1.5;
const EDGE_Y = 9;

export interface Scale {
  /** The first step that is drawn. */
  readonly first: number;
  /** In percent of the width. */
  x(step: number): number;
  /** In percent of the height, from above. */
  y(time: number): number;
}

/**
 * All drawings of a simulation have one scale, so that they can be compared. An hour and 10 ms must
 * both be visible, so a gap between two times is drawn by its logarithm. This keeps the order, and
 * equal gaps stay equal.
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
