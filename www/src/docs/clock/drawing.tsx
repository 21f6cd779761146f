/** The times of a lane's IDs beside the readings of the clock, step by step. */
import type { Lane, Mark } from "./lane.ts";
import { DRAWN, type Simulation } from "./simulation.ts";

const WIDTH = 320;
const HEIGHT = 96;
const EDGE = 8;

/** All drawings of a simulation have one scale, so that they can be compared. */
function scaleOf({ readings, lanes }: Simulation) {
  const first = readings[0]?.step ?? 0;
  const times = [
    ...readings.map(({ now }) => now),
    ...lanes.flatMap(({ marks }) =>
      marks.flatMap(({ step, timestamp }) => (step >= first && timestamp !== undefined ? [timestamp] : [])),
    ),
  ];
  const low = Math.min(...times);
  const span = Math.max(...times) - low || 1;
  return {
    first,
    x: (step: number) => EDGE + ((step - first) / (DRAWN - 1)) * (WIDTH - 2 * EDGE),
    y: (time: number) => HEIGHT - EDGE - ((time - low) / span) * (HEIGHT - 2 * EDGE),
  };
}

/** Each happening has a shape of its own, not only a colour. */
function Shape({ mark, x, y }: { readonly mark: Mark; readonly x: number; readonly y: number }) {
  switch (mark.happened) {
    case "refused":
      return <path class="refusal" d={`M${x - 3} ${y - 3}l6 6m0 -6l-6 6`} />;
    case "waits":
      return <circle class="waits" cx={x} cy={y} r="3" />;
    default:
      return mark.tickTock === 1 ? (
        <rect class="tick-tock" x={x - 3} y={y - 3} width="6" height="6" />
      ) : (
        <circle class="issued" cx={x} cy={y} r="3" />
      );
  }
}

export function Drawing({ simulation, lane }: { readonly simulation: Simulation; readonly lane: Lane }) {
  const { first, x, y } = scaleOf(simulation);
  const { readings } = simulation;
  const clock = new Map(readings.map(({ step, now }) => [step, now]));
  const line = readings.map(({ step, now }, i) => `${i === 0 ? "M" : "L"}${x(step)} ${y(now)}`).join("");
  const marks = lane.marks.filter(({ step }) => step >= first);
  const counted = (happened: Mark["happened"]) => marks.filter((mark) => mark.happened === happened).length;
  const issued = marks.filter(({ timestamp }) => timestamp !== undefined).length;
  const label = `The last ${readings.length} steps: ${issued} IDs, ${counted("held")} of them at a held time; ${counted("refused")} calls refused; waiting in ${counted("waits")} steps.`;
  return (
    <svg class="times" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <path class="reading" d={line} />
      {marks.map((mark, i) => {
        const time = mark.timestamp ?? clock.get(mark.step);
        return time === undefined ? null : (
          <Shape key={`${mark.step} ${i}`} mark={mark} x={x(mark.step)} y={y(time)} />
        );
      })}
    </svg>
  );
}
