// The measuring: every case is warmed up, then all of them run in rounds, in an order shuffled for each round, so that
// whatever slows the machine down for a while slows down everybody.

import { median } from "./statistics.mjs";

/** Calls of one burst. It fits in the smallest tick; every case and every floor pays the same share of the timer. */
const CALLS = 128;

/** Bursts of a case in one round, of which the median counts: the first finds cold caches. */
const BURSTS = 3;

/** Results are kept, in a short ring, so that none of them is never made. */
const RING = 8;

/**
 * A loop of its own for each case, compiled from its code: the engine sees one place of call with one kind of result,
 * as it would in a program that makes one kind of ID. The name in it keeps two loops with the same code apart, which
 * the engine's cache of compiled code would make one. (Result kept in an array of its own kind: numbers stay numbers.)
 */
async function compile({ subject, operation, code, scope, awaits, inAsync }) {
  const [async, result] = awaits || inAsync ? ["async ", awaits ? `await ${code}` : code] : ["", code];
  const source = `/* ${subject}: ${operation} */ return (${async}() => {
    const i = 0;
    const ring = [${Array.from({ length: RING }, () => result).join(", ")}];
    return { ring, burst: ${async}(n) => { for (let i = 0; i < n; i++) ring[i & ${RING - 1}] = ${result}; } };
  })();`;
  return new Function(...Object.keys(scope), source)(...Object.values(scope));
}

/** How many calls of a case make a burst: those of many IDs, fewer. */
const callsOf = ({ each = 1 }) => Math.max(1, Math.floor(CALLS / each));

/** One burst: nanoseconds for each ID, or for each call that makes none. */
async function sample(one) {
  const { tick, before, burst, calls, each = 1 } = one;
  before?.();
  tick?.take(calls * each);
  const since = performance.now();
  const pending = burst(calls);
  if (pending !== undefined) await pending;
  const taken = performance.now() - since;
  tick?.done(calls * each);
  return (taken * 1e6) / (calls * each);
}

/** What a case must have made, or it measures something else. */
function look({ subject, operation, ring }) {
  const wrong = ring.find((result) => result === undefined || result === null || result === false);
  if (wrong !== undefined || ring.some(Number.isNaN))
    throw new Error(`${subject} ${operation} made ${wrong}`);
}

function shuffle(list) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
}

/**
 * Measures cases: each gets `rounds`, a figure for each round. One that throws is dropped, and named in the answer,
 * which is a list of sentences.
 */
export async function measure(cases, { rounds, warmUpCalls, warmUpMs }, say) {
  const faults = [];
  const attempt = async (one, work) => {
    if (one.broken) return;
    try {
      await work(one);
    } catch (error) {
      one.broken = true;
      faults.push(`${one.subject} ${one.operation} could not be run: ${error.message}`);
    }
  };
  for (const one of cases) {
    one.calls = callsOf(one);
    one.rounds = new Array(rounds);
    await attempt(one, async () => Object.assign(one, await compile(one)));
  }
  // Twice, as what the later ones do to the functions that they share with the earlier is part of the truth.
  for (let pass = 0; pass < 2; pass++) {
    say(`warming up, ${pass + 1} of 2`);
    for (const one of cases) {
      await attempt(one, async () => {
        const until = performance.now() + warmUpMs;
        for (let calls = 0; calls < warmUpCalls && performance.now() < until; calls += one.calls)
          await sample(one);
        look(one);
      });
    }
  }
  const order = [...cases];
  for (let round = 0; round < rounds; round++) {
    if (round % 10 === 0) say(`round ${round} of ${rounds}`);
    shuffle(order);
    for (const one of order) {
      await attempt(one, async () => {
        const samples = [];
        for (let i = 0; i < BURSTS; i++) samples.push(await sample(one));
        one.rounds[round] = median(samples);
      });
    }
  }
  return faults;
}
