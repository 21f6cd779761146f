/**
 * What a generator is: its settings, checked, and the shared state of its identity, which the first operation opens. Each
 * operation has a file of its own: next, batch, async, backfill, stats.
 */
import type { Id, IdType } from "../core/id-types.js";
import type { Schema } from "../core/schema.js";
import { claim, type Entry, type Identity, type IdentityState, stateOf } from "./identity.js";
import type { Policy } from "./options.js";
import { recall, type State } from "./snapshot.js";

/** What a format's own file has made of the options. */
export interface Settings<I extends Id, Many = unknown> {
  readonly schema: Schema;
  readonly idType: IdType<I, Many>;
  readonly policy: Policy;
  /** The slot's sequence rule for this generator. */
  readonly sequenceRule: number;
  /** A source of randomness of the user's own. */
  readonly random: ((bytes: Uint8Array) => void) | undefined;
  /** Whether callbacks want to know what an attempt met. */
  readonly watched: boolean;
}

/** Where a generator's identity comes from. */
export interface IdentitySource {
  /** Whether it is known before the first operation: sno's automatic partition is drawn. */
  known(): boolean;
  /** The identity; called once. */
  identity(): Identity;
}

/** A generator, ready to be asked. */
export interface Maker<I extends Id, Many = unknown> extends Settings<I, Many> {
  /** The shared state; undefined before the first operation. */
  state: IdentityState | undefined;
  /** Opens the state. */
  open(): IdentityState;
}

/** Puts a generator together. `snapshot`: the state to go on from. */
export function makerOf<I extends Id, Many>(
  settings: Omit<Settings<I, Many>, "watched">,
  source: IdentitySource,
  snapshot: State | undefined,
): Maker<I, Many> {
  const { policy, random } = settings;
  const isolated = policy.isolated || random !== undefined;
  let identity: Identity | undefined;
  let entry: Entry | undefined;
  // From here on, what the snapshot and `notBefore` say counts for all generators of the identity.
  const enlist = (): [Entry, Identity] => {
    identity ??= source.identity();
    if (entry === undefined) {
      entry = claim(identity, isolated);
      recall(entry, snapshot, policy.spent);
    }
    return [entry, identity];
  };
  const maker: Maker<I, Many> = {
    ...settings,
    watched: policy.onClockBackwards !== undefined || policy.onOverflow !== undefined,
    state: undefined,
    open() {
      maker.state = stateOf(...enlist(), isolated);
      return maker.state;
    },
  };
  if ((snapshot !== undefined || policy.spent >= 0) && source.known()) {
    enlist();
  }
  return maker;
}

/** A generator's state, opened if it is not. */
export const opened = <I extends Id>(maker: Maker<I>): IdentityState => maker.state ?? maker.open();
