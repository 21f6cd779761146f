/**
 * sno: 80 bits, 4 ms ticks, a byte of your own (the metabyte), 16 characters that sort as the IDs do, and a bit that
 * survives a clock going back. Defined by https://github.com/muyo/sno.
 */

import { expected, or, record, wrongType } from "../../checks.js";
import { texts } from "../../core/id-types.js";
import { FIRST, refuseTime } from "../../core/refusals.js";
import { schemaOf, use } from "../../core/schema.js";
import { LAST, REGISTER, sno as row, VALUE } from "../../generated/layouts.js";
import { engine } from "../../generator/generator.js";
import { claim, type Identity, registry } from "../../generator/identity.js";
import { policyOf, SHARED } from "../../generator/options.js";
import { contradicts, NEW_AT, save } from "../../generator/snapshot.js";
import type {
  AsyncOptions,
  AtSnapshot,
  Format,
  Generator,
  GeneratorOptions,
  Snapshot,
  Time,
} from "../../types.js";
import { verbs } from "../../verbs/format.js";
import { automaticPartition, boundsOf, MAX_SEQUENCE, partitionOf } from "./partition.js";
import { readSnapshot, takeSnapshot } from "./snapshot.js";

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
  /**
   * 0 to 65,535, or its two bytes, high first. If left out, the one that all such generators of a thread or process share,
   * drawn at random at first use: two threads or processes draw the same with odds of 1 in 65,536, some two of 10 with
   * 1 in 1,456, of 100 with 1 in 14, of 302 with 1 in 2. Who needs certainty gives each thread and process a number.
   */
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
  /** The metabyte. */
  metabyte(id: string): number;
  /** The 16 characters as the 16 bytes of a UUID (of no UUID version). */
  toUUID(id: string): string;
  /** The inverse of `toUUID`; either case. Errors: `TYPE`, `LENGTH`, `CHARACTER`. */
  fromUUID(uuid: string): string;
  /** The ID with all bits zero. */
  readonly zero: string;
}

const schema = /* @__PURE__ */ schemaOf(row);
const natural = /* @__PURE__ */ texts(row.radix, row.text);
const made = /* @__PURE__ */ verbs<string, SnoField>(schema, natural);
const shared = made.verbs;
const { inner } = made;

/** The tick of any reading, in or out of range: for information. */
const unitsAt = (ms: number): number => Math.floor((ms - row.epoch) / row.tickMs);

/** The tick of a clock reading. Errors: `BEFORE_EPOCH`, `END_OF_LIFE`. */
function ticksAt(ms: number): number {
  const { wasm, f64 } = use(schema);
  const status = wasm.$tick(ms);
  return status === 0 ? (f64[FIRST] as number) : refuseTime(status, ms, schema, "clock");
}

function generator(given: SnoOptions = {}): SnoGenerator {
  const options = record(given, "options", ["partition", "sequenceMin", "sequenceMax", ...SHARED]);
  const stored = options.snapshot === undefined ? undefined : readSnapshot(options.snapshot, schema);
  const policy = policyOf(options, schema, natural.form);
  const { min: first, max: last } = boundsOf(
    or(options.sequenceMin, stored?.min ?? 0),
    or(options.sequenceMax, stored?.max ?? MAX_SEQUENCE),
  );
  let partition = options.partition === undefined ? stored?.partition : partitionOf(options.partition);
  if (stored !== undefined) {
    for (const [field, own, other] of [
      ["partition", partition, stored.partition],
      ["sequenceMin", first, stored.min],
      ["sequenceMax", last, stored.max],
    ] as const) {
      if (own !== other) {
        contradicts(field, options[field], other);
      }
    }
  }
  const at = (partition: number): Identity => ({
    schema,
    fixed: [0, 0, 0, partition, 0],
    first,
    last,
    startBytes: 0,
    // Tick 0 counts as begun, as in the reference: its first ID has the lower bound plus one.
    initial: [0, 0, first, last - first, 0, 0, ...NEW_AT],
  });
  const place = () => {
    if (partition === undefined) {
      partition = automaticPartition(at, policy.isolated);
      // At once, so that the next one that asks finds these bounds there.
      claim(at(partition), policy.isolated);
    }
    return partition;
  };
  const [made, cell] = engine<string, string[]>({
    schema,
    natural,
    policy,
    rule: 0,
    random: undefined,
    metabyte: true,
    identity: () => at(place()),
    // Later ones follow from the realm's first, which is drawn.
    known: () => partition !== undefined || (!policy.isolated && registry().partitions.length > 0),
    snapshot: stored?.state,
  });
  /** The sequence number last issued in the tick of the present reading, if one was. */
  const present = () => {
    const now = ticksAt(policy.read());
    const state = save(cell());
    return state[LAST] === now ? state[VALUE] : undefined;
  };
  return {
    ...made,
    nextText: made.next,
    nextManyText: made.nextMany,
    get partition() {
      return place();
    },
    sequenceMin: first,
    sequenceMax: last,
    capacity: last - first + 1,
    sequence: () => present() ?? first,
    len() {
      const value = present();
      return value === undefined ? 0 : Math.min(value, last) - first + 1;
    },
    snapshot: () => takeSnapshot(cell(), unitsAt(policy.read()), place(), first, last),
  };
}

/** The form of a UUID: 32 hexadecimal digits, in groups. */
const GROUPS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
const UUID_LENGTH = 36;

function fromUUID(uuid: string): string {
  if (typeof uuid !== "string") {
    wrongType("uuid", uuid, "a string");
  }
  if (uuid.length !== UUID_LENGTH) {
    expected("LENGTH", "uuid", `${UUID_LENGTH} characters`, uuid.length, UUID_LENGTH, UUID_LENGTH);
  }
  const hyphens = [8, 13, 18, 23];
  const wrong = [...uuid].findIndex((c, i) => !(hyphens.includes(i) ? c === "-" : /^[\da-f]$/i.test(c)));
  const hex = uuid.replaceAll("-", "");
  const text = hex.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)));
  if (wrong >= 0 || !shared.isValid(text)) {
    const at = wrong < 0 ? undefined : wrong;
    expected("CHARACTER", "uuid", "the hexadecimal bytes of a sno's characters", uuid, at, at);
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
  next(...metabyte) {
    ready ??= generator();
    return ready.next(...metabyte);
  },
  metabyte(id) {
    // The register is little-endian: below the metabyte are the four bytes of partition and sequence.
    return inner.read(id).u8[REGISTER + 4] as number;
  },
  toUUID(id) {
    inner.read(id);
    const hex = Array.from(id, (character) => character.charCodeAt(0).toString(16)).join("");
    return hex.replace(GROUPS, "$1-$2-$3-$4-$5");
  },
  fromUUID,
  zero: "2".repeat(16),
};
