// Choose: the questions, the comparison, and what is calculated.

import { equal, match, ok } from "node:assert/strict";
import { test } from "../lib/test.mjs";

const advice = (person) => person.text(".advice");

test("choose: four questions end in a line of code, the reason and a link that works", async (person) => {
  await person.open("choose/");
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
  const row = (name) => rows.find(([first]) => first === name).join(" | ");
  match(row("sno"), /80 .* base 32, 16 \| string \| 65,536 \| 16,384,000 \| 2079-09-07 .* with a bit turned/);
  match(row("Twitter, X"), /63 .* bigint \| 1,024 \| 4,096,000 \| 2080-07-10 .* highest reading/);
  match(row("Discord"), /64 .* up to 20 \| bigint \| .* \| 2154-05-15 .* highest reading/);
  match(row("Mastodon"), /\| one \| 65,536,000 \| 6429-/);
  match(
    row("Snowflake-SI"),
    /53 .* up to 16 \| number \| 32 \| 256,000 \| epoch \+ 34 years .* highest reading/,
  );
  match(row("Ulid-Flake"), /63 .* 13 \| string \| random bits only .* 2302-09-27 .* highest reading/);
});

test("choose: on a phone the table scrolls sideways, and the names stay", async (person) => {
  await person.resize(360, 740);
  await person.open("choose/");
  const places = await person.until(() => {
    const box = document.querySelector('[aria-label="Comparison of all formats"]');
    if (box === null) return false;
    box.scrollLeft = 400;
    const name = box.querySelector("tbody th").getBoundingClientRect();
    const page = document.documentElement;
    return {
      scrolled: box.scrollLeft,
      left: name.left - box.getBoundingClientRect().left,
      wide: page.scrollWidth - page.clientWidth,
    };
  });
  equal(places.scrolled, 400);
  equal(Math.round(places.left), 0);
  ok(places.wide <= 0, `the page is ${places.wide} pixels too wide`);
});

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
  match(await verdict("Nanoflake"), /^not enough: 69\.7 years$/);
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
