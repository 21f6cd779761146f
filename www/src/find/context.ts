/**
 * Evidence from the surroundings of a text: the host of an address, a mention, the name of a key.
 */
import { saidByAddress } from "./hosts.ts";
import type { Encoding } from "./types.ts";
import type { Evidence } from "./weigh.ts";

/** Evidence for a format, for a foreign kind, or ("none") for a text that is not an ID. */
export interface Hint extends Evidence {
  readonly for: string;
  /** The hint applies only to texts in this encoding. */
  readonly encoding?: Encoding;
}

/**
 * The strength of evidence in bits: the position of an ID in an address, any other position in an
 * address, the name of a value that is not an ID, and the name of a service's ID.
 */
const [FORM, HOST, OTHER, KEY] = [60, 30, 34, 20];
/**
 * The strength of a service's name in the same line, in bits: right beside the ID, some words away,
 * and farther away.
 */
const [BESIDE, NEARBY, FAR] = [16, 12, 8];

const MENTION = /<(?:@[!&]?|#|a?:\w{1,32}:|\/[^<>:]{1,32}:)$/;

/** The last name before the text, and the characters between them. */
const NAMED = /([A-Za-z$][\w.$-]*?)["'`”]?[\])]?(\s*(?:[:=]|=>)\s*|\s+|\()[<"'`“([{]*$/;

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/tiktok/i, "tiktok"],
  [/linkedin/i, "linkedin"],
  [/bluesky|bsky|atproto/i, "bluesky"],
  [/slack|thread_?ts/i, "slack"],
  [/youtube/i, "youtube"],
  [/nano_?id/i, "nanoid"],
  [/x-?ray|x-amzn/i, "xray"],
  [/firebase/i, "firebase"],
  [/scru128/i, "scru128"],
  [/typeid/i, "typeid"],
  [/tsid/i, "tsid"],
  [/cuid/i, "cuid"],
  [/object_?id|mongo/i, "objectid"],
  [/ksuid/i, "ksuid"],
  [/mastodon|toot/i, "mastodon"],
  [/tweet|twitter|^id_str$|status_?id/i, "twitter"],
  [/guild|channel|discord|member|emoji|role_?id|webhook|application_?id/i, "discord"],
  [/instagram|(?:^|_)ig(?:_|$)|media_?id/i, "instagram"],
  [/sonyflake/i, "sonyflake"],
  [/(?:^|_)sno(?:_|$)/i, "sno"],
  [/ulid-?_?flake-?_?scal/i, "ulid-flake-scalable"],
  [/ulid-?_?flake/i, "ulid-flake"],
  [/ulid/i, "ulid"],
];

/**
 * Names of services count anywhere in the line of an ID. Names of a service's features count only
 * right before it.
 */
const STRONG =
  /tweet|twitter|discord|mastodon|instagram|sonyflake|ulid-?_?flake|tiktok|linkedin|bluesky|slack|youtube|nano_?id|firebase|scru128|typeid|tsid|cuid|mongo|ksuid/gi;

/** Words in the names of values that are not IDs. */
const OTHERS =
  /^(?:span|spanid|trace|traceid|parent|sha\d*|md5|hash|commit|digest|etag|checksum|nonce|signature|secret|password|phone|tel|card|iban|isbn|ean|sku|lat|lng|price|amount|total|bytes|size|length|took|age|duration|nanos|micros|timestamp|barcode|gtin|upc|imei|vat|ssn|offset|checksums|crc\d*|fingerprint|serial|invoice|hwaddr|tracking|parcel|shipment|time|date|ticks|filetime|logon|expires|usec|nsec|steam\w*|\w*(?:konto|sendung|rechnung)\w*)$/;

/**
 * "contentLength", "content-length" and "content_length" all consist of the words "content" and
 * "length".
 */
const wordsOf = (name: string): string[] =>
  name
    .replace(/(?<=[a-z])[A-Z]/g, " $&")
    .toLowerCase()
    .split(/[^a-z\d]+/);

function hintsOfAddress(input: string, start: number, end: number): Hint[] {
  const said = saidByAddress(input, start, end);
  if (said === undefined) return [];
  const { key, host, encoding, isForm, isPost } = said;
  const reason = `It is part of an address of ${host}${isPost ? ", as in a Mastodon post" : ""}.`;
  return [{ for: key, bits: isForm && !isPost ? FORM : HOST, reason, ...(encoding && { encoding }) }];
}

export function nameBefore(before: string): { readonly name: string; readonly between: string } | undefined {
  const [, name, between] = NAMED.exec(before.slice(-NEAR)) ?? [];
  return name === undefined || between === undefined ? undefined : { name, between };
}

function hintsOfName(before: string): Hint[] {
  const found = nameBefore(before);
  if (found === undefined) return [];
  const { name, between } = found;
  const isOther = wordsOf(name).some((word) => OTHERS.test(word));
  const meant = isOther ? "none" : keyOf(name);
  const bits = !/[:=(]/.test(between) ? BESIDE : isOther ? OTHER : KEY;
  return meant === undefined ? [] : [{ for: meant, bits, reason: `The name before it is “${name}”.` }];
}

/** The numbers of characters that are examined before a text, after it, and for its name. */
const [BEFORE, AFTER, NEAR] = [240, 80, 40];

const keyOf = (name: string): string | undefined => NAMES.find(([pattern]) => pattern.test(name))?.[1];

/** The names of services in a line, each with its distance from the ID, in words. */
function* namesIn(line: string, isBefore: boolean): Generator<readonly [name: string, distance: number]> {
  for (const match of line.matchAll(STRONG)) {
    const between = isBefore ? line.slice(match.index + match[0].length) : line.slice(0, match.index);
    yield [match[0], between.match(/[\p{L}\d]+/gu)?.length ?? 0];
  }
}

/** Evidence from a service's name in the line of an ID. It is weaker the farther away the name is. */
function hintsOfLine(before: string, after: string): Hint[] {
  const names = [
    ...namesIn(before.slice(before.lastIndexOf("\n") + 1), true),
    ...namesIn(/^[^\n]*/.exec(after)?.[0] ?? "", false),
  ].sort(([, a], [, b]) => a - b);
  return names.slice(0, 1).flatMap(([name, distance]) => {
    const bits = distance <= 1 ? BESIDE : distance <= 6 ? NEARBY : FAR;
    const key = keyOf(name);
    return key === undefined ? [] : [{ for: key, bits, reason: `Its line contains the word “${name}”.` }];
  });
}

/**
 * The maximum number of lines above an ID that are examined. A line encloses the ID if it is
 * indented less than the lines below it.
 */
const LINES = 30;

function hintsOfPath(input: string, start: number): Hint[] {
  const lines = input.slice(Math.max(0, start - 6 * BEFORE), start).split("\n");
  if (lines.length < 2) return [];
  const indentOf = (line: string): number => /^[\s-]*/.exec(line)?.[0].length ?? 0;
  let indent = indentOf(lines.at(-1) as string);
  for (const line of lines.slice(0, -1).reverse().slice(0, LINES)) {
    if (indent === 0) return [];
    if (line.trim() === "" || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    const [name] = /^[\s-]*["']?[\w$.-]+(?=["']?\s*[:=])/.exec(line) ?? [];
    const strong = name?.match(STRONG)?.[0];
    const key = strong === undefined ? undefined : keyOf(strong);
    if (key !== undefined) return [{ for: key, bits: NEARBY, reason: `It is inside “${strong}”.` }];
  }
  return [];
}

/** Evidence from the header of the ID's column in a table. */
function hintsOfColumn(input: string, start: number): Hint[] {
  const from = input.lastIndexOf("\n", start - 1) + 1;
  const head = from === 0 ? "" : (input.slice(0, Math.min(from, 2 * BEFORE)).split("\n", 1)[0] ?? "");
  const separator = /[,;\t|]/.exec(head)?.[0];
  if (separator === undefined || start - from > 4 * BEFORE || /\d{6}/.test(head)) return [];
  const name = head.split(separator)[input.slice(from, start).split(separator).length - 1]?.trim() ?? "";
  const key = name.length > NEAR ? undefined : keyOf(name.replace(/^["']|["']$/g, ""));
  return key === undefined ? [] : [{ for: key, bits: KEY, reason: `Its column is “${name}”.` }];
}

export function hintsFor(input: string, start: number, end: number): Hint[] {
  const before = input.slice(Math.max(0, start - BEFORE), start);
  const after = input.slice(end, end + AFTER);
  const hints = hintsOfAddress(input, start, end);
  if (hints.length === 0) hints.push(...hintsOfName(before));
  for (const more of [
    () => hintsOfColumn(input, start),
    () => hintsOfLine(before, after),
    () => hintsOfPath(input, start),
  ])
    if (hints.length === 0) hints.push(...more());
  if (MENTION.test(before) && after.startsWith(">"))
    hints.push({ for: "discord", bits: HOST, reason: "It is in a Discord mention." });
  if (/\burn:li:\w+:$/i.test(before))
    hints.push({ for: "linkedin", bits: HOST, reason: "It is in a LinkedIn URN." });
  if (/<t:$/.test(before)) hints.push({ for: "none", bits: HOST, reason: "It is a Discord timestamp." });
  if (/^_\d{5,14}\b/.test(after) && !/[\w.]$/.test(before))
    hints.push({ for: "instagram", bits: KEY, reason: "A user’s number follows it, as on Instagram." });
  if (/^[0-9a-f]{32}$/.test(input.slice(start, end)) && /^ [ *][\w./-]/.test(after))
    hints.push({ for: "none", bits: HOST, reason: "A file name follows it, as in a list of checksums." });
  if (/(?:^|\s|["'=:])00-(?:[0-9a-f]{32}-)?$/.test(before) && /^-[0-9a-f]{2}/.test(after))
    hints.push({ for: "none", bits: HOST, reason: "It is part of a trace context." });
  if (/(?:^|[\s"'=:,;([{])[-−]$/u.test(before) && /^\d+$/.test(input.slice(start, end)))
    hints.push({ for: "none", bits: HOST, reason: "It is a negative number." });
  if (/(?:^|[^\w.])\d+\.$/.test(before) && /^\d+$/.test(input.slice(start, end)))
    hints.push({ for: "none", bits: HOST, reason: "It is part of a decimal number." });
  return hints;
}
