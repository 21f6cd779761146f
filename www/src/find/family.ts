/**
 * Reads a text as Snowflake-style IDs: in each format that accepts the text itself or one of its
 * encodings.
 */
import { facts } from "graupel/facts";
import words from "../../../js/cli/words.json" with { type: "json" };
import { HABITS } from "../../../js/habits.ts";
import { type AnyFormat, exported, type Id } from "../lib/formats.ts";
import { outcomeOf } from "../lib/refusal.ts";
import { decodedIn, type Encoded, encodedIn, PRIORS, shortcode } from "./encoded.ts";
import { SHORTCODES } from "./hosts.ts";
import type { Encoding } from "./types.ts";
import { type Weight, weigh } from "./weigh.ts";

export interface FamilyID extends Weight {
  readonly key: string;
  readonly title: string;
  readonly encoding: Encoding;
  readonly format: AnyFormat;
  readonly id: Id;
}

interface Known {
  readonly format: AnyFormat;
  readonly title: string;
  readonly bytes: number;
  /** The lengths of the canonical texts. */
  readonly shortest: number;
  readonly longest: number;
  /** The largest ID as an integer. */
  readonly most: bigint;
  /** Whether the canonical text is a decimal number. */
  readonly decimal: boolean;
}

const formatNamed = (code: string): AnyFormat =>
  (exported as unknown as Readonly<Record<string, AnyFormat>>)[code] as AnyFormat;

/** The formats with a fixed epoch. */
const KNOWN: readonly Known[] = Object.values(facts)
  .filter(({ declared, epoch }) => !declared && epoch !== null)
  .map(({ name, export: code, id, text }) => ({
    format: formatNamed(code),
    title: words.formats[name as keyof typeof words.formats].title,
    bytes: id.bytes,
    shortest: text.shortest,
    longest: text.longest,
    most: formatNamed(code).toBigInt(id.max),
    decimal: text.base === 10,
  }));

const priorOf = ({ format }: Known): number => HABITS[format.name]?.prior ?? Number.NEGATIVE_INFINITY;

/** The formats whose text is decimal, from the most common to the least common. */
export const DECIMAL: readonly Known[] = KNOWN.filter(({ decimal }) => decimal)
  .sort((a, b) => a.title.localeCompare(b.title))
  .sort((a, b) => (priorOf(a) === priorOf(b) ? 0 : priorOf(b) - priorOf(a)));

function idOf(known: Known, encoding: Encoding, id: Id, own: boolean, now: number): FamilyID {
  const { format, title } = known;
  const { score, timestamp, evidence } = weigh(format, id, own, now);
  const key = own ? "own" : format.name;
  return { key, title, encoding, format, id, timestamp, evidence, score: score + PRIORS[encoding] };
}

/** Reads an integer as an ID, if the width of the text is the format's. */
function fromEncoded(
  known: Known,
  { encoding, integer, bytes }: Encoded,
  own: boolean,
  now: number,
): FamilyID[] {
  const { format } = known;
  // A sno has 10 bytes, and practically never a smaller value.
  if (bytes === undefined ? known.bytes > 8 && integer < 1n << 72n : bytes !== known.bytes) return [];
  if (integer > known.most) return [];
  const canonical = encoding === "decimal" && known.decimal;
  // Only a declared layout can reject an integer of the right width.
  const id = own ? outcomeOf(() => format.fromBigInt(integer)) : { value: format.fromBigInt(integer) };
  return "value" in id ? [idOf(known, canonical ? "text" : encoding, id.value, own, now)] : [];
}

const isAsLong = ({ length }: string, { shortest, longest }: Known): boolean =>
  length >= shortest && length <= longest;

/**
 * The best reading in a format: of the text itself, or of one of its encodings. A text can be two
 * IDs of a format, in two alphabets. The second one counts only if its time is not in the future.
 */
function readingsOf(
  known: Known,
  text: string,
  encoded: readonly Encoded[],
  own: boolean,
  now: number,
): FamilyID[] {
  const { format } = known;
  const itself =
    !known.decimal && isAsLong(text, known) && format.isValid(text)
      ? [idOf(known, "text", format.parse(text), own, now)]
      : [];
  const others = encoded.flatMap((one) => fromEncoded(known, one, own, now));
  const decoded = decodedIn(format, text).map(({ encoding, id }) => idOf(known, encoding, id, own, now));
  const all = [...itself, ...others, ...decoded].sort((a, b) => b.score - a.score);
  const isOther = (one: FamilyID) => decoded.includes(one) && one.id !== all[0]?.id && one.timestamp <= now;
  return all.filter((one, index) => index === 0 || isOther(one));
}

const ownOf = (format: AnyFormat): Known => ({
  format,
  title: words.formats[format.name as keyof typeof words.formats]?.title ?? format.name,
  bytes: Math.ceil(format.layout.bits / 8),
  shortest: 1,
  longest: Number.POSITIVE_INFINITY,
  most: (1n << BigInt(format.layout.bits)) - 1n,
  decimal: format.format(format.fromBigInt(10n)) === "10",
});

/**
 * A UUID that encodes a sno. The characters of a sno are digits and letters, whose bytes begin with
 * 3, 6 or 7; in a UUID of RFC 9562, the variant's digit is 8 to b.
 */
const UUID = /^[0-9a-f-]{14}[367][0-9a-f-]{4}[367][0-9a-f-]{16}$/i;

export function familyIn(text: string, own: AnyFormat | undefined, now: number): FamilyID[] {
  if (UUID.test(text)) {
    return KNOWN.flatMap((known) => {
      const { fromUUID } = known.format as Partial<typeof exported.sno>;
      const outcome = fromUUID && outcomeOf(() => fromUUID(text));
      return outcome && "value" in outcome ? [idOf(known, "UUID", outcome.value, false, now)] : [];
    });
  }
  const encoded = encodedIn(text);
  const code = shortcode(text);
  const coded = KNOWN.filter(({ format }) => SHORTCODES.includes(format.name));
  const all = KNOWN.flatMap((known) => readingsOf(known, text, encoded, false, now));
  if (code !== undefined)
    all.push(
      ...coded.flatMap((known) =>
        fromEncoded(known, { encoding: "shortcode", integer: code, bytes: undefined }, false, now).map(
          (one) => ({
            ...one,
            // In the address of a private post, random characters follow the code.
            score: one.score - 6 * Math.max(0, text.length - 11),
          }),
        ),
      ),
    );
  if (own !== undefined) all.push(...readingsOf(ownOf(own), text, encoded, true, now));
  return all;
}
