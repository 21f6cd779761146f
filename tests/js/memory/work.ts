/** The kinds of work after which a process must not hold more memory than before. */
import { GraupelError } from "graupel";
import { nanoflake } from "graupel/nanoflake";
import { sno } from "graupel/sno";
import { discord, twitter } from "graupel/snowflake";
import type { AnyGenerator } from "../support/any-format.ts";
import { FORMATS as ALL } from "../support/formats.ts";

/**
 * Work: its name, its amount, and a function that does a given amount. The warm-up does only a part
 * of it.
 */
export interface Work {
  readonly name: string;
  readonly count: number;
  run(count: number): void | Promise<void>;
}

const EPOCH = Date.UTC(2024, 0, 1);

/** Every format, with the fixed fields of a generator. */
const FORMATS = ALL.map(({ format, fixed, isRandom }) => ({
  format,
  fixed: { ...fixed, ...(isRandom && { sequenceFull: "wait" }) },
}));
type Format = (typeof FORMATS)[number];

/** A clock that advances by a millisecond at each reading, so that waits are short. */
function steppingClock(): () => number {
  let now = Date.UTC(2026, 0, 1);
  return () => now++;
}

/** An isolated generator with such a clock. */
const stepping = ({ format, fixed }: Format) =>
  format.generator({ ...fixed, clock: steppingClock(), isolated: true });

/** Makes a call that must fail. */
function refused(call: () => unknown): void {
  try {
    call();
  } catch (error) {
    if (error instanceof GraupelError) return;
    throw error;
  }
  throw new Error(`not refused: ${call}`);
}

/**
 * Generates IDs of every format with each of four calls, in equal parts, with the system clock and
 * with one that steps.
 */
function ids(): Work["run"] {
  const batch = 100_000;
  // Uses the system clock only for formats whose ticks a loop cannot fill. With other formats, the
  // test would mostly wait.
  const makers = FORMATS.flatMap((one) => [
    one.format.capacity < 60_000 ? stepping(one) : one.format.generator(one.fixed),
    stepping(one),
  ]);
  return (count) => {
    const each = Math.ceil(count / makers.length / 4);
    for (const maker of makers) {
      for (let i = 0; i < each; i++) maker.next();
      for (let i = 0; i < each; i++) maker.nextText();
      for (const many of [maker.nextMany, maker.nextTyped ?? maker.nextMany])
        for (let i = 0; i < each; i += batch) many(Math.min(batch, each - i));
    }
  };
}

/** Parses and inspects IDs with every verb of a format. */
function verbs(count: number): void {
  for (const one of FORMATS) {
    const { format } = one;
    const maker = stepping(one);
    for (let i = 0; i < count / FORMATS.length; i++) {
      const id = format.parse(maker.nextText());
      const { time, timestamp, ticks, ...fields } = format.inspect(id);
      format.compose({ ticks, ...fields });
      format.fromBytes(format.toBytes(id));
      format.fromBigInt(format.toBigInt(id));
      format.range(Number(timestamp), Number(timestamp) + 1000);
      format.isValid(format.format(id));
    }
  }
}

/**
 * The number of identities among generators that are created repeatedly: almost all of Twitter's
 * worker IDs.
 */
const IDENTITIES = 1000;
const workers = (identity: number) =>
  ({ datacenterId: identity >> 5, workerId: identity & 31, clockBackwards: "hold" }) as const;

/**
 * Creates generators of all kinds and uses each once. Each function takes the number of an
 * identity.
 */
function makings(): Record<string, (identity: number) => unknown> {
  // Formats that no other work uses, because all clocks of an identity share its state.
  const [steady, fleeting, idle] = [1, 2, 3].map((ms) => nanoflake({ epoch: EPOCH + ms }));
  const snapshot = idle?.generator({ generatorId: 1, isolated: true }).snapshot();
  const steps = steppingClock();
  const only = { internalWorkerId: 3, internalProcessId: 3 };
  return {
    "over a thousand identities, the system's clock": (identity) =>
      twitter.generator(workers(identity)).next(),
    "over a thousand identities, a clock of their own": (generatorId) =>
      steady?.generator({ generatorId, clock: steps }).next(),
    "of one identity": () => discord.generator(only).next(),
    "of the automatic partition": () => sno.generator().next(),
    "over a thousand identities, each with a clock function that is dropped": (generatorId) =>
      fleeting?.generator({ generatorId, clock: () => steps() }).next(),
    "that go on from a snapshot, and make no ID": () => snapshot && idle?.generator({ snapshot }),
    "isolated, each dropped": (identity) =>
      twitter.generator({ ...workers(identity), isolated: true }).next(),
    "isolated, of automatic partitions, all in one synchronous run": () =>
      sno.generator({ isolated: true }).next(),
  };
}

/** Makes calls that wait for their turn, and aborts some of them. */
async function waiting(count: number): Promise<void> {
  const maker = twitter.generator({ datacenterId: 2, workerId: 1 }) as unknown as AnyGenerator;
  for (let left = count; left > 0; left -= 100) {
    const calls = Array.from({ length: Math.min(100, left) }, async (_, i) => {
      const calling = new AbortController();
      const call = maker.nextAsync({ signal: calling.signal });
      if (i % 10 === 0) calling.abort();
      await call.catch((error: unknown) => {
        if (!(error instanceof DOMException)) throw error;
      });
    });
    await Promise.all(calls);
  }
}

/** Passes invalid arguments of any size. They must be rejected, and none may be kept. */
function sizes(count: number): void {
  const size = 200_000;
  const makers = FORMATS.map(stepping);
  for (let i = 0; i < count; i++) {
    const at = i % FORMATS.length;
    const { format } = FORMATS[at] as Format;
    const list: unknown[] = new Array(size).fill(i);
    const integer = 1n << BigInt(8 * size);
    const bytes = new Uint8Array(size);
    // A new flat text, so that a reference to any part of it would keep all of it alive.
    const text = Buffer.alloc(size, i).toString("latin1");
    for (const value of [list, integer, -integer, bytes, { list }, text]) {
      if (format.isValid(value)) throw new Error("valid");
      refused(() => format.parse(value));
      refused(() => format.fromBytes(value === bytes ? bytes.subarray(1) : value));
      refused(() => format.inspect(value));
      refused(() => makers[at]?.nextMany(value));
      refused(() => format.generator({ partition: value, workerId: value, clock: value }));
    }
    refused(() => format.fromBigInt(integer));
    refused(() => format.compose({ time: integer, ticks: list }));
  }
}

/**
 * The minimum amount of work on generators and IDs, even for a small share: enough to detect the
 * smallest leak.
 */
const LEAST = 40_000;

/** All kinds of work. `share` is the amount, where 1 is the full run. */
export function all(share: number): Work[] {
  const part = (count: number, least = LEAST) => Math.max(least, Math.ceil(count * share));
  const made = Object.entries(makings()).map(([name, make]) => {
    const run = (count: number) => {
      for (let i = 0; i < count; i++) make(i % IDENTITIES);
    };
    return { name: `generators ${name}`, count: part(1_000_000), run };
  });
  return [
    { name: "IDs, by next, nextText, nextMany and nextTyped", count: part(1e8, 800_000), run: ids() },
    { name: "IDs parsed, inspected, composed, converted", count: part(2_000_000), run: verbs },
    ...made,
    { name: "asynchronous calls, every tenth aborted", count: part(1_000_000), run: waiting },
    { name: "large arguments, refused", count: part(2000, 50), run: sizes },
  ];
}
