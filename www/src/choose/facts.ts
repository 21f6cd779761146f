/** The facts of every format, from the package itself. */
import { GraupelError } from "graupel";
import type { AnyFormat, Id } from "../lib/formats.ts";
import { fixedFields, makeFormat, SUBJECTS, type Subject } from "../lib/subjects.ts";
import { YEAR_MS } from "../lib/units.ts";

export interface Facts {
  readonly subject: Subject;
  readonly format: AnyFormat;
  readonly bits: number;
  /** The type of what `next()` returns. */
  readonly type: string;
  /** The shortest and the longest text. */
  readonly characters: readonly [number, number];
  /** Whether texts sort as the IDs do: they are all of one length. */
  readonly sorts: boolean;
  /** How many numbers there are to tell machines apart. 1: there is no such field. */
  readonly machines: number;
  readonly perSecond: number;
  /** Whether it makes fewer, because its steps are random. */
  readonly random: boolean;
  readonly ownEpoch: boolean;
  /** From now on; from the epoch on, if that is the user's own. */
  readonly years: number;
  readonly whenBack: string;
}

/** A step of the clock that every format notices. */
const STEP = 1000;

const noNumbers = (format: AnyFormat) => Object.fromEntries(fixedFields(format).map(({ name }) => [name, 0]));

/** What a generator without options does when the clock goes back: it is tried, on a clock of its own. */
function whenBack(format: AnyFormat, now: number): string {
  let reading = now;
  const ids = format.generator({ ...noNumbers(format), clock: () => reading, isolated: true });
  const time = (id: Id) => format.inspect(id).timestamp;
  const before = time(ids.next());
  reading -= STEP;
  try {
    return time(ids.next()) < before ? "goes on there, with a bit turned" : "goes on at the highest reading";
  } catch (error) {
    if (!GraupelError.is(error)) throw error;
    return "throws";
  }
}

/** Random steps of one byte use a millisecond up after a 256th of what it could hold, on average. */
const RANDOM = 256;

function factsOf(subject: Subject, now: number): Facts {
  const format = makeFormat(subject, {});
  const { layout, capacity, endOfLife, epoch } = format;
  const smallest = format.fromBigInt(0n);
  const lengths = [smallest, format.range().max].map((id) => format.format(id).length);
  const random = layout.fields.some(({ name }) => name === "randomness");
  const ownEpoch = subject.declares;
  return {
    subject,
    format,
    bits: layout.bits,
    type: typeof smallest,
    characters: [lengths[0] ?? 0, lengths[1] ?? 0],
    sorts: lengths[0] === lengths[1],
    machines: fixedFields(format).reduce((product, { bits }) => product * 2 ** bits, 1),
    perSecond: (capacity * 1000) / layout.tickMs / (random ? RANDOM : 1),
    random,
    ownEpoch,
    years: (endOfLife - (ownEpoch ? epoch : now)) / YEAR_MS,
    whenBack: whenBack(format, now),
  };
}

/** The facts of all formats. */
export const allFacts = (now: number): Facts[] => SUBJECTS.map((subject) => factsOf(subject, now));
