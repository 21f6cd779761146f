/** `identify`: the order of the candidates and the reason for each. */
import { deepEqual, equal } from "node:assert/strict";
import { test } from "node:test";
import { identify } from "graupel";
import { snowflakeSI } from "graupel/snowflake-si";

const now = Date.UTC(2026, 11, 1);

const told = (x: unknown) => identify(x).map(({ name, reason }) => `${name} ${reason}`);

test("the fields of an ID distinguish its service from others", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now });
  // From the services' documentation. As a tweet, the first would be from 2012.
  equal(told("175928847299117063")[0], "discord fields");
  equal(told("613425648685547541")[0], "discord fields");
  // From 2021 and 2018. As Discord IDs, they would be from 2026 and 2023.
  equal(told("1460323737035677698")[0], "twitter fields");
  equal(told("1067094924124872705")[0], "twitter fields");
  equal(told("210462857140252672")[0], "twitter fields");
  // The usual field values of Mastodon are unknown, but these are unusual everywhere else.
  equal(told("103270115826048975")[0], "mastodon time");
});

test("a reason for each doubt about the time", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now });
  // At Discord, the time is one day after 1 January 2015. It is hours after Sonyflake's epoch, and
  // in 1972 at Mastodon.
  const early = String(86_400_000n << 22n);
  const reasons = Object.fromEntries(identify(early).map(({ name, reason }) => [name, reason]));
  equal(reasons.discord, "first-month");
  equal(reasons.mastodon, "too-old");
  const future = identify(String(BigInt(now + 2 * 86_400_000) << 16n)).find(
    ({ name }) => name === "mastodon",
  );
  equal(future?.reason, "future");
  const soon = identify(String(BigInt(now + 3_600_000) << 16n)).find(({ name }) => name === "mastodon");
  equal(soon?.reason, "time");
  deepEqual(told("puz49ejoty38"), ["nanoflake form"]);
});

test("sequential tweet IDs have no time", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now });
  // Public tweets: the first tweet, from 2006; one from 1 May 2010; and the last sequential one,
  // from 4 November 2010.
  for (const x of ["20", "13179370605", "29700859247"]) {
    const [first] = identify(x);
    equal(`${first?.name} ${first?.reason}`, "twitter numbered", x);
    equal(first?.timestamp, undefined);
  }
  equal(told("29700859248").includes("twitter first-month"), true);
});

test("a number is an ID of Snowflake-SI, the only format whose IDs are numbers", () => {
  const id = snowflakeSI({ epoch: 1.7e12 }).range(1.75e12).min;
  equal(told(id)[0], "snowflake-si form");
});
