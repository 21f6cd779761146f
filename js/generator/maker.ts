/** What a format's generators are, and one generator as its operations see it: its checked options, and the holder of its identity. */
import { orTypeError, pickOptions } from "../checks.js";
import type { Id, IdType } from "../core/id-types.js";
import type { Schema } from "../core/schema.js";
import { type Automatic, holderOf } from "../identity/holder.js";
import { type Holder, LEASE, type Leasable, type Leased, type Rule, statesOf } from "../identity/shared.js";
import { newState } from "../identity/state.js";
import type { InjectedRandom } from "./injected-random.js";
import { type Policy, policyOf, SHARED } from "./options.js";

/** What a format's generators are. Nothing that is always asked for is optional, so that nothing is read from a polluted prototype. */
export interface Kind<
  I extends Id = Id,
  Typed = unknown,
  Stored extends { readonly state: readonly number[] } = never,
> {
  readonly schema: Schema<I, Typed>;
  /** The names of the format's own options. */
  readonly options: readonly string[];
  /** Checks a snapshot. */
  readonly read: (snapshot: unknown) => Stored;
  /** The bounds that the options ask for, which are a copy and not yet checked. */
  readonly values: (
    options: Record<string, unknown>,
    stored: Stored | undefined,
  ) => Pick<Holder, "first" | "last" | "initial">;
  /** The fixed fields that they ask for; undefined if they are left out. */
  readonly fields: (
    options: Record<string, unknown>,
    stored: Stored | undefined,
  ) => readonly number[] | undefined;
  /** Gives those that are left out; asked for only where they may be. */
  readonly automatic: Automatic | undefined;
  /** `Rule.sequence`. */
  readonly sequenceRule: (options: Record<string, unknown>) => number;
  /** Draws from the user's source of randomness. */
  readonly random: (options: Record<string, unknown>) => InjectedRandom | undefined;
}

/** A generator, as its operations see it. */
export interface Maker<I extends Id, Typed = unknown> extends Rule {
  readonly schema: Schema<I, Typed>;
  readonly idType: IdType<I, Typed>;
  readonly policy: Policy;
  /** Draws from the user's source of randomness. */
  readonly random: InjectedRandom | undefined;
  /** Whether functions of the user take part in an attempt: a source of randomness, or callbacks. */
  readonly hasUserFunctions: boolean;
  readonly holder: Holder;
  /** The fixed fields where they are given, so that they never change. */
  readonly fields: readonly number[] | undefined;
}

/** Checks the options of a generator. */
export function makerOf<I extends Id, Typed, Stored extends { readonly state: readonly number[] }>(
  kind: Kind<I, Typed, Stored>,
  given: unknown,
): Maker<I, Typed> {
  const { schema } = kind;
  const options: Record<string, unknown> = pickOptions(given, "options", [...kind.options, ...SHARED]);
  const { lease } = options;
  const admit =
    lease === undefined
      ? lease
      : orTypeError("lease", lease, "a lease", () =>
          (lease as { readonly [LEASE]: Leased })[LEASE](options, schema),
        );
  const stored = options.snapshot === undefined ? undefined : kind.read(options.snapshot);
  const policy = policyOf(options, schema);
  const sequence = kind.sequenceRule(options);
  const random = kind.random(options);
  const values = kind.values(options, stored);
  // A lease has fixed fields of its own.
  const fields = admit ? undefined : kind.fields(options, stored);
  return {
    schema,
    idType: schema.idType,
    policy,
    sequence,
    random,
    hasUserFunctions: (random ?? policy.onClockBackwards ?? policy.onOverflow) !== undefined,
    fields,
    holder: admit
      ? admit(values)
      : holderOf(
          schema,
          values,
          fields,
          kind.automatic,
          policy.isolated || random !== undefined,
          stored || policy.spentUntil >= 0 ? [policy.spentUntil, ...(stored?.state ?? [])] : undefined,
        ),
  };
}

/** What the format of a schema tells a lease. */
export const leasable = (schema: Schema): { readonly [LEASE]: Leasable } => ({
  [LEASE]: [schema, newState, statesOf],
});
