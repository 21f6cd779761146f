/**
 * The kind of a format's generators, and the settings of one generator: its checked options, and
 * the holder of its identity.
 */
import { callback, flag, type Given, numberIn, oneOf, orTypeError, pickOptions, time } from "../checks.js";
import type { Id } from "../core/ids.js";
import type { Schema } from "../core/schema.js";
import { fail, GraupelError } from "../errors.js";
import * as abi from "../generated/constants.js";
import { BACKWARDS, FULL, SHARED, STARTS } from "../generated/layouts.js";
import { type Automatic, holderOf } from "../identity/holder.js";
import { type Bounds, LEASE, type Leased, type Listener, type State } from "../identity/shared.js";
import type { ClockBackwards } from "../types.js";
import { type Clock, checked, systemClock } from "./clock.js";
import { VERSION } from "./snapshot.js";

/**
 * Asks the core for an ID at the reading `now`, until it needs no further draw from the user's
 * source. Returns a status.
 */
export type InjectedRandom = (state: State, now: number, ask: (bits: abi.Random) => abi.Status) => abi.Status;

/**
 * The kind of a format's generators. Properties that are always read are required, so that none is
 * read from a polluted prototype.
 */
export interface Kind<I extends Id = Id, Typed = unknown> {
  readonly schema: Schema<I, Typed>;
  /** The names of the options that define the identity, and of the format's other options. */
  readonly identity: readonly string[];
  readonly options: readonly string[];
  /** The format's own keys of a snapshot. */
  readonly saved: readonly string[];
  /** Returns the numbers of a snapshot, in the core's order. */
  readonly numbersIn: (snapshot: Given, bounds: Bounds) => readonly number[];
  /** Returns the bounds of the options. */
  readonly bounds: (options: Given) => Bounds;
  /** Returns the fixed fields of the options; undefined for automatic ones. */
  readonly fields: (options: Given) => readonly number[] | undefined;
  /** Provides automatic fixed fields, if the format has them. */
  readonly automatic: Automatic | undefined;
  /** Returns `Rule.sequence`, and a function that draws from the user's random source. */
  readonly sequenceRule: (options: Given) => readonly [sequence: number, random?: InjectedRandom];
}

/** The index of an option's word among the allowed words. `absent`: the default. */
function wordIndex(options: Given, name: string, words: readonly string[], absent = words[0]): number {
  const { [name]: word = absent } = options;
  return words.indexOf(oneOf(word, name, words));
}

/** The properties of a kind whose sequence is a plain counter. */
export const PLAIN: Pick<Kind, "options" | "automatic" | "sequenceRule"> = {
  options: ["sequenceStart"],
  automatic: undefined,
  sequenceRule: (options) => [wordIndex(options, "sequenceStart", STARTS) * abi.RESTART_UNIT],
};

/** The settings of a generator for its operations, with the rule for its state. */
export type Settings<I extends Id = Id, Typed = unknown> = Readonly<ReturnType<typeof settingsOf<I, Typed>>>;

/**
 * Reads a snapshot: the options of an identity, its bounds and fixed fields, and the numbers of its
 * state. It uses the checks of the options and turns their errors into `SNAPSHOT`.
 */
function readSnapshot(kind: Kind, snapshot: unknown) {
  const head = pickOptions(snapshot, "snapshot", ["version", "format", "at", ...kind.saved], "SNAPSHOT");
  try {
    numberIn(head.version, "version", VERSION, VERSION);
    oneOf(head.format, "format", [kind.schema.name]);
    const part = kind.saved.includes("fields") ? pickOptions(head.fields, "fields", kind.identity) : head;
    // A missing key is an error and not a default, so make it null.
    const options = Object.fromEntries(kind.identity.map((name) => [name, (part as Given)[name] ?? null]));
    const bounds = kind.bounds(options);
    const values = [bounds.first, bounds.last, ...(kind.fields(options) as readonly number[])];
    return { options, values, numbers: kind.numbersIn(head, bounds) };
  } catch (error) {
    // Convert only errors of the checks. Errors of the snapshot's getters pass through, even
    // branded ones.
    if (Object(error).constructor === GraupelError) {
      const { message, field = "", value } = error as GraupelError;
      const place = head.fields && kind.identity.includes(field) ? "snapshot.fields." : "snapshot.";
      fail("SNAPSHOT", place + field, value, place + message.replace(/ \[\w+\]$/, ""));
    }
    throw error;
  }
}

/**
 * The last tick that starts before a time, at most the format's last tick; below 0 if there is
 * none. Calculates in half milliseconds, which is exact.
 */
function tickBefore(value: unknown, { epoch, endOfLife, tickMs, facts }: Schema): number {
  const halves =
    BigInt(Math.ceil(2 * time(value, "notBefore"))) - BigInt(2 * epoch - +(facts.rounding === "nearest"));
  const ticks = halves > 0n ? (halves - 1n) / BigInt(2 * tickMs) : -1n;
  return Math.min(Number(ticks), (endOfLife - epoch) / tickMs);
}

/** Reads the shared options. `options` is a copy by `pickOptions`. */
function policyOf(options: Given, schema: Schema) {
  const { notBefore, isolated = false } = options;
  const ms = (name: string, absent: number) => {
    const { [name]: value = absent } = options;
    return numberIn(value, name, abi.LONGEST_MS, 0, true);
  };
  const words = schema.tickTockBit ? BACKWARDS : BACKWARDS.slice(0, 3);
  const backwards = wordIndex(options, "clockBackwards", words, schema.clockBackwards);
  const full = wordIndex(options, "sequenceFull", FULL, schema.sequenceFull);
  const clock = callback<Clock>(options.clock, "clock");
  const form: abi.Asked = schema.idType.form + backwards;
  return {
    /** The flags of `next`: the two policies, and the form in which the core writes the ID. */
    callFlags: form + (full << abi.FULL_SHIFT),
    /** The flags of `nextMany` and `nextAsync`, which always wait if a sequence is full. */
    waitingCallFlags: form + (Math.max(full, abi.FULL_WAIT) << abi.FULL_SHIFT),
    maxWaitMs: ms("maxWaitMs", abi.MAX_WAIT_MS),
    /** `maxAheadMs` in ticks. */
    maxAhead: Math.floor(ms("maxAheadMs", abi.MAX_AHEAD_MS) / schema.tickMs),
    onClockBackwards: callback<(event: ClockBackwards) => void>(options.onClockBackwards, "onClockBackwards"),
    onOverflow: callback<Listener>(options.onOverflow, "onOverflow"),
    /** Reads the clock and checks the reading. Errors of the clock pass through. */
    read: clock === undefined || clock === Date.now ? systemClock : () => checked(clock()),
    isolated: flag(isolated, "isolated"),
    /** The last tick that starts before `notBefore`; below 0 if there is none. */
    spentUntil: notBefore === undefined ? -1 : tickBefore(notBefore, schema),
  };
}

/** Checks the options of a generator. */
export function settingsOf<I extends Id, Typed>(kind: Kind<I, Typed>, given: unknown) {
  const { schema, identity } = kind;
  const options: Given = pickOptions<string>(given, "options", [...identity, ...kind.options, ...SHARED]);
  const { lease, snapshot } = options;
  const join = () => (lease as { readonly [LEASE]: Leased })[LEASE](options, schema);
  const admit = lease === undefined ? lease : orTypeError("lease", lease, "a lease", join);
  const said = snapshot === undefined ? snapshot : readSnapshot(kind, snapshot);
  const policy = policyOf(options, schema);
  const [sequence, random] = kind.sequenceRule(options);
  // Without a prototype, which may be polluted.
  const all: Given = { __proto__: null, ...said?.options, ...options };
  const bounds = kind.bounds(all);
  // A lease has its own fixed fields.
  const fields = admit ? undefined : kind.fields(all);
  if (said) {
    const own = [bounds.first, bounds.last, ...(fields ?? [])];
    ["sequenceMin", "sequenceMax", ...schema.fields.map(({ name }) => name)].forEach((name, i) => {
      if (own[i] !== said.values[i]) {
        fail("CONFLICT", name, options[name], `${name}: the snapshot says ${said.values[i]}; leave it out`);
      }
    });
  }
  const known = said || policy.spentUntil >= 0 ? [policy.spentUntil, ...(said?.numbers ?? [])] : undefined;
  const isolated = policy.isolated || random !== undefined;
  const isPlain = fields && Object.keys(options).every((name) => identity.includes(name));
  return {
    schema,
    idType: schema.idType,
    policy,
    sequence,
    /** Draws from the user's source of randomness. */
    random,
    /** Whether an attempt may call functions of the user: a random source or callbacks. */
    hasUserFunctions: (random ?? policy.onClockBackwards ?? policy.onOverflow) !== undefined,
    /** The given fixed fields, which never change; undefined for automatic or leased ones. */
    fields,
    holder: admit ? admit(bounds) : holderOf(schema, bounds, fields, kind.automatic, isolated, known),
    /** The same for all generators with these options, if they only define an identity. */
    key: isPlain ? `${fields},${bounds.first},${bounds.last}` : undefined,
  };
}

/**
 * Returns the methods of a generator. Generators with the same options share them in `kept`, which
 * saves over a kilobyte each. Each is a copy, which its user may change.
 */
export function share<M extends object>({ key, holder }: Settings, kept: Map<unknown, M>, make: () => M): M {
  const methods = kept.get(key) ?? holder.methodsOf(make());
  if (key) kept.set(key, methods);
  return { ...methods };
}
