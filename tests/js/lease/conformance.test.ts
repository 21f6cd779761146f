/** The store in memory passes the conformance suite, and a store with a mistake does not. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { checks } from "../../../js/lease/conformance.ts";
import { memory } from "../../../js/lease/memory.ts";
import {
  acquire,
  grantOf,
  type NamespaceRecord,
  type NumberRecord,
  release,
  renew,
} from "../../../js/lease/store-rules.ts";
import type { AcquireRequest, LeaseStore, ReleaseRequest, RenewRequest } from "../../../js/lease/types.ts";

const LAYOUT_OF_CHECKS = "0+1:41,10n,12";

for (const durable of [true, false]) {
  // They mostly wait. A machine that is busy must not make a grant end before its renewal.
  describe(durable ? "a durable store" : "a forgetful store", { concurrency: true }, () => {
    for (const { name, run } of checks(memory({ durable }), { ttlMs: 1000 })) test(name, run);
  });
}

/** What can be wrong with the rules of a store, and with how it calls them. */
interface Mistaken {
  /** What the names of the checks contain that find it. */
  readonly by: string;
  readonly acquire?: typeof acquire;
  readonly renew?: typeof renew;
  readonly release?: typeof release;
  /** Calls that read and then write, with others in between. */
  readonly torn?: readonly ("acquire" | "renew" | "release")[];
  readonly change?: (store: LeaseStore) => Partial<LeaseStore>;
  /** Kinds of store in which it is none. */
  readonly only?: "durable" | "forgetful";
}

/** A store in a document database: each operation takes a while, and a call is atomic because it locks its namespace. */
function documents(durable: boolean, mistake: Omit<Mistaken, "by"> = {}): LeaseStore {
  const rules = { acquire, renew, release, torn: [], ...mistake };
  const spaces = new Map<string, NamespaceRecord>();
  const numbers = new Map<string, Map<number, NumberRecord>>();
  const tails = new Map<string, Promise<unknown>>();
  const trip = () => delay(1 + Math.random() * 2);
  const call =
    <Request extends { readonly namespace: string }, Answer>(
      name: "acquire" | "renew" | "release",
      work: (request: Request, now: number) => Promise<Answer>,
    ) =>
    (request: Request): Promise<Answer> => {
      const run = () => work(request, Date.now());
      if ((rules.torn as string[]).includes(name)) return run();
      const done = (tails.get(request.namespace) ?? Promise.resolve()).then(run);
      tails.set(
        request.namespace,
        done.catch(() => {}),
      );
      return done;
    };
  const recordsOf = (namespace: string) => {
    const found = numbers.get(namespace) ?? new Map<number, NumberRecord>();
    numbers.set(namespace, found);
    return found;
  };
  const store: LeaseStore = {
    durable,
    acquire: call("acquire", async (request: AcquireRequest, now) => {
      await trip();
      const space = spaces.get(request.namespace) ?? { layout: request.layout, born: now };
      spaces.set(request.namespace, space);
      const records = new Map(recordsOf(request.namespace));
      await trip();
      const { write, answer } = rules.acquire(space, records, request, now, durable);
      await trip();
      if (write) recordsOf(request.namespace).set(...write);
      return answer;
    }),
    renew: call("renew", async (request: RenewRequest, now) => {
      await trip();
      const { number, namespace } = request;
      const after = rules.renew(recordsOf(namespace).get(number), request, now, durable);
      await trip();
      if (!after) return null;
      recordsOf(namespace).set(number, after);
      return grantOf(number, after, now);
    }),
    release: call("release", async (request: ReleaseRequest) => {
      await trip();
      const { number, namespace } = request;
      const after = rules.release(recordsOf(namespace).get(number), request);
      await trip();
      if (after) recordsOf(namespace).set(number, after);
    }),
    list: async (namespace) =>
      [...recordsOf(namespace)].map(([number, { token, ...rest }]) => {
        return { number, held: token !== "", now: Date.now(), ...rest };
      }),
    async forget(namespace) {
      spaces.delete(namespace);
      numbers.delete(namespace);
    },
  };
  return { ...store, ...mistake.change?.(store) };
}

/** An acquisition with another request, other records, or another outcome. */
const acquiring =
  (change: {
    readonly request?: (request: AcquireRequest) => Partial<AcquireRequest>;
    readonly record?: (record: NumberRecord, now: number) => Partial<NumberRecord>;
    readonly space?: (space: NamespaceRecord, now: number) => Partial<NamespaceRecord>;
    readonly write?: (record: NumberRecord, now: number, request: AcquireRequest) => Partial<NumberRecord>;
    readonly answer?: (answer: object) => object;
  }): typeof acquire =>
  (space, records, request, now, durable) => {
    const seen = [...records].map(
      ([number, record]) => [number, { ...record, ...change.record?.(record, now) }] as const,
    );
    const asked = { ...request, ...change.request?.(request) };
    const own = { ...space, ...change.space?.(space, now) };
    const { write, answer } = acquire(own, new Map(seen), asked, now, durable);
    if (!write) return { answer: (change.answer?.(answer) ?? answer) as typeof answer };
    const [number, record] = write;
    const written = { ...record, ...change.write?.(record, now, request) };
    return { write: [number, written], answer: grantOf(number, written, now) };
  };

/** A renewal with another outcome; undefined to ask the rules. */
const renewing =
  (
    change: (record: NumberRecord, request: RenewRequest, now: number) => NumberRecord | undefined,
  ): typeof renew =>
  (record, request, now, durable) =>
    ((record && change(record, request, now)) ?? renew(record, request, now, durable)) as typeof record;

const holds = (record: NumberRecord, { token, nextToken }: RenewRequest) =>
  [token, nextToken].includes(record.token);
const extended = (record: NumberRecord, { nextToken, ttlMs }: RenewRequest, now: number): NumberRecord => {
  return { ...record, token: nextToken, mark: Math.max(record.mark, now + ttlMs) };
};
/** A release of the token's own record, with another outcome. */
const releasing =
  (change: (record: NumberRecord, request: ReleaseRequest) => Partial<NumberRecord>): typeof release =>
  (record, request) => {
    const after = release(record, request);
    return after && record && { ...after, ...change(record, request) };
  };

/** Mistakes that repeat IDs, or leave a lease without a number. */
const RULES: Readonly<Record<string, Mistaken>> = {
  "acquire: reads, then writes": { by: "at the same time", torn: ["acquire"] },
  "acquire: any number": {
    by: "a grant is within",
    acquire: acquiring({ request: () => ({ mask: 0, bits: 0 }) }),
  },
  "acquire: numbers past the last one": {
    by: "held numbers",
    acquire: acquiring({ request: ({ last }) => ({ last: last * 2 + 1 }) }),
  },
  "acquire: held numbers": {
    by: "held numbers",
    acquire: acquiring({ record: (_, now) => ({ mark: now }) }),
  },
  "acquire: no number that nobody renews": {
    by: "from its end on",
    acquire: acquiring({ record: ({ token }) => (token ? { mark: Infinity } : {}) }),
  },
  "acquire: from now, not from the mark": {
    by: "from its end on",
    acquire: acquiring({ write: (_, now) => ({ from: now }) }),
  },
  "acquire: no quarantine": {
    by: "waits for its quarantine",
    acquire: acquiring({ request: () => ({ quarantineMs: 0 }) }),
  },
  "acquire: half a quarantine": {
    by: "waits for its quarantine",
    acquire: acquiring({ request: ({ quarantineMs }) => ({ quarantineMs: quarantineMs >> 1 }) }),
  },
  "acquire: the ttl is added to the mark": {
    by: "random story",
    acquire: acquiring({ write: ({ mark }, _, { ttlMs }) => ({ mark: mark + ttlMs }) }),
  },
  "acquire: a number without a record begins at 0": {
    by: "waits for its quarantine",
    acquire: acquiring({ space: () => ({ born: 0 }) }),
    // A forgetful store begins a quarantine from now on.
    only: "durable",
  },
  "acquire: a namespace is made anew each time": {
    by: "random story",
    acquire: acquiring({ space: (_, now) => ({ born: now }) }),
    only: "durable",
  },
  "acquire: a token gets a second number": {
    by: "gets it again",
    acquire: acquiring({
      request: () => ({ token: `${Math.random()}` }),
      write: (_, __, { token }) => ({ token }),
    }),
  },
  "acquire: any layout": {
    by: "keeps its layout",
    acquire: acquiring({
      space: () => ({ layout: LAYOUT_OF_CHECKS }),
      request: () => ({ layout: LAYOUT_OF_CHECKS }),
    }),
  },
  "acquire: come again at once": {
    by: "held numbers",
    acquire: acquiring({ answer: () => ({ retryInMs: 0 }) }),
  },
  "acquire: come again never": {
    by: "held numbers",
    acquire: acquiring({ answer: () => ({ retryInMs: 1e12 }) }),
  },
  "acquire: whose number has run out is to come again": {
    by: "does not wait for other holders",
    change: (store) => ({
      async acquire(request) {
        const answer = await store.acquire(request);
        return "until" in answer && answer.until <= answer.now ? { retryInMs: 200 } : answer;
      },
    }),
  },
  "acquire: no label": { by: "lists its records", acquire: acquiring({ write: () => ({ label: "" }) }) },
  "acquire: expired numbers before free ones": {
    by: "before an expired one",
    acquire: acquiring({
      record: ({ token, mark }, now) => (token && mark <= now ? { token: "", mark: mark - 1e6 } : {}),
    }),
  },
  "renew: reads, then writes": { by: "at the same time", torn: ["renew"] },
  "renew: lowers the mark": {
    by: "never shortens",
    renew: renewing((record, request, now) =>
      holds(record, request) && now < record.mark
        ? { ...record, token: request.nextToken, mark: now + request.ttlMs }
        : undefined,
    ),
  },
  "renew: anybody": {
    by: "changes the token",
    renew: renewing((record, request, now) => extended(record, request, now)),
  },
  "renew: the token stays": {
    by: "changes the token",
    renew: renewing((record, request, now) =>
      holds(record, request) ? { ...extended(record, request, now), token: record.token } : undefined,
    ),
  },
  "renew: not a second time": {
    by: "changes the token",
    renew: (record, request, now, durable) =>
      renew(record?.token === request.token ? record : undefined, request, now, durable),
  },
  "renew: another beginning": {
    by: "changes the token",
    renew: renewing((record, request, now) =>
      holds(record, request) ? { ...extended(record, request, now), from: now } : undefined,
    ),
  },
  "renew: past the mark": {
    by: "renews no expired",
    renew: renewing((record, request, now) =>
      holds(record, request) ? extended(record, request, now) : undefined,
    ),
    only: "forgetful",
  },
  "renew: the ttl is added to the mark": {
    by: "changes the token",
    renew: renewing((record, request, now) =>
      holds(record, request) && now < record.mark
        ? { ...record, token: request.nextToken, mark: record.mark + request.ttlMs }
        : undefined,
    ),
  },
  "renew: never": { by: "changes the token", renew: () => undefined },
  "release: reads, then writes": { by: "at the same time", torn: ["release"] },
  "release: anybody": {
    by: "only the holder's release",
    release: (record, request) => release(record, { ...request, tokens: [record?.token ?? ""] }),
  },
  "release: below where the tenure began": {
    by: "never lowers the mark",
    release: releasing((_, { nextFree }) => ({ mark: nextFree })),
  },
  "release: all of it is free": { by: "never lowers the mark", release: releasing(() => ({ mark: 0 })) },
  "release: the mark stays": {
    by: "only the holder's release",
    release: releasing(({ mark }) => ({ mark })),
    only: "durable",
  },
  "release: the mark rises": {
    by: "only the holder's release",
    release: releasing(({ mark }, { nextFree }) => ({ mark: Math.max(mark, nextFree) + 1e6 })),
  },
  "release: the first token alone": {
    by: "only the holder's release",
    release: (record, request) => release(record, { ...request, tokens: request.tokens.slice(0, 1) }),
  },
  "release: nobody": { by: "only the holder's release", release: () => undefined },
  "release: the token stays": { by: "lists its records", release: releasing(({ token }) => ({ token })) },
  "all namespaces are one": {
    by: "are independent",
    change: (store) => ({
      acquire: (request) => store.acquire({ ...request, namespace: "one" }),
      renew: (request) => store.renew({ ...request, namespace: "one" }),
      release: (request) => store.release({ ...request, namespace: "one" }),
    }),
  },
  "the clock has seconds": {
    by: "waits for its quarantine",
    change: (store) => ({
      acquire: async (request) => {
        const answer = await store.acquire(request);
        return "now" in answer ? { ...answer, now: Math.floor((answer.now as number) / 1000) } : answer;
      },
    }),
  },
  "forget: nothing": { by: "starts again", change: () => ({ forget: async () => {} }) },
  "list: all are held": {
    by: "lists its records",
    change: ({ list }) => ({
      list: async (name) => ((await list?.(name)) ?? []).map((it) => ({ ...it, held: true })),
    }),
  },
};

const TTL_MS = 600;
/** Runs checks of a store at the same time, as they mostly wait: those with `by` in their names. Gives what they found. */
async function found(store: LeaseStore, by = ""): Promise<string[]> {
  const chosen = checks(store, { ttlMs: TTL_MS }).filter(({ name }) => name.includes(by));
  assert.ok(chosen.length > 0, `no check has "${by}" in its name`);
  const outcomes = await Promise.allSettled(chosen.map(({ run }) => run()));
  return outcomes.flatMap((one) => (one.status === "rejected" ? [`${one.reason}`] : []));
}

/** Each mistake is in one kind of store: the one in which it is one, or the two kinds in turn. */
const kindOf = ({ only }: Mistaken, i: number) => only ?? (i % 2 === 0 ? "durable" : "forgetful");

for (const durable of [true, false]) {
  const kind = durable ? "durable" : "forgetful";
  test(`a ${kind} store of documents without a mistake passes`, async () => {
    assert.deepEqual(await found(documents(durable)), []);
  });
  describe(`of a ${kind} store, a mistake is found`, { concurrency: 8 }, () => {
    for (const [i, [what, mistake]] of Object.entries(RULES).entries()) {
      if (kindOf(mistake, i) !== kind) continue;
      test(what, async () => {
        const errors = await found(documents(durable, mistake), mistake.by);
        assert.ok(!errors.every((error) => error.includes("answers too slowly")), errors.join("\n"));
      });
    }
  });
}

/** Renewals take as long as `late` says, of their time to live. */
const slowed = (late: (ttlMs: number) => number) =>
  documents(false, {
    change: ({ renew }) => ({
      async renew(request) {
        await delay(late(request.ttlMs));
        return renew(request);
      },
    }),
  });

test("a store that answers too slowly for the time to live gets a longer one", async () => {
  const slow = slowed(() => 30);
  for (const { name, run } of checks(slow, { ttlMs: 20 }))
    if (name.startsWith("a renewal extends")) await run();
});

test("a store that answers too slowly for any time to live is told so", async () => {
  const slow = slowed((ttlMs) => 2 * ttlMs);
  const check = checks(slow, { ttlMs: 20 }).find(({ name }) => name.startsWith("a renewal extends"));
  await assert.rejects(async () => check?.run(), /^Error: the store answers too slowly for a ttlMs of 20$/);
});

/** A durable store whose grants tell when the call began, as MariaDB's first grant of a namespace does. */
const lateGrants = () =>
  documents(true, {
    change: ({ acquire }) => ({
      async acquire(request) {
        const now = Date.now();
        await delay(100);
        const answer = await acquire(request);
        return "until" in answer ? { ...answer, now } : answer;
      },
    }),
  });

test("a grant that took longer than its time to live proves nothing", async () => {
  for (const { name, run } of checks(lateGrants(), { ttlMs: 20 }))
    if (/^(a new namespace|many acquisitions)/.test(name)) await run();
});
