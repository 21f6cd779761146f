/**
 * sno: 80 bits, 4 ms ticks, a byte of your own (the metabyte), 16 characters that sort as the IDs do, and a bit that
 * survives a clock going back. Defined by https://github.com/muyo/sno.
 */
import { refuse } from "./errors.js";
import { sno as row } from "./generated/layouts.js";
import { or, record, show, wrongType } from "./runtime/check.js";
import { asText } from "./runtime/codec.js";
import { type Verbs, verbs } from "./runtime/format.js";
import { engine, metabyteOf } from "./runtime/generator.js";
import { text16, texts } from "./runtime/kinds.js";
import { policyOf, SHARED } from "./runtime/options.js";
import { FIRST, timeError } from "./runtime/refusals.js";
import { atNumbers, contradicts, NEW_AT, restore, STATE, save } from "./runtime/snapshot.js";
import { automaticPartition, boundsOf, MAX_SEQUENCE, partitionOf } from "./runtime/sno-place.js";
import { readSnapshot, takeSnapshot } from "./runtime/sno-snapshot.js";
import type {
  AsyncOptions,
  AtSnapshot,
  Format,
  Generator,
  GeneratorOptions,
  Snapshot,
  Time,
} from "./types.js";

/** The fields of a sno but the time. */
export type SnoField = "tickTock" | "metabyte" | "partition" | "sequence";

/** A sno generator's state, as plain JSON; the names and units (4 ms since 2010) are the reference's. */
export interface SnoSnapshot extends Snapshot {
  readonly partition: number | readonly [number, number];
  readonly sequenceMin: number;
  readonly sequenceMax: number;
  /** The last sequence number issued at `wallHi`; 0 counts as the lower bound. */
  readonly sequence: number;
  /** When the snapshot was taken; of no consequence. */
  readonly now?: number | undefined;
  /** The highest reading. */
  readonly wallHi: number;
  /** Readings up to here, below `wallHi`, were used twice. */
  readonly wallSafe: number;
  /** How often the clock went back, modulo 2^32. */
  readonly drifts: number;
  /** The last tick issued, where borrowing has put it ahead of `wallHi`; then `sequence` is of that tick. */
  readonly last?: number | undefined;
  /** The counter behind `at`. */
  readonly at?: AtSnapshot | undefined;
}

/** Options of a sno generator. */
export interface SnoOptions extends GeneratorOptions<SnoSnapshot, "throw" | "wait" | "hold" | "tick-tock"> {
  /** 0 to 65,535, or its two bytes, high first; automatic if left out (unique within the process only). */
  readonly partition?: number | readonly [number, number] | undefined;
  /** Sequence bounds, both included, to share a partition; in either order, at least 4 values apart. */
  readonly sequenceMin?: number | undefined;
  readonly sequenceMax?: number | undefined;
}

/** A sno generator. */
export interface SnoGenerator
  extends Omit<
    Generator<string, string[], SnoSnapshot>,
    "next" | "nextText" | "nextMany" | "nextManyText" | "nextAsync" | "at"
  > {
  /** One ID. Errors: those of `Generator.next`, `PARTITIONS_EXHAUSTED`. */
  next(metabyte?: number): string;
  nextText(metabyte?: number): string;
  nextMany(n: number, metabyte?: number): string[];
  nextManyText(n: number, metabyte?: number): string[];
  nextAsync(options?: AsyncOptions & { readonly metabyte?: number | undefined }): Promise<string>;
  at(time: Time, metabyte?: number): string;
  /** The partition; an automatic one is taken now. */
  readonly partition: number;
  readonly sequenceMin: number;
  readonly sequenceMax: number;
  /** How many IDs one tick holds. */
  readonly capacity: number;
  /** The sequence number last issued in the present tick, or the lower bound. Reads the clock. */
  sequence(): number;
  /** How many IDs the present tick has seen. Reads the clock. */
  len(): number;
}

/** The sno format. */
export interface Sno extends Format<string, SnoField, SnoOptions, SnoGenerator, "tickTock"> {
  /** An ID from a private generator with an automatic partition, made on first use. */
  next(metabyte?: number): string;
  /** The metabyte, read from the text without decoding the rest. */
  metabyte(id: string): number;
  /** The 16 characters as the 16 bytes of a UUID (of no UUID version). */
  toUUID(id: string): string;
  /** The inverse of `toUUID`; either case. Errors: `TYPE`, `LENGTH`, `CHARACTER`. */
  fromUUID(uuid: string): string;
  /** The ID with all bits zero. */
  readonly zero: string;
}

const kind = /* @__PURE__ */ texts(
  16,
  2,
  (core, slot, now, how, ahead, metabyte) => core.wasm.next_sno(slot, now, how, ahead, metabyte),
  text16,
);

const made = /* @__PURE__ */ verbs<string, SnoField>(row, asText);
const shared: Verbs<string, SnoField> = made.verbs;
const { inner } = made;

/** The tick of any reading, in or out of range: for information. */
const unitsAt = (ms: number): number => Math.floor((ms - row.epoch) / row.tickMs);

/** The tick of a clock reading. Errors: `BEFORE_EPOCH`, `END_OF_LIFE`. */
function ticksAt(ms: number): number {
  const core = inner.ready();
  const status = core.wasm.tick(ms);
  if (status !== 0) {
    throw timeError(status, ms, row, inner.facts, "clock");
  }
  return core.f64[FIRST] as number;
}

function generator(given: SnoOptions = {}): SnoGenerator {
  const options = record(given, "options", ["partition", "sequenceMin", "sequenceMax", ...SHARED]);
  const stored = options.snapshot === undefined ? undefined : readSnapshot(options.snapshot);
  const policy = policyOf(options, row);
  const { min: first, max: last } = boundsOf(
    or(options.sequenceMin, stored?.min ?? 0),
    or(options.sequenceMax, stored?.max ?? MAX_SEQUENCE),
  );
  let partition = options.partition === undefined ? stored?.partition : partitionOf(options.partition);
  if (stored !== undefined) {
    if (partition !== stored.partition) {
      contradicts("partition", options.partition, stored.partition);
    }
    if (first !== stored.min) {
      contradicts("sequenceMin", options.sequenceMin, stored.min);
    }
    if (last !== stored.max) {
      contradicts("sequenceMax", options.sequenceMax, stored.max);
    }
  }
  const place = () => {
    partition ??= automaticPartition(ticksAt);
    return partition;
  };
  const g = engine({
    inner,
    kind,
    policy,
    rule: 0,
    random: undefined,
    extra: metabyteOf,
    identity: () => ({ schema: row, fixed: [0, 0, 0, place(), 0], first, last, random: false }),
    restore(cell, fresh) {
      // Tick 0 counts as begun, as in the reference: its first ID has the lower bound plus one.
      const start = stored?.state ?? [0, 0, first, last - first, 0, 0, ...atNumbers(NEW_AT)];
      if (stored !== undefined || fresh) {
        restore(cell, fresh, start);
      }
    },
  });
  /** The state at the present reading: its tick, and the sequence if something was issued in it. */
  const present = () => {
    const cell = g.cell();
    const now = ticksAt(policy.read());
    const f64 = save(cell);
    return { now, f64, current: f64[STATE.last] === now, value: f64[STATE.value] as number };
  };
  return {
    next: g.next,
    nextText: g.next,
    nextMany: g.nextMany,
    nextManyText: g.nextMany,
    nextAsync: g.nextAsync,
    at: g.at,
    stats: g.stats,
    get partition() {
      return place();
    },
    sequenceMin: first,
    sequenceMax: last,
    capacity: last - first + 1,
    sequence() {
      const { current, value } = present();
      return current ? value : first;
    },
    len() {
      const { current, value } = present();
      return current ? Math.min(value, last) - first + 1 : 0;
    },
    snapshot: () => takeSnapshot(g.cell(), unitsAt(policy.read()), place(), first, last),
  };
}

/** Where the hyphens of a UUID are. */
const HYPHENS = [8, 13, 18, 23];
const UUID_LENGTH = 36;

function fromUUID(uuid: string): string {
  if (typeof uuid !== "string") {
    wrongType("uuid", uuid, "a string");
  }
  if (uuid.length !== UUID_LENGTH) {
    refuse("LENGTH", `uuid: expected ${UUID_LENGTH} characters, got ${uuid.length}`, {
      field: "uuid",
      value: uuid.length,
      range: { min: UUID_LENGTH, max: UUID_LENGTH },
    });
  }
  const wrong = [...uuid].findIndex((c, i) => (HYPHENS.includes(i) ? c !== "-" : !/^[0-9A-Fa-f]$/.test(c)));
  if (wrong >= 0) {
    refuse("CHARACTER", `uuid: unexpected character at position ${wrong}`, {
      field: "uuid",
      value: uuid,
      range: { min: wrong, max: wrong },
    });
  }
  const bytes = uuid.replaceAll("-", "").match(/../g) ?? [];
  const text = String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16)));
  if (!shared.isValid(text)) {
    refuse("CHARACTER", `uuid: its bytes are not the characters of a sno: ${show(uuid)}`, {
      field: "uuid",
      value: uuid,
    });
  }
  return text;
}

let ready: SnoGenerator | undefined;

/**
 * sno.
 *
 * | | |
 * | --- | --- |
 * | clock goes back | `"tick-tock"`: go on there with the tick-tock bit toggled, into a time used twice wait; or `"throw"`, `"wait"`, `"hold"` |
 * | sequence full | `"wait"`; or `"throw"`, `"borrow"` |
 *
 * ```js
 * import { sno } from "graupel/sno";
 * console.log(sno.inspect("brpk4q72xwf2m63l").time.toISOString());   // 2031-05-08T23:03:34.976Z
 * console.log(sno.metabyte("brpk4q72xwf2m63l"));                     // 255
 * ```
 */
export const sno: Sno = {
  ...(shared as Omit<Sno, "generator" | "next" | "metabyte" | "toUUID" | "fromUUID" | "zero">),
  generator,
  next(metabyte) {
    ready ??= generator();
    return ready.next(metabyte);
  },
  metabyte(id) {
    // The metabyte is the top of the second half: characters 8 and 9, of which it takes eight bits.
    const { u8 } = inner.own(id);
    return u8[4] as number;
  },
  toUUID(id) {
    inner.own(id);
    const hex = Array.from(id, (character) => character.charCodeAt(0).toString(16)).join("");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  },
  fromUUID,
  zero: "2".repeat(16),
};
