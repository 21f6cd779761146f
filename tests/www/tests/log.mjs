// A log as a table: pasted, dropped or chosen as a file; sorted, filtered, compared, downloaded; and 5 MB beside the page.

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { test } from "../lib/test.mjs";

const ENTRY = "An ID, or a text with IDs in it";

const DISCORD = "175928847299117063";
const LATER = "175928852193869833";
const V7 = "01890a5d-ac96-774b-bcce-b302099a8057";
const LOG = [
  `2024-05-01T12:00:00.123Z INFO user=${DISCORD} request=${V7} ok`,
  "DEBUG order 507f1f77bcf86cd799439011 trace 01ARZ3NDEKTSV4RRFFQ69G5FAV took 1234567890123 us",
  `WARN retry user=${LATER}`,
].join("\n");

/** The texts of a column, of the rows in the document. */
const column = (person, name) =>
  person.evaluate(
    (name) =>
      [...document.querySelectorAll(`.log-view tbody td.log-${name}`)].map((cell) => cell.textContent),
    name,
  );

const heading = (person, name) => person.find({ role: "heading", name });

/** Gives the page a file, as the browser does after it was chosen or dropped. */
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
        // A browser drops nothing on a page that does not accept it.
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
  while (await person.evaluate(() => document.querySelector(".log progress") !== null))
    await new Promise((done) => setTimeout(done, 50));
  await heading(person, name);
}

/** `count` lines, each with an ID of Discord a second after the one before, and `padding` around it. */
const lines = (count, padding = "") =>
  Array.from({ length: count }, (_, index) => {
    const id =
      (BigInt(370_000_000_123 + 1000 * index) << 22n) | BigInt((index % 3) << 17) | BigInt(index % 100);
    return `2026-09-21T00:00:00.000Z INFO${padding} message=${id} handled`;
  }).join("\n");

test("log: a pasted log is a table of its IDs", async (person) => {
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
  await person.click({ role: "button", name: LATER });
  await person.until(() =>
    document.querySelector(".log-view tr[aria-current]")?.textContent.includes("175928852193869833"),
  );
  equal(await person.text(".drawing .encodings .mono"), LATER);
});

test("log: sorted by a column, and back to the order of the log", async (person) => {
  await person.open();
  await person.fill(ENTRY, LOG);
  await heading(person, "5 IDs");
  const first = async () => (await column(person, "id"))[0];
  await person.click({ role: "button", name: "Time, UTC" });
  await person.until(() => document.querySelector("th.log-time").ariaSort === "ascending");
  await person.until(() => document.querySelector(".log-view td.log-id").textContent.startsWith("507f"));
  await person.click({ role: "button", name: "Time, UTC" });
  await person.until(() => document.querySelector(".log-view td.log-id").textContent.startsWith("01890a5d"));
  equal(await person.attribute("th.log-time", "aria-sort"), "descending");
  await person.click({ role: "button", name: "Time, UTC" });
  await person.until(() => document.querySelector(".log-view td.log-id").textContent.startsWith("1759"));
  equal(await first(), DISCORD);
});

test("log: filtered by a text and by a format, and downloaded as it is shown", async (person) => {
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
  const rows = text.trim().split("\r\n");
  equal(rows[0], "number,id,format,time,gap in ms,fields");
  match(
    rows[1],
    new RegExp(`^1,${DISCORD},Discord,2016-04-30T11:18:25.796Z,,"worker 1, process 0, increment 7"$`),
  );
  equal(rows.length, 3);
});

test("log: two IDs side by side", async (person) => {
  await person.open();
  await person.fill(ENTRY, LOG);
  await heading(person, "5 IDs");
  await person.click({ label: `compare ${DISCORD}` });
  await person.find({ text: `Tick another ID to compare it with ${DISCORD}.` });
  await person.click({ label: `compare ${LATER}` });
  const answer = await person.text(".log-answer");
  match(answer, /^The second is 1\.17 s later\. /);
  match(answer, /Different machines made them|The same machine may have made both/);
  await person.screenshot(`log pair ${person.browser}.png`);
  await person.click({ role: "button", name: "Close the comparison" });
  await person.gone(".log-pair");
});

test("log: a file that is dropped is read, and each of its IDs can be opened", async (person) => {
  await person.open();
  await give(person, LOG, "drop");
  await heading(person, "5 IDs");
  await person.click({ role: "button", name: LATER });
  await person.until((id) => document.querySelector(".drawing .encodings .mono")?.textContent === id, LATER);
  await give(person, lines(3), "choose");
  await heading(person, "3 IDs");
  const { file } = await person.download(() => person.click({ role: "button", name: "Download as CSV" }));
  equal(file, "server.csv");
});

/** Posts, and one of 2012 that by itself is rather an ID of Discord. */
const [EARLY, ...TWEETS] = ["153277622506356738", "1460323737035677698", "1067094924124872705"];
const SERIES = [...TWEETS, EARLY].map((id) => `{"id":${id},"lang":"en"}`).join("\n");

test("log: IDs of one series are read by the same format, pasted and in a file", async (person) => {
  await person.open();
  for (const [give_, shown] of [
    [() => person.fill(ENTRY, EARLY), /^Discord ID/],
    [() => person.fill(ENTRY, SERIES), /^Twitter ID/],
    [() => give(person, SERIES, "drop"), /^Twitter ID/],
  ]) {
    await give_();
    if (shown.source.includes("Twitter")) {
      await heading(person, "3 IDs");
      await person.until(() =>
        [...document.querySelectorAll("td.log-format")].every((cell) => cell.textContent === "Twitter"),
      );
      await person.click({ role: "button", name: EARLY });
      await person.until(
        (id) => document.querySelector("tr[aria-current] .log-id").textContent === id,
        EARLY,
      );
    }
    await person.until(
      (pattern) => new RegExp(pattern).test(document.querySelector(".drawing .answer")?.textContent),
      shown.source,
    );
  }
  await person.click({ role: "button", name: /^Could also be/ });
  match(await person.text(".readings"), /Other IDs after “id” are Twitter IDs\./);
});

test("log: where another format is nearly as likely, the table says so as the answer does", async (person) => {
  const doubtful = "1186312361438670910";
  await person.open();
  await person.fill(ENTRY, `id=${doubtful} request=${V7}`);
  await heading(person, "2 IDs");
  deepEqual(await column(person, "format"), ["Perhaps Twitter", "UUID v7"]);
  match(await person.text(".drawing .answer"), /^Perhaps a Twitter ID/);
  await give(person, `id=${doubtful} request=${V7}`, "drop");
  await heading(person, "2 IDs");
  await person.until(() => document.querySelector("td.log-format")?.textContent === "Perhaps Twitter");
});

test("log: an ID that stands several times is listed and counted at each place", async (person) => {
  await person.open();
  const text = `a=${DISCORD} b=${V7} c=${DISCORD} d=${DISCORD}`;
  await person.fill(ENTRY, text);
  await heading(person, "4 IDs, 2 different");
  deepEqual(await column(person, "id"), [`${DISCORD}1 of 3`, V7, `${DISCORD}2 of 3`, `${DISCORD}3 of 3`]);
  await person.click({ role: "button", name: `${DISCORD}, 2 of 3` });
  await person.find({
    text: "It stands 3 times in this text; this is number 2. An edit changes this one only.",
  });
  await person.click('[data-bit="0"]');
  const changed = "175928847299117062";
  equal(await person.value(ENTRY), `a=${DISCORD} b=${V7} c=${changed} d=${DISCORD}`);
  await heading(person, "4 IDs, 3 different");
  await person.click({ role: "button", name: `${DISCORD}, 2 of 2` });
  await person.find({
    text: "It stands 2 times in this text; this is number 2. An edit changes this one only.",
  });
  await person.click('[data-bit="0"]');
  equal(await person.value(ENTRY), `a=${DISCORD} b=${V7} c=${changed} d=${changed}`);
  await give(person, text, "drop");
  await heading(person, "4 IDs, 2 different");
});

test("log: all of a hundred thousand IDs can be reached", async (person) => {
  await person.open();
  await give(person, lines(100_000), "choose");
  await isRead(person, "100,000 IDs");
  ok((await column(person, "id")).length < 100, "only the rows in view are in the document");
  await person.evaluate(() => {
    const view = document.querySelector(".log-view");
    view.scrollTop = view.scrollHeight;
  });
  const last = String((BigInt(370_000_000_123 + 1000 * 99_999) << 22n) | BigInt((99_999 % 3) << 17) | 99n);
  await person.until(
    (id) => [...document.querySelectorAll(".log-view td.log-id")].at(-1)?.textContent === id,
    last,
  );
  equal(
    await person.evaluate(
      () => [...document.querySelectorAll(".log-view tbody tr")].at(-2).ariaRowIndex ?? "none",
    ),
    "100001",
  );
});

test("log: the page itself reads no byte of a file of 5 MB, and gets the rows in view alone", async (person) => {
  const text = lines(30_000, ` ${"x".repeat(100)}`);
  ok(text.length > 4.5e6, `${text.length}`);
  await person.open();
  await person.evaluate(() => {
    globalThis.read = [];
    globalThis.told = 0;
    for (const name of ["text", "arrayBuffer", "bytes", "slice", "stream"])
      Blob.prototype[name] = () => read.push(name);
    globalThis.FileReader = class {
      constructor() {
        read.push("FileReader");
      }
    };
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (...sent) {
      const count = ({ data }) => {
        globalThis.told += JSON.stringify(data).length;
      };
      if (!this.isHeard) this.addEventListener("message", count);
      this.isHeard = true;
      postMessage.apply(this, sent);
    };
  });
  await give(person, text, "drop");
  await isRead(person, "30,000 IDs");
  const { read, told } = await person.evaluate(() => ({ read: globalThis.read, told: globalThis.told }));
  deepEqual(read, []);
  ok(told > 0 && told < text.length / 20, `the worker tells ${told} bytes`);
  return `${told} bytes of ${text.length} reach the page`;
});
