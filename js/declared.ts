/**
 * Checks the declarations of users: the layouts of `snowflake`, `nanoflake` and `snowflakeSI`. It
 * needs no core, because layouts are numbers.
 */
import { dateOf, epochMs, type Given, keysOf, numberIn, oneOf, pickOptions, widthOf } from "./checks.js";
import { fail, rangeError, show } from "./errors.js";
import * as abi from "./generated/constants.js";
import { SHARED } from "./generated/layouts.js";
import type { LayoutField } from "./types.js";

/** The row of a declared Nanoflake: `row`, or `reference24` for the layout `reference-24`. */
export function nanoflakeOf<R, Other>(declaration: unknown, row: R, reference24: Other) {
  const given = pickOptions(declaration, "declaration", ["epoch", "layout"]);
  const epoch = epochMs(given.epoch);
  const isReference = given.layout !== undefined && oneOf(given.layout, "layout", ["reference-24"]);
  return { ...(isReference ? reference24 : row), epoch };
}

/** Names that already have a meaning in options or in `inspect`. */
const RESERVED: readonly string[] = /* @__PURE__ */ ["timestamp", "ticks", "sequenceStart"].concat(SHARED);

/**
 * A declared Snowflake: the declared part of its row, and the type of its IDs. `lifeOf` checks the
 * last tick.
 */
export function snowflakeOf(declaration: unknown) {
  const names = ["epoch", "tickMs", "fields", "sequenceField", "ids"] as const;
  const given = pickOptions(declaration, "declaration", names);
  const { tickMs = 1, sequenceField = "sequence", ids = "bigint" } = given;
  const declared = {
    name: "snowflake",
    epoch: epochMs(given.epoch),
    tickMs: numberIn(tickMs, "tickMs", abi.TICK_MS_MAX, 1),
    ids: oneOf(ids, "ids", ["bigint", "unsigned", "number"]),
  };
  const fields = keysOf(given.fields, "fields").map((name): LayoutField => {
    // JavaScript sorts keys that look like integers first. Messages contain the names.
    if (!/^[A-Za-z_]\w{0,63}$/.test(name) || RESERVED.includes(name) || name in Object.prototype) {
      fail("UNKNOWN_FIELD", "fields", name, `fields: ${show(name)} is reserved or not an identifier`);
    }
    const bits = (given.fields as Record<string, unknown>)[name];
    const role = name === "time" ? name : name === sequenceField ? "sequence" : "fixed";
    return { name, bits: numberIn(bits, `fields.${name}`, abi.MAX_FIELD_BITS, 1), role };
  });
  const roles = fields.map(({ role }) => role);
  const sequence = roles.indexOf("sequence");
  if (roles[0] !== "time" || sequence < 0) {
    const found = show(fields.map(({ name }) => name).join());
    const words = `fields: expected "time" first, and ${show(sequenceField)} below it, got ${found}`;
    fail("CONFLICT", "fields", given.fields, words);
  }
  const bits = widthOf(fields);
  const least = ids === "unsigned" ? abi.INTEGER_BITS : 2;
  const most = ids === "number" ? abi.SI_BITS : abi.INTEGER_BITS;
  if (bits < least || bits > most) {
    rangeError(
      "fields",
      bits,
      least,
      most,
      `${least < most ? `${least} to ` : ""}${most} bits with ids "${ids}"`,
    );
  }
  return { ...declared, fields, sequence };
}

/**
 * The widths of `fields`, or the declared ones. If only one of machine and sequence is declared,
 * the other one gets the remaining bits.
 */
function widthsOf(given: Given, fields: readonly LayoutField[]): LayoutField[] {
  const [clock, machine, sequence] = fields as [LayoutField, LayoutField, LayoutField];
  const { clockBits: ofClock = clock.bits, sequenceBits: ofSequence } = given;
  const clockBits = numberIn(ofClock, "clockBits", abi.SI_MAX_CLOCK_BITS, abi.SI_MIN_CLOCK_BITS);
  const rest = abi.SI_BITS - clockBits;
  const sequenceWidth = (bits: unknown) =>
    numberIn(bits, "sequenceBits", abi.SI_MAX_SEQUENCE_BITS, abi.SI_MIN_SEQUENCE_BITS);
  const left = ofSequence === undefined ? machine.bits : rest - sequenceWidth(ofSequence);
  const { machineBits: ofMachine = left } = given;
  const machineBits = numberIn(ofMachine, "machineBits", abi.SI_MAX_MACHINE_BITS, abi.SI_MIN_MACHINE_BITS);
  const most = rest - machineBits;
  const sequenceBits = sequenceWidth(ofSequence === undefined ? most : ofSequence);
  if (sequenceBits !== most) {
    const message = `clockBits ${clockBits}, machineBits ${machineBits} and sequenceBits ${sequenceBits} must sum to ${abi.SI_BITS}`;
    fail("CONFLICT", "sequenceBits", sequenceBits, message, most, most);
  }
  return [
    { ...clock, bits: clockBits },
    ...(machineBits === 0 ? [] : [{ ...machine, bits: machineBits }]),
    { ...sequence, bits: sequenceBits },
  ];
}

/** A declared Snowflake-SI. `standard`: the default fields. */
export function snowflakeSIOf<F>(declaration: unknown, standard: readonly LayoutField[], inspection: F) {
  const names = ["epoch", "clockBits", "machineBits", "sequenceBits"] as const;
  const given = pickOptions(declaration, "declaration", names);
  const epoch = epochMs(given.epoch);
  const fields = widthsOf(given, standard);
  const isShort = fields[0]?.bits === abi.SI_MIN_CLOCK_BITS;
  const firstEpoch = isShort ? abi.SI_FIRST_EPOCH_40 : abi.SI_FIRST_EPOCH_41;
  if (epoch < firstEpoch) {
    rangeError("epoch", epoch, firstEpoch, abi.UNIX_MS_MAX, `${dateOf(firstEpoch)} or later`);
  }
  const isStandard = fields.every(({ bits }, i) => bits === standard[i]?.bits);
  return { epoch, fields, inspection: isStandard ? inspection : (inspectionOf(fields) as F) };
}

/** Creates the function that makes the result of `inspect`, for declared fields. */
export function inspectionOf(
  fields: readonly LayoutField[],
): (timestamp: number, ticks: number, low: number, high: number) => never {
  const places = fields.slice(1).map(({ name, bits }, i) => {
    const shift = widthOf(fields.slice(i + 2));
    const down = 2 ** -shift;
    const mask = shift + bits <= 32 && bits < 32 ? 2 ** bits - 1 : 0;
    return { name, shift, mask, size: 2 ** bits, down, up: 2 ** 32 * down };
  });
  const [a, b, c] = places as [Place, Place?, Place?];
  // Writing an existing property does not read the prototype, which may be polluted.
  const empty = Object.fromEntries(
    ["timestamp", "time", "ticks", ...places.map(({ name }) => name)].map((name) => [name, 0]),
  );
  return (timestamp, ticks, low, high) => {
    const out: Record<string, unknown> = { ...empty };
    out.timestamp = timestamp;
    out.time = new Date(timestamp);
    out.ticks = ticks;
    // Unrolled: each site gets its own inline cache.
    out[a.name] = fieldIn(a, low, high);
    if (b) out[b.name] = fieldIn(b, low, high);
    if (c) out[c.name] = fieldIn(c, low, high);
    for (let i = 3; i < places.length; i++) {
      const place = places[i] as Place;
      out[place.name] = fieldIn(place, low, high);
    }
    return out as never;
  };
}

/** The position of a field: in the lower word, if it has a mask. */
type Place = Readonly<Record<"shift" | "mask" | "size" | "down" | "up", number> & { name: string }>;

/** The value of a field. The remainders are exact, because all factors are powers of two. */
const fieldIn = ({ shift, mask, size, down, up }: Place, low: number, high: number): number =>
  mask > 0 ? (low >>> shift) & mask : Math.floor((low * down) % size) + Math.floor((high * up) % size);
