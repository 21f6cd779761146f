// Draws the picture in docs/leases.md: worker IDs by ID time. Each box is an interval that the
// store in memory granted, by a scripted clock.

import { memory } from "graupel/lease";
import { ID, INK, line, OTHER, picture, REFUSED, text, WIDTH } from "./svg.mjs";

/** The length of a grant, in steps of the clock. */
const TTL = 3;
/** The end of the drawing, in steps. */
const END = 10.9;

/**
 * The script of each process, by step. A process acquires a number (`asks`) and renews it at each
 * step, until it releases the number (`leaves`) or is suspended (`sleeps` to `wakes`).
 */
const PROCESSES = {
  A: { asks: 0, sleeps: 2, wakes: 7, colour: ID },
  B: { asks: 0, leaves: 4, colour: OTHER },
  C: { asks: 0, colour: ID },
  D: { asks: 5, colour: ID },
  E: { asks: 6, colour: OTHER },
};

/** Runs the script. Resolves to each process's number and the first and last step of its lease. */
async function granted() {
  let now = 0;
  const store = memory({ clock: () => now });
  const request = { namespace: "it", layout: "", last: 2, mask: 0, bits: 0, quarantineMs: 0, label: "" };
  const boxes = {};
  for (; now <= END; now++) {
    for (const [token, { asks, leaves, sleeps = END }] of Object.entries(PROCESSES)) {
      if (now === asks) {
        const { number, from } = await store.acquire({ ...request, ttlMs: TTL, token });
        boxes[token] = { number, from };
      }
      const box = boxes[token];
      if (box === undefined || now > (leaves ?? sleeps)) continue;
      const { number } = box;
      if (now === leaves) await store.release({ ...request, number, tokens: [token], nextFree: now });
      else await store.renew({ ...request, number, ttlMs: TTL, token, nextToken: token });
      box.until = (await store.list("it")).find((record) => record.number === number).mark;
    }
  }
  return boxes;
}

const [LEFT, STEP, TOP, ROW] = [30, 27.5, 66, 38];
const x = (time) => LEFT + Math.min(time, END) * STEP;
const y = (number) => TOP + (2 - number) * ROW;

export async function rectangles() {
  const boxes = Object.entries(await granted()).map(([name, { number, from, until }]) => {
    const box = `<rect x="${x(from) + 1}" y="${y(number)}" width="${x(until) - x(from) - 2}" height="${ROW - 6}" rx="4" fill="${PROCESSES[name].colour}"/>`;
    const words = text(x(from) + 10, y(number) + 21, `process ${name}`, ' fill="#fff" font-weight="600"');
    return box + words;
  });
  const numbers = [0, 1, 2].map((number) => text(12, y(number) + 21, String(number), ' font-weight="600"'));
  const bottom = y(-1);
  const { sleeps, wakes } = PROCESSES.A;
  const below = bottom + 8;
  const drawn = [
    text(8, 18, "A lease is a box: a number, and a time", ' font-weight="600"'),
    text(8, 36, "Boxes never overlap. Outside: no ID."),
    text(8, 58, "number"),
    ...numbers,
    ...boxes,
    line(x(sleeps), below, x(wakes), below, ' stroke-width="2" stroke-dasharray="3 4"'),
    `<path d="M${x(wakes) - 5} ${below - 5}l10 10m0 -10l-10 10" stroke="${REFUSED}" stroke-width="3"/>`,
    text(x(sleeps), below + 19, "A sleeps"),
    text(x(wakes) - 22, below + 19, "A wakes up: no ID"),
    line(LEFT, below + 32, WIDTH - 8, below + 32),
    `<path d="M${WIDTH - 14} ${below + 27}l6 5l-6 5" fill="none" stroke="${INK}"/>`,
    text(LEFT, below + 50, "the time in the ID"),
  ];
  const title =
    "Worker IDs by the time in the ID. Each process has a box of one number and one interval of time. No two boxes overlap, even if a process gets the number of one that sleeps. When that one wakes up, its box is over, so it issues no ID";
  return picture(WIDTH, bottom + 66, title, drawn);
}
