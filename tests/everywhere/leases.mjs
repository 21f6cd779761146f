// The checks of leases, for hosts with timers. This file is a plain ES module, like checks.mjs: no
// Node modules, no console.

import { same, tally } from "./entries.mjs";

/** Short times, because a new store first waits for one quarantine. */
const TIMES = { ttlMs: 300, quarantineMs: 300 };

/**
 * Compares the number in an ID with the lease's number. On a slow machine, a lease may just have
 * expired; `nextAsync` waits for the next one.
 */
async function checkNumber({ twitter }, worker) {
  const generator = twitter.generator({ lease: worker });
  for (;;) {
    await generator.nextAsync();
    try {
      const { workerId, datacenterId } = twitter.inspect(generator.next());
      same(datacenterId * 32 + workerId, worker.status.number, "the number in an ID");
      return generator;
    } catch (error) {
      if (!/^LEASE_/.test(error.code)) throw error;
    }
  }
}

/** Leases two numbers from a store, generates IDs with each, and releases them. */
export async function leaseFrom(graupel, { lease }, store, times = TIMES) {
  const options = { ...times, format: graupel.twitter, namespace: "everywhere" };
  const workers = await Promise.all([lease(store, options), lease(store, options)]);
  same(workers[0].status.number === workers[1].status.number, false, "one number for two");
  const ids = await Promise.all(workers.map((worker) => checkNumber(graupel, worker)));
  for (const worker of workers) await worker.release();
  same(workers[0].status.state, "released", "the state");
  const error = await ids[0].nextAsync().catch((error) => error);
  same(error.code, "LEASE_RELEASED", "the code after a release");
}

/** Calls each store with a mocked client. Returns a part of the answer and its expected value. */
async function answerOf(name, { redis, postgres, etcd }) {
  const request = { namespace: "everywhere", layout: "x", last: 1, mask: 0, bits: 0, token: "a", label: "" };
  const acquire = (store) => store.acquire({ ...request, ...TIMES });
  const row = { layout: "x", number: "1", began: "5", mark: "6", now: "4", xid: "7", status: "committed" };
  const fetch = async (_, { body }) => {
    const { key } = JSON.parse(body);
    // {"layout":"y","born":1}
    const kept = { key, mod_revision: "1", value: "eyJsYXlvdXQiOiJ5IiwiYm9ybiI6MX0=" };
    const headers = { get: () => "Thu, 01 Jan 2026 00:00:00 GMT" };
    return { ok: true, status: 200, headers, text: async () => JSON.stringify({ kvs: [kept] }) };
  };
  if (name === "Redis") return [(await acquire(redis(async () => '{"retryInMs":5}'))).retryInMs, 5];
  if (name === "PostgreSQL") return [(await acquire(postgres(async () => [row]))).number, 1];
  return [(await acquire(etcd({ url: "http://etcd/", fetch }))).layout, "y"];
}

/** Adds to the result of `check`. `entries`: the lease entries by name. */
export async function checkLeases(graupel, entries, result) {
  const leases = Object.assign({}, ...Object.values(entries));
  await tally(result, "a lease", () => leaseFrom(graupel, leases, leases.memory()));
  for (const name of ["Redis", "PostgreSQL", "etcd"])
    await tally(result, `the store in ${name}`, async () => same(...(await answerOf(name, leases)), name));
  tally(result, "the chance of random numbers", () =>
    same(leases.collisionRisk({ bits: 5, processes: 8 }).toFixed(2), "0.61", "collisionRisk"),
  );
}
