// The page Range: from dates to ID bounds, and back.

import { equal, match } from "node:assert/strict";
import { test, testEverywhere } from "../lib/test.mjs";

const code = (person, title) => person.text(`[aria-label="${title}, the code"] pre`);

testEverywhere("range: a month of Discord, in UTC and in local time", async (person) => {
  await person.open("range/");
  // A first visit shows this month.
  match(await code(person, "SQL"), /BETWEEN/);
  match(await person.address(), /from=.*&to=/);
  await person.fill("Format", "Discord");
  await person.click({ label: "UTC" });
  await person.fill("From", "2025-01-01T00:00");
  await person.fill("To", "2025-02-01T00:00");
  equal(await code(person, "SQL"), "WHERE id BETWEEN 1323802873036800000 AND 1335036896870399999");
  equal(await code(person, "API call"), "?after=1323802873036799999&before=1335036896870400000");
  equal(
    await code(person, "JavaScript"),
    'import { discord } from "graupel/snowflake";\n\nconst { min, max } = discord.range(Date.UTC(2025, 0, 1), Date.UTC(2025, 1, 1));',
  );
  await person.find({ text: /Discord uses all 64 bits from 2084 on/ });
  await person.fill("Column", "messages.id");
  await person.click({ role: "button", name: "Copy SQL" });
  await person.find({ text: "Copied" });
  const sql = await person.clipboard();
  match(sql, /^WHERE messages\.id BETWEEN 1323802873036800000 AND/);
  await person.click({ label: /^local time \(America\/St_Johns\)$/ });
  equal((await person.value("From")).slice(0, 16), "2024-12-31T20:30");
  equal(await code(person, "SQL"), sql);
  match(await person.address(), /zone=local/);
});

test("range: each format has its column's type and its service's parameters", async (person) => {
  await person.open("range/#format=sno&from=2025-01-01&to=2025-01-02&zone=utc");
  match(await code(person, "SQL"), /^WHERE id COLLATE "C" BETWEEN '8ufxt2i222222222' AND '[2-9a-x]{16}'$/);
  await person.find({ text: /COLLATE "C" compares bytes/ });
  await person.fill("Format", "Ulid-Flake");
  match(await code(person, "SQL"), /^WHERE id COLLATE "C" BETWEEN '[0-9A-Z]{13}' AND '[0-9A-Z]{13}'$/);
  await person.open("range/#format=nanoflake&epoch=2020-01-01&from=2025-01-01&to=2025-01-02&zone=utc");
  match(await code(person, "SQL"), /^WHERE id BETWEEN \d{18} AND \d{18}$/);
  for (const [format, call] of [
    [undefined, /^\?min=[0-9a-z]{12}&max=[0-9a-z]{12}$/],
    ["Mastodon", /^\?min_id=\d+&max_id=\d+$/],
    ["Twitter", /^\?since_id=\d+&until_id=\d+$/],
  ]) {
    if (format !== undefined) await person.fill("Format", format);
    match(await code(person, "API call"), call);
  }
});

test("range: an end may stay open, and a wrong range is refused", async (person) => {
  await person.open("range/#format=twitter&from=2025-01-01&zone=utc");
  equal(await code(person, "SQL"), `WHERE id >= ${BigInt(Date.UTC(2025, 0, 1) - 1288834974657) << 22n}`);
  equal(
    await code(person, "JavaScript").then((text) => text.split("\n").at(-1)),
    "const { min, max } = twitter.range(Date.UTC(2025, 0, 1));",
  );
  await person.fill("To", "2024-01-01T00:00");
  match(await person.text("[role=alert]"), /The beginning must be before the end\./);
  equal(await person.count("pre"), 0);
  await person.fill("From", "");
  match(await code(person, "SQL"), /^WHERE id <= \d+$/);
});

test("range: two IDs back to their times, which become the range", async (person) => {
  await person.open("range/#format=discord&zone=utc&from=2020-01-01");
  await person.fill("One ID", "1323802873036800000");
  await person.fill("Another ID", "175928847299117063");
  await person.find({ text: "2016-04-30 11:18:25.796 UTC" });
  await person.find({ text: "3167 d 12 h 41 min 34 s 204 ms" });
  await person.click({ role: "button", name: "Use as the range" });
  match(await person.address(), /from=2016-04-30T11:18:25.796Z&to=2025-01-01T00:00:00.001Z/);
  await person.fill("Another ID", "17592884729911706x");
  match(await person.text("[role=alert]"), /Character 18, “x”, cannot be in an ID of this format\./);
  equal(/\d{17}/.test(await person.address()), false);
});
