/**
 * Ulid-Flake: 63 bits, 43 of milliseconds since 2024, random below; 13 characters of Crockford's base 32.
 * Stand-alone (20 random bits) and scalable (15, and 5 of your own). Defined by https://github.com/ulid-flake/spec.
 *
 * @module graupel/ulid-flake
 */

import { callback, epochMs, noMoreArguments, numberIn, orDefault } from "../checks.js";
import { texts } from "../core/ids.js";
import type { Area } from "../core/load.js";
import { type Row, type Schema, schemaOf } from "../core/schema.js";
import { failToIssue } from "../core/status.js";
import { rangeError } from "../errors.js";
import * as abi from "../generated/constants.js";
import { ulidFlake as row, ulidFlakeScalable as scalableRow } from "../generated/layouts.js";
import { fixedFieldGenerators } from "../generator/fixed-fields.js";
import { type InjectedRandom, PLAIN } from "../generator/maker.js";
import type { Format, Generator, GeneratorOptions, Time } from "../types.js";
import { formatOf, parse, toBigInt } from "../verbs/all.js";

export type * from "../types.js";

/** Options of a generator. */
export interface UlidFlakeOptions extends GeneratorOptions {
  /** Bytes of a random step within a millisecond: 1 (the default) to 3, scalable 1 to 2. */
  readonly entropySize?: number | undefined;
  /**
   * Fills the given bytes at random, 1 to 3 of them, before it returns; the platform's secure source if left out. Called once for each draw,
   * and again, at most 64 times, after a step of 0, after a draw in which it wrote nothing, and after 16 bytes that were all 0, or if the
   * first ones are: then it has failed (`RANDOM_FAILED`). A generator with its own source shares its state with no other, as with
   * `isolated`: keep it, and do not create one for each call.
   */
  readonly random?: ((bytes: Uint8Array) => void) | undefined;
}

/** Options of a scalable generator. */
export interface UlidFlakeScalableOptions extends UlidFlakeOptions {
  /** The number of this generator, 0 to 31; 0 if left out. Different in everything that generates at the same time. */
  readonly scalability?: number | undefined;
}

/** A generator of Ulid-Flakes. */
export type UlidFlakeGenerator = Generator<string>;

/** A Ulid-Flake format. */
export interface UlidFlake<Field extends string, Options>
  extends Format<string, Field, Options, UlidFlakeGenerator> {
  /** An ID from a generator without options, made on first use. Errors: those of its `next`. */
  next(this: void): string;
  /** Canonical text (32, the default), or digits of radix 2, 10 or 16. Errors: those of `parse`, `TYPE`, `RANGE`. */
  format(this: void, id: string, radix?: 2 | 10 | 16 | 32): string;
  /** The format itself. */
  readonly text: UlidFlake<Field, Options>;
  /** The same format with another epoch. Errors: `TYPE`, `RANGE`. */
  withEpoch(this: void, epoch: Time): UlidFlake<Field, Options>;
}

const idType = /* @__PURE__ */ texts(row.radix, row.text);

/** The radices that the format names. */
const RADICES: readonly number[] = [2, 10, 16, 32];

/**
 * Draws from `source`, which fills bytes. Random bits are big-endian. A draw counts only if the source has written something, and not 16
 * zero bytes in a row; else it is asked again. Zeros may be meant: until it has given anything else, they are not.
 */
function injectedRandom(source: (bytes: Uint8Array) => void, schema: Schema): InjectedRandom {
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

function flake<Field extends string, Options>(row: Row): UlidFlake<Field, Options> {
  const schema = schemaOf(row, idType);
  const kind: typeof PLAIN = {
    ...PLAIN,
    options: ["entropySize", "random"],
    sequenceRule: ({ entropySize }) => numberIn(orDefault(entropySize, 1), "entropySize", row.startBytes, 1),
    random(options) {
      const source = callback<(bytes: Uint8Array) => void>(options.random, "random");
      return source && injectedRandom(source, schema);
    },
  };
  const own = fixedFieldGenerators(schema, kind, ["scalability"]);
  let ready: UlidFlakeGenerator["next"] | undefined;
  return formatOf(schema, () => ({
    ...own,
    next() {
      ready ??= own.generator().next;
      return ready();
    },
    format(id: string, radix: number = 32, ...beyond: unknown[]) {
      noMoreArguments(beyond.length);
      if (!RADICES.includes(radix)) {
        rangeError("radix", radix, 2, 32, `one of ${RADICES.join(", ")}`);
      }
      return radix === 32 ? parse(schema, id) : toBigInt(schema, id).toString(radix);
    },
    withEpoch: (epoch: Time) => flake({ ...row, epoch: epochMs(epoch) }),
  }));
}

/**
 * Ulid-Flake, stand-alone.
 *
 * | | |
 * | --- | --- |
 * | clock goes back | `"hold"`; or `"throw"`, `"wait"` |
 * | past the largest randomness | `"wait"`; or `"throw"`, `"borrow"` |
 *
 * The specification demands `sequenceFull: "throw"`, two of its programs `clockBackwards: "throw"`.
 *
 * @example
 * ```js
 * import { ulidFlake } from "graupel/ulid-flake";
 * console.log(ulidFlake.toBigInt("00CMXB6TAK4SA"));   // 14246757444195114n
 * ```
 */
export const ulidFlake: UlidFlake<"randomness", UlidFlakeOptions> = /* @__PURE__ */ flake(row);

/**
 * Ulid-Flake, scalable: 15 random bits, and 5 that tell up to 32 generators apart.
 *
 * | | |
 * | --- | --- |
 * | clock goes back | `"hold"`; or `"throw"`, `"wait"` |
 * | past the largest randomness | `"wait"`; or `"throw"`, `"borrow"` |
 *
 * The specification demands `sequenceFull: "throw"`, two of its programs `clockBackwards: "throw"`.
 *
 * @example
 * ```js
 * import { ulidFlakeScalable } from "graupel/ulid-flake";
 * console.log(ulidFlakeScalable.inspect("00CMXB6TAK4SA").scalability);   // 10
 * ```
 */
export const ulidFlakeScalable: UlidFlake<"randomness" | "scalability", UlidFlakeScalableOptions> =
  /* @__PURE__ */ flake(scalableRow);
