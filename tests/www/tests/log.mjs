// A log as a table: pasted, dropped or selected as a file; sorted, filtered, compared and
// downloaded; and 5 MB. tests/js/www tests the rows, gaps and pairs of a log.

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { DISCORD, ENTRY } from "../lib/pages.mjs";
import { test, testEverywhere } from "../lib/test.mjs";

const LATER = "175928852193869833";
const V7 = "01890a5d-ac96-774b-bcce-b302099a8057";
const LOG = [
  `2024-05-01T12:00:00.123Z INFO user=${DISCORD} request=${V7} ok`,
  "DEBUG order 507f1f77bcf86cd799439011 trace 01ARZ3NDEKTSV4RRFFQ69G5FAV took 1234567890123 us",
  `WARN retry user=${LATER}`,
].join("\n");

/** The texts of a column in the document's rows. */
const column = (person, name) =>
  person.evaluate(
    (name) =>
      [...document.querySelectorAll(`.log-view tbody td.log-${name}`)].map((cell) => cell.textContent),
    name,
  );

const heading = (person, name) => person.find({ role: "heading", name });

/** Waits until the drawing shows this ID. */
const drawn = (person, id) =>
  person.until((id) => document.querySelector(".drawing .encodings .mono")?.textContent === id, id);

/** Passes a file to the page, like a browser after the user selects or drops it. */
const give = (person, text, how) =>
  person.until(
    (text, how) => {
      const files = new DataTransfer();
      files.items.add(new File([text], "server.log", { type: "text/plain" }));
      if (how === "drop") {
        const happens = (type) =>
          document.body.dispatchEvent(
            new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }),
          );
        // A browser only drops a file on a page that accepts it.
        if (happens("dragover")) return false;
        happens("drop");
        return true;
      }
      const input = document.querySelector("input[type=file]");
      input.files = files.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
      return true;
    },
    text,
    how,
  );

/** Waits until a long file has been read. */
async function isRead(person, name) {
  await person.find(".log-view td.log-id");
  await person.gone(".log progress");
  await heading(person, name);
}

/** The Discord ID with this index. Each is a second later than the previous one. */
const idAt = (index) =>
  String((BigInt(370_000_000_123 + 1000 * index) << 22n) | BigInt((index % 3) << 17) | BigInt(index % 100));

/** `count` lines, each with an ID. */
const lines = (count) =>
  Array.from(
    { length: count },
    (_, index) => `2026-09-21T00:00:00.000Z INFO message=${idAt(index)} handled`,
  ).join("\n");

testEverywhere("log: a pasted log becomes a sorted table that leads to each ID", async (person) => {
  await person.open();
  await person.fill(ENTRY, LOG);
  await heading(person, "5 IDs");
  deepEqual(await column(person, "id"), [
    DISCORD,
    V7,
    "507f1f77bcf86cd799439011",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    LATER,
  ]);
  deepEqual(await column(person, "format"), ["Discord", "UUID v7", "ObjectId", "ULID", "Discord"]);
  equal((await column(person, "time"))[0], "2016-04-30 11:18:25.796");
  deepEqual((await column(person, "gap")).slice(0, 2), ["", "+7 y 59 d"]);
  match((await column(person, "fields"))[0], /^worker 1, process 0, increment 7$/);
  for (const [sort, first] of [
    ["ascending", "507f"],
    ["descending", "01890a5d"],
    ["none", DISCORD],
  ]) {
    await person.click({ role: "button", name: "Time, UTC" });
    await person.until(
      (first) => document.querySelector(".log-view td.log-id").textContent.startsWith(first),
      first,
    );
    if (sort !== "none") equal(await person.attribute("th.log-time", "aria-sort"), sort);
  }
  await person.click({ role: "button", name: LATER });
  await person.until(
    (id) => document.querySelector(".log-view tr[aria-current]")?.textContent.includes(id),
    LATER,
  );
  await drawn(person, LATER);
});

test("log: filtered by a text and by a format, compared, and downloaded as it is shown", async (person) => {
  await person.open();
  await person.fill(ENTRY, LOG);
  await heading(person, "5 IDs");
  await person.fill("Filter", "worker 1");
  await heading(person, /^\d of 5 IDs$/);
  await person.fill("Filter", "");
  await person.fill("Format", "Discord (2)");
  await heading(person, "2 of 5 IDs");
  const { file, text } = await person.download(() =>
    person.click({ role: "button", name: "Download as CSV" }),
  );
  equal(file, "ids.csv");
  match(text, new RegExp(`^number,id,.*\r\n1,${DISCORD},.*\r\n5,${LATER},.*\r\n$`));
  await person.click({ label: `compare ${DISCORD}` });
  await person.find({ text: `Select another ID to compare it with ${DISCORD}.` });
  await person.click({ label: `compare ${LATER}` });
  match(await person.text(".log-answer"), /^The second is 1\.17 s later\. .*(?:machine|machines) .*generated/);
  await person.click({ role: "button", name: "Close the comparison" });
  await person.gone(".log-pair");
});

/**
 * Twitter posts, one of them from 2012, which alone would be taken for a Discord ID. The last is a
 * text with an ambiguous ID.
 */
const [EARLY, ...TWEETS] = ["153277622506356738", "1460323737035677698", "1067094924124872705"];
const SERIES = [...TWEETS, EARLY].map((id) => `{"id":${id},"lang":"en"}`).join("\n");
const DOUBTFUL = `id=1186312361438670910 request=${V7}`;

testEverywhere("log: a dropped or chosen file is read like a pasted text", async (person) => {
  const paste = (text) => person.fill(ENTRY, text);
  await person.open();
  for (const bring of [paste, (text) => give(person, text, "drop")]) {
    await bring(SERIES);
    await heading(person, "3 IDs");
    await person.until(() =>
      [...document.querySelectorAll("td.log-format")].every((cell) => cell.textContent === "Twitter"),
    );
    await person.click({ role: "button", name: EARLY });
    await drawn(person, EARLY);
    match(await person.text(".drawing .answer"), /^Twitter ID/);
    await bring(DOUBTFUL);
    await heading(person, "2 IDs");
    await person.until(() => document.querySelector("td.log-format")?.textContent === "Perhaps Twitter");
    await person.click({ role: "button", name: "1186312361438670910" });
    await drawn(person, "1186312361438670910");
    match(await person.text(".drawing .answer"), /^Twitter ID\s+Likely/);
  }
  await give(person, lines(3), "choose");
  await heading(person, "3 IDs");
  const { file } = await person.download(() => person.click({ role: "button", name: "Download as CSV" }));
  equal(file, "server.csv");
});

test("log: of a long file, only the rows in view are in the document", async (person) => {
  const count = 100_000;
  await person.open();
  await give(person, lines(count), "drop");
  await isRead(person, "100,000 IDs");
  ok((await column(person, "id")).length < 100);
  await person.evaluate(() => {
    const view = document.querySelector(".log-view");
    view.scrollTop = view.scrollHeight;
  });
  await person.until(
    (id) => [...document.querySelectorAll(".log-view td.log-id")].at(-1)?.textContent === id,
    idAt(count - 1),
  );
});
