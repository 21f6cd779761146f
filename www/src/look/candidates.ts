/** Which formats a text could belong to, the likeliest first, and why. */
import { identify, sno } from "graupel";
import type { AnyFormat, Id } from "../lib/formats.ts";
import { outcomeOf } from "../lib/refusal.ts";
import { ago } from "../lib/time.ts";
import { DAY_MS } from "../lib/units.ts";

export interface Candidate {
  readonly format: AnyFormat;
  /** Unique among the candidates: a format's name, or "own". */
  readonly key: string;
  readonly id: Id;
  readonly timestamp: number;
  /** Why it is likely or not. */
  readonly reason: string;
  readonly plausible: boolean;
}

/** How far in the future a time may lie and still be plausible: clocks differ. */
const AHEAD = DAY_MS;
/** Times so soon after the epoch are rare, and belong to many small numbers. */
const MONTH = 30 * DAY_MS;
/** Twitter's beginning: no ID of these formats is older. */
const FIRST = Date.UTC(2006, 2, 21);

function weigh(timestamp: number, epoch: number, now: number): { reason: string; plausible: boolean } {
  const when = `its time is ${new Date(timestamp).toISOString().slice(0, 10)}, ${ago(timestamp, now)}`;
  if (timestamp > now + AHEAD) return { reason: `${when}: in the future`, plausible: false };
  if (timestamp < FIRST) return { reason: `${when}: older than any such ID`, plausible: false };
  if (timestamp < epoch + MONTH) return { reason: `${when}: within a month of the epoch`, plausible: false };
  return { reason: when, plausible: true };
}

function candidateOf(format: AnyFormat, key: string, text: string, now: number): Candidate {
  const id = format.parse(text);
  const { timestamp } = format.inspect(id);
  return { format, key, id, timestamp, ...weigh(timestamp, format.epoch, now) };
}

/** A sno in the form of a UUID. */
function fromUUID(text: string): string | undefined {
  if (!/^[0-9a-f-]{36}$/i.test(text)) return undefined;
  const outcome = outcomeOf(() => sno.fromUUID(text));
  return "value" in outcome ? outcome.value : undefined;
}

/** The order is the package's; a format of one's own comes first, because it was asked for. */
export function candidatesOf(text: string, own: AnyFormat | undefined, now: number): Candidate[] {
  const plain = fromUUID(text) ?? text;
  const known = identify(plain).flatMap(({ format }) => (format === undefined ? [] : [format]));
  const fixed = known.map((format) => candidateOf(format, format.name, plain, now));
  return own?.isValid(plain) ? [candidateOf(own, "own", plain, now), ...fixed] : fixed;
}
