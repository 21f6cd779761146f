/** The store in memory passes the conformance suite, and a store with a mistake does not. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checks } from "../../../js/lease/conformance.ts";
import { memory } from "../../../js/lease/memory.ts";
import type { Grant, LeaseStore } from "../../../js/lease/types.ts";

for (const durable of [true, false]) {
  // They mostly wait. A machine that is busy must not make a grant end before its renewal.
  describe(durable ? "a durable store" : "a forgetful store", { concurrency: true }, () => {
    for (const { name, run } of checks(memory({ durable }), { ttlMs: 1000 })) test(name, run);
  });
}

const changed =
  (change: (grant: Grant) => Grant) =>
  <A extends object | null>(answer: A): A =>
    answer !== null && "until" in answer ? (change(answer as unknown as Grant) as unknown as A) : answer;

/** Those of all who have asked. */
const tokens = new Set<string>();

/** What may be wrong with a store. */
const MISTAKES: Readonly<Record<string, (store: LeaseStore) => Partial<LeaseStore>>> = {
  "the interval has no end": (store) => {
    const endless = changed((grant) => ({ ...grant, until: grant.until + 1_000_000 }));
    return {
      acquire: async (request) => endless(await store.acquire(request)),
      renew: async (request) => endless(await store.renew(request)),
    };
  },
  "the interval begins before the end of the one before": (store) => {
    const early = changed((grant) => ({ ...grant, from: grant.from - 1 }));
    return { acquire: async (request) => early(await store.acquire(request)) };
  },
  "there is no quarantine": (store) => ({
    acquire: (request) => store.acquire({ ...request, quarantineMs: 0 }),
  }),
  "anybody may release": (store) => ({
    release: async (request) => {
      for (const token of tokens) await store.release({ ...request, tokens: [...request.tokens, token] });
    },
    acquire: (request) => {
      tokens.add(request.token);
      return store.acquire(request);
    },
  }),
  "a token is not drawn anew": (store) => ({
    renew: (request) => store.renew({ ...request, nextToken: request.token }),
  }),
  "fixed fields are not kept": (store) => ({
    acquire: (request) => store.acquire({ ...request, mask: 0, bits: 0 }),
  }),
  "each namespace is the same": (store) => ({
    acquire: (request) => store.acquire({ ...request, namespace: "one" }),
    renew: (request) => store.renew({ ...request, namespace: "one" }),
    release: (request) => store.release({ ...request, namespace: "one" }),
  }),
};
describe("a mistake in a store is found", { concurrency: true }, () => {
  for (const [what, mistake] of Object.entries(MISTAKES)) {
    for (const durable of [true, false]) {
      test(`${what}, ${durable ? "durable" : "forgetful"}`, async () => {
        const store = memory({ durable });
        const all = checks({ ...store, ...mistake(store) }, { ttlMs: 300 });
        const results = await Promise.allSettled(all.map(({ run }) => run()));
        assert.ok(results.some(({ status }) => status === "rejected"));
      });
    }
  }
});
