/** What stands around a text, as evidence: the host of an address, a mention, the name of a key. */
import type { Encoding } from "./types.ts";
import type { Evidence } from "./weigh.ts";

/** For a format, for a foreign kind, or ("none") for no ID at all. */
export interface Hint extends Evidence {
  readonly for: string;
  /** For texts of this encoding alone. */
  readonly encoding?: Encoding;
}

/** In bits: an address, the name of something that is no ID, the name of a service's ID, a word nearby. */
const [HOST, OTHER, KEY, WORD] = [30, 34, 20, 8];

/** Instagram's addresses have the short code, and no number. */
const MEDIUM = /\/(?:p|reels?|tv)\/$/;

/** Hosts, and for whom an ID in an address speaks; which addresses have short codes. */
const HOSTS: readonly (readonly [host: RegExp, whose: string, shortcodes?: RegExp])[] = [
  [/(?:^|\.)(?:(?:mobile\.|fx|vx)?twitter|x|fixupx|twstalker)\.com$|(?:^|\.)nitter\.[a-z.]+$/, "twitter"],
  [/(?:^|\.)discord(?:app)?\.(?:com|net)$/, "discord"],
  [/(?:^|\.)instagram\.com$|(?:^|\.)cdninstagram\.com$/, "instagram", MEDIUM],
  [/(?:^|\.)mastodon\.[a-z.]+$|^(?:mstdn|fosstodon|hachyderm|infosec)\./, "mastodon"],
  [/(?:^|\.)(?:youtube|youtu|github|gitlab|google|spotify|stripe|docker)\.(?:com|be)$/, "none"],
];

/** A post of Mastodon, on whatever host. */
const POST = /\/(?:@[\w.@-]+|statuses|users\/[\w.-]+\/statuses)\/$/;

/** The formats whose addresses have short codes. */
export const SHORTCODES = HOSTS.flatMap(([, whose, shortcodes]) => (shortcodes === undefined ? [] : [whose]));

const MENTION = /<(?:@[!&]?|#|a?:\w{1,32}:|\/[^<>:]{1,32}:)$/;

/** The last name before the text, and what stands between. */
const NAMED = /([A-Za-z$][\w.$-]*?)["'`”]?[\])]?(\s*(?:[:=]|=>)\s*|\s+|\()[<"'`“([{]*$/;

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/tweet|twitter|^id_str$|status_?id/i, "twitter"],
  [/guild|channel|discord|member|emoji|role_?id|webhook|application_?id/i, "discord"],
  [/mastodon|toot/i, "mastodon"],
  [/instagram|(?:^|_)ig(?:_|$)|media_?id/i, "instagram"],
  [/sonyflake/i, "sonyflake"],
  [/(?:^|_)sno(?:_|$)/i, "sno"],
  [/ulid-?_?flake-?_?scal/i, "ulid-flake-scalable"],
  [/ulid-?_?flake/i, "ulid-flake"],
];

/** The words of names of what is no ID. */
const OTHERS =
  /^(?:span|spanid|trace|traceid|parent|sha\d*|md5|hash|commit|digest|etag|checksum|nonce|signature|secret|password|phone|tel|card|iban|isbn|ean|sku|lat|lng|price|amount|total|bytes|size|length|took|age)$/;

/** "contentLength" has the words "content" and "length", and so have "content-length" and "content_length". */
const wordsOf = (name: string): string[] =>
  name
    .replace(/(?<=[a-z])[A-Z]/g, " $&")
    .toLowerCase()
    .split(/[^a-z\d]+/);

/** No address has these characters. */
const OUTSIDE = /[\s"'`<>()[\]{}|\\^]/;

/** The beginning of the address that a place is in. */
function addressBefore(before: string): string {
  let from = before.length;
  while (from > 0 && !OUTSIDE.test(before[from - 1] as string)) from -= 1;
  return before.slice(from);
}

const ADDRESS = /^(?:[a-z][\w+.-]*:\/\/)?(?:[^/@]*@)?((?:[\w-]+\.)+[a-z]{2,})(?::\d+)?(\/.*)$/i;

function hintsOfAddress(before: string): Hint[] {
  const address = addressBefore(before);
  const [, host, path] = (address.includes("/") ? ADDRESS.exec(address) : null) ?? [];
  if (host === undefined || path === undefined) return [];
  const name = host.toLowerCase().replace(/^www\./, "");
  const [, known, shortcodes] = HOSTS.find(([pattern]) => pattern.test(name)) ?? [];
  const reason = `It stands in an address of ${name}.`;
  if (known !== undefined)
    return [{ for: known, bits: HOST, reason, ...(shortcodes?.test(path) && { encoding: "shortcode" }) }];
  return POST.test(path)
    ? [{ for: "mastodon", bits: HOST, reason: `${reason.slice(0, -1)}, as a post of Mastodon does.` }]
    : [];
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
  const meant = isOther ? "none" : NAMES.find(([pattern]) => pattern.test(name))?.[1];
  const bits = !/[:=(]/.test(between) ? WORD : isOther ? OTHER : KEY;
  return meant === undefined ? [] : [{ for: meant, bits, reason: `The name before it is “${name}”.` }];
}

/** How much is looked at before a text: for an address, and for a name. */
const [BEFORE, NEAR] = [240, 40];

export function hintsFor(input: string, start: number, end: number): Hint[] {
  const before = input.slice(Math.max(0, start - BEFORE), start);
  const after = input.slice(end, end + 24);
  const hints = hintsOfAddress(before);
  if (hints.length === 0) hints.push(...hintsOfName(before));
  if (MENTION.test(before) && after.startsWith(">"))
    hints.push({ for: "discord", bits: HOST, reason: "It stands in a mention, as Discord writes them." });
  if (/<t:$/.test(before))
    hints.push({ for: "none", bits: HOST, reason: "It is a time, as Discord writes them." });
  if (/^_\d{5,14}\b/.test(after) && !/[\w.]$/.test(before))
    hints.push({ for: "instagram", bits: KEY, reason: "A user’s number follows it, as at Instagram." });
  if (/(?:^|\s|["'=:])00-(?:[0-9a-f]{32}-)?$/.test(before) && /^-[0-9a-f]{2}/.test(after))
    hints.push({ for: "none", bits: HOST, reason: "It is part of a trace context." });
  return hints;
}
