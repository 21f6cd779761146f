/** Random bits from a function of the user, for the calls that the core answers with a wish for a draw. */

import type { Area } from "../core/load.js";
import type { Schema } from "../core/schema.js";
import { failToIssue } from "../core/status.js";
import * as abi from "../generated/constants.js";
import type { State } from "../identity/shared.js";

/** Asks the core for an ID, at the reading `now`, until it wants no further draw. Returns a status. */
export type InjectedRandom = (state: State, now: number, ask: (bits: abi.Random) => abi.Status) => abi.Status;

/**
 * Draws from `source`, which fills bytes. Random bits are big-endian. A draw counts only if the source has written something, and not 16
 * zero bytes in a row; else it is asked again. Zeros may be meant: until it has given anything else, they are not.
 */
export function injectedRandom(source: (bytes: Uint8Array) => void, schema: Schema): InjectedRandom {
  /** What a buffer has before the source has written. A step of one byte is never 0, so the core would ask again. */
  const UNWRITTEN = [0, 0x5a, 0xa5];
  const MOST_ZEROS = 16;
  let zeros = MOST_ZEROS;
  return (state, now, ask) => {
    let status = ask(abi.FROM_CALLER);
    for (let draws = 0; status === abi.DRAW; draws++) {
      const length = (state.core as Area).f64[abi.DETAIL >> 3] as number;
      const bytes = Uint8Array.from(UNWRITTEN).subarray(0, length);
      if (draws < abi.MOST_DRAWS) {
        source(bytes);
      }
      if (bytes.length !== length || draws === abi.MOST_DRAWS) {
        failToIssue(abi.STATUS_RANDOM_FAILED, now, schema);
      }
      zeros = bytes.some(Boolean) ? 0 : zeros + length;
      if (zeros <= MOST_ZEROS && bytes.some((byte, i) => byte !== UNWRITTEN[i])) {
        status = ask(bytes.reduce((bits, byte) => bits * 256 + byte, 0));
      }
    }
    return status;
  };
}
