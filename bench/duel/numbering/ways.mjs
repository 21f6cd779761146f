// The usual methods that give each process a worker ID, as programs usually implement them, and
// graupel's lease. All use Redis.
//
// begin   takes what a process has (`client` of Redis, `module` of the package, `host` name);
//         resolves to its methods:
//         `number()`: the number that the process believes it holds, or undefined
//         `next()`: generates an ID, or throws

import { setTimeout as sleep } from "node:timers/promises";
import { find, install } from "../../../tests/leases/servers/redis.mjs";
import { numbering } from "../stories.mjs";

/** The number of numbers, and how long a process keeps one without a renewal, in milliseconds. */
const { numbers: NUMBERS, timeoutMs: TIMEOUT_MS } = numbering;
/** The pause before a process without a number asks again, in milliseconds. */
const AGAIN_MS = 50;
const EPOCH = Date.UTC(2024, 0, 1);

const keyOf = (number) => `worker:${number}`;

/** Tries each number in turn until one is free. `take` resolves to whether the key was free. */
async function firstFree(take) {
  for (;;) {
    for (let number = 0; number < NUMBERS; number++) if (await take(keyOf(number))) return number;
    await sleep(AGAIN_MS);
  }
}

const every = (ms, work) => setInterval(() => void work().catch(() => {}), ms);

/** A generator of nodejs-snowflake. By itself, it repeats no ID in these stories. */
function generatorOf(module, number) {
  const { Snowflake } = module.default;
  const generator = new Snowflake({ custom_epoch: EPOCH, instance_id: number });
  return () => generator.getUniqueID();
}

/** A number that the process keeps forever. */
function fixed(module, number) {
  return { number: () => number, next: generatorOf(module, number) };
}

/** `SETNX`, `EXPIRE`, and `EXPIRE` again: a renewal does not check the owner of the key. */
async function setnx({ client, module, host }) {
  const number = await firstFree(async (key) => {
    const taken = await client.setNX(key, host);
    if (taken) await client.pExpire(key, TIMEOUT_MS);
    return taken;
  });
  every(TIMEOUT_MS / 3, () => client.pExpire(keyOf(number), TIMEOUT_MS));
  return fixed(module, number);
}

const RENEW = `
  if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("PEXPIRE", KEYS[1], ARGV[2]) end
  return 0`;

/**
 * `SET NX PX` with a token: a renewal checks the owner of the key, and a process that has lost its
 * number stops and acquires another one. `hasDeadline`: a process that could not renew in time also
 * stops, by its own clock.
 */
async function setNxPx({ client, module }, hasDeadline) {
  let held;
  async function take() {
    const token = crypto.randomUUID();
    let asked;
    const number = await firstFree(async (key) => {
      asked = Date.now();
      return (await client.set(key, token, { NX: true, PX: TIMEOUT_MS })) !== null;
    });
    held = { number, token, end: asked + TIMEOUT_MS, next: generatorOf(module, number) };
  }
  await take();
  every(TIMEOUT_MS / 3, async () => {
    if (held === undefined) return;
    const { number, token } = held;
    const asked = Date.now();
    const renewed = await client.eval(RENEW, {
      keys: [keyOf(number)],
      arguments: [token, String(TIMEOUT_MS)],
    });
    if (renewed === 1) {
      held.end = asked + TIMEOUT_MS;
      return;
    }
    held = undefined;
    await take();
  });
  const mine = () => (hasDeadline && held !== undefined && Date.now() >= held.end ? undefined : held);
  return {
    number: () => mine()?.number,
    next() {
      const now = mine();
      if (now === undefined) throw new Error("no number");
      return now.next();
    },
  };
}

/** `INCR`, modulo the number of worker IDs. */
async function incr({ client, module }) {
  return fixed(module, (await client.incr("workers")) % NUMBERS);
}

/** A hash of the host's name, modulo the number of worker IDs. */
async function hashed({ module, host }) {
  let hash = 0;
  for (const character of host) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return fixed(module, Math.abs(hash) % NUMBERS);
}

/** A lease in a store that may lose writes, which is the default. */
async function leased({ client, module }) {
  const { snowflake } = module;
  const [{ lease }, { redis }] = await Promise.all([import("graupel/lease"), import("graupel/lease/redis")]);
  const format = snowflake({ epoch: EPOCH, fields: { time: 41, worker: Math.log2(NUMBERS), sequence: 12 } });
  const times = { ttlMs: TIMEOUT_MS, quarantineMs: 2 * TIMEOUT_MS, maxWaitMs: 60_000 };
  const worker = await lease(redis(client), { format, namespace: "duel", ...times });
  const ids = format.generator({ lease: worker });
  return {
    number: () => (worker.status.state === "held" ? worker.status.number : undefined),
    next: () => ids.next(),
  };
}

const PEER = { package: "nodejs-snowflake" };
const OURS = { package: "graupel", ours: true };

const only = numbering.stories.map((story) => story.name);

const way = (name, how, begin, of = PEER) => ({
  ...of,
  ...{ name, how, begin, only },
  /** The error codes of a process that has no number. */
  refusals: ["LEASE_LOST", "OUTSIDE_INTERVAL", "CLOCK_BACKWARDS", "SEQUENCE_FULL"],
  missing: () => (find() === undefined ? `install the server: ${install}` : undefined),
});

export const ways = [
  way("graupel lease", "a lease from Redis", leased, OURS),
  way("SETNX and EXPIRE", "the first free key, renewed by EXPIRE", setnx),
  way("SET NX PX", "the first free key, with a token; given up when a renewal finds it lost", (own) =>
    setNxPx(own, false),
  ),
  way("SET NX PX, deadline", "the same; also given up when the process's own clock says so", (own) =>
    setNxPx(own, true),
  ),
  way("INCR modulo", `INCR modulo ${NUMBERS}`, incr),
  {
    ...way("hash of the host name", `a hash of the host's name modulo ${NUMBERS}`, hashed),
    chance: only,
  },
];
