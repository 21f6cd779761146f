// What is checked of leases in hosts that have timers. A plain ES module, as checks.mjs: no Node modules, no console.

import { same, tally } from "./entries.mjs";

/** Short, because a new store waits for the quarantine first. */
const TIMES = { ttlMs: 300, quarantineMs: 300 };

/** The error that a promise is rejected with. */
const errorOf = (promise) =>
  promise.then(
    () => {
      throw new Error("expected an error");
    },
    (error) => error,
  );

/** Leases two numbers of a store, makes IDs with each, and gives them back. */
export async function leaseFrom(graupel, { lease }, store, times = TIMES) {
  const options = { ...times, format: graupel.twitter, namespace: "everywhere" };
  const workers = await Promise.all([lease(store, options), lease(store, options)]);
  const ids = workers.map((worker) => graupel.twitter.generator({ lease: worker }));
  for (const [i, one] of ids.entries()) {
    const { workerId, datacenterId } = graupel.twitter.inspect(one.next());
    same(datacenterId * 32 + workerId, workers[i].status.number, "the number in an ID");
    graupel.twitter.inspect(await one.nextAsync());
  }
  same(workers[0].status.number === workers[1].status.number, false, "one number for two");
  for (const worker of workers) await worker.release();
  same(workers[0].status.state, "released", "the state");
  const { code } = await errorOf(ids[0].nextAsync());
  same(code, "LEASE_RELEASED", "the code after a release");
}

/** What each store answers to a function in the place of its client. */
function storesOf({ redis, postgres, etcd }) {
  const request = { namespace: "everywhere", layout: "x", last: 1, mask: 0, bits: 0, token: "a", label: "" };
  const acquire = (store) => store.acquire({ ...request, ...TIMES });
  const row = { layout: "x", number: "1", began: "5", mark: "6", now: "4", xid: "7", status: "committed" };
  const kept = btoa(JSON.stringify({ layout: "y", born: 1 }));
  const fetch = async (_, { body }) => {
    const { key } = JSON.parse(body);
    const text = JSON.stringify({ kvs: [{ key, mod_revision: "1", value: kept }] });
    return {
      ok: true,
      status: 200,
      headers: { get: () => "Thu, 01 Jan 2026 00:00:00 GMT" },
      text: async () => text,
    };
  };
  return {
    "the store in Redis": async () =>
      same((await acquire(redis(async () => '{"retryInMs":5}'))).retryInMs, 5, "retryInMs"),
    "the store in PostgreSQL": async () =>
      same((await acquire(postgres(async () => [row]))).number, 1, "number"),
    "the store in etcd": async () =>
      same((await acquire(etcd({ url: "http://etcd/", fetch }))).layout, "y", "layout"),
  };
}

/** Adds to what `check` resolves to. `leases`: what the entries of leases export, together. */
export async function checkLeases(graupel, leases, result) {
  const checks = {
    "a lease": () => leaseFrom(graupel, leases, leases.memory()),
    "the chance of random numbers": () =>
      same(leases.collisionRisk({ bits: 5, processes: 8 }).toFixed(2), "0.61", "collisionRisk"),
    ...storesOf(leases),
  };
  for (const [name, work] of Object.entries(checks)) await tally(result, `leases: ${name}`, work);
  return result;
}
