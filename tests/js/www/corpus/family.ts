/** Texts with IDs of the Snowflake family. */
import type { Entry } from "./entry.ts";
import type { Random } from "./random.ts";
import type { Made } from "./services.ts";
import * as services from "./services.ts";

type Form = (made: Made, random: Random) => string | readonly [text: string, id: string];

const DAY = 86_400_000;
/** The day on which everything is pasted. */
export const NOW = Date.UTC(2026, 11, 1);

/** Times spread over the years from the first to today, in order. */
export function times(random: Random, count: number, from: number, to = NOW): number[] {
  const step = (to - from) / count;
  return Array.from({ length: count }, (_, index) =>
    Math.floor(from + index * step + random.whole(0, step - 1)),
  );
}

const grouped = (id: string): string => id.replace(/\B(?=(\d{3})+$)/g, ",");
const hexOf = (id: string): string => BigInt(id).toString(16).padStart(16, "0");
const bytesOf = (id: string): number[] =>
  (hexOf(id).match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
const isoOf = (timestamp: number): string => new Date(timestamp).toISOString();

const bare: Form = ({ id }) => id;
const after =
  (start: string, end = ""): Form =>
  ({ id }) =>
    `${start}${id}${end}`;
const written =
  (write: (id: string) => string, start = "", end = ""): Form =>
  ({ id }) => {
    const text = write(id);
    return [`${start}${text}${end}`, text];
  };
const asHex = written(hexOf);
const asBytes = written((id) => `[${bytesOf(id).join(", ")}]`);

const TWEETS: readonly Form[] = [
  bare,
  after("https://twitter.com/nasa/status/"),
  bare,
  after("https://x.com/nasa/status/", "?s=20"),
  after("https://mobile.twitter.com/nasa/status/", "/photo/1"),
  after("https://twitter.com/i/web/status/"),
  bare,
  after('{"created_at":"x","id_str":"', '","lang":"en","retweet_count":3}'),
  after("tweet_id: "),
  after("see [the post](https://x.com/nasa/status/", "), it is from that week"),
  bare,
  ({ id }, random) => `in_reply_to_status_id=${id}&count=${random.whole(1, 99)}`,
  after('"', '",'),
  after("https://nitter.net/nasa/status/", "#m"),
  ({ id, timestamp }) => `${isoOf(timestamp + 90_000)} INFO fetched tweet ${id} in 120 ms`,
  bare,
  after("x.com/nasa/status/"),
  written(grouped),
];

const DISCORD: readonly Form[] = [
  bare,
  ({ id }, random) =>
    `https://discord.com/channels/81384788765712384/${services.discord(random, NOW - 3 * DAY).id}/${id}`,
  bare,
  after("<@", ">"),
  after("<@!", ">"),
  after("<#", ">"),
  after("<@&", ">"),
  after("<:graupel:", ">"),
  bare,
  after("guild_id=", "&limit=50"),
  after("https://cdn.discordapp.com/attachments/", "/unknown.png"),
  after('{"id":"', '","type":0,"content":"hello","channel_id":null}'),
  bare,
  after("https://discord.com/api/oauth2/authorize?client_id=", "&scope=bot"),
  after("user:"),
  after('const channel = client.channels.cache.get("', '");'),
  bare,
  ({ id, timestamp }) => `[${isoOf(timestamp + 5_000)}] member ${id} joined the guild`,
  after("</ban:", ">"),
  after("", "n"),
  written(grouped),
  bare,
  after("https://discord.com/developers/applications/", "/bot"),
  after("GUILD=", "\nTOKEN=\n"),
];

const MASTODON: readonly Form[] = [
  bare,
  after("https://mastodon.social/@Gargron/"),
  bare,
  after("https://fosstodon.org/@python/", "?lang=en"),
  after("https://hachyderm.io/users/nova/statuses/"),
  after('{"id":"', '","in_reply_to_id":null,"sensitive":false}'),
  bare,
  after("toot "),
];

const INSTAGRAM: readonly Form[] = [
  bare,
  after("", "_25025320"),
  bare,
  after('{"media_id": "', '", "media_type": "IMAGE"}'),
  after("ig_media="),
  after("https://i.instagram.com/api/v1/media/", "/info/"),
];

const SONYFLAKE: readonly Form[] = [
  bare,
  after("order_id="),
  after("sonyflake: "),
  bare,
  after('{"sonyflake_id":', "}"),
];

const SNO: readonly Form[] = [
  bare,
  after("sno="),
  after("https://example.org/orders/"),
  bare,
  written(services.snoAsUUID),
  ({ id, timestamp }) => `${isoOf(timestamp)} order ${id} paid`,
  after('{"id":"', '","total":12.5}'),
];

const ULID_FLAKE: readonly Form[] = [
  bare,
  after('id: "', '"'),
  ({ id }) => [id.toLowerCase(), id.toLowerCase()],
  after("ulid-flake "),
];

/** The encodings that the page writes, around IDs of Discord and Twitter. */
const ENCODED: readonly Form[] = [
  asHex,
  written((id) => `0x${BigInt(id).toString(16)}`),
  asBytes,
  written((id) => BigInt(id).toString(2).padStart(64, "0")),
  written((id) => Buffer.from(bytesOf(id)).toString("base64url")),
  written((id) => BigInt(id).toString(36)),
  written((id) => `0x${hexOf(id).toUpperCase()}`, "id = ", ";"),
  written((id) => `[${bytesOf(id).join(",")}]`, "Uint8Array(8) "),
];

const lines = (
  random: Random,
  answer: string,
  make: (random: Random, timestamp: number) => Made,
  forms: readonly Form[],
  when: readonly number[],
): Entry[] =>
  when.map((time, index) => {
    const made = make(random, time);
    const text = (forms[index % forms.length] as Form)(made, random);
    const [whole, id] = typeof text === "string" ? [text, made.id] : text;
    return { text: whole, id, answer, timestamp: made.timestamp };
  });

/** From the services' own documentation. */
const DOCUMENTED = {
  discord: [
    "175928847299117063",
    "80351110224678912",
    "41771983423143937",
    "197038439483310086",
    "613425648685547541",
  ],
  twitter: [
    "1212092628029698048",
    "1460323737035677698",
    "1067094924124872705",
    "850006245121695744",
    "1050118621198921728",
    "210462857140252672",
  ],
  mastodon: ["103270115826048975"],
};

/** Bits below the time, and the epoch. */
const TIMES = {
  discord: [22, 1_420_070_400_000],
  twitter: [22, 1_288_834_974_657],
  mastodon: [16, 0],
} as const;

function documented(answer: keyof typeof DOCUMENTED): Entry[] {
  const [shift, epoch] = TIMES[answer];
  return DOCUMENTED[answer].map((id) => ({
    text: id,
    id,
    answer,
    timestamp: Number(BigInt(id) >> BigInt(shift)) + epoch,
  }));
}

export function family(random: Random): Entry[] {
  const year = (first: number) => Date.UTC(first, 0, 1);
  return [
    ...documented("discord"),
    ...documented("twitter"),
    ...documented("mastodon"),
    ...lines(random, "twitter", services.tweet, TWEETS, times(random, 72, Date.UTC(2010, 11, 1))),
    ...lines(random, "discord", services.discord, DISCORD, times(random, 72, Date.UTC(2015, 4, 13))),
    ...lines(random, "mastodon", services.mastodon, MASTODON, times(random, 24, Date.UTC(2016, 11, 1))),
    ...lines(random, "instagram", services.instagram, INSTAGRAM, times(random, 18, year(2012))),
    ...lines(random, "sonyflake", services.sonyflake, SONYFLAKE, times(random, 15, year(2016))),
    ...lines(random, "sno", services.sno, SNO, times(random, 21, year(2017))),
    ...lines(random, "ulid-flake", services.ulidFlake, ULID_FLAKE, times(random, 8, Date.UTC(2024, 4, 1))),
    ...lines(random, "discord", services.discord, ENCODED, times(random, 16, year(2016))),
    ...lines(random, "twitter", services.tweet, ENCODED, times(random, 16, year(2012))),
  ];
}
