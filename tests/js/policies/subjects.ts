// What the stories are told about: every format, with fixed fields, a way to fill a tick, and the page that it is on.
import { nanoflake } from "graupel/nanoflake";
import { sno } from "graupel/sno";
import { discord, instagram, mastodon, snowflake, sonyflake, twitter } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import { ulidFlake, ulidFlakeScalable } from "graupel/ulid-flake";

export const BACKWARDS = ["throw", "wait", "hold", "tick-tock"] as const;
export const FULL = ["throw", "wait", "borrow"] as const;
export const PAGES = ["sno", "nanoflake", "snowflake", "sonyflake", "snowflake-si", "ulid-flake"] as const;

export type Backwards = (typeof BACKWARDS)[number];
export type Full = (typeof FULL)[number];
export type Page = (typeof PAGES)[number];
export type Id = string | bigint | number;

/** A snapshot, of whatever format. */
export type Snapshot = { readonly version: number; readonly format: string } & Record<string, unknown>;

/** What the generators of all formats have in common. */
export interface AnyGenerator {
  next(): Id;
  nextText(): string;
  nextMany(n: number): ArrayLike<Id>;
  nextManyText(n: number): string[];
  nextAsync(options?: { readonly signal?: AbortSignal }): Promise<Id>;
  at(time: number | Date): Id;
  snapshot(): Snapshot;
  stats(): Record<
    "issued" | "waits" | "waitedMs" | "clockRegressions" | "largestRegressionMs" | "overflows" | "aheadMs",
    number
  >;
}

/** What the formats themselves have in common. */
export interface AnyFormat {
  readonly name: string;
  readonly layout: {
    readonly bits: number;
    readonly tickMs: number;
    readonly fields: readonly { readonly name: string; readonly bits: number }[];
  };
  readonly epoch: number;
  readonly capacity: number;
  readonly endOfLife: number;
  generator(options?: Record<string, unknown>): AnyGenerator;
  inspect(id: Id): { readonly ticks: number } & Readonly<Record<string, unknown>>;
  format(id: Id): string;
  isValid(x: unknown): boolean;
  compare(a: Id, b: Id): number;
  toBigInt(id: Id): bigint;
  fromBigInt(integer: bigint): Id;
}

/** A tick with room for thousands of IDs, or one that few IDs fill. */
export type Room = "roomy" | "scarce";

export interface Subject {
  readonly name: string;
  readonly page: Page;
  readonly format: AnyFormat;
  /** The fixed fields, as options; and options that make the subject what it is. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** The values that `clockBackwards` can have. */
  readonly backwards: readonly Backwards[];
  /** The field that tells the IDs of one tick apart. */
  readonly counts: string;
  /** How many IDs fill a tick that is scarce, and what they count from there. */
  readonly perTick: number;
  readonly first: number;
  /** Options for the room that a story asks for. */
  room(room: Room): Readonly<Record<string, unknown>>;
}

const EPOCH = Date.UTC(2020, 0, 1);

function counter(
  page: Page,
  name: string,
  format: unknown,
  fixed: Record<string, unknown>,
  more: Partial<Subject> = {},
): Subject {
  const any = format as AnyFormat;
  return {
    name,
    page,
    format: any,
    fixed,
    backwards: BACKWARDS.slice(0, 3),
    counts: "sequence",
    perTick: any.capacity,
    first: 0,
    room: () => ({}),
    ...more,
  };
}

/** Random formats: where a tick is to be scarce, every draw is the largest, so that one ID fills it. */
function random(name: string, format: unknown, fixed: Record<string, unknown>): Subject {
  const source =
    (room: Room) =>
    (bytes: Uint8Array): void => {
      bytes.fill(room === "scarce" ? 255 : bytes.length === 1 ? 1 : 0);
    };
  return counter("ulid-flake", name, format, fixed, {
    counts: "randomness",
    perTick: 1,
    room: (room) => ({ random: source(room) }),
  });
}

const custom = snowflake({
  epoch: EPOCH,
  tickMs: 5,
  fields: { time: 39, region: 4, worker: 6, sequence: 8 },
});
const si = snowflakeSI({ epoch: EPOCH });

export const SUBJECTS: readonly Subject[] = [
  counter(
    "sno",
    "sno",
    sno,
    { partition: 7 },
    {
      backwards: BACKWARDS,
      perTick: 4,
      first: 100,
      room: (room) => (room === "scarce" ? { sequenceMin: 100, sequenceMax: 103 } : {}),
    },
  ),
  counter("nanoflake", "nanoflake", nanoflake({ epoch: EPOCH }), { generatorId: 5 }),
  counter("nanoflake", "nanoflake, reference-24", nanoflake({ epoch: EPOCH, layout: "reference-24" }), {
    generatorId: 5,
  }),
  counter("snowflake", "twitter", twitter, { datacenterId: 3, workerId: 9 }),
  counter(
    "snowflake",
    "discord",
    discord,
    { internalWorkerId: 3, internalProcessId: 9 },
    { counts: "increment" },
  ),
  counter("snowflake", "instagram", instagram, { shardId: 99 }),
  counter("snowflake", "mastodon", mastodon, {}, { counts: "sequenceData" }),
  counter("snowflake", "a layout of your own", custom, { region: 3, worker: 9 }),
  counter("sonyflake", "sonyflake", sonyflake, { machineId: 258 }),
  counter("snowflake-si", "snowflake-si", si, { machineId: 3 }),
  counter("snowflake-si", "snowflake-si, keep", si, { machineId: 3, onNewMillisecond: "keep" }),
  random("ulid-flake", ulidFlake, {}),
  random("ulid-flake-scalable", ulidFlakeScalable, { scalability: 21 }),
];

export function subject(name: string): Subject {
  const found = SUBJECTS.find((one) => one.name === name);
  if (found === undefined) {
    throw new Error(`no subject ${name}`);
  }
  return found;
}
