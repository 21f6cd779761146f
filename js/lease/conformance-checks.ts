/** The checks for a store, by name. Each run of a check gets a new namespace. */
import {
  AFTER,
  isGranted,
  LATE,
  LAYOUT,
  must,
  mustDiffer,
  reach,
  Space,
  unique,
} from "./conformance-space.js";
import { story } from "./conformance-story.js";
import type { Grant, LeaseStore } from "./types.js";

type Checks = Readonly<Record<string, (it: Space) => Promise<void>>>;

/** Two calls at the same time, many times over. */
const RACES: Checks = {
  "a renewal and an acquisition at the same time: one of them has the number": (it) =>
    it.race(1, async (space, token, _, soon) => {
      const [next, rival] = [unique(), unique()];
      const [renewed, answer] = await Promise.all([
        soon(() => space.renew(0, token, next)),
        soon(() => space.acquire({ last: 0, token: rival })),
      ]);
      if (isGranted(answer)) {
        const isApart = renewed === null || answer.from >= renewed.until;
        must(isApart, "two intervals of one number", renewed, answer);
        must((await space.renew(0, next, next)) === null, "the earlier tenure is over", answer);
        await space.keep(answer, rival);
      }
    }),
  "a release and an acquisition at the same time: the acquired number stays held": (it) =>
    it.race(AFTER, async (space, token, { from }, soon) => {
      const rival = unique();
      const [, answer] = await Promise.all([
        soon(() => space.release(0, [token], from + 1)),
        soon(() => space.acquire({ last: 0, token: rival })),
      ]);
      if (isGranted(answer)) {
        await space.keep(answer, rival);
      }
    }),
  "a release and a renewal at the same time: no token holds the number": (it) =>
    it.race(0, async (space, token, held, soon) => {
      const next = unique();
      await Promise.all([
        soon(() => space.renew(0, token, next)),
        soon(() => space.release(0, [token, next], held.from + 1)),
      ]);
      must((await space.renew(0, next, next)) === null, "the tenure is over");
      // A forgetful store does not renew an expired grant, so a late round proves nothing.
      if (!space.store.durable && space.mayBeOver(held)) {
        throw LATE;
      }
    }),
  "two acquisitions of an expired number at the same time: one of them gets it": (it) =>
    it.race(AFTER, async (space, _, __, soon) =>
      mustDiffer(await Promise.all([0, 1].map(() => soon(() => space.acquire({ last: 0 }))))),
    ),
};

const ACQUISITIONS: Checks = {
  async "a new namespace waits for its quarantine"(it) {
    await it.first();
  },
  async "a grant is within the numbers that may be chosen"(it) {
    const some = { last: 255, mask: 0b00111000, bits: 0b00101000 };
    const seen = new Set<number>();
    for (let i = 0; i < 5; i++) {
      const { number } = await it.take(some);
      must((number & some.mask) === some.bits && number <= 255, "(n & mask) === bits", number);
      seen.add(number);
    }
    must(seen.size === 5, "each token has its own number", [...seen]);
  },
  async "a released number is granted only to a request that allows it"(it) {
    for (let i = 0; i < 4; i++) {
      const token = unique();
      const grant = await it.take({ token });
      if (grant.number % 2 === 0) {
        await it.release(grant.number, [token], 0);
      }
      if (i === 3) {
        await reach(grant.from, grant);
      }
    }
    const answer = await it.acquire({ mask: 1, bits: 1 });
    must(!isGranted(answer) || answer.number % 2 === 1, "an odd number, or none", answer);
  },
  async "a token that holds a number gets it again"(it) {
    const token = unique();
    const first = await it.take({ token });
    const second = await it.ask({ token });
    if (it.mayBeOver(first)) {
      throw LATE;
    }
    must(isGranted(second), "a grant", first, second);
    // Other properties of a grant, such as its warnings, may differ the second time.
    const isSame = (["number", "from", "until"] as const).every((name) => first[name] === second[name]);
    must(isSame, "the same grant", first, second);
  },
  async "a token whose grant has expired does not wait for other holders"(it) {
    const token = unique();
    const first = await it.take({ token });
    await reach(first.until, first);
    await it.take({ token });
  },
  async "held numbers are not granted, and callers are told when to retry"(it) {
    const grants: Grant[] = [];
    for (let i = 0; i < 4; i++) {
      grants.push(await it.take());
    }
    const answer = await it.acquire();
    mustDiffer([...grants, answer]);
    must("retryInMs" in answer, "no number is left", answer);
    must(answer.retryInMs > 0 && answer.retryInMs <= 2 * it.ttlMs, "retryInMs is near", answer);
  },
  async "many acquisitions at once get different numbers, or none"(it) {
    const answers = await Promise.all(Array.from({ length: 24 }, () => it.acquire({ last: 7 })));
    const grants = answers.filter(isGranted);
    must(grants.length > 0, "at least one gets a number", answers);
    while (grants.length < 8) {
      grants.push(await it.take({ last: 7 }));
    }
    mustDiffer(grants);
  },
  async "a namespace keeps its layout"(it) {
    await it.take();
    const answer = await it.acquire({ layout: "another" });
    must("layout" in answer && answer.layout === LAYOUT, "the layout that it has", answer);
  },
  async "namespaces are independent"(it) {
    const other = new Space(it.store, it.ttlMs);
    const token = unique();
    await it.take({ last: 0, token });
    await other.take({ last: 0 });
    await other.mustNotRenew("a token of another namespace", 0, token);
  },
  async "an expired number is granted again, from its end on"(it) {
    const token = unique();
    const first = await it.take({ last: 0, token });
    const { until } = first;
    await reach(until, first);
    const next = await it.take({ last: 0 });
    must(next.from >= until, "after the earlier interval", next, until);
    must(it.store.durable || next.from >= next.now + it.ttlMs, "a quarantine later", next);
    await it.mustNotRenew("the earlier tenure is over", 0, token);
  },
  async "any text can be a token or a label, and is never executed"(it) {
    for (const text of ["'; --", '"\\', "{}[]:,", "ä€😀", "%s $1 ?", "null"]) {
      const token = text + unique();
      const grant = await it.take({ last: 31, token, label: text });
      await it.keep(grant, token, `${text} next ${token}`);
    }
  },
};

const RENEWALS: Checks = {
  async "a renewal never shortens an interval"(it: Space) {
    const [one, two] = [unique(), unique()];
    const first = await it.take({ last: 0, token: one });
    const long = await it.renewFor(3 * it.ttlMs, 0, one, two);
    it.mustWhile(first, long !== null, "a renewal for longer");
    const short = await it.renewFor(it.ttlMs, 0, two, unique());
    it.mustWhile(long, short !== null, "a renewal for shorter");
    must(short.until >= long.until, "until stays", long, short);
  },
  async "a renewal extends the interval, and changes the token"(it) {
    const [one, two, three] = [unique(), unique(), unique()];
    const first = await it.take({ token: one });
    const { number, from } = first;
    const renewed = await it.keep(first, one, two);
    must(renewed.number === number && renewed.from === from, "the same tenure", renewed);
    must(renewed.until >= renewed.now + it.ttlMs, "until at least ttlMs from now on", renewed);
    await it.keep(renewed, one, two);
    await it.keep(renewed, two, three);
    await it.mustNotRenew("an old token", number, two);
    await it.mustNotRenew("a foreign token", number, unique());
    await it.mustNotRenew("another number", number + 9, three);
  },
};

const RELEASES: Checks = {
  async "only the holder's release frees unused time"(it) {
    const token = unique();
    const first = await it.take({ last: 0, token });
    const used = first.from + 7;
    await it.release(0, [unique()], 0);
    const refused = await it.acquire({ last: 0 });
    mustDiffer([first, refused]);
    must("retryInMs" in refused, "a foreign token frees nothing", refused);
    // Renewals fill an interval that begins later. After the release, one ttl of it is left.
    const { token: last, grant } = await it.fill(first, token, used + it.ttlMs);
    await it.release(0, [unique(), last], used);
    await reach(used, grant);
    const next = await it.take({ last: 0 });
    must(next.from >= used, "the next tenure begins after the used time", next, used);
    must(!it.store.durable || next.from === used, "and not later", next, used, grant);
    // Any later, and the number would be free even without the release.
    if (next.now >= grant.until) {
      throw LATE;
    }
    await it.mustNotRenew("the tenure is over", 0, last);
    await it.release(0, [last], 0);
    must((await it.acquire({ last: 0 })) !== null, "a second release does nothing");
  },
  async "a release never lowers the mark below the start of the tenure"(it) {
    const [token, rival] = [unique(), unique()];
    const first = await it.take({ last: 0, token });
    await it.release(0, [token], 0);
    const early = await it.acquire({ last: 0, token: rival });
    if (!it.store.durable) {
      mustDiffer([first, early]);
    }
    await reach(first.from, first);
    const next = await it.take({ last: 0, token: rival });
    must(next.from >= first.from, "the next tenure begins there", next, first);
  },
  async "a released number is granted before an expired one"(it) {
    const token = unique();
    await it.take({ last: 1 });
    const held = await it.take({ last: 1, token });
    const { number, until } = held;
    await reach(until, held);
    await it.release(number, [token], until);
    const next = await it.take({ last: 1 });
    must(next.number === number, "the one that was given back", next, number);
  },
};

const DURABLE: Checks = {
  async "a durable store grants a released number at once, from its first unused time"(it) {
    const token = unique();
    const first = await it.take({ last: 0, token });
    const used = first.from + 7;
    const { token: last } = await it.fill(first, token, used);
    await it.release(0, [last], used);
    const next = await it.take({ last: 0 });
    must(next.from === used, "the next tenure begins there", next, used);
  },
};

const FORGETFUL: Checks = {
  async "a forgetful store grants nothing at once, and renews no expired grant"(it) {
    const token = unique();
    const first = await it.take({ last: 0, token });
    must(first.from === first.until, "an empty interval", first);
    await reach(first.until, first);
    await it.mustNotRenew("after its mark", 0, token);
  },
};

/** For a store that can forget a namespace. */
const FORGETTING: Checks = {
  async "a forgotten namespace starts again"(it) {
    const token = unique();
    const { number } = await it.take({ token });
    await it.store.forget?.(it.namespace);
    await it.mustNotRenew("its tenures are over", number, token);
    await it.first({ layout: "another" });
  },
};

/** For a store that can list its records. */
const LISTING: Checks = {
  async "a namespace lists its records"(it) {
    const listed = async () => (await it.store.list?.(it.namespace)) ?? [];
    must((await listed()).length === 0, "nothing before the first call");
    const token = unique();
    const { number, from, until } = await it.take({ token, label: "who asks" });
    const [record] = (await listed()).filter(({ held }) => held);
    must(record?.number === number && record.label === "who asks", "the number", record);
    must(record.from === from && record.mark === until, "its interval", record);
    await it.release(number, [token], 0);
    must(!(await listed()).some(({ held }) => held), "no token holds it");
  },
};

const STORIES: Checks = {
  "a long random story agrees with the rules": (it) => story(it.store, it.request({ last: 5 })),
};

/** The checks for a store, chosen by its guarantees and its optional methods. */
export const checksOf = ({ durable, forget, list }: LeaseStore): Checks => ({
  ...RACES,
  ...ACQUISITIONS,
  ...RENEWALS,
  ...RELEASES,
  ...STORIES,
  ...(durable ? DURABLE : FORGETFUL),
  ...(forget && FORGETTING),
  ...(list && LISTING),
});
