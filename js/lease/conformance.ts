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
import {
  AFTER,
  askedAt,
  asking,
  filledOf,
  isGranted,
  LATE,
  LAYOUT,
  must,
  mustDiffer,
  raceOf,
  reach,
  requestFor,
  unique,
  untilProven,
} from "./conformance-rounds.js";
import { story } from "./conformance-story.js";
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
  /** The time to live of the grants, in milliseconds; 400 if left out. A check whose calls take longer than half of it is made again, up to 10 times. */
  readonly ttlMs?: number | undefined;
}

/** The checks of a store. */
export function checks(store: LeaseStore, { ttlMs = 400 }: ConformanceOptions = {}): Check[] {
  const { durable } = store;
  const quarantineMs = ttlMs;
  const requestIn = (namespace: string, more: Partial<AcquireRequest> = {}): AcquireRequest => ({
    ...requestFor(namespace, ttlMs),
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
  /** Whether a grant may have run out by now: after half of the shortest one, because the store's clock may be coarse. */
  const mayBeOver = (grant: Grant) => 2 * (performance.now() - (askedAt.get(grant) ?? 0)) >= ttlMs;
  /** Like `must`, for what a sound store promises only until the grant ends. */
  function mustWhile(grant: Grant, holds: boolean, what: string, ...seen: unknown[]): asserts holds {
    if (!holds && mayBeOver(grant)) {
      throw LATE;
    }
    must(holds, what, grant, ...seen);
  }
  const acquire = (request: AcquireRequest) => asking(() => store.acquire(request));
  /** A grant, which there has to be. */
  const take = async (request: AcquireRequest): Promise<Grant> => {
    const answer = await acquire(request);
    must(isGranted(answer), "acquire: there has to be a number", request, answer);
    const { number, from, until, now } = answer;
    must([number, from, until, now].every(Number.isSafeInteger), "a grant has whole numbers", answer);
    must(from <= until, "a grant begins before it ends", answer);
    soon(answer);
    must(Math.abs(now - Date.now()) < 600_000, "`now` is Unix milliseconds by the store's clock", answer);
    return answer;
  };
  const release = (namespace: string, number: number, tokens: readonly string[], nextFree: number) =>
    store.release({ namespace, number, tokens, nextFree });
  const renewFor = (time: number, namespace: string, number: number, token: string, nextToken: string) =>
    asking(() => store.renew({ namespace, number, ttlMs: time, token, nextToken }));
  const renewal = async (namespace: string, number: number, token: string, nextToken: string) => {
    const answer = await renewFor(ttlMs, namespace, number, token, nextToken);
    if (answer !== null) {
      soon(answer);
    }
    return answer;
  };
  /** The renewal of a grant by the token that holds the number, which there has to be. */
  const keep = async (grant: Grant, namespace: string, token: string, nextToken = unique("token")) => {
    const renewed = await renewal(namespace, grant.number, token, nextToken);
    mustWhile(grant, renewed !== null, "a renewal by the token that holds the number", token);
    return renewed;
  };
  const inTime = (round: () => Promise<void>) => untilProven(round, ttlMs);

  const filled = filledOf(keep, ttlMs);
  const race = raceOf({ ttlMs, requestIn, take, keep, inTime });

  const list: Record<string, () => Promise<void>> = {
    async "a renewal and an acquisition at the same time: one of them has the number"() {
      await race("renewed", 1, async (request, token, _, soon) => {
        const rival = { ...request, token: unique("token") };
        const next = unique("token");
        const [renewed, answer] = await Promise.all([
          soon(() => renewal(request.namespace, 0, token, next)),
          soon(() => acquire(rival)),
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
          await keep(answer, request.namespace, rival.token);
        }
      });
    },
    async "a release and an acquisition at the same time: what is acquired stays"() {
      await race("released", AFTER, async (request, token, { from }, soon) => {
        const rival = { ...request, token: unique("token") };
        const [, answer] = await Promise.all([
          soon(() => release(request.namespace, 0, [token], from + 1)),
          soon(() => acquire(rival)),
        ]);
        if (isGranted(answer)) {
          await keep(answer, request.namespace, rival.token);
        }
      });
    },
    async "a release and a renewal at the same time: nobody holds the number"() {
      await race("ended", 0, async ({ namespace }, token, held, soon) => {
        const next = unique("token");
        await Promise.all([
          soon(() => renewal(namespace, 0, token, next)),
          soon(() => release(namespace, 0, [token, next], held.from + 1)),
        ]);
        must((await renewal(namespace, 0, next, next)) === null, "the tenure is over");
        // A forgetful store refuses to renew what is over, so a late round proves nothing.
        if (!durable && mayBeOver(held)) {
          throw LATE;
        }
      });
    },
    async "two acquisitions of a number that is over, at the same time: one of them gets it"() {
      await race("expired", AFTER, async (request, _, __, soon) => {
        const answers = await Promise.all(
          [0, 1].map(() => soon(() => acquire({ ...request, token: unique("token") }))),
        );
        mustDiffer(answers.filter(isGranted));
      });
    },
    async "a renewal never shortens an interval"() {
      const request = requestIn(unique("shorter"), { last: 0 });
      const first = await take(request);
      const second = unique("token");
      const long = await renewFor(3 * ttlMs, request.namespace, 0, request.token, second);
      mustWhile(first, long !== null, "a renewal for longer");
      const short = await renewFor(ttlMs, request.namespace, 0, second, unique("token"));
      mustWhile(long, short !== null, "a renewal for shorter");
      must(short.until >= long.until, "until stays", long, short);
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
      for (let i = 0; i < 4; i++) {
        const request = requestIn(namespace);
        const grant = await take(request);
        if (grant.number % 2 === 0) {
          await release(namespace, grant.number, [request.token], 0);
        }
        if (i === 3) {
          await reach(grant.from, grant);
        }
      }
      const answer = await store.acquire(requestIn(namespace, { mask: 1, bits: 1 }));
      must(!("number" in answer) || answer.number % 2 === 1, "an odd number, or none", answer);
    },
    async "a token that holds a number gets it again"() {
      const request = requestIn(unique("again"));
      const first = await take(request);
      const second = await take(request);
      // What else a grant says, such as its warnings, may be another the second time.
      const isSame = (["number", "from", "until"] as const).every((name) => first[name] === second[name]);
      must(isSame, "the same grant", first, second);
    },
    async "held numbers are not granted, and others are asked to come again"() {
      const namespace = unique("full");
      const grants: Grant[] = [];
      for (let i = 0; i < 4; i++) {
        grants.push(await take(requestIn(namespace)));
      }
      const answer = await acquire(requestIn(namespace));
      mustDiffer([...grants, answer].filter(isGranted));
      must("retryInMs" in answer, "no number is left", answer);
      must(answer.retryInMs > 0 && answer.retryInMs <= quarantineMs + ttlMs, "retryInMs is near", answer);
    },
    async "many that ask at once get different numbers, or none"() {
      const namespace = unique("crowd");
      const answers = await Promise.all(
        Array.from({ length: 24 }, () => acquire(requestIn(namespace, { last: 7 }))),
      );
      const grants = answers.filter(isGranted);
      must(grants.length > 0, "somebody gets one", answers);
      while (grants.length < 8) {
        grants.push(await take(requestIn(namespace, { last: 7 })));
      }
      mustDiffer(grants);
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
      const first = await take(request);
      const { number, from } = first;
      const [second, third] = [unique("token"), unique("token")];
      const renewed = await keep(first, namespace, request.token, second);
      must(renewed.number === number && renewed.from === from, "the same tenure", renewed);
      must(renewed.until >= renewed.now + ttlMs, "until at least ttlMs from now on", renewed);
      await keep(renewed, namespace, request.token, second);
      await keep(renewed, namespace, second, third);
      must((await renewal(namespace, number, second, unique("token"))) === null, "an old token");
      must((await renewal(namespace, number, unique("token"), unique("token"))) === null, "a foreign token");
      must((await renewal(namespace, number + 9, third, unique("token"))) === null, "another number");
    },
    async "a release gives back what was not used, and nothing else does"() {
      const namespace = unique("release");
      const request = requestIn(namespace, { last: 0 });
      const first = await take(request);
      const { number, from } = first;
      await release(namespace, number, [unique("token")], 0);
      const refused = await acquire(requestIn(namespace, { last: 0 }));
      mustDiffer([first, refused].filter(isGranted));
      must("retryInMs" in refused, "a foreign token frees nothing", refused);
      // An interval that begins later is filled by renewals; after the release, a time to live of it is left.
      const { token, grant } = await filled(namespace, first, request.token, from + 7 + ttlMs);
      await release(namespace, number, [unique("token"), token], from + 7);
      await reach(from + 7, grant);
      const next = await take(requestIn(namespace, { last: 0 }));
      must(next.from >= from + 7, "the next tenure begins after what was used", next, from);
      must(!durable || next.from === from + 7, "and not later", next, from, grant);
      // Later, the number would be free without the release, too.
      if (next.now >= grant.until) {
        throw LATE;
      }
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
      const first = await take(request);
      const { from } = first;
      await release(namespace, 0, [request.token], 0);
      const rival = requestIn(namespace, { last: 0 });
      const early = await acquire(rival);
      if (!durable) {
        mustDiffer([first, early].filter(isGranted));
      }
      await reach(from, first);
      const next = await take(rival);
      must(next.from >= from, "the next tenure begins there", next, from);
    },
    async "a number that nobody renews is granted again, from where it ended"() {
      const namespace = unique("expired");
      const request = requestIn(namespace, { last: 0 });
      const first = await take(request);
      const { until } = first;
      await reach(until, first);
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
      const held = await take(second);
      const { number, until } = held;
      await reach(until, held);
      await release(namespace, number, [second.token], until);
      const next = await take({ ...request, token: unique("token") });
      must(next.number === number, "the one that was given back", next, number);
    },
    async "any text is a token or a label, and nothing runs it"() {
      const namespace = unique("text");
      for (const text of ["'; --", '"\\', "{}[]:,", "ä€😀", "%s $1 ?", "null"]) {
        const request = requestIn(namespace, { last: 31, token: text + unique("token"), label: text });
        await keep(await take(request), namespace, request.token, `${text} next ${request.token}`);
      }
    },
    "a long random story agrees with the rules": () => story(store, requestIn(unique("story"), { last: 5 })),
  };
  if (durable) {
    list["a durable store grants at once what was given back, from where it was used"] = async () => {
      const namespace = unique("back");
      const request = requestIn(namespace, { last: 0 });
      const first = await take(request);
      const { from } = first;
      const { token } = await filled(namespace, first, request.token, from + 7);
      await release(namespace, 0, [token], from + 7);
      const next = await take({ ...request, token: unique("token") });
      must(next.from === from + 7, "the next tenure begins there", next, from);
    };
  } else {
    list["a forgetful store grants nothing at once, and renews nothing that is over"] = async () => {
      const namespace = unique("forgetful");
      const request = requestIn(namespace, { last: 0 });
      const first = await take(request);
      must(first.from === first.until, "an empty interval", first);
      await reach(first.until, first);
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
  return Object.entries(list).map(([name, run]) => ({ name, run: () => inTime(run) }));
}
