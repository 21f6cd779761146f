/** Reads a log beside the page, and keeps its rows: the page asks for those that it shows. */
import { eachIn } from "../find/find.ts";
import type { Around, Order, Report } from "./job.ts";
import { ownFormat } from "./own.ts";
import { Rows } from "./rows.ts";

/** The worker's global scope; the compiler's library has no types for it beside the DOM's. */
const worker = self as unknown as {
  postMessage(report: Report): void;
  addEventListener(type: "message", listener: (event: MessageEvent<Order>) => void): void;
};

/** How long it reads before it listens, and how often it tells how far it is, in milliseconds. */
const SLICE = 30;
const TELL = 200;
/** How much of the text around an ID is evidence for what it is. */
const AROUND = 256;

const rows = new Rows();
let text = "";

/** Lets messages in. Timers would wait 4 ms each. */
const channel = new MessageChannel();
const listen = () =>
  new Promise<void>((done) => {
    channel.port1.onmessage = () => done();
    channel.port2.postMessage(undefined);
  });

const tell = (read: number) => worker.postMessage({ kind: "progress", summary: rows.summary(), read });

async function read({ file, own, now }: Order & { kind: "read" }): Promise<void> {
  text = await file.text();
  let listened = performance.now();
  let told = 0;
  for (const found of eachIn(text, ownFormat(own), now)) {
    rows.add(found);
    const time = performance.now();
    if (time - listened < SLICE) continue;
    if (time - told >= TELL) {
      tell(found.end / text.length);
      told = time;
    }
    await listen();
    listened = performance.now();
  }
  tell(1);
}

function around(index: number): Around {
  const { start = 0, text: id = "" } = rows.row(index) ?? {};
  const from = Math.max(0, start - AROUND);
  return { piece: text.slice(from, start + id.length + AROUND), at: start - from };
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
