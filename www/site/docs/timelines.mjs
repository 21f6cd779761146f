// Draws the timelines of docs/how-it-works.md. The calls are real: each point is an ID that a
// generator issued by a scripted clock. `node www/site/docs/timelines.mjs` writes the files and the
// picture of leases; a test compares them.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GraupelError, sno, snowflake } from "graupel";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { rectangles } from "./rectangles.mjs";
import { ID, INK, line, OTHER, picture, REFUSED, text, WIDTH } from "./svg.mjs";

/** A tick of 1 ms holds only 4 IDs, so that the drawing can show all of them. */
const TINY = snowflake({ epoch: 0, fields: { time: 41, sequence: 2 } });

/**
 * Calls a generator once after each step of the clock. Steps are in ticks. Returns, for each call,
 * the clock's readings before and after it, the tick of the ID and whether its tick-tock bit is
 * set; if the call threw, there is no tick. A call that reads the clock again is waiting, so each
 * further reading is a quarter of a tick later.
 */
function ask(format, options, steps) {
  const { tickMs } = format.layout;
  let [now, reads] = [100, 0];
  const clock = () => {
    now += reads++ > 0 ? 0.25 : 0;
    return now * tickMs + format.epoch;
  };
  const ids = format.generator({ ...options, clock, isolated: true });
  return steps.map((step) => {
    [now, reads] = [Math.floor(now) + step, 0];
    const before = now;
    try {
      const { ticks, tickTock } = format.inspect(ids.next());
      return { before, after: Math.floor(now), tick: ticks, other: tickTock === 1 };
    } catch (error) {
      if (!GraupelError.is(error)) throw error;
      return { before, after: before };
    }
  });
}

/** The clock advances by one tick for each call, and goes back by three ticks once. */
const STEPS = [0, 1, 1, 1, 1, -3, 1, 1, 1, 1, 1];
const [STEP, RISE] = [29, 15];
const LANE_HEIGHT = 210;

/**
 * Draws one policy: the clock as a line, the IDs as points. Calls run from left to right, and time
 * runs upwards.
 */
function lane(name, says, answers) {
  const x = (call) => 24 + call * STEP;
  const y = (tick) => LANE_HEIGHT - 12 - (tick - 100) * RISE;
  const clock = answers.flatMap(({ before, after }, call) =>
    [before, after].map((at) => `${x(call)},${y(at)}`),
  );
  const marks = answers.map(({ before, after, tick, other }, call) => {
    if (tick === undefined)
      return `<path d="M${x(call) - 5} ${y(before) - 5}l10 10m0 -10l-10 10" stroke="${REFUSED}" stroke-width="2.5"/>`;
    const ahead = tick > after ? line(x(call), y(after), x(call), y(tick), ' stroke-dasharray="2 3"') : "";
    return `${ahead}<circle cx="${x(call)}" cy="${y(tick)}" r="6" fill="${other ? OTHER : ID}"/>`;
  });
  return [
    text(8, 18, name, ' font-weight="600" font-size="15"'),
    text(8, 36, says),
    `<polyline points="${clock.join(" ")}" fill="none" stroke="${INK}" stroke-width="1.5"/>`,
    ...marks,
  ];
}

/** The policies for a clock that goes back by three ticks, each with a description. */
const POLICIES = {
  throw: ['"throw"', "throws until the clock has caught up", TINY],
  wait: ['"wait"', "one call waits until the clock has caught up", TINY],
  hold: ['"hold"', "continues in the highest tick", TINY],
  "tick-tock": ['"tick-tock" (sno)', "uses the time again, on the other line", sno],
};

function back(policy) {
  const [name, says, format] = POLICIES[policy];
  const answers = ask(format, { clockBackwards: policy, sequenceFull: "wait" }, STEPS);
  const title = `The clock goes back by three ticks under ${name}: ${says}`;
  return picture(WIDTH, LANE_HEIGHT, title, lane(name, says, answers));
}

/** Draws seven calls in one tick of four IDs. The fifth call waits for the next tick. */
function tick() {
  const answers = ask(TINY, {}, [0, 0, 0, 0, 0, 0, 0]);
  const [left, next, cell] = [8, 186, 40];
  const seen = new Map();
  const boxes = answers.map(({ tick }) => {
    const index = seen.get(tick) ?? 0;
    seen.set(tick, index + 1);
    const x = (tick === 100 ? left : next) + index * cell;
    const number = text(x + 18, 66, String(index), ' fill="#fff" text-anchor="middle" font-weight="600"');
    return `<rect x="${x}" y="44" width="36" height="34" rx="4" fill="${ID}"/>${number}`;
  });
  const drawn = [
    text(left, 18, "millisecond 100", ' font-weight="600"'),
    text(left, 36, "four IDs, 0 to 3"),
    text(next, 18, "millisecond 101", ' font-weight="600"'),
    text(next, 36, "starts at 0 again"),
    ...boxes,
    line(next - 11, 6, next - 11, 90, ' stroke-dasharray="4 4"'),
    text(left, 108, "The fifth call waited for the next millisecond."),
  ];
  return picture(
    WIDTH,
    118,
    "The life of a tick: four IDs, then the next call waits for the next tick",
    drawn,
  );
}

/**
 * Draws the time from which a second process may issue IDs after the first, which ran ahead of its
 * clock, was killed.
 */
function restart() {
  const [left, killed, ahead, mark, end] = [8, 120, 220, 270, WIDTH - 8];
  const bar = (from, to, y, colour, opacity = 1) =>
    `<rect x="${from}" y="${y}" width="${to - from}" height="14" rx="3" fill="${colour}" opacity="${opacity}"/>`;
  const row = (y, says, ...bars) => [text(left, y, says), ...bars.map((draw) => draw(y + 7))];
  const drawn = [
    text(killed, 14, "killed: the clock reads this", ' text-anchor="middle"'),
    // Draw the lines only beside the bars, because a line through words makes them hard to read.
    ...[38, 84, 130, 176].map((y) => line(killed, y + 4, killed, y + 25, ' stroke-dasharray="4 3"')),
    ...row(
      38,
      "the first process, and how far it may be ahead",
      (y) => bar(left, killed, y, ID),
      (y) => bar(killed, ahead, y, ID, 0.5),
    ),
    ...row(
      84,
      "the next one starts at the clock: IDs repeat",
      (y) => bar(killed, ahead, y, REFUSED),
      (y) => bar(ahead, end, y, ID),
    ),
    ...row(130, "notBefore: Date.now() + maxAheadMs + tickMs", (y) => bar(ahead + 4, end, y, ID)),
    ...row(176, "notBefore: the saved mark", (y) => bar(mark, end, y, ID)),
    line(left, 212, end, 212),
    text(left, 230, "the time in the IDs"),
  ];
  const title =
    "A process that ran ahead of its clock is killed. The next one repeats IDs if it starts at the clock, and none if it starts after everything that may have been issued";
  return picture(WIDTH, 238, title, drawn);
}

/**
 * The files below www/docs, each with the function that draws it. Some of these are asynchronous,
 * because they use a lease store.
 */
export const timelines = {
  "tick.svg": tick,
  "restart.svg": restart,
  "lease.svg": rectangles,
  ...Object.fromEntries(Object.keys(POLICIES).map((policy) => [`clock-${policy}.svg`, () => back(policy)])),
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, draw] of Object.entries(timelines))
    writeFileSync(fromRoot("www", "docs", name), await draw());
