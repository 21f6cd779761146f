/** Draws the times of a lane's IDs and the readings of the clock, step by step. */
import type { Lane, Mark } from "./lane.ts";
import { scaleOf } from "./scale.ts";
import type { Simulation } from "./simulation.ts";
import { duration } from "./words.ts";

/** A line of at least this length has room for a text beside it. In percent of the height. */
const LONG = 36;

const percent = (part: number) => `${part}%`;

/**
 * Each kind of event has its own shape, because a colour alone is not enough. The shape's size in
 * pixels does not depend on the size of the drawing.
 */
export function Shape({ happened, tickTock }: Pick<Mark, "happened" | "tickTock">) {
  switch (happened) {
    case "refused":
      return <path class="refusal" d="M-3.5 -3.5l7 7m0 -7l-7 7" />;
    case "waits":
      return <circle class="waits" r="3.5" />;
    default:
      return tickTock === 1 ? (
        <rect class="tick-tock" x="-3.5" y="-3.5" width="7" height="7" />
      ) : (
        <circle class="issued" r="3.5" />
      );
  }
}

export function Drawing({ simulation, lane }: { readonly simulation: Simulation; readonly lane: Lane }) {
  const { first, x, y } = scaleOf(simulation);
  const { readings } = simulation;
  const clock = new Map(readings.map(({ step, now }) => [step, now]));
  const marks = lane.marks.filter(({ step }) => step >= first);
  const counted = (happened: Mark["happened"]) => marks.filter((mark) => mark.happened === happened).length;
  const issued = marks.filter(({ timestamp }) => timestamp !== undefined).length;
  const label = `The last ${readings.length} steps: ${issued} IDs, ${counted("held")} of them at a held time; errors: ${counted("refused")}; waiting in ${counted("waits")} steps.`;
  return (
    <svg class="times" role="img" aria-label={label}>
      {readings.slice(1).map(({ step, now, pushed }, i) => {
        const before = readings[i]?.now ?? now;
        const ends = {
          x1: percent(x(step - 1)),
          y1: percent(y(before)),
          x2: percent(x(step)),
          y2: percent(y(now)),
        };
        return <line key={step} class={pushed > 0 ? "push" : "reading"} {...ends} />;
      })}
      {readings.slice(1).map(({ step, now, pushed }, i) => {
        if (pushed === 0) return null;
        const from = y(readings[i]?.now ?? now);
        const to = y(now);
        // The text goes beside a long line and below a short one.
        const at = to - from > LONG ? (from + to) / 2 : to + LONG / 2;
        return (
          <text key={step} class="by" x={percent(x(step) + 0.5)} y={percent(at)}>
            −{duration(pushed)}
          </text>
        );
      })}
      {marks.map((mark, i) => {
        const time = mark.timestamp ?? clock.get(mark.step);
        return time === undefined ? null : (
          <svg
            key={`${mark.step} ${i}`}
            class="mark"
            aria-hidden="true"
            x={percent(x(mark.step))}
            y={percent(y(time))}
          >
            <Shape {...mark} />
          </svg>
        );
      })}
    </svg>
  );
}
