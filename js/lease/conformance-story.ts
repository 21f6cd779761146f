/** Compares a long random sequence of calls with the rules. */

import { must, unique, wait } from "./conformance-space.js";
import { acquire, type NamespaceRecord, type NumberRecord, release, renew } from "./store-rules.js";
import type { AcquireRequest, LeaseStore } from "./types.js";

/**
 * Makes random calls, one after the other. Each answer that contains the store's time must equal
 * the answer of the rules at that time, however long the call took.
 */
export async function story(store: LeaseStore, request: AcquireRequest): Promise<void> {
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
      const token = below(4) === 0 ? some() : unique();
      tokens.push(token);
      const asked = { ...request, token };
      const answer = await store.acquire(asked);
      if (!("number" in answer)) {
        continue;
      }
      const { number, from, until: mark, now } = answer;
      // A slow call may tell a later time than that of the creation. In a durable store, the first
      // grant begins a quarantine after it.
      own ??= { layout: request.layout, born: durable ? from - request.quarantineMs : now };
      const expected = acquire(own, records, asked, now, durable).answer;
      // A token that holds an expired number may get an empty interval.
      const isEmpty = from === mark && mark <= now;
      must(
        "number" in expected && expected.until === mark && (isEmpty || expected.from === from),
        "acquire: the rules say otherwise",
        asked,
        answer,
        expected,
        [...records],
      );
      // If several numbers are equally good, the store may choose any of them.
      records.set(number, { token, from: expected.from, mark, label: request.label });
    } else if (kind < 8) {
      const number = below(6);
      const asked = {
        namespace,
        number,
        ttlMs,
        token: records.get(number)?.token || some(),
        nextToken: unique(),
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
