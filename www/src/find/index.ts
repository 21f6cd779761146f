/** The IDs in a text. */
import type { AnyFormat } from "../lib/formats.ts";
import { subjectOf } from "../lib/subjects.ts";
import { type Candidate, candidatesOf } from "../look/candidates.ts";
import { encodingsOf } from "../look/encodings.ts";
import { foreign } from "../look/foreign.ts";
import type { FamilyReading, ForeignReading, Found, Reading } from "./types.ts";

export type { FamilyReading, ForeignReading, Found, Reading } from "./types.ts";

/** Whatever could be an ID: a UUID has hyphens between its digits. */
const WORDS = /[0-9A-Za-z]+(?:-[0-9A-Za-z]+)*/g;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const encodingOf = ({ format, id }: Candidate, text: string): string =>
  encodingsOf(format, id).find(([, written]) => written === text.toLowerCase())?.[0] ?? "text";

const family = (candidate: Candidate, text: string): FamilyReading => ({
  kind: "family",
  key: candidate.key,
  title: subjectOf(candidate.format.name).title,
  encoding: encodingOf(candidate, text),
  timestamp: candidate.timestamp,
  reasons: [candidate.reason],
  plausible: candidate.plausible,
  format: candidate.format,
  id: candidate.id,
});

function other(text: string): ForeignReading | undefined {
  const kind = foreign(text);
  if (kind === undefined || !UUID.test(text)) return undefined;
  return {
    kind: "foreign",
    key: kind.name,
    title: kind.name.replace("a UUID, version ", "UUID v"),
    encoding: "text",
    timestamp: kind.timestamp,
    reasons: [],
    plausible: true,
    layout: {
      fields: [
        { name: "unix_ts_ms", bits: 48 },
        { name: "ver", bits: 4 },
        { name: "rand_a", bits: 12 },
        { name: "var", bits: 2 },
        { name: "rand_b", bits: 62 },
      ],
    },
    integer: BigInt(`0x${text.replaceAll("-", "")}`),
    width: 128,
    values: [],
    text,
  };
}

function readingsOf(text: string, own: AnyFormat | undefined, now: number): Reading[] {
  const strange = other(text);
  const known = candidatesOf(text, own, now).map((candidate) => family(candidate, text));
  return strange === undefined ? known : [...known, strange];
}

/** The IDs in a text, by their places. */
export function findIn(text: string, own: AnyFormat | undefined, now: number): Found[] {
  const words = [...text.matchAll(WORDS)].flatMap((match) => {
    const start = match.index;
    if (UUID.test(match[0])) return [{ start, text: match[0] }];
    const parts: { start: number; text: string }[] = [];
    for (let at = start; at < start + match[0].length; ) {
      const [part = ""] = text.slice(at, start + match[0].length).split("-");
      parts.push({ start: at, text: part });
      at += part.length + 1;
    }
    return parts;
  });
  const alone = words.length === 1;
  return words.flatMap(({ start, text: word }): Found[] => {
    const readings = readingsOf(word, own, now).filter(({ plausible }) => alone || plausible);
    return readings.length === 0 || (!alone && word.length < 10)
      ? []
      : [{ text: word, start, end: start + word.length, readings, notes: [] }];
  });
}
