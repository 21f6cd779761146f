/** Addresses of services that have IDs: whose they are, and in which form. A row each, so that a new service is a row. */
import type { Encoding } from "./types.ts";

/** A service, by its hosts and by the paths in which it has IDs. */
export interface Service {
  readonly host: RegExp;
  /** A format, a foreign kind, or "none" for IDs that cannot be read here. */
  readonly key: string;
  /** Where an address has the ID that it leads to: the group. What else is matched belongs to it. */
  readonly form?: RegExp;
  /** How the form writes it, if not as usual. */
  readonly encoding?: Encoding;
}

const CODE = String.raw`([\w-]{10,11}(?:[\w-]{28})?)(?![\w-])`;

/** Sources: the services' own documents of their addresses, and their addresses. */
export const SERVICES: readonly Service[] = [
  {
    host: /(?:^|\.)(?:(?:mobile\.|[fv]x|fixup)?twitter|x|fixupx|fixvx|twstalker)\.com$|(?:^|\.)nitter\.[a-z.]+$/,
    key: "twitter",
    form: /\/status(?:es)?\/(\d+)/,
  },
  {
    host: /(?:^|\.)discord(?:app)?\.(?:com|net)$/,
    key: "discord",
    form: /\/channels\/(?:\d+|@me)(?:\/\d+)?\/(\d{15,20})(?!\d|\/\d)/,
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
    host: /(?:^|\.)(?:github|gitlab|google|googleapis|spotify|stripe|docker|amazon|amazonaws|facebook|reddit|twitch|vimeo|notion|figma|zoom|paypal|npmjs|stackoverflow|wikipedia|imgur|medium)\.(?:com|org|tv|so|us|io)$/,
    key: "none",
  },
];

/** A post of Mastodon, on any host. */
const POST = /\/(?:@[\w.@-]+|statuses|users\/[\w.-]+\/statuses)\/$/;

/** The formats whose addresses have short codes. */
export const SHORTCODES = SERVICES.flatMap(({ key, encoding }) => (encoding === "shortcode" ? [key] : []));

/** No address has these characters. */
const OUTSIDE = /[\s"'`<>()[\]{}|\\^]/;
/** A host and what follows it, at the beginning of a word. */
const ADDRESS = /(?<![\w.-])((?:[\w-]+\.)+[a-z]{2,})(?::\d+)?(\/[^\s"'`<>()[\]{}|\\^]*)/gi;

const serviceOf = (host: string): Service | undefined => {
  const name = host.toLowerCase().replace(/^www\./, "");
  return SERVICES.find((service) => service.host.test(name));
};

/** An ID at a place where a service's addresses have it. */
export interface Addressed {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The IDs to which the addresses of a text lead, in order of place. */
export function* addressedIn(input: string): Generator<Addressed> {
  for (const match of input.matchAll(ADDRESS)) {
    const [whole, host = "", path = ""] = match;
    const [found] = [serviceOf(host)?.form?.exec(path)];
    if (found?.[1] === undefined) continue;
    const start = match.index + whole.length - path.length + found.index + found[0].lastIndexOf(found[1]);
    yield { text: found[1], start, end: start + found[1].length };
  }
}

/** The evidence of the address around a place. `isForm`: the place is where such addresses have their ID. */
export interface Said {
  readonly key: string;
  readonly host: string;
  readonly encoding?: Encoding | undefined;
  readonly isForm: boolean;
  readonly isPost: boolean;
}

/** The address in which a place is, if its host is known, or if it is a post of Mastodon. */
export function saidByAddress(input: string, start: number, end: number): Said | undefined {
  let from = start;
  const farthest = Math.max(0, start - 240);
  while (from > farthest && !OUTSIDE.test(input[from - 1] as string)) from -= 1;
  const before = input.slice(from, start);
  if (!before.includes("/")) return undefined;
  const at = /^at:\/\/.*\/app\.bsky\.[\w.]+\/$/.test(before);
  if (at) return { key: "bluesky", host: "Bluesky", isForm: true, isPost: false };
  // Of an address in an address, the last one counts.
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
