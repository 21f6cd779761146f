/**
 * A generator: its checked settings, and the shared state of its identity, which the first operation opens. Each operation has
 * its own file: next, batch, async, backfill, stats.
 */
import type { Id, IdType } from "../core/id-types.js";
import type { Schema } from "../core/schema.js";
import { claim, type Entry, type Identity, type IdentityState, recall, stateOf } from "./identity.js";
import type { InjectedRandom } from "./injected-random.js";
import type { Policy } from "./options.js";

/** The options, as parsed by the format's file. */
export interface Settings<I extends Id, Many = unknown> {
  readonly schema: Schema<I, Many>;
  readonly policy: Policy;
  /** The slot's sequence rule for this generator. */
  readonly sequenceRule: number;
  /** Draws from the user's source of randomness. */
  readonly random: InjectedRandom | undefined;
  /** The state to continue from. */
  readonly snapshot: readonly number[] | undefined;
  /** Whether the identity is drawn at the first operation, as sno's automatic partition is. */
  readonly drawn: () => boolean;
  /** The identity; called once. */
  identity(): Identity;
}

/** A generator, as its operations see it. */
export interface Maker<I extends Id, Many = unknown>
  extends Pick<Settings<I, Many>, "schema" | "policy" | "sequenceRule" | "random"> {
  readonly idType: IdType<I, Many>;
  /** The sequence rule, the width of the time, sign and rounding, as one number. Generators of an identity may differ in these. */
  readonly rule: number;
  /** Whether functions of the user take part in an attempt: a source of randomness, or callbacks. */
  readonly hasUserFunctions: boolean;
  /** The shared state; undefined before the first operation. */
  state: IdentityState | undefined;
  /** Opens the state. */
  open(): IdentityState;
  /** Forgets the identity: it has to be drawn again. */
  forget(): void;
}

/** Creates a generator. */
export function makerOf<I extends Id, Many>(settings: Settings<I, Many>): Maker<I, Many> {
  const { policy, random, snapshot, schema, sequenceRule } = settings;
  const isolated = policy.isolated || random !== undefined;
  let enlisted: readonly [Entry, Identity] | undefined;
  // From now on, the snapshot and `notBefore` apply to all generators of the identity.
  const enlist = () => {
    if (enlisted === undefined) {
      const identity = settings.identity();
      const entry = claim(identity, isolated);
      recall(entry, identity, snapshot, policy.spentUntil);
      // Last: if the call is cut off before, the next one recalls once more, which changes nothing. Drawing an identity may have run a
      // mock that got here first.
      enlisted ??= [entry, identity];
    }
    return enlisted;
  };
  const maker: Maker<I, Many> = {
    schema,
    policy,
    sequenceRule,
    rule:
      ((sequenceRule * 64 + (schema.fields[0]?.bits ?? 0)) * 2 + +schema.unsigned) * 2 +
      +schema.roundsToNearest,
    random,
    idType: schema.idType,
    hasUserFunctions: (random ?? policy.onClockBackwards ?? policy.onOverflow) !== undefined,
    state: undefined,
    open() {
      maker.state = stateOf(...enlist());
      return maker.state;
    },
    forget() {
      enlisted = maker.state = undefined;
    },
  };
  if ((snapshot !== undefined || policy.spentUntil >= 0) && !settings.drawn()) {
    enlist();
  }
  return maker;
}

/** A generator's state; opens it if necessary. */
export const opened = <I extends Id>(maker: Maker<I>): IdentityState => maker.state ?? maker.open();
