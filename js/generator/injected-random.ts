/** Random bits from a function of the user, for the calls that the core answers with a wish for a draw. */

import type { Area } from "../core/load.js";
import { refuseToMake } from "../core/refusals.js";
import type { Schema } from "../core/schema.js";
import { DETAIL, DRAW, FROM_CALLER, MOST_DRAWS, STATUS_RANDOM_FAILED } from "../generated/constants.js";
import type { State } from "../identity/shared.js";

/** Asks the core for an ID, at the reading `now`, until it wants no further draw. Returns a status. */
export type InjectedRandom = (state: State, now: number, ask: (bits: number) => number) => number;

/**
 * Draws from `source`, which fills bytes. Random bits are big-endian. A source that returns only zeros, or detaches the buffer, has
 * failed.
 */
export const injectedRandom =
  (source: (bytes: Uint8Array) => void, schema: Schema): InjectedRandom =>
  (state, now, ask) => {
    let status = ask(FROM_CALLER);
    for (let draws = 0; status === DRAW; draws++) {
      const length = (state.core as Area).f64[DETAIL >> 3] as number;
      const bytes = new Uint8Array(draws < MOST_DRAWS ? length : 0);
      if (bytes.length > 0) {
        source(bytes);
      }
      if (bytes.length !== length) {
        refuseToMake(STATUS_RANDOM_FAILED, now, schema);
      }
      status = ask(bytes.reduce((bits, byte) => bits * 256 + byte, 0));
    }
    return status;
  };
