/**
 * Reads a log outside the page's thread and keeps its rows. The page requests the rows that it
 * shows.
 */
import { eachIn, foundAgain } from "../find/find.ts";
import { Neighbours, type Sighting, sightingOf } from "../find/neighbours.ts";
import type { AnyFormat } from "../lib/formats.ts";
import { ownFormatIn } from "../lib/own-format.ts";
import type { Around, Order, Report } from "./job.ts";
import { Rows } from "./rows.ts";

/** The worker's global scope. TypeScript's library for the DOM has no types for it. */
const worker = self as unknown as {
  postMessage(report: Report): void;
  addEventListener(type: "message", listener: (event: MessageEvent<Order>) => void): void;
};

/**
 * In milliseconds: how long the worker reads before it handles messages, and how often it reports
 * its progress.
 */
const SLICE = 30;
const TELL = 200;
/** How many characters around an ID count as evidence. */
const AROUND = 256;

const rows = new Rows();
const neighbours = new Neighbours();
/** The evidence from each row. */
const sightings: Sighting[] = [];
let text = "";
let isRead = false;

let listened = performance.now();
const isSliceOver = (): boolean => performance.now() - listened >= SLICE;

/**
 * The worker posts a message to itself, so that it handles waiting messages first. A timer would
 * wait 4 ms each time.
 */
const channel = new MessageChannel();
const listen = () =>
  new Promise<void>((done) => {
    channel.port1.onmessage = () => {
      listened = performance.now();
      done();
    };
    channel.port2.postMessage(undefined);
  });

const tell = (read: number) => worker.postMessage({ kind: "progress", summary: rows.summary(), read });

async function read({ file, own, now }: Order & { kind: "read" }): Promise<void> {
  text = await file.text();
  const format = ownFormatIn(own);
  let told = 0;
  for (const found of eachIn(text, format, now)) {
    const sighting = sightingOf(text, found);
    rows.add(found);
    sightings.push(sighting);
    neighbours.add(sighting);
    if (!isSliceOver()) continue;
    const time = performance.now();
    if (time - told >= TELL) {
      tell(found.end / text.length);
      told = time;
    }
    await listen();
  }
  isRead = true;
  await readTogether(format, now);
  tell(1);
}

/** After all IDs are known, reads each again with the evidence of the others. */
async function readTogether(own: AnyFormat | undefined, now: number): Promise<void> {
  for (const [index, sighting] of sightings.entries()) {
    const hints = neighbours.hintsFor(sighting);
    const row = rows.row(index);
    if (hints.length > 0 && row !== undefined) rows.replace(index, foundAgain(text, row, own, now, hints));
    if (isSliceOver()) await listen();
  }
  rows.arrangeAgain();
}

function around(index: number): Around {
  const { start = 0, end = 0, text: id = "" } = rows.row(index) ?? {};
  const from = Math.max(0, start - AROUND);
  const sighting = isRead ? sightings[index] : undefined;
  return {
    piece: text.slice(from, end + AROUND),
    token: { text: id, start: start - from, end: end - from },
    hints: sighting === undefined ? [] : neighbours.hintsFor(sighting),
  };
}

function answerTo(order: Exclude<Order, { kind: "read" }>) {
  switch (order.kind) {
    case "arrange":
      rows.arrange(order.arrangement);
      return rows.summary();
    case "slice":
      return rows.slice(order.from, order.to);
    case "around":
      return around(order.index);
    case "csv":
      return new Blob(rows.csv(), { type: "text/csv" });
  }
}

worker.addEventListener("message", ({ data }) => {
  if (data.kind === "read")
    read(data).catch((error: Error) => worker.postMessage({ kind: "failed", why: error.message }));
  else worker.postMessage({ kind: "answer", number: data.number, answer: answerTo(data) });
});
