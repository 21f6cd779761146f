/**
 * Proves that a store of leases keeps to the protocol: a list of checks, for any test runner. They use namespaces of their own, and the
 * store's real clock: all of them together take some seconds.
 *
 * @module graupel/lease/conformance
 *
 * @example
 * ```js
 * import { memory } from "graupel/lease";
 * import { checks } from "graupel/lease/conformance";
 * for (const { name, run } of checks(memory())) {
 *   await run();
 *   console.log(name);
 * }
 * ```
 */
import { acquire, type NamespaceRecord, type NumberRecord, release, renew } from "./rules.js";
import type { AcquireRequest, Grant, LeaseStore } from "./types.js";

/** One check. */
export interface Check {
  /** What it checks, in words. */
  readonly name: string;
  /** Rejects with the reason if the store does not do so. */
  run(this: void): Promise<void>;
}

/** What `checks` takes besides. */
export interface ConformanceOptions {
  /** The shortest time to live that the store can be checked with, in milliseconds; 400 if left out. More for slow stores. */
  readonly ttlMs?: number | undefined;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function must(holds: boolean, what: string, ...seen: unknown[]): asserts holds {
  if (!holds) {
    throw new Error([what, ...seen.map((one) => JSON.stringify(one))].join("; "));
  }
}

let drawn = 0;
/** A text that no other check, process or run uses. */
const unique = (what: string) =>
  `${what}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}-${drawn++}`;

const LAYOUT = "0+1:41,10n,12";

/** How often two calls are made at the same time: a store that reads and then writes fails in about one of ten. */
const ROUNDS = 100;

/** The checks of a store. */
export function checks(store: LeaseStore, { ttlMs = 400 }: ConformanceOptions = {}): Check[] {
  const { durable } = store;
  const quarantineMs = ttlMs;
  const requestIn = (namespace: string, more: Partial<AcquireRequest> = {}): AcquireRequest => ({
    namespace,
    layout: LAYOUT,
    last: 3,
    mask: 0,
    bits: 0,
    ttlMs,
    quarantineMs,
    token: unique("token"),
    label: "a check",
    ...more,
  });
  /** No interval goes further: whoever waits for its end waits for ever. */
  const soon = ({ until, now }: Grant) =>
    must(
      until <= now + quarantineMs + ttlMs,
      "an interval ends within a quarantine and a time to live",
      until,
      now,
    );
  /** A grant, which there has to be. */
  const take = async (request: AcquireRequest): Promise<Grant> => {
    const answer = await store.acquire(request);
    must("number" in answer, "acquire: there has to be a number", request, answer);
    const { number, from, until, now } = answer;
    must([number, from, until, now].every(Number.isSafeInteger), "a grant has whole numbers", answer);
    must(from <= until, "a grant begins before it ends", answer);
    soon(answer);
    must(Math.abs(now - Date.now()) < 600_000, "`now` is Unix milliseconds by the store's clock", answer);
    return answer;
  };
  const release = (namespace: string, number: number, tokens: readonly string[], nextFree: number) =>
    store.release({ namespace, number, tokens, nextFree });
  const renewal = async (namespace: string, number: number, token: string, nextToken: string) => {
    const answer = await store.renew({ namespace, number, ttlMs, token, nextToken });
    if (answer !== null) {
      soon(answer);
    }
    return answer;
  };

  /** Renews until an interval reaches a time. */
  const filled = async (namespace: string, number: number, first: string, time: number) => {
    let token = first;
    for (let tries = 0; ; tries++) {
      must(tries < 40, "renewals extend the interval", time);
      const next = unique("token");
      const renewed = await renewal(namespace, number, token, next);
      must(renewed !== null, "a renewal by the token that holds the number", token);
      token = next;
      if (renewed.until > time) {
        return { token, until: renewed.until };
      }
      await wait(ttlMs / 4);
    }
  };

  /**
   * Many rounds of calls at the same time, around the end of an interval. Each round has a namespace with one number; `meet` gets its
   * request, the token that holds it, the first time of the tenure, and a function that makes a call at about that moment.
   */
  const race = (
    what: string,
    meet: (
      request: AcquireRequest,
      token: string,
      from: number,
      soon: <T>(call: () => Promise<T>) => Promise<T>,
    ) => Promise<void>,
  ) =>
    Promise.all(
      Array.from({ length: ROUNDS }, async (_, i) => {
        await wait((i * ttlMs) / ROUNDS);
        const request = requestIn(unique(what), { last: 0 });
        const began = Date.now();
        const { from } = await take(request);
        const took = Date.now() - began;
        const token = unique("token");
        const held = await renewal(request.namespace, 0, request.token, token);
        must(held !== null, "a renewal by the token that holds the number");
        await wait(held.until - held.now - took / 2);
        await meet(request, token, from, async (call) => {
          await wait(Math.random() * 2 * took);
          return call();
        });
      }),
    );
  const isGranted = (answer: object): answer is Grant => "number" in answer;

  const list: Record<string, () => Promise<void>> = {
    async "a renewal and an acquisition at the same time: one of them has the number"() {
      await race("renewed", async (request, token, _, soon) => {
        const rival = { ...request, token: unique("token") };
        const next = unique("token");
        const [renewed, answer] = await Promise.all([
          soon(() => renewal(request.namespace, 0, token, next)),
          soon(() => store.acquire(rival)),
        ]);
        if (isGranted(answer)) {
          must(
            renewed === null || answer.from >= renewed.until,
            "two intervals of one number",
            renewed,
            answer,
          );
          must(
            (await renewal(request.namespace, 0, next, next)) === null,
            "the earlier tenure is over",
            answer,
          );
          must(
            (await renewal(request.namespace, 0, rival.token, next)) !== null,
            "the later one is not",
            answer,
          );
        }
      });
    },
    async "a release and an acquisition at the same time: what is acquired stays"() {
      await race("released", async (request, token, from, soon) => {
        const rival = { ...request, token: unique("token") };
        const [, answer] = await Promise.all([
          soon(() => release(request.namespace, 0, [token], from + 1)),
          soon(() => store.acquire(rival)),
        ]);
        if (isGranted(answer)) {
          must(
            (await renewal(request.namespace, 0, rival.token, unique("token"))) !== null,
            "a renewal of what was acquired",
            answer,
          );
        }
      });
    },
    async "a release and a renewal at the same time: nobody holds the number"() {
      await race("ended", async ({ namespace }, token, from, soon) => {
        const next = unique("token");
        await Promise.all([
          soon(() => renewal(namespace, 0, token, next)),
          soon(() => release(namespace, 0, [token, next], from + 1)),
        ]);
        must((await renewal(namespace, 0, next, next)) === null, "the tenure is over");
      });
    },
    async "two acquisitions of a number that is over, at the same time: one of them gets it"() {
      await race("expired", async (request, _, __, soon) => {
        const answers = await Promise.all(
          [0, 1].map(() => soon(() => store.acquire({ ...request, token: unique("token") }))),
        );
        must(answers.filter(isGranted).length < 2, "one number twice", answers);
      });
    },
    async "a renewal never shortens an interval"() {
      const request = requestIn(unique("shorter"), { last: 0 });
      await take(request);
      const [second, third] = [unique("token"), unique("token")];
      const renew = (time: number, token: string, nextToken: string) =>
        store.renew({ namespace: request.namespace, number: 0, ttlMs: time, token, nextToken });
      const long = await renew(3 * ttlMs, request.token, second);
      const short = await renew(ttlMs, second, third);
      must(long !== null && short !== null && short.until >= long.until, "until stays", long, short);
    },
    async "a new namespace waits for its quarantine"() {
      const grant = await take(requestIn(unique("new")));
      must(grant.from >= grant.now + quarantineMs, "the first grant begins a quarantine later", grant);
    },
    async "a grant is within the numbers that may be chosen"() {
      const namespace = unique("mask");
      const request = requestIn(namespace, { last: 255, mask: 0b00111000, bits: 0b00101000 });
      const seen = new Set<number>();
      for (let i = 0; i < 5; i++) {
        const { number } = await take({ ...request, token: unique("token") });
        must((number & request.mask) === request.bits && number <= 255, "(n & mask) === bits", number);
        seen.add(number);
      }
      must(seen.size === 5, "each token has a number of its own", [...seen]);
    },
    async "numbers that were used before are within those that may be chosen, too"() {
      const namespace = unique("used");
      let last = 0;
      for (let i = 0; i < 4; i++) {
        const request = requestIn(namespace);
        const { number, from } = await take(request);
        last = Math.max(last, from);
        if (number % 2 === 0) {
          await release(namespace, number, [request.token], 0);
        }
      }
      await wait(last - Date.now() + 50);
      const answer = await store.acquire(requestIn(namespace, { mask: 1, bits: 1 }));
      must(!("number" in answer) || answer.number % 2 === 1, "an odd number, or none", answer);
    },
    async "a token that holds a number gets it again"() {
      const request = requestIn(unique("again"));
      const { now: _, ...first } = await take(request);
      const { now: __, ...second } = await take(request);
      must(JSON.stringify(first) === JSON.stringify(second), "the same grant", first, second);
    },
    async "held numbers are not granted, and others are asked to come again"() {
      const namespace = unique("full");
      const numbers = new Set<number>();
      for (let i = 0; i < 4; i++) {
        numbers.add((await take(requestIn(namespace))).number);
      }
      must(numbers.size === 4, "four numbers", [...numbers]);
      const answer = await store.acquire(requestIn(namespace));
      must("retryInMs" in answer, "no number is left", answer);
      must(answer.retryInMs > 0 && answer.retryInMs <= quarantineMs + ttlMs, "retryInMs is near", answer);
    },
    async "many that ask at once get different numbers, or none"() {
      const namespace = unique("crowd");
      const answers = await Promise.all(
        Array.from({ length: 24 }, () => store.acquire(requestIn(namespace, { last: 7 }))),
      );
      const numbers = answers.flatMap((answer) => ("number" in answer ? [answer.number] : []));
      must(new Set(numbers).size === numbers.length, "no number twice", numbers);
      must(numbers.length > 0, "somebody gets one", answers);
      for (let i = numbers.length; i < 8; i++) {
        numbers.push((await take(requestIn(namespace, { last: 7 }))).number);
      }
      must(new Set(numbers).size === 8, "all eight in the end", numbers);
    },
    async "a namespace keeps its layout"() {
      const namespace = unique("layout");
      await take(requestIn(namespace));
      const answer = await store.acquire(requestIn(namespace, { layout: "another" }));
      must("layout" in answer && answer.layout === LAYOUT, "the layout that it has", answer);
    },
    async "namespaces know nothing of each other"() {
      const [one, other] = [unique("one"), unique("other")];
      const first = requestIn(one, { last: 0 });
      await take(first);
      await take(requestIn(other, { last: 0 }));
      must((await renewal(other, 0, first.token, unique("token"))) === null, "a token of another namespace");
    },
    async "a renewal extends the interval, and changes the token"() {
      const namespace = unique("renew");
      const request = requestIn(namespace);
      const { number, from } = await take(request);
      const [second, third] = [unique("token"), unique("token")];
      const renewed = await renewal(namespace, number, request.token, second);
      must(
        renewed !== null && renewed.number === number && renewed.from === from,
        "the same tenure",
        renewed,
      );
      must(renewed.until >= renewed.now + ttlMs, "until at least ttlMs from now on", renewed);
      must((await renewal(namespace, number, request.token, second)) !== null, "the same call again");
      must((await renewal(namespace, number, second, third)) !== null, "the next token");
      must((await renewal(namespace, number, second, unique("token"))) === null, "an old token");
      must((await renewal(namespace, number, unique("token"), unique("token"))) === null, "a foreign token");
      must((await renewal(namespace, number + 9, third, unique("token"))) === null, "another number");
    },
    async "a release gives back what was not used, and nothing else does"() {
      const namespace = unique("release");
      const request = requestIn(namespace, { last: 0 });
      const { number, from } = await take(request);
      await release(namespace, number, [unique("token")], 0);
      const refused = await store.acquire(requestIn(namespace, { last: 0 }));
      must("retryInMs" in refused, "a foreign token frees nothing");
      // An interval that begins later is filled by renewals.
      const { token, until } = await filled(namespace, number, request.token, from + 7);
      await release(namespace, number, [unique("token"), token], from + 7);
      await wait(from + 7 - Date.now() + 50);
      const next = await take(requestIn(namespace, { last: 0 }));
      must(next.from >= from + 7, "the next tenure begins after what was used", next, from);
      must(!durable || next.from === from + 7, "and not later", next, from, until);
      must((await renewal(namespace, number, token, unique("token"))) === null, "the tenure is over");
      await release(namespace, number, [token], 0);
      must(
        (await store.acquire(requestIn(namespace, { last: 0 }))) !== null,
        "a second release does nothing",
      );
    },
    async "a release never goes below where the tenure began"() {
      const namespace = unique("below");
      const request = requestIn(namespace, { last: 0 });
      const { from } = await take(request);
      await release(namespace, 0, [request.token], 0);
      await wait(Math.max(0, from - Date.now()) + 50);
      const next = await take(requestIn(namespace, { last: 0 }));
      must(next.from >= from, "the next tenure begins there", next, from);
    },
    async "a number that nobody renews is granted again, from where it ended"() {
      const namespace = unique("expired");
      const request = requestIn(namespace, { last: 0 });
      const { until } = await take(request);
      await wait(until - Date.now() + 50);
      const next = await take(requestIn(namespace, { last: 0 }));
      must(next.from >= until, "after the earlier interval", next, until);
      must(durable || next.from >= next.now + quarantineMs, "a quarantine later", next);
      must(
        (await renewal(namespace, 0, request.token, unique("token"))) === null,
        "the earlier tenure is over",
      );
    },
    async "a number that was given back goes before one that nobody renews"() {
      const namespace = unique("order");
      const request = requestIn(namespace, { last: 1 });
      await take(request);
      const second = { ...request, token: unique("token") };
      const { number, until } = await take(second);
      await wait(until - Date.now() + 50);
      await release(namespace, number, [second.token], until);
      const next = await take({ ...request, token: unique("token") });
      must(next.number === number, "the one that was given back", next, number);
    },
    async "any text is a token or a label, and nothing runs it"() {
      const namespace = unique("text");
      for (const text of ["'; --", '"\\', "{}[]:,", "ä€😀", "%s $1 ?", "null"]) {
        const request = requestIn(namespace, { last: 31, token: text + unique("token"), label: text });
        const { number } = await take(request);
        const renewed = await renewal(namespace, number, request.token, `${text} next ${request.token}`);
        must(renewed !== null, "its own token", text);
      }
    },
    "a long random story agrees with the rules": () => story(store, requestIn(unique("story"), { last: 5 })),
  };
  if (durable) {
    list["a durable store grants at once what was given back, from where it was used"] = async () => {
      const namespace = unique("back");
      const request = requestIn(namespace, { last: 0 });
      const { from } = await take(request);
      const { token } = await filled(namespace, 0, request.token, from + 7);
      await release(namespace, 0, [token], from + 7);
      const next = await take({ ...request, token: unique("token") });
      must(next.from === from + 7, "the next tenure begins there", next, from);
    };
  } else {
    list["a forgetful store grants nothing at once, and renews nothing that is over"] = async () => {
      const namespace = unique("forgetful");
      const request = requestIn(namespace, { last: 0 });
      const { from, until } = await take(request);
      must(from === until, "an empty interval", from, until);
      await wait(until - Date.now() + 50);
      must((await renewal(namespace, 0, request.token, unique("token"))) === null, "after its mark");
    };
  }
  if (store.forget) {
    list["a namespace that is forgotten begins anew"] = async () => {
      const namespace = unique("forget");
      const request = requestIn(namespace);
      const { number } = await take(request);
      await store.forget?.(namespace);
      must(
        (await renewal(namespace, number, request.token, unique("token"))) === null,
        "its tenures are over",
      );
      const { from, now } = await take(requestIn(namespace, { layout: "another" }));
      must(from >= now + quarantineMs, "the first grant begins a quarantine later", from, now);
    };
  }
  const { list: records } = store;
  if (records) {
    list["a namespace lists its records"] = async () => {
      const namespace = unique("list");
      must((await records.call(store, namespace)).length === 0, "nothing before the first call");
      const request = requestIn(namespace, { label: "who asks" });
      const { number, from, until } = await take(request);
      const [record] = (await records.call(store, namespace)).filter(({ held }) => held);
      must(
        record !== undefined && record.number === number && record.label === "who asks",
        "the number",
        record,
      );
      must(record.from === from && record.mark === until, "its interval", record);
      await release(namespace, number, [request.token], 0);
      must(!(await records.call(store, namespace)).some(({ held }) => held), "nobody holds it any more");
    };
  }
  return Object.entries(list).map(([name, run]) => ({ name, run }));
}

/** Random calls, one after the other; each answer that tells the store's time is what the rules say at that time. */
async function story(store: LeaseStore, request: AcquireRequest): Promise<void> {
  const { durable } = store;
  const { namespace, ttlMs } = request;
  const records = new Map<number, NumberRecord>();
  const tokens: string[] = [];
  let own: NamespaceRecord | undefined;
  const below = (n: number) => Math.floor(Math.random() * n);
  const some = () => tokens[below(tokens.length)] ?? "nobody";
  for (let step = 0; step < 120; step++) {
    const kind = below(10);
    if (kind < 4) {
      const token = below(4) === 0 ? some() : unique("token");
      tokens.push(token);
      const asked = { ...request, token };
      const answer = await store.acquire(asked);
      if (!("number" in answer)) {
        continue;
      }
      own ??= { layout: request.layout, born: answer.now };
      const expected = acquire(own, records, asked, answer.now, durable).answer;
      must(
        "number" in expected && expected.from === answer.from && expected.until === answer.until,
        "acquire: the rules say otherwise",
        asked,
        answer,
        expected,
        [...records],
      );
      // Of equal ones, any may be chosen.
      const { number, from, until: mark } = answer;
      records.set(number, { token, from, mark, label: request.label });
    } else if (kind < 8) {
      const number = below(6);
      const asked = {
        namespace,
        number,
        ttlMs,
        token: records.get(number)?.token || some(),
        nextToken: unique("token"),
      };
      const answer = await store.renew(asked);
      if (answer !== null) {
        tokens.push(asked.nextToken);
        const expected = renew(records.get(number), asked, answer.now, durable);
        must(expected?.mark === answer.until, "renew: the rules say otherwise", asked, answer, expected);
        records.set(number, expected);
      }
    } else if (kind < 9) {
      const number = below(6);
      const { token = "", from = 0, mark = 0 } = records.get(number) ?? {};
      const asked = {
        namespace,
        number,
        tokens: [token || some()],
        nextFree: below(2) ? from + below(mark - from + 1) : 0,
      };
      await store.release(asked);
      const after = release(records.get(number), asked);
      if (after) {
        records.set(number, after);
      }
    } else {
      await wait(below(ttlMs / 4));
    }
  }
}
