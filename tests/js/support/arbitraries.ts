/** fast-check arbitraries: valid values of a format, and values near its limits. */
import fc from "fast-check";
import { LATEST } from "./expected.ts";
import type { Form, Reference } from "./reference.ts";

/**
 * An integer from 0 to 2^bits - 1: often 0, the maximum, a power of two, or a power of two minus 1.
 */
export const bitsOf = (bits: number): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n }),
    fc.tuple(fc.nat(bits - 1), fc.nat(1)).map(([n, less]) => 2n ** BigInt(n) - BigInt(less)),
  );

/** Values for all fields, from high to low. */
export const fieldsOf = ({ spec, lastTick }: Reference): fc.Arbitrary<bigint[]> =>
  fc
    .tuple(...spec.fields.map(([, bits]) => bitsOf(bits)))
    .map(([tick = 0n, ...others]) => [tick > lastTick ? tick & lastTick : tick, ...others]);

/** The integer of an ID. */
export const integersOf = (r: Reference): fc.Arbitrary<bigint> => fieldsOf(r).map((values) => r.pack(values));

/** Digits and letters of other scripts, spaces, signs and lone surrogates. */
const ODD = [
  ..."\0\n\t +-_.,:/~`'\"\\(){}[]%",
  ..."０１９ａｚ٠١٩०९²½ßſKıİ\u00a0\u200b\u2028\ufeff",
  "\ud800",
  "\udbff",
  "\udc00",
  "\udfff",
];

/** A character: any code unit, an unusual one, a common one, or one that is a digit modulo 256. */
export const character: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ODD),
  fc.nat(65_535).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 48, max: 122 }).map((code) => String.fromCharCode(code)),
  fc
    .tuple(fc.constantFrom(..."029Aaxz"), fc.nat(255))
    .map(([digit, page]) => String.fromCharCode(digit.charCodeAt(0) + 256 * page)),
);

/** A change to a text; `at` is a position in it. */
type Edit = (text: string, at: number) => string;

const EDITS: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Edit>((text) => text) },
  fc.tuple(character, fc.nat(1)).map(
    ([inserted, taken]): Edit =>
      (text, at) =>
        text.slice(0, at) + inserted + text.slice(at + taken),
  ),
  fc.constant<Edit>((text, at) => text.slice(0, at) + text.slice(at + 1)),
  fc.constantFrom("0", "+", "-", " ", "0x", "\ufeff").map(
    (start): Edit =>
      (text) =>
        start + text,
  ),
  fc.constantFrom(" ", "\n", "\0", "n", ".0", "e0").map(
    (end): Edit =>
      (text) =>
        text + end,
  ),
  fc.constantFrom<Edit>(
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
  ),
  fc.integer({ min: 1, max: 255 }).map(
    (page): Edit =>
      (text, at) =>
        text.slice(0, at) +
        String.fromCharCode((text.charCodeAt(at) || 48) + 256 * page) +
        text.slice(at + 1),
  ),
);

/** A text in a format's form: correct, or with one fault, or of an integer above the maximum. */
export const textsOf = (r: Reference, form: Form = r.spec.form): fc.Arbitrary<string> =>
  fc
    .tuple(fc.oneof(integersOf(r), bitsOf(r.spec.bytes * 8)), EDITS, fc.nat())
    .map(([integer, edit, place]) => {
      const text = r.text(integer, form);
      return edit(text, place % (text.length + 1));
    });

/** Fractions of a millisecond before or after the start of a tick. */
const STEPS = [0, 0, 1, -1, 0.5, -0.5, 1.5, 2.5, 1e-9, -1e-9, 0.49999999999999994];

/** A time near a limit of a format's life, or anywhere within it; not always whole. */
export const instantsOf = (r: Reference): fc.Arbitrary<number> =>
  fc
    .tuple(
      fc.oneof(fc.bigInt({ min: 0n, max: r.lastTick }), fc.constantFrom(0n, 1n, r.lastTick, r.lastTick + 1n)),
      fc.oneof(fc.constantFrom(...STEPS), fc.double({ min: 0, max: 1, noNaN: true })),
      fc.constantFrom(1, 1, 1 + Number.EPSILON, 1 - Number.EPSILON),
    )
    .map(([tick, step, beside]) => {
      const ms = (r.timestamp(tick) + step) * beside;
      return Math.max(-LATEST, Math.min(LATEST, ms));
    });
