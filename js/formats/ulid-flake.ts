/**
 * Ulid-Flake: 63 bits, with 43 bits of milliseconds since 2024 above random bits; 13 characters of
 * Crockford's base 32. Stand-alone (20 random bits) or scalable (15 random bits, and 5 of your
 * own). Defined by https://github.com/ulid-flake/spec.
 *
 * @module graupel/ulid-flake
 */

import { callback, epochMs, noMoreArguments, numberIn } from "../checks.js";
import { textIds } from "../core/ids.js";
import type { Area } from "../core/load.js";
import { type Row, type Schema, schemaOf } from "../core/schema.js";
import { failToIssue } from "../core/status.js";
import { rangeError } from "../errors.js";
import * as abi from "../generated/constants.js";
import { ulidFlake as row, ulidFlakeScalable as scalableRow } from "../generated/layouts.js";
import { fixedFieldGenerators } from "../generator/fixed-fields.js";
import { type InjectedRandom, PLAIN } from "../generator/settings.js";
import type { Epoch, Format, Generator, GeneratorOptions } from "../types.js";
import { formatOf, parse, toBigInt } from "../verbs/all.js";

export type * from "../types.js";

/** Options of a generator. */
export interface UlidFlakeOptions extends GeneratorOptions {
  /** The bytes of a random step within a millisecond: 1 (the default) to 3; scalable, 1 to 2. */
  readonly entropySize?: number | undefined;
  /**
   * Synchronously fills the given 1 to 3 bytes at random; the platform's secure source by default.
   * It is called once for each draw, and again, at most 64 times, after a step of 0, after a draw
   * in which it wrote nothing, and after 16 zero bytes in a row or zeros at the start. Then calls
   * throw `RANDOM_FAILED`. A generator with its own source shares no state, as with `isolated`:
   * keep it instead of creating one for each call.
   */
  readonly random?: ((bytes: Uint8Array) => void) | undefined;
}

/** Options of a scalable generator. */
export interface UlidFlakeScalableOptions extends UlidFlakeOptions {
  /**
   * The number of this generator, 0 to 31; 0 by default. It must differ between all generators that
   * run at the same time.
   */
  readonly scalability?: number | undefined;
}

/** A generator of Ulid-Flakes. */
export type UlidFlakeGenerator = Generator<string>;

/** A Ulid-Flake format. */
export interface UlidFlake<Field extends string, Options>
  extends Format<string, Field, Options, UlidFlakeGenerator> {
  /**
   * Generates an ID with a shared generator that has no options and is created on first use.
   * Errors: those of its `next`.
   */
  next(this: void): string;
  /**
   * Returns canonical text (radix 32, the default), or digits of radix 2, 10 or 16. Errors: those
   * of `parse`, `TYPE`, `RANGE`.
   */
  format(this: void, id: string, radix?: 2 | 10 | 16 | 32): string;
  /** The format itself. */
  readonly text: UlidFlake<Field, Options>;
  /** Returns the same format with another epoch. Errors: `TYPE`, `RANGE`. */
  withEpoch(this: void, epoch: Epoch): UlidFlake<Field, Options>;
}

const idType = /* @__PURE__ */ textIds(row.radix, row.text, row.facts.ignoresCase);

/** The radices of the specification. */
const RADICES: readonly number[] = [2, 10, 16, 32];

/**
 * Draws from `source`, which fills bytes. Random bits are big-endian. A draw is repeated if the
 * source wrote nothing, or 16 zero bytes in a row. Zeros count as valid only after the source has
 * returned something else.
 */
function injectedRandom(source: (bytes: Uint8Array) => void, schema: Schema): InjectedRandom {
  /**
   * The contents of a buffer before the source writes. A step of one byte is never 0, because the
   * core would ask again.
   */
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
      // A detached buffer has no length.
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
    sequenceRule({ entropySize = 1, random }) {
      const size = numberIn(entropySize, "entropySize", row.startBytes, 1);
      const source = callback<(bytes: Uint8Array) => void>(random, "random");
      return source ? [size, injectedRandom(source, schema)] : [size];
    },
  };
  const own = fixedFieldGenerators(schema, kind, { scalability: 0 });
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
    withEpoch: (epoch: Epoch) => flake({ ...row, epoch: epochMs(epoch) }),
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
 * The specification requires `sequenceFull: "throw"`, and two of its implementations
 * `clockBackwards: "throw"`.
 *
 * @example
 * ```js
 * import { ulidFlake } from "graupel/ulid-flake";
 * console.log(ulidFlake.toBigInt("00CMXB6TAK4SA"));   // 14246757444195114n
 * ```
 */
export const ulidFlake: UlidFlake<"randomness", UlidFlakeOptions> = /* @__PURE__ */ flake(row);

/**
 * Ulid-Flake, scalable: 15 random bits, and 5 bits that distinguish up to 32 generators.
 *
 * | | |
 * | --- | --- |
 * | clock goes back | `"hold"`; or `"throw"`, `"wait"` |
 * | past the largest randomness | `"wait"`; or `"throw"`, `"borrow"` |
 *
 * The specification requires `sequenceFull: "throw"`, and two of its implementations
 * `clockBackwards: "throw"`.
 *
 * @example
 * ```js
 * import { ulidFlakeScalable } from "graupel/ulid-flake";
 * console.log(ulidFlakeScalable.inspect("00CMXB6TAK4SA").scalability);   // 10
 * ```
 */
export const ulidFlakeScalable: UlidFlake<"randomness" | "scalability", UlidFlakeScalableOptions> =
  /* @__PURE__ */ flake(scalableRow);
