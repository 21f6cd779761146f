// Measures cases: each is warmed up, then all run in rounds, in a new random order each time. So a machine that is slow for
// a while slows down all of them.

import { median } from "./statistics.mjs";

/** Calls in one burst: it fits in the smallest tick, and every case and floor pays the same share of the timer. */
const CALLS = 128;

/** Bursts of a case in one round. The median counts, because the first burst finds cold caches. */
const BURSTS = 3;

/** Results are stored in a short ring, so that the engine cannot leave out their creation. */
const RING = 8;

/**
 * Compiles a loop for each case from its code. So a call site sees one kind of result, as in a program that makes one kind
 * of ID. The comment in the code makes each loop's text unique: the engine's code cache would merge equal texts. The ring
 * is an array literal of results, so that the engine gives it their kind of elements: numbers stay unboxed.
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

/** Calls in a burst: fewer, if a call makes many IDs. */
const callsOf = ({ each = 1 }) => Math.max(1, Math.floor(CALLS / each));

/** Runs one burst. Returns nanoseconds per ID, or per call that makes no ID. */
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

/** Throws if a case made no results: then it measures something else. */
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
 * Measures the cases. Each gets `rounds`, a figure for each round. A case that throws is dropped; the returned sentences
 * name it.
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
  // Twice: later cases change how the engine compiles shared functions, and earlier cases must run with that, too.
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
