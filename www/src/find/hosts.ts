/**
 * The addresses of services that have IDs, one row for each service: whose IDs they are, and in
 * which form.
 */
import type { Encoding } from "./types.ts";

/** A service, identified by its hosts, and the paths in which it has IDs. */
export interface Service {
  readonly host: RegExp;
  /** The key of a format or of a foreign kind, or "none" if the IDs cannot be read here. */
  readonly key: string;
  /** Matches the part of an address that contains the ID. The group is the ID. */
  readonly form?: RegExp;
  /** The encoding of the ID, if it is not the usual one. */
  readonly encoding?: Encoding;
}

const CODE = String.raw`([\w-]{10,11}(?:[\w-]{28})?)(?![\w-])`;

/** From the services' own documentation of their addresses, and from their addresses. */
export const SERVICES: readonly Service[] = [
  {
    host: /(?:^|\.)(?:(?:mobile\.|[fv]x|fixup)?twitter|x|fixupx|fixvx|twstalker|twimg)\.com$|(?:^|\.)nitter\.[a-z.]+$/,
    key: "twitter",
    form: /\/status(?:es)?\/(\d+)/,
  },
  {
    host: /(?:^|\.)discord(?:app)?\.(?:com|net)$/,
    key: "discord",
    // The last ID of the path: the message in a channel, the member of a guild.
    form: /\/(\d{15,20})(?!\d|[^?#]*\/\d{15})/,
  },
  {
    host: /(?:^|\.)(?:(?:cdn)?instagram\.com|dd?instagram\.com|kkinstagram\.com|instagr\.am|threads\.(?:net|com))$/,
    key: "instagram",
    form: new RegExp(String.raw`\/(?:p|reels?|tv|post|t)\/${CODE}`),
    encoding: "shortcode",
  },
  {
    host: /(?:^|\.)mastodon\.[a-z.]+$|^(?:mstdn|fosstodon|hachyderm|infosec|mas)\./,
    key: "mastodon",
  },
  { host: /(?:^|\.)tiktok\.com$/, key: "tiktok", form: /\/(?:video|photo|v|embed(?:\/v2)?)\/(\d{17,20})/ },
  {
    host: /(?:^|\.)linkedin\.com$/,
    key: "linkedin",
    form: /(?:activity|share|ugcPost)(?::|-|%3A)(\d{17,20})/i,
  },
  { host: /(?:^|\.)bsky\.app$/, key: "bluesky", form: /\/(?:post|lists|feed)\/([2-7a-z]{13})(?![\w-])/ },
  { host: /(?:^|\.)slack\.com$/, key: "slack", form: /\/(?:p|thread_ts=)(\d{10}\.?\d{6})(?!\d)/ },
  {
    host: /(?:^|\.)(?:youtube(?:-nocookie)?\.com|youtu\.be|ytimg\.com)$/,
    key: "youtube",
    form: /(?:[?&]v=|\/(?:shorts|embed|live|v|vi)\/|^\/)([\w-]{11})(?![\w-])/,
  },
  {
    host: /(?:^|\.)firebaseio\.com$|\.firebasedatabase\.app$/,
    key: "firebase",
    form: /\/(-[\w-]{19})(?![\w-])/,
  },
  {
    host: /(?:^|\.)(?:github|gitlab|google|googleapis|spotify|steamcommunity|stripe|docker|amazon|amazonaws|facebook|reddit|twitch|vimeo|notion|figma|zoom|paypal|npmjs|stackoverflow|wikipedia|imgur|medium)\.(?:com|org|tv|so|us|io)$/,
    key: "none",
  },
];

/** The path of a Mastodon post, on any host. */
const POST = /\/(?:@[\w.@-]+|statuses|users\/[\w.-]+\/statuses)\/$/;

/** The formats whose addresses contain shortcodes. */
export const SHORTCODES = SERVICES.flatMap(({ key, encoding }) => (encoding === "shortcode" ? [key] : []));

/** Characters that never appear in an address. */
const OUTSIDE = /[\s"'`<>()[\]{}|\\^]/;
/** A host and the path that follows it, at the beginning of a word. */
const ADDRESS = /(?<![\w.-])((?:[\w-]+\.)+[a-z]{2,})(?::\d+)?(\/[^\s"'`<>()[\]{}|\\^]*)/gi;

const serviceOf = (host: string): Service | undefined => {
  const name = host.toLowerCase().replace(/^www\./, "");
  return SERVICES.find((service) => service.host.test(name));
};

/** An ID in the part of an address in which the service has its IDs. */
export interface Addressed {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The IDs to which the addresses in a text lead, in order. */
export function* addressedIn(input: string): Generator<Addressed> {
  for (const match of input.matchAll(ADDRESS)) {
    const [whole, host = "", path = ""] = match;
    const [found] = [serviceOf(host)?.form?.exec(path)];
    if (found?.[1] === undefined) continue;
    const start = match.index + whole.length - path.length + found.index + found[0].lastIndexOf(found[1]);
    yield { text: found[1], start, end: start + found[1].length };
  }
}

/**
 * The evidence of the address around a text. `isForm`: the text is where such addresses have their
 * ID.
 */
export interface Said {
  readonly key: string;
  readonly host: string;
  readonly encoding?: Encoding | undefined;
  readonly isForm: boolean;
  readonly isPost: boolean;
}

/** The address that contains a text, if its host is known or if it leads to a Mastodon post. */
export function saidByAddress(input: string, start: number, end: number): Said | undefined {
  let from = start;
  const farthest = Math.max(0, start - 240);
  while (from > farthest && !OUTSIDE.test(input[from - 1] as string)) from -= 1;
  const before = input.slice(from, start);
  if (!before.includes("/")) return undefined;
  const at = /^at:\/\/.*\/app\.bsky\.[\w.]+\/$/.test(before);
  if (at) return { key: "bluesky", host: "Bluesky", isForm: true, isPost: false };
  // If an address contains another address, the last one counts.
  const hosts = [
    ...before.matchAll(/(?:^|\/\/|[=/@])(?:[^/@]*@)?((?:[\w-]+\.)+[a-z]{2,})(?::\d+)?(?=\/|%2F)/gi),
  ];
  for (const match of hosts.reverse()) {
    const host = (match[1] as string).toLowerCase().replace(/^www\./, "");
    const path = before.slice(match.index + match[0].length);
    const service = serviceOf(host);
    if (service !== undefined) {
      const whole = path + input.slice(start, end + 4);
      const found = service.form?.exec(whole);
      const isForm =
        found?.[1] === input.slice(start, end) && found[0].endsWith(found[1]) && found.index <= path.length;
      return {
        key: service.key,
        host,
        encoding: isForm ? service.encoding : undefined,
        isForm,
        isPost: false,
      };
    }
    if (POST.test(path)) return { key: "mastodon", host, isForm: true, isPost: true };
  }
  return undefined;
}
