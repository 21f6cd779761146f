// The page Make: IDs of every format, one or many, in the list, the clipboard and files.

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test, testEverywhere } from "../lib/test.mjs";

const MAKE = { role: "button", name: /^Make (an ID|IDs)$/ };

const status = (person) => person.text(".result [role=status]");

/** Presses the button and waits for new IDs. Returns the page's message. */
async function make(person) {
  const [before] = await listed(person);
  await person.click(MAKE);
  await person.until(
    (before) =>
      / in .* (ms|s)/.test(document.querySelector(".result [role=status]").textContent) &&
      document.querySelector(".ids tbody td")?.textContent !== before,
    before,
  );
  return status(person);
}

/** The IDs in the list. */
const listed = (person) =>
  person.evaluate(() =>
    [...document.querySelectorAll(".ids tbody td:first-child")].map((cell) => cell.textContent),
  );

test("make: every format makes an ID, with the numbers that it needs", async (person) => {
  await person.open("make/");
  const names = await person.evaluate(() =>
    [...document.querySelectorAll("form select")[0].options].map(({ label }) => label),
  );
  equal(names.length, 11);
  const texts = {
    sno: /^[2-9a-x]{16}$/,
    Nanoflake: /^[0-9a-z]{10,13}$/,
    "Snowflake-SI": /^\d{10,16}$/,
    "Ulid-Flake": /^[0-9A-Z]{13}$/,
    "Ulid-Flake, scalable": /^[0-9A-Z]{13}$/,
  };
  for (const name of names) {
    await person.fill("Format", name);
    const machines = await person.evaluate(() => {
      const labels = [...document.querySelectorAll("form > .fields label")].map((label) => label.textContent);
      return labels.filter((label) =>
        /^(Datacenter|Generator|Machine|Process|Shard|Worker|worker)$/.test(label),
      );
    });
    for (const machine of machines) await person.fill(machine, "7");
    match(await make(person), /^.*: 1 ID in /, name);
    const [id, ...others] = await listed(person);
    deepEqual(others, []);
    match(id, texts[name] ?? /^\d{15,20}$/, name);
  }
});

testEverywhere("make: an ID is there at once, and a wrong machine is rejected", async (person) => {
  await person.open("make/#format=twitter");
  await person.find({ text: /identify the machine.*nobody else uses/ });
  // An ID of machine 0 is shown from the start.
  await person.until(() => document.querySelectorAll(".ids tbody tr").length === 1);
  equal((BigInt((await listed(person))[0]) >> 12n) & 1023n, 0n);
  equal(await person.count("[role=alert]"), 0);
  await person.fill("Datacenter", "");
  await person.click(MAKE);
  match(await person.text("[role=alert]"), /Datacenter is missing: enter a whole number from 0 to 31\. More/);
  await person.until(() => document.activeElement.labels?.[0]?.textContent === "Datacenter");
  await person.fill("Datacenter", "3");
  await person.fill("Worker", "32");
  match(await person.text("[role=alert]"), /Worker must be a whole number from 0 to 31: 32 is too large\./);
  equal(await person.attribute({ label: "Worker" }, "aria-invalid"), "true");
  await person.fill("Worker", "31");
  await person.gone("[role=alert]");
  await make(person);
  equal(await person.count(".ids tbody tr"), 1);
});

testEverywhere("make: a long run shows its progress, and can be cancelled", async (person) => {
  // At 1600 IDs a second, this takes longer than a test may.
  const own = "epoch=2024-01-01&fields=time:41,worker:10,sequence:4&tick=10&worker=9";
  await person.open(`make/#format=snowflake&${own}&count=1000000`);
  equal(await person.count({ role: "button", name: "Cancel" }), 0);
  await person.click(MAKE);
  await person.until(() => document.querySelector("progress")?.value > 100);
  match(await person.text(".far"), /^[\d,]+ of 1,000,000 made$/);
  equal(await person.attribute(MAKE, "aria-disabled"), "true");
  await person.click({ role: "button", name: "Cancel" });
  await person.until(() => /cancelled/.test(document.querySelector(".result [role=status]").textContent));
  const [, count] = /: ([\d,]+) IDs in .*; cancelled before 1,000,000$/.exec(await status(person));
  ok(Number(count.replaceAll(",", "")) < 1_000_000);
  equal(await person.count(".ids tbody tr"), 100);
  // The button had the focus and has disappeared.
  equal(await person.count({ role: "button", name: "Cancel" }), 0);
  equal(await person.evaluate(() => document.activeElement.textContent), "Make IDs");
});

test("make: IDs are copied in the chosen form", async (person) => {
  await person.open("make/#format=discord&count=3&internalWorkerId=1&internalProcessId=2");
  await make(person);
  const decimal = await listed(person);
  await person.fill("Written as", "hex, all bytes");
  await person.until(() => /^[0-9a-f]{16}$/.test(document.querySelector(".ids td").textContent));
  const hex = await listed(person);
  deepEqual(
    hex.map((id) => String(BigInt(`0x${id}`))),
    decimal,
  );
  await person.click({ role: "button", name: "Copy all IDs" });
  await person.find({ text: "Copied" });
  deepEqual((await person.clipboard()).split("\n"), hex);
});

test("make: the inputs are in the address after the #, and a link brings them back; an ID leads to its bits", async (person) => {
  await person.open("make/");
  await person.fill("Format", "Snowflake of your own");
  await person.fill("Epoch", "2024-02-29");
  await person.fill("Fields, high to low", "time:41,region:4,worker:6,sequence:12");
  await person.fill("region", "3");
  await person.fill("worker", "9");
  await person.fill("How many", "2");
  // After this much typing, the address is updated a moment later.
  await person.until(() => location.hash.endsWith("&count=2"));
  match(await person.address(), /^make\/#format=snowflake&epoch=2024-02-29&fields=time:41,region:4,/);
  await person.reload();
  equal(await person.value("Epoch"), "2024-02-29");
  equal(await person.value("region"), "3");
  await make(person);
  const ids = (await listed(person)).map(BigInt);
  deepEqual(
    ids.map((id) => (id >> 12n) & 1023n),
    [3n * 64n + 9n, 3n * 64n + 9n],
  );
  await person.click({ role: "button", name: "In code" });
  match(
    await person.text(".code pre"),
    /snowflake\(\{ epoch: Date\.UTC\(2024, 1, 29\), fields: \{ time: 41, region: 4, worker: 6, sequence: 12 \} \}\);\nconst ids = format\.generator\(\{ region: 3, worker: 9 \}\);\nids\.nextMany\(2\);/,
  );
  // The link that skips the navigation keeps the settings.
  await person.evaluate(() => document.querySelector(".skip").click());
  equal(await person.value("region"), "3");
  const [id] = await listed(person);
  await person.click({ role: "link", name: id });
  await person.find({ role: "heading", name: "Look inside an ID" });
  await person.until((id) => document.querySelector("textarea").value === id, id);
  equal(await person.value({ label: /^region, 0 to/ }), "3");
});

testEverywhere("make: downloads as text, CSV and JSON", async (person) => {
  await person.open("make/#format=discord&count=2500&internalWorkerId=1&internalProcessId=2");
  await make(person);
  const get = (name) => person.download(() => person.click({ role: "button", name }));

  const text = await get("Download text");
  equal(text.file, "discord-2500.txt");
  const ids = text.text.trimEnd().split("\n");
  equal(new Set(ids).size, 2500);
  deepEqual(ids.slice(0, 100), await listed(person));

  const csv = await get("Download CSV");
  equal(csv.file, "discord-2500.csv");
  const [head, ...rows] = csv.text.trimEnd().split("\r\n");
  equal(head, "id,time,internalWorkerId,internalProcessId,increment");
  deepEqual(
    rows.map((row) => row.split(",")[0]),
    ids,
  );
  for (const row of rows) {
    const [id, time, ...fields] = row.split(",");
    equal(Date.parse(time), Number((BigInt(id) >> 22n) + 1420070400000n));
    deepEqual(fields, ["1", "2", String(BigInt(id) & 4095n)]);
  }

  const json = await get("Download JSON");
  equal(json.file, "discord-2500.json");
  deepEqual(JSON.parse(json.text), ids);

  // The IDs are numbers where these are safe integers.
  await person.open("make/#format=snowflake-si&count=1000&machineId=31");
  await make(person);
  const numbers = JSON.parse((await get("Download JSON")).text);
  equal(new Set(numbers).size, 1000);
  ok(numbers.every((id) => Number.isSafeInteger(id) && Math.floor(id / 256) % 32 === 31));
});
