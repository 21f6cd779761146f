/** Texts with several IDs: what one of them is, the others say too. */
import type { Log } from "./entry.ts";
import { NOW } from "./family.ts";
import type { Random } from "./random.ts";
import * as services from "./services.ts";

const HOUR = 3_600_000;

type Service = "discord" | "twitter" | "mastodon" | "instagram" | "sonyflake";

const MAKERS = {
  discord: services.discord,
  twitter: services.tweet,
  mastodon: services.mastodon,
  instagram: services.instagram,
  sonyflake: services.sonyflake,
} as const;

/** Draws an ID of a service: of the time of its line, or of any time since another one. */
type Draw = (service: Service, since?: number) => string;

/** Lines that are written one after another; each ID is noted with its service. */
function written(
  random: Random,
  count: number,
  from: number,
  step: number,
  line: (draw: Draw) => string,
): Log {
  const answers: { id: string; answer: string }[] = [];
  const lines = Array.from({ length: count }, (_, index) => {
    const now = from + index * step + random.whole(0, step - 1);
    return line((service, since) => {
      const { id } = MAKERS[service](random, since === undefined ? now : random.whole(since, now));
      answers.push({ id, answer: service });
      return id;
    });
  });
  return { text: lines.join("\n"), answers };
}

const year = (number: number) => Date.UTC(number, 0, 1);

export function logs(random: Random): Log[] {
  const of = (count: number, from: number, step: number, line: (draw: Draw) => string) =>
    written(random, count, from, step, line);
  const list = of(9, year(2021), 40 * 24 * HOUR, (draw) => `"${draw("discord")}"`);
  const tweet = of(1, year(2012), HOUR, (draw) => draw("twitter"));
  const [{ id } = { id: "" }] = tweet.answers;
  return [
    of(20, NOW - 400 * HOUR, 9 * HOUR, (draw) => `{"id":"${draw("discord")}","type":0,"pinned":false}`),
    of(30, year(2019), 30 * HOUR, (draw) => `user_id=${draw("discord", year(2016))} level=info`),
    of(20, year(2022), 90 * HOUR, (draw) => `${draw("discord")},${draw("discord", year(2017))},hello`),
    of(20, year(2012), 200 * HOUR, (draw) => `{"id":${draw("twitter")},"lang":"en"}`),
    of(20, year(2013), 200 * HOUR, (draw) => draw("twitter")),
    of(20, year(2021), 90 * HOUR, (draw) => `${draw("twitter")};${draw("discord")}`),
    of(15, year(2016), 900 * HOUR, (draw) => `"pk": ${draw("instagram")},`),
    of(15, year(2023), 300 * HOUR, (draw) => `  ${draw("mastodon")}  ok`),
    of(15, year(2022), 300 * HOUR, (draw) => `${random.text("abcdef", 5)}\t${draw("sonyflake")}\tpaid`),
    { ...list, text: `{"ids":[${list.text.replaceAll("\n", ",")}]}` },
    { text: `{"id":${id},"id_str":"${id}"}`, answers: [...tweet.answers, ...tweet.answers] },
  ];
}
