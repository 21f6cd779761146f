/**
 * Explains to users why the package rejects something, from the error's code, field, value and
 * range. The package's own messages are for developers.
 */
// Import the sources: the package is not installed where tests/js reads this file.
import type { ErrorCode, ErrorRange, GraupelError } from "../../../js/errors.ts";
import { titleName } from "./names.ts";
import { momentInWords } from "./time.ts";

/** The properties of an error. */
export type Refused = Pick<GraupelError, "code" | "field" | "value" | "range">;

/**
 * The ranges of numbers, by field. The package reports no range if a text is given instead of a
 * number.
 */
export type Limits = Readonly<Record<string, ErrorRange>>;

const numbers = new Intl.NumberFormat("en");

/** Fields that contain a time. The package takes each as Unix milliseconds. */
const TIMES = ["timestamp", "time", "epoch", "from", "to", "clock"];

/** The latest time of a `Date`, in Unix milliseconds. */
const CALENDAR = 8.64e15;

/** Better names for fields whose own names are unclear. */
const NAMES: Readonly<Record<string, string>> = {
  timestamp: "The time",
  time: "The time",
  epoch: "The epoch",
  from: "The beginning",
  to: "The end",
  clock: "The clock",
  fields: "The fields",
  tickMs: "The tick",
  sequenceField: "The field that counts",
  ids: "The kind of IDs",
  layout: "The layout",
  clockBits: "The clock’s width",
  machineBits: "The machine’s width",
  sequenceBits: "The sequence’s width",
  sequenceMin: "The lowest sequence",
  sequenceMax: "The highest sequence",
  sequenceResetThreshold: "The reset threshold",
  entropySize: "The random step",
  maxWaitMs: "The longest wait",
  maxAheadMs: "The farthest ahead",
  radix: "The radix",
};

/** The field's name. `fields.worker` is the width of a declared field. */
function nameOf(field: string | undefined): string {
  const own = /^fields\.(.*)$/.exec(field ?? "")?.[1];
  if (own !== undefined) return `The width of ${own}`;
  return NAMES[field ?? ""] ?? (field === undefined ? "This" : titleName(field));
}

const isTime = (field: string | undefined): boolean => TIMES.includes(field ?? "");

/** The input, shortened and without invisible characters. */
function shown(value: unknown): string {
  if (typeof value === "number" && Number.isFinite(value)) return numbers.format(value);
  if (typeof value === "bigint") return String(value);
  const text = typeof value === "string" ? value : "this";
  return `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;
}

/** Formats a range of numbers. Large IDs have no separators, as everywhere on the page. */
function between({ min, max }: ErrorRange): string {
  const [low, high] = [min, max].map((end) =>
    typeof end === "bigint" ? String(end) : numbers.format(end),
  ) as [string, string];
  return `from ${low} to ${high}`;
}

const datesBetween = ({ min, max }: ErrorRange): string =>
  `from ${momentInWords(Number(min))} to ${momentInWords(Number(max))}`;

function wrongType({ field, value, range }: Refused, limits: Limits): string {
  if (isTime(field))
    return "Enter a date in UTC, such as 2025-01-31 or 2025-01-31T12:00:00.000Z, or Unix milliseconds.";
  if (field === "fields") return "Enter names and widths, such as time:41,worker:10,sequence:12.";
  if (["layout", "ids", "clockBackwards", "sequenceFull", "sequenceStart"].includes(field ?? ""))
    return `${shown(value)} is not one of the choices.`;
  if (["id", "uuid", "integer"].includes(field ?? "")) return "This text is not an ID of this format.";
  const limit = range ?? limits[field ?? ""];
  const number = field?.endsWith("Ms") ? "a number of milliseconds" : "a whole number";
  const which = limit === undefined ? number : `${number} ${between(limit)}`;
  return value === undefined ? `${nameOf(field)} is missing: enter ${which}.` : `Enter ${which}.`;
}

function outOfRange({ field, value, range }: Refused): string {
  if (range === undefined) return `${nameOf(field)} is outside its range.`;
  if (isTime(field))
    return Number(range.min) === -CALENDAR
      ? "The calendar does not reach that far."
      : `${nameOf(field)} must be a time ${datesBetween(range)}.`;
  if (field === "fields")
    return typeof value === "number" && value < range.min
      ? `The fields have ${shown(value)} bits together; unsigned IDs have ${shown(range.min)}.`
      : `The fields have ${shown(value)} bits together; at most ${shown(range.max)} fit in an ID.`;
  if (range.min === range.max) return `${nameOf(field)} can only be ${shown(range.min)} here.`;
  const beside = typeof value === "number" || typeof value === "bigint";
  const why = !beside
    ? ""
    : value > range.max
      ? `: ${shown(value)} is too large`
      : value < range.min
        ? `: ${shown(value)} is too small`
        : "";
  return `${nameOf(field)} must be a whole number ${between(range)}${why}.`;
}

function wrongLength({ field, value, range }: Refused): string {
  const what = field === "uuid" ? "A UUID" : "An ID of this format";
  if (range === undefined) return `${what} has another length.`;
  const { min, max } = range;
  const length = min === max ? numbers.format(min) : `${numbers.format(min)} to ${numbers.format(max)}`;
  return `${what} has ${length} characters; this text has ${shown(value)}.`;
}

function wrongCharacter({ field, value, range }: Refused): string {
  const what = field === "uuid" ? "a sno as a UUID" : "an ID of this format";
  const at = Number(range?.min);
  const character = typeof value === "string" ? value[at] : undefined;
  return character === undefined
    ? `The characters of this text are not those of ${what}.`
    : `Character ${at + 1}, ${shown(character)}, cannot be in ${what}.`;
}

/** The conflict, by the field that the error names. */
const CONFLICTS: Readonly<Record<string, string>> = {
  from: "The beginning must be before the end.",
  fields: "The first field must be called time, and another field sequence, or the name that you entered.",
  sequenceBits: "The widths of clock, machine and sequence must add up to 53 bits.",
  sequenceMax: "The lowest and the highest sequence must differ.",
  sequenceResetThreshold: "A reset threshold is only for a sequence that starts at its lowest.",
};

/** Describes a wait that would exceed its bound, or else gives the code's own sentence. */
const lateOr =
  (words: string) =>
  ({ field, value, range }: Refused): string =>
    field === "maxWaitMs" && range !== undefined && typeof value === "number"
      ? `${words} The next ID needs a wait of ${shown(value)} ms, and the longest wait is ${shown(range.max)} ms.`
      : words;

/** The sentence for each code. */
const REASONS: Readonly<Record<ErrorCode, (refused: Refused, limits: Limits) => string>> = {
  TYPE: wrongType,
  RANGE: outOfRange,
  LENGTH: wrongLength,
  CHARACTER: wrongCharacter,
  NOT_CANONICAL: () => "An ID has no leading zeros: remove them.",
  OVERFLOW: ({ range }) =>
    range === undefined
      ? "This is larger than the largest ID of this format."
      : `This is larger than the largest ID of this format, ${shown(range.max)}.`,
  UNKNOWN_OPTION: ({ field }) => `There is no option called ${shown(field)}.`,
  UNKNOWN_FIELD: ({ field, value }) =>
    `${shown(typeof value === "string" ? value : field)} cannot be the name of a field.`,
  CONFLICT: ({ field }) => CONFLICTS[field ?? ""] ?? `${nameOf(field)} contradicts another value.`,
  BEFORE_EPOCH: ({ field, range }) =>
    `${nameOf(field)} is before this format’s first time${range === undefined ? "" : `, ${momentInWords(Number(range.min))}`}.`,
  // The end of the range is the first time that does not fit.
  END_OF_LIFE: ({ field, range }) =>
    `${nameOf(field)} is past this format’s last time${range === undefined ? "" : `, ${momentInWords(Number(range.max) - 1)}`}.`,
  CLOCK_BACKWARDS: lateOr("The clock went back."),
  SEQUENCE_FULL: lateOr("All sequence numbers of this tick are used up."),
  CLOCK_STUCK: () => "The clock stands still, so the wait would not end.",
  CLOCK_INVALID: () => "The clock returned an invalid time.",
  TIME_TAKEN: () => "An ID for that time could be a duplicate.",
  OUTSIDE_INTERVAL: () => "The clock is outside the time that this generator may use.",
  RANDOM_FAILED: () => "This browser has no source of random bits.",
  PARTITIONS_EXHAUSTED: () => "This page already uses all partitions: enter one.",
  SNAPSHOT: () => "The snapshot is damaged, of another format, or of a later version.",
  REGISTRY: () => "This page has loaded another version of the package: reload it.",
  CORE: () => "This browser cannot start WebAssembly.",
  PEER: () => "This version of the other library does not work with this entry.",
  LEASE_LOST: () => "The lease has no number now.",
  LEASE_RELEASED: () => "The lease was released.",
  LEASE_FULL: () => "All numbers of this namespace are held.",
  LEASE_STORE: () => "The store of the lease does not answer.",
  LEASE_LAYOUT: () => "This namespace numbers the IDs of another format.",
  LEASE_SKEW: () => "This clock and the store’s clock differ too much.",
};

/** The reason, in one or two sentences. */
export const reasonOf = (refused: Refused, limits: Limits = {}): string =>
  REASONS[refused.code](refused, limits);
