/**
 * A world: processes that fight for few numbers of one store, for some minutes of scripted time. Clocks differ, jump and stand; messages
 * are lost, doubled and late; processes sleep, are killed and start again; servers fall behind, take over and lose what they had. Whatever
 * happens, no number and time is used twice.
 */
import { snowflake } from "graupel";
import type { LeaseStore } from "../../../../js/lease/types.ts";
import { Random } from "../../support/random.ts";
import { Client } from "./client.ts";
import { Issued } from "./issued.ts";
import { Schedule } from "./schedule.ts";
import { Server } from "./servers.ts";

/** What a world takes. */
export interface Plan {
  readonly seed: number;
  /** Scripted minutes. */
  readonly minutes: number;
  /** IDs that are made at once, at most. */
  readonly batch: number;
  /** A mistake to be found: an interval without an end, or no more quarantine than a time to live. */
  readonly mistake?: Mistake | undefined;
}

/** Mistakes that a world can be made with, so that it is seen to find them. */
export const MISTAKES = ["no interval", "no quarantine"] as const;
export type Mistake = (typeof MISTAKES)[number];

/** What happened in a world. */
export interface Told {
  readonly ids: number;
  readonly refused: ReadonlyMap<string, number>;
  readonly happened: ReadonlyMap<string, number>;
}

/** Each world begins here; the epoch of its IDs is no multiple of a tick. */
const START = Date.UTC(2026, 0, 1);

/** Lets a world happen. Throws `Repeated`. */
export async function happen({ seed, minutes, batch, mistake }: Plan): Promise<Told> {
  const random = new Random(seed);
  const schedule = new Schedule();
  const issued = new Issued();
  const refused = new Map<string, number>();
  const happened = new Map<string, number>();
  const count = (of: Map<string, number>, what: string) => of.set(what, (of.get(what) ?? 0) + 1);

  const durable = random.chance(0.5);
  const tickMs = random.pick([1, 1, 4, 10]);
  const workerBits = random.pick([1, 2, 3, 5]);
  const ttlMs = random.pick([500, 2_000, 10_000]);
  /** What clocks of servers differ by, and how long a deposed one answers. */
  const apart = random.pick([50, 500, 3_000]);
  /** Milliseconds between two accidents, on average. */
  const pace = random.pick([500, 2_000, 10_000]);
  const quarantineMs = mistake === "no quarantine" ? ttlMs : ttlMs + 2 * apart + 1;
  const format = snowflake({
    epoch: START - 1_000_003,
    tickMs,
    fields: { time: 41, worker: workerBits, sequence: 8 },
  });
  const time = () => START + schedule.now;
  let primary = new Server(durable, time);
  let replica = new Server(durable, time);
  let deposed: Server | undefined;
  const drift = () => random.below(apart + 1) - apart / 2;

  /** The store as one process sees it: by a network that loses, doubles and delays. */
  const storeFor = (client: () => Client): LeaseStore => {
    const send = <T>(work: (server: Server) => T): Promise<T> =>
      new Promise((resolve) => {
        const server = deposed !== undefined && random.chance(0.5) ? deposed : primary;
        const arrive = () => {
          const answer = work(server);
          if (random.chance(0.05)) {
            count(happened, "an answer was lost");
            return;
          }
          const late = random.chance(0.05) ? random.below(2 * ttlMs) : random.below(20);
          schedule.after(late, () => client().within(() => resolve(answer)));
        };
        if (random.chance(0.05)) {
          count(happened, "a request was lost");
          return;
        }
        const late = random.chance(0.05) ? random.below(2 * ttlMs) : random.below(20);
        // A server that was deposed for so long answers no more.
        const alive = () => {
          if (server === primary || server === deposed) arrive();
        };
        schedule.after(late, alive);
        if (random.chance(0.05)) {
          count(happened, "a request came twice");
          schedule.after(late + random.below(ttlMs), alive);
        }
      });
    const open = <T>(grant: T): T =>
      mistake === "no interval" && grant !== null && typeof grant === "object" && "until" in grant
        ? { ...grant, until: (grant.until as number) + 1_000_000 }
        : grant;
    return {
      durable,
      acquire: (request) => send((server) => open(server.acquire(request))),
      renew: (request) => send((server) => open(server.renew(request))),
      release: (request) => send((server) => server.release(request)),
    };
  };

  let failure: Error | undefined;
  let born = 0;
  const clients: Client[] = [];
  const join = () => {
    const client: Client = new Client({
      name: `process ${born++}`,
      random,
      schedule,
      start: START,
      format,
      store: storeFor(() => client),
      ttlMs,
      quarantineMs,
      failed: (error) => {
        failure ??= error;
      },
    });
    client.jump(random.chance(0.2) ? random.below(2 * ttlMs) - ttlMs : random.below(40) - 20);
    clients.push(client);
    client.start();
  };
  const many = 2 ** workerBits + random.below(4);
  for (let i = 0; i < many; i++) join();

  const make = (client: Client) => {
    const { ids, refused: code } = client.make(1 + random.below(batch));
    if (code !== undefined) count(refused, code);
    const [first] = ids;
    if (first === undefined) return;
    const { worker } = format.inspect(first);
    const bits = BigInt(workerBits + 8);
    const places = ids.map((id) => ((id >> bits) << 8n) | (id & 255n));
    issued.add(worker as number, `${client.name} from ${client.lease?.status.from}`, places);
  };

  const replace = (client: Client) => {
    clients.splice(clients.indexOf(client), 1);
    join();
  };
  /** What may happen at any time, and how often it does. */
  const events: readonly (readonly [share: number, what: string, work: (client: Client) => void])[] = [
    [4, "a process sleeps", (it) => it.sleep(random.below(3 * ttlMs))],
    [
      2,
      "a process is killed",
      (it) => {
        it.kill();
        replace(it);
      },
    ],
    [
      2,
      "a process ends",
      (it) => {
        it.leave();
        replace(it);
      },
    ],
    [4, "a clock jumps", (it) => it.jump(random.below(4 * ttlMs) - 2 * ttlMs)],
    [2, "a clock is set right", (it) => it.jump(-it.offset)],
    [1, "a clock stands", (it) => it.stand(true)],
    [3, "a clock runs again", (it) => it.stand(false)],
    [1, "a process says that it was copied", (it) => it.lease?.invalidate()],
    [1, "a number is stolen", () => primary.steal(random.below(2 ** workerBits), "a thief")],
    [4, "a replica follows", () => replica.follow(primary)],
    [durable ? 0 : 2, "a replica takes over", takeOver],
    [1, "the store is flushed", () => primary.flush()],
    [1, "the store's clock changes", () => primary.set(drift())],
  ];
  const shares = events.flatMap((event) => Array.from({ length: event[0] }, () => event));

  function takeOver(): void {
    deposed = primary;
    replica.set(drift());
    primary = replica;
    replica = new Server(durable, time);
    const old = deposed;
    schedule.after(random.below(apart), () => {
      if (deposed === old) deposed = undefined;
    });
  }

  const end = minutes * 60_000;
  while (schedule.now < end) {
    const step = random.below(ttlMs / 20);
    await schedule.run(schedule.now + step);
    if (failure) throw failure;
    for (const client of [...clients]) {
      if (random.chance(0.3)) make(client);
    }
    if (random.chance(step / pace)) {
      const [, what, work] = random.pick(shares);
      count(happened, what);
      work(random.pick(clients));
    }
  }
  for (const client of clients) client.kill();
  return { ids: issued.count, refused, happened };
}
