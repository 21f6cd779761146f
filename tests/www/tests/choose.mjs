// Choose: the questions, the comparison, and what is calculated.

import { equal, match, ok } from "node:assert/strict";
import { test } from "../lib/test.mjs";

const advice = (person) => person.text(".advice");

test("choose: a few questions end in code, the reason and a link that works", async (person) => {
  await person.open("choose/");
  await person.find("fieldset");
  equal(await person.count("fieldset"), 1);
  await person.click({ label: "No, my own" });
  await person.click({ label: "No: strings or bigints" });
  await person.click({ label: "No" });
  await person.click({ label: "Text that sorts, with a byte of my own" });
  const text = await advice(person);
  match(text, /import \{ sno \} from "graupel\/sno";\nconst id = sno\.next\(\);/);
  match(text, /1 in 1,457/);
  match(await person.address(), /^choose\/#service=none&json=no&numbers=none&key=text$/);
  await person.click({ role: "link", name: /^sno: fields, facts/ });
  await person.find({ role: "heading", name: "sno" });
  equal(await person.address(), "docs/formats/sno/");
});

test("choose: processes that share a store get a lease, its imports and the guide", async (person) => {
  await person.open("choose/#service=none&json=no");
  await person.click({ label: "From a database or a disk that all of them reach" });
  await person.click({ label: "PostgreSQL" });
  await person.click({ label: "A 64-bit integer" });
  const text = await advice(person);
  match(
    text,
    /import \{ lease \} from "graupel\/lease";\nimport \{ postgres \} from "graupel\/lease\/postgres";/,
  );
  match(text, /await lease\(postgres\(pool\), \{ format, namespace: "orders" \}\);/);
  match(text, /each start waits 20 seconds/);
  await person.click({ role: "link", name: /^Leases: numbers that nobody shares/ });
  await person.find({ role: "heading", name: /^Leases: worker numbers/ });
  equal(await person.address(), "docs/leases/");
});

test("choose: other answers, with the keyboard, lead elsewhere", async (person) => {
  await person.open("choose/#service=none&json=no&numbers=each&key=integer");
  match(await advice(person), /nanoflake\(\{ epoch: .* \}\)\.generator\(\{ generatorId: 5 \}\)/);
  await person.click({ label: "Yes, safe in JavaScript" });
  match(await advice(person), /snowflakeSI\(/);
  equal(await person.count("fieldset"), 3);
  await person.evaluate(() => document.querySelector("fieldset input:checked").focus());
  await person.press("ArrowDown");
  match(await advice(person), /twitter\.inspect/);
  equal(await person.count("fieldset"), 1);
});

test("choose: the comparison has the facts of every format", async (person) => {
  await person.open("choose/");
  const rows = await person.until(() => {
    const found = [...document.querySelectorAll(".compare tbody tr")];
    return found.length > 0 && found.map((row) => [...row.children].map((cell) => cell.textContent.trim()));
  });
  equal(rows.length, 11);
  const row = (name) =>
    rows
      .find(([first]) => first.replace(/\d+ bits$/, "") === name)
      .join(" | ")
      .replaceAll(/\s+/g, " ");
  match(
    row("sno"),
    /80 bits .*string; base 32, 16 characters .*65,536 .*16,384,000 .*2079-09-07 .* a bit toggled/,
  );
  match(
    row("Twitter"),
    /63 bits .*bigint; .* Machines at a time1,024 .*4,096,000 .*2080-07-10 .* highest time/,
  );
  match(row("Discord"), /64 bits .*bigint; decimal, up to 20 .*2154-05-15 .* highest time/);
  match(row("Mastodon"), /timeone .*65,536,000 .*6429-/);
  match(
    row("Snowflake-SI"),
    /53 bits .*number; decimal, up to 16 .* Machines at a time32 .*256,000 .*epoch \+ 34 years .* highest time/,
  );
  match(row("Ulid-Flake"), /63 bits .*string; base 32, 13 .*random bits only .*2302-09-27 .* highest time/);
});

for (const width of [1280, 700, 390]) {
  test(`choose: every fact of every format is within ${width} pixels`, async (person) => {
    await person.resize(width, 800);
    await person.open("choose/");
    await person.find(".compare tbody tr");
    const { cells, hidden } = await person.evaluate(() => {
      const all = [...document.querySelectorAll(".compare tbody :is(th, td)")];
      const inside = (element) => {
        const { left, right, width, height } = element.getBoundingClientRect();
        const cut = element.scrollWidth > element.clientWidth + 1;
        return left >= 0 && right <= document.documentElement.clientWidth && width > 0 && height > 0 && !cut;
      };
      return {
        cells: all.length,
        hidden: all.filter((cell) => !inside(cell)).map((cell) => cell.textContent),
      };
    });
    equal(cells, 11 * 8);
    equal(hidden.join("; "), "");
    // A card says what each of its facts is.
    equal(await person.count({ text: "Last date", inside: ".compare tbody" }), width < 960 ? 11 : 0);
  });
}

test("choose: the calculator says which layouts are enough, and makes one", async (person) => {
  await person.open("choose/");
  await person.fill("IDs per second, each machine", "4000000");
  await person.fill("Machines", "300");
  await person.fill("Years", "100");
  const verdict = (name) =>
    person.evaluate(
      (name) =>
        [...document.querySelectorAll(".verdicts tr")].find((row) => row.cells[0].textContent === name)
          .cells[1].textContent,
      name,
    );
  match(await verdict("Nanoflake"), /^not enough: 69\.6 years$/);
  match(await verdict("Mastodon"), /^not enough: no machine numbers$/);
  match(await verdict("Snowflake-SI"), /^not enough: 256,000 IDs per second, 32 machines, 34\.8 years$/);
  match(
    await person.text('[aria-label="A layout of your own, the code"]'),
    /^snowflake\(\{ epoch: Date\.UTC\(\d{4}, 0, 1\), fields: \{ time: 42, worker: 9, sequence: 12 \} \}\);\s*$/,
  );
  await person.find({ text: "53 bits, for plain numbers in JSON, are not enough for this." });
  await person.fill("IDs per second, each machine", "1000");
  await person.fill("Machines", "20");
  await person.fill("Years", "30");
  match(await verdict("Snowflake-SI"), /^enough: /);
  match(
    await person.text('[aria-label="In 53 bits: plain numbers in JSON, the code"]'),
    /clockBits: 40, machineBits: 5/,
  );
  // What is printed is taken: a value with its unit, and a whole line.
  await person.fill("Years", "34.8 years");
  match(await verdict("Snowflake-SI"), /^enough: .* 34\.8 years$/);
  await person.fill("Machines", (await verdict("Discord")).replace("enough: ", ""));
  equal(await person.value("IDs per second, each machine"), "4096000");
  equal(await person.value("Years"), "127");
  match(await verdict("Discord"), /^enough: /);
  match(await verdict("Snowflake-SI"), /^not enough: 256,000 IDs per second, 32 machines/);
  await person.fill("Machines", "0.5");
  match(await person.text("[role=alert]"), /whole number above 0/);
});

test("choose: the odds of a collision are those of the README", async (person) => {
  await person.open("choose/#bits=16");
  match(await person.text(".odds"), /^1 in 1,457, /);
  await person.fill("Threads and processes", "302");
  match(await person.text(".odds"), /^1 in 2, 50\.1 %/);
  await person.fill("Random bits", "20 bits: Ulid-Flake, in each millisecond");
  await person.fill("Threads and processes", "2");
  match(await person.text(".odds"), /^1 in 1,048,576, /);
  // Each makes one in every millisecond: one of 2 ** 20 of 86,400,000 pairs a day.
  await person.fill("IDs per second, each process", "1000");
  await person.find({ text: /about 82 duplicates a day/ });
  ok((await person.address()).includes("bits=20"));
});
