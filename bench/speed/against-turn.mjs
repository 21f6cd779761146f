// One turn of `--against`: measures one format of the package in which this file lies, and prints nanoseconds a call by operation.
// It uses only what every commit of the package has.

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const EPOCH = Date.UTC(2024, 0, 1);
const BUFFER = 'buffer.write(generator.next(), 0, "latin1")';

/** The formats, each with its entry, the options of its generator, and the operations that only it has. */
export const SUBJECTS = {
  sno: {
    ...{ entry: "sno", of: ({ sno }) => sno, options: { partition: 1 } },
    more: { "next(7)": "generator.next(7)", "next, to a Buffer": BUFFER },
  },
  ulidFlake: {
    ...{ entry: "ulid-flake", of: ({ ulidFlake }) => ulidFlake, options: { sequenceFull: "borrow" } },
    more: { "next, to a Buffer": BUFFER },
  },
  nanoflake: {
    ...{
      entry: "nanoflake",
      of: ({ nanoflake }) => nanoflake({ epoch: EPOCH }),
      options: { generatorId: 1 },
    },
    more: { nextText: "generator.nextText()" },
  },
  twitter: {
    ...{ entry: "snowflake", of: ({ twitter }) => twitter, options: { datacenterId: 1, workerId: 1 } },
    more: { nextText: "generator.nextText()" },
  },
  snowflakeSI: {
    ...{
      entry: "snowflake-si",
      of: ({ snowflakeSI }) => snowflakeSI({ epoch: EPOCH }),
      options: { machineId: 1 },
    },
    more: { nextText: "generator.nextText()" },
  },
};

const ALL = {
  next: "generator.next()",
  parse: "format.parse(texts[i & 15])",
  isValid: "format.isValid(texts[i & 15])",
  inspect: "format.inspect(ids[i & 15])",
  timestamp: "format.timestamp(ids[i & 15])",
};

/** IDs in a burst: the smallest tick holds them. */
const CALLS = 128;
const RING = 8;

/** Waits for a new millisecond, so that no call of a burst waits: each tick that is not longer holds a burst. */
function freshTick() {
  const now = Date.now();
  while (Date.now() === now);
}

/** A loop that stores its results, so that the engine has to create them. */
function compile(code, scope) {
  const source = `const ring = new Array(${RING}).fill(${code.replaceAll("i &", "0 &")});
    return (n) => { for (let i = 0; i < n; i++) ring[i & ${RING - 1}] = ${code}; return ring; };`;
  return new Function(...Object.keys(scope), source)(...Object.values(scope));
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** The median of many bursts, after a warm-up. */
function time(burst, { warmUp, bursts }) {
  const one = () => {
    freshTick();
    const since = performance.now();
    burst(CALLS);
    return ((performance.now() - since) * 1e6) / CALLS;
  };
  for (let i = 0; i < warmUp; i++) one();
  return median(Array.from({ length: bursts }, one));
}

async function measure({ kind, name, quick }) {
  const { entry, of, options, more } = SUBJECTS[name];
  const from = `graupel/${entry}`;
  const loaded = kind === "cjs" ? createRequire(import.meta.url)(from) : await import(from);
  const format = of(loaded);
  const generator = format.generator(options);
  const ids = Array.from(generator.nextMany(16));
  // Flat, like texts from a socket.
  const texts = ids.map((id) => Buffer.from(format.format(id)).toString("latin1"));
  const scope = { format, generator, ids, texts, buffer: Buffer.alloc(16) };
  const plan = quick ? { warmUp: 2, bursts: 3 } : { warmUp: 300, bursts: 201 };
  const operations = { ...ALL, ...more };
  if (format.timestamp === undefined) delete operations.timestamp;
  // Everything is warm before anything is measured: what runs later changes how the engine compiles what all share.
  const bursts = Object.values(operations).map((code) => compile(code, scope));
  for (const burst of bursts) time(burst, { ...plan, bursts: 1 });
  return Object.fromEntries(
    Object.keys(operations).map((operation, i) => [operation, time(bursts[i], plan)]),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(JSON.stringify(await measure(JSON.parse(process.argv[2]))));
}
