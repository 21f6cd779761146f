/** What a format's generators are, and one generator as its operations see it: its checked options, and the holder of its identity. */
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

/** Asks the core for an ID, at the reading `now`, until it wants no further draw of the user's source. Returns a status. */
export type InjectedRandom = (state: State, now: number, ask: (bits: abi.Random) => abi.Status) => abi.Status;

/** What a format's generators are. Nothing that is always asked for is optional, so that nothing is read from a polluted prototype. */
export interface Kind<I extends Id = Id, Typed = unknown> {
  readonly schema: Schema<I, Typed>;
  /** The names of the options that say who a generator is, and of the format's other options. */
  readonly identity: readonly string[];
  readonly options: readonly string[];
  /** The keys of a snapshot that are the format's own. */
  readonly saved: readonly string[];
  /** The part of a snapshot that has the options of the identity. */
  readonly identityIn: (snapshot: Given) => Given;
  /** The numbers of a snapshot, in the core's order. */
  readonly numbersIn: (snapshot: Given, bounds: Bounds) => readonly number[];
  /** The bounds that the options ask for. */
  readonly bounds: (options: Given) => Bounds;
  /** The fixed fields that they ask for; undefined if they are left out. */
  readonly fields: (options: Given) => readonly number[] | undefined;
  /** Gives those that are left out; asked for only where they may be. */
  readonly automatic: Automatic | undefined;
  /** `Rule.sequence`. */
  readonly sequenceRule: (options: Given) => number;
  /** Draws from the user's source of randomness. */
  readonly random: (options: Given) => InjectedRandom | undefined;
}

/** What is a format's own in a plain counter. */
export const PLAIN: Pick<Kind, "options" | "automatic" | "sequenceRule" | "random"> = {
  options: ["sequenceStart"],
  automatic: undefined,
  sequenceRule: (options) => wordIndex(options, "sequenceStart", STARTS) * abi.RESTART_UNIT,
  random: () => undefined,
};

/** A generator, as its operations see it; and the rule that its state obeys. */
export type Maker<I extends Id = Id, Typed = unknown> = Readonly<ReturnType<typeof makerOf<I, Typed>>>;

/**
 * What a snapshot says: the options of an identity, its bounds and fixed fields, and the numbers of its state. They are read with the checks of
 * the options. What these refuse is no snapshot of this format.
 */
function readSnapshot(kind: Kind, snapshot: unknown) {
  const head = pickOptions(snapshot, "snapshot", ["version", "format", "at", ...kind.saved], "SNAPSHOT");
  try {
    numberIn(head.version, "version", VERSION, VERSION);
    oneOf(head.format, "format", [kind.schema.name]);
    const part = kind.identityIn(head);
    // An option that is missing is none that was left out.
    const options = Object.fromEntries(kind.identity.map((name) => [name, part[name] ?? null]));
    const bounds = kind.bounds(options);
    const values = [bounds.first, bounds.last, ...(kind.fields(options) as readonly number[])];
    return { options, values, numbers: kind.numbersIn(head, bounds) };
  } catch (error) {
    // An error of the checks. What a getter of the snapshot throws passes through, even if it is branded as one.
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
  // No prototype, which may be polluted.
  const all: Given = { __proto__: null, ...said?.options, ...options };
  const bounds = kind.bounds(all);
  // A lease has fixed fields of its own.
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
    /** Whether functions of the user take part in an attempt: a source of randomness, or callbacks. */
    hasUserFunctions: (random ?? policy.onClockBackwards ?? policy.onOverflow) !== undefined,
    /** The fixed fields where they are given, so that they never change. */
    fields,
    holder: admit ? admit(bounds) : holderOf(schema, bounds, fields, kind.automatic, isolated, known),
  };
}

/** What the format of a schema tells a lease. */
export const leasable = (schema: Schema): Leasable => [schema, newState, statesOf];
