/**
 * A world: processes that compete for a few numbers of one store during some minutes of scripted
 * time. Clocks differ, jump and stand still; messages are lost, duplicated and delayed; processes
 * sleep, are killed and restart; servers lag behind, take over and lose their records. Whatever
 * happens, no number is used twice for the same time.
 */
import assert from "node:assert/strict";
import { snowflake } from "graupel";
import type { LeaseStore } from "../../../../js/lease/types.ts";
import { Random } from "../../support/random.ts";
import { type Client, newClient } from "./client.ts";
import { Schedule } from "./schedule.ts";
import { Server } from "./servers.ts";

/**
 * The first and last ID that a tenure issued, without the number, as an integer of (tick,
 * sequence).
 */
interface Stretch {
  readonly first: bigint;
  last: bigint;
  readonly by: string;
}

/** Two IDs of one number are equal, out of order, or from overlapping tenures. */
export class Repeated extends Error {}

/** All IDs of a world, by number: the first and last ID of each tenure. */
class Issued {
  readonly #stretches = new Map<number, Stretch[]>();
  count = 0;

  /** Records the IDs of a tenure in the order in which they were issued. */
  add(number: number, by: string, places: readonly bigint[]): void {
    const list = this.#stretches.get(number) ?? [];
    this.#stretches.set(number, list);
    const [first = 0n] = places;
    const known = list.find((one) => one.by === by);
    const own = known ?? { first, last: first - 1n, by };
    if (known === undefined) list.push(own);
    const fail = (what: string) => {
      throw new Repeated(`number ${number}: ${by} issued ${what}`);
    };
    for (const place of places) {
      if (place <= own.last) fail(`${place} after ${own.last}`);
      own.last = place;
    }
    const other = list.find((one) => one !== own && one.first <= own.last && own.first <= one.last);
    if (other) fail(`${own.first} to ${own.last}, and ${other.by} ${other.first} to ${other.last}`);
    this.count += places.length;
  }
}

/** The settings of a world. */
interface Plan {
  readonly seed: number;
  /** Scripted minutes. */
  readonly minutes: number;
  /** The maximum number of IDs issued at once. */
  readonly batch: number;
  /** A planted mistake: an interval without an end, or a quarantine no longer than the ttl. */
  readonly mistake?: Mistake | undefined;
}

/** Mistakes that can be planted in a world, to check that it finds them. */
export const MISTAKES = ["no interval", "no quarantine"] as const;
export type Mistake = (typeof MISTAKES)[number];

/** The start of every world. The epoch of its IDs is not a multiple of a tick. */
const START = Date.UTC(2026, 0, 1);

/** Runs a world. Throws `Repeated` or resolves to the number of IDs. */
export async function happen({ seed, minutes, batch, mistake }: Plan): Promise<{ readonly ids: number }> {
  const random = new Random(seed);
  const schedule = new Schedule();
  const issued = new Issued();

  const durable = random.chance(0.5);
  const tickMs = random.pick([1, 1, 4, 10]);
  const workerBits = random.pick([1, 2, 3, 5]);
  const ttlMs = random.pick([500, 2_000, 10_000]);
  /**
   * The maximum difference between servers' clocks, and how long a deposed server still answers.
   */
  const apart = random.pick([50, 500, 3_000]);
  /** The average time between accidents, in milliseconds. */
  const pace = random.pick([500, 2_000, 10_000]);
  const quarantineMs = mistake === "no quarantine" ? ttlMs : ttlMs + 2 * apart + 1;
  const fields = { time: 41, worker: workerBits, sequence: 8 } as const;
  const format = snowflake({ epoch: START - 1_000_003, tickMs, fields });
  const newServer = () => new Server(durable, () => START + schedule.now);
  let [primary, replica] = [newServer(), newServer()];
  let deposed: Server | undefined;
  let isCalm = false;
  /** Whether something happens to a message. */
  const fails = () => !isCalm && random.chance(0.05);
  const drift = () => random.below(apart + 1) - apart / 2;

  /**
   * The store as one process sees it, through a network that loses, duplicates and delays messages.
   */
  const storeFor = (client: () => Client): LeaseStore => {
    const late = () => (fails() ? random.below(2 * ttlMs) : random.below(20));
    const send = <T>(work: (server: Server) => T): Promise<T> =>
      new Promise((resolve) => {
        const server = deposed !== undefined && random.chance(0.5) ? deposed : primary;
        const arrive = () => {
          // A server that was deposed too long ago no longer answers.
          if (server !== primary && server !== deposed) return;
          const answer = work(server);
          const isLost = fails();
          if (!isLost) schedule.after(late(), () => client().within(() => resolve(answer)));
        };
        const isLost = fails();
        if (isLost) return;
        const ms = late();
        schedule.after(ms, arrive);
        const isDoubled = fails();
        if (isDoubled) schedule.after(ms + random.below(ttlMs), arrive);
      });
    const open = <T>(grant: T): T => {
      const { until } = Object(grant);
      return mistake === "no interval" && until ? { ...grant, until: until + 1_000_000 } : grant;
    };
    return {
      durable,
      acquire: (request) => send((server) => open(server.acquire(request))),
      renew: (request) => send((server) => open(server.renew(request))),
      release: (request) => send((server) => server.release(request)),
    };
  };

  let failure: Error | undefined;
  const failed = (error: Error) => {
    failure ??= error;
  };
  let born = 0;
  const clients: Client[] = [];
  const join = () => {
    const what = { random, schedule, start: START, format, ttlMs, quarantineMs, failed };
    const client: Client = newClient({ ...what, name: `process ${born++}`, store: storeFor(() => client) });
    client.offset = random.chance(0.2) ? random.below(2 * ttlMs) - ttlMs : random.below(40) - 20;
    clients.push(client);
    void client.begin();
  };
  const many = 2 ** workerBits + random.below(4);
  for (let i = 0; i < many; i++) join();

  const make = (client: Client) => {
    const ids = client.make(1 + random.below(batch));
    if (ids[0] === undefined) return;
    const { worker } = format.inspect(ids[0]);
    const bits = BigInt(workerBits + 8);
    const places = ids.map((id) => ((id >> bits) << 8n) | (id & 255n));
    issued.add(worker, `${client.name} from ${client.lease?.status.from}`, places);
  };

  const replace = (client: Client, end: () => void) => {
    end();
    clients.splice(clients.indexOf(client), 1);
    join();
  };
  const takeOver = () => {
    const old = primary;
    deposed = old;
    replica.offset = drift();
    primary = replica;
    replica = newServer();
    schedule.after(random.below(apart), () => {
      if (deposed === old) deposed = undefined;
    });
  };
  /** Events that may happen at any time, and how often they do. */
  const events: readonly (readonly [share: number, work: (client: Client) => void])[] = [
    [4, (it) => it.sleep(random.below(3 * ttlMs))],
    [2, (it) => replace(it, it.kill)],
    [2, (it) => replace(it, it.leave)],
    // A clock jumps, is corrected, stands still or runs again.
    [4, (it) => (it.offset += random.below(4 * ttlMs) - 2 * ttlMs)],
    [2, (it) => (it.offset = 0)],
    [1, (it) => it.stand(true)],
    [3, (it) => it.stand(false)],
    // A process reports that it was copied.
    [1, (it) => it.lease?.invalidate()],
    [1, () => primary.steal(random.below(2 ** workerBits), "a thief")],
    [4, () => replica.follow(primary)],
    [durable ? 0 : 2, takeOver],
    // The store is flushed.
    [1, () => primary.follow(newServer())],
    [1, () => (primary.offset = drift())],
  ];
  const shares = events.flatMap(([share, work]) => Array.from({ length: share }, () => work));

  const end = minutes * 60_000;
  while (schedule.now < end) {
    const step = random.below(ttlMs / 20);
    await schedule.run(schedule.now + step);
    if (failure) throw failure;
    for (const client of [...clients]) {
      if (random.chance(0.3)) make(client);
    }
    if (random.chance(step / pace)) random.pick(shares)(random.pick(clients));
  }

  /**
   * From now on nothing goes wrong. As many processes as possible must hold a number, renew it three
   * times per ttl, and release it at the end.
   */
  async function calmDown(): Promise<void> {
    const pass = async (ms: number) => {
      await schedule.run(schedule.now + ms);
      if (failure) throw failure;
    };
    isCalm = true;
    deposed = undefined;
    primary.offset = 0;
    for (const client of clients) {
      client.stand(false);
      client.offset = 0;
    }
    await pass(6 * (ttlMs + quarantineMs));
    const holders = clients.filter(({ lease }) => lease?.status.state === "held");
    assert.equal(holders.length, Math.min(many, 2 ** workerBits), "some numbers are not held");
    const before = primary.renewals;
    await pass(3 * ttlMs);
    const each = (primary.renewals - before) / holders.length;
    assert.ok(each > 6 && each < 12.5, `${each} renewals in three ttls`);
    for (const client of holders) {
      const { error, number } = client.lease?.status ?? {};
      const [id] = client.make(1);
      assert.deepEqual([error, id && format.inspect(id).worker], [undefined, number]);
    }
    for (const client of clients) client.leave();
    await pass(2 * ttlMs);
    assert.ok(holders.every(({ lease }) => lease?.status.state === "released"));
    const held = primary.tokens.filter((token) => clients.some(({ name }) => token.startsWith(`${name}-`)));
    assert.deepEqual(held, [], "numbers are held after all releases");
  }
  if (mistake === undefined) await calmDown();
  for (const client of clients) client.kill();
  return { ids: issued.count };
}
