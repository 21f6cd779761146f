// The page Choose: the questions, the comparison and the calculations. tests/js/www tests the
// advice for each answer, the layouts, the odds and the quantities.

import { equal, match } from "node:assert/strict";
import { test, testEverywhere } from "../lib/test.mjs";

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
  await person.open("choose/#service=none&json=no&numbers=lease&store=postgres&key=integer");
  match(await advice(person), /await lease\(postgres\(pool\), \{ format, namespace: "orders" \}\);/);
  // A different answer, given with the keyboard, resets the answers that depended on the old one.
  await person.click({ label: "Yes, safe in JavaScript" });
  match(await advice(person), /snowflakeSI\(/);
  await person.evaluate(() => document.querySelector("fieldset input:checked").focus());
  await person.press("ArrowDown");
  match(await advice(person), /twitter\.inspect/);
  equal(await person.count("fieldset"), 1);
});

testEverywhere("choose: the comparison of all formats fits each width", async (person) => {
  for (const width of [1280, 700, 390]) {
    await person.resize(width, 800);
    await person.open("choose/");
    await person.find(".compare tbody tr");
    const { rows, hidden } = await person.evaluate(() => {
      const inside = (element) => {
        const { left, right, width, height } = element.getBoundingClientRect();
        const cut = element.scrollWidth > element.clientWidth + 1;
        return left >= 0 && right <= document.documentElement.clientWidth && width > 0 && height > 0 && !cut;
      };
      const rows = [...document.querySelectorAll(".compare tbody tr")].map((row) => [...row.children]);
      const texts = (cells) => cells.map((cell) => cell.textContent.replace(/\s+/g, " ").trim());
      return { rows: rows.map(texts), hidden: texts(rows.flat().filter((cell) => !inside(cell))) };
    });
    equal(rows.flat().length, 11 * 8);
    equal(hidden.join("; "), "", `${width} pixels`);
    // In the narrow view, each card labels its facts.
    equal(await person.count({ text: "Last date", inside: ".compare tbody" }), width < 960 ? 11 : 0);
  }
});

test("choose: the calculator says which layouts are enough, makes one, and takes what it prints", async (person) => {
  await person.open("choose/");
  const verdict = (name) =>
    person.evaluate(
      (name) =>
        [...document.querySelectorAll(".verdicts tr")].find((row) => row.cells[0].textContent === name)
          .cells[1].textContent,
      name,
    );
  await person.fill("IDs per second, each machine", "4000000");
  await person.fill("Machines", "300");
  await person.fill("Years", "100");
  match(await verdict("Snowflake-SI"), /^not enough: 256,000 IDs per second, 32 machines, 34\.8 years$/);
  match(
    await person.text('[aria-label="Your own layout, the code"]'),
    /^snowflake\(\{ epoch: .* \{ time: 42, worker: 9, sequence: 12 \} \}\);\s*$/,
  );
  await person.find({ text: "53 bits, the limit for plain numbers in JSON, are not enough for this." });
  await person.fill("Machines", (await verdict("Discord")).replace("enough: ", ""));
  equal(await person.value("IDs per second, each machine"), "4096000");
  equal(await person.value("Years"), "127");
  match(await verdict("Discord"), /^enough: /);
  await person.fill("Machines", "0.5");
  match(await person.text("[role=alert]"), /whole number above 0/);
});
