/**
 * The kind of a format's generators, and the settings of one generator: its checked options, and
 * the holder of its identity.
 */
import { type Given, numberIn, oneOf, orTypeError, pickOptions } from "../checks.js";
import type { Id } from "../core/ids.js";
import type { Schema } from "../core/schema.js";
import { fail, GraupelError } from "../errors.js";
import * as abi from "../generated/constants.js";
import { SHARED, STARTS } from "../generated/layouts.js";
import { type Automatic, holderOf } from "../identity/holder.js";
import { type Bounds, LEASE, type Leasable, type Leased, type State, statesOf } from "../identity/shared.js";
import { newState } from "../identity/state.js";
import { policyOf, wordIndex } from "./options.js";
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
  /** Returns the part of a snapshot with the options of the identity. */
  readonly identityIn: (snapshot: Given) => Given;
  /** Returns the numbers of a snapshot, in the core's order. */
  readonly numbersIn: (snapshot: Given, bounds: Bounds) => readonly number[];
  /** Returns the bounds of the options. */
  readonly bounds: (options: Given) => Bounds;
  /** Returns the fixed fields of the options; undefined for automatic ones. */
  readonly fields: (options: Given) => readonly number[] | undefined;
  /** Provides automatic fixed fields, if the format has them. */
  readonly automatic: Automatic | undefined;
  /** Returns `Rule.sequence`. */
  readonly sequenceRule: (options: Given) => number;
  /** Returns a function that draws from the user's random source. */
  readonly random: (options: Given) => InjectedRandom | undefined;
}

/** The properties of a kind whose sequence is a plain counter. */
export const PLAIN: Pick<Kind, "options" | "automatic" | "sequenceRule" | "random"> = {
  options: ["sequenceStart"],
  automatic: undefined,
  sequenceRule: (options) => wordIndex(options, "sequenceStart", STARTS) * abi.RESTART_UNIT,
  random: () => undefined,
};

/** The settings of a generator for its operations, with the rule for its state. */
export type Maker<I extends Id = Id, Typed = unknown> = Readonly<ReturnType<typeof makerOf<I, Typed>>>;

/**
 * Reads a snapshot: the options of an identity, its bounds and fixed fields, and the numbers of its
 * state. It uses the checks of the options, and turns their errors into `SNAPSHOT`.
 */
function readSnapshot(kind: Kind, snapshot: unknown) {
  const head = pickOptions(snapshot, "snapshot", ["version", "format", "at", ...kind.saved], "SNAPSHOT");
  try {
    numberIn(head.version, "version", VERSION, VERSION);
    oneOf(head.format, "format", [kind.schema.name]);
    const part = kind.identityIn(head);
    // A missing key is an error and not a default, so make it null.
    const options = Object.fromEntries(kind.identity.map((name) => [name, part[name] ?? null]));
    const bounds = kind.bounds(options);
    const values = [bounds.first, bounds.last, ...(kind.fields(options) as readonly number[])];
    return { options, values, numbers: kind.numbersIn(head, bounds) };
  } catch (error) {
    // Convert only errors of the checks. Errors of the snapshot's getters pass through, even
    // branded ones.
    if (Object(error).constructor === GraupelError) {
      const { message, field, value } = error as GraupelError;
      fail("SNAPSHOT", `snapshot.${field}`, value, `snapshot.${message.replace(/ \[\w+\]$/, "")}`);
    }
    throw error;
  }
}

/** Checks the options of a generator. */
export function makerOf<I extends Id, Typed>(kind: Kind<I, Typed>, given: unknown) {
  const { schema, identity } = kind;
  const options: Given = pickOptions<string>(given, "options", [...identity, ...kind.options, ...SHARED]);
  const { lease, snapshot } = options;
  const admit =
    lease === undefined
      ? lease
      : orTypeError("lease", lease, "a lease", () =>
          (lease as { readonly [LEASE]: Leased })[LEASE](options, schema),
        );
  const said = snapshot === undefined ? snapshot : readSnapshot(kind, snapshot);
  const policy = policyOf(options, schema);
  const sequence = kind.sequenceRule(options);
  const random = kind.random(options);
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
  };
}

/** The part of a format that a lease uses. */
export const leasable = (schema: Schema): Leasable => [schema, newState, statesOf];
