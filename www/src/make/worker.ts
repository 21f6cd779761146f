/**
 * Generates IDs outside the page's thread, so that a long run does not freeze the page. The page
 * keeps one worker, which holds the state of the generators.
 */
import type { AnyFormat } from "../lib/formats.ts";
import { outcomeOf, type Refusal, refusalOf } from "../lib/refusal.ts";
import { type Writer, writerOf } from "./forms.ts";
import { type File, type Order, type Report, radixOf, SHOWN, sourceOf, type Written } from "./job.ts";

/** The worker's global scope. TypeScript's library for the DOM has no types for it. */
const worker = self as unknown as {
  postMessage(report: Report): void;
  addEventListener(type: "message", listener: (event: MessageEvent<Order>) => void): void;
};

/**
 * In milliseconds: how long the worker works before it handles messages, and how often it reports
 * its progress.
 */
const SLICE = 30;
const TELL = 100;

/** The IDs of the last order. */
let ids: string[] = [];
let format: AnyFormat | undefined;

let cancelled = false;

/**
 * The worker posts a message to itself, so that it handles waiting messages first. A timer would
 * wait 4 ms each time.
 */
const channel = new MessageChannel();
const listen = () =>
  new Promise<void>((done) => {
    channel.port1.onmessage = () => done();
    channel.port2.postMessage(undefined);
  });

/**
 * Calls `step`, which returns the number of finished items, until all items are done. Resolves to
 * false if the order was cancelled.
 */
async function through(of: number, step: (from: number) => number): Promise<boolean> {
  cancelled = false;
  let told = performance.now();
  let listened = told;
  for (let done = 0; done < of; ) {
    done += step(done);
    const now = performance.now();
    if (now - told >= TELL) {
      worker.postMessage({ kind: "progress", done, of });
      told = now;
    }
    if (now - listened >= SLICE) {
      await listen();
      listened = performance.now();
    }
    if (cancelled) return false;
  }
  return true;
}

/** The number of IDs in each part of a text. */
const PART = 5000;

async function written(of: (id: string) => string, between: string): Promise<string[] | undefined> {
  const parts: string[] = [];
  const whole = await through(ids.length, (from) => {
    const some = ids.slice(from, from + PART);
    parts.push(some.map(of).join(between));
    return some.length;
  });
  return whole ? parts : undefined;
}

function answer(parts: readonly string[], write: Writer): Written {
  const made = format as AnyFormat;
  const rows = ids.slice(0, SHOWN).map((id) => ({ id: write(id), timestamp: made.inspect(id).timestamp }));
  return { rows, text: parts.join("\n") };
}

async function make({ texts, count, form }: Order & { kind: "make" }): Promise<Report> {
  const start = performance.now();
  const source = sourceOf(texts);
  const write = writerOf(source.format, form, radixOf(texts));
  const parts: string[] = [];
  ids = [];
  format = source.format;
  let refusal: Refusal | undefined;
  await through(count, (from) => {
    const outcome = outcomeOf(() => source.make(Math.min(count - from, source.batch)));
    if ("error" in outcome) {
      refusal = outcome;
      return count;
    }
    const some = outcome.value;
    for (const id of some) ids.push(id);
    parts.push(some.map(write).join("\n"));
    return some.length;
  });
  const ms = performance.now() - start;
  return { kind: "made", count: ids.length, ms, written: answer(parts, write), refusal };
}

async function file(which: File, write: Writer, form: string): Promise<Blob | undefined> {
  const made = format as AnyFormat;
  if (which === "json") {
    // Numbers stay numbers, because JSON keeps all of their digits.
    const plain = form === "text" && typeof made.fromBigInt(0n) === "number";
    const parts = await written((id) => (plain ? id : JSON.stringify(write(id))), ",\n");
    if (parts === undefined) return undefined;
    const inside = parts.flatMap((part, index) => (index === 0 ? [part] : [",\n", part]));
    return new Blob(["[\n", ...inside, "\n]\n"], { type: "application/json" });
  }
  const names = made.layout.fields.slice(1).map(({ name }) => name);
  const parts = await written((id) => {
    const fields = made.inspect(id);
    const time = new Date(fields.timestamp).toISOString();
    return `${[write(id), time, ...names.map((name) => fields[name])].join(",")}\r\n`;
  }, "");
  return parts && new Blob([`${["id", "time", ...names].join(",")}\r\n`, ...parts], { type: "text/csv" });
}

async function obey(order: Exclude<Order, { kind: "cancel" }>): Promise<Report> {
  if (order.kind === "make") return make(order);
  const write = writerOf(format as AnyFormat, order.form, radixOf(order.texts));
  if (order.kind === "write") {
    const parts = await written(write, "\n");
    return parts === undefined ? { kind: "cancelled" } : { kind: "written", written: answer(parts, write) };
  }
  const blob = await file(order.file, write, order.form);
  return blob === undefined ? { kind: "cancelled" } : { kind: "file", file: order.file, blob };
}

/** Orders run one after the other. Only a cancellation takes effect at once. */
let last: Promise<void> = Promise.resolve();

/**
 * The reason for a failure, which is not always an error of the package: a browser may also run out
 * of memory.
 */
function whyNot(error: unknown): Refusal {
  try {
    return refusalOf(error);
  } catch {
    console.error(error);
    return { error: "This browser could not finish. Try fewer IDs.", field: undefined };
  }
}

async function report(order: Exclude<Order, { kind: "cancel" }>): Promise<void> {
  try {
    worker.postMessage(await obey(order));
  } catch (error) {
    worker.postMessage({ kind: "refused", refusal: whyNot(error) });
  }
}

worker.addEventListener("message", ({ data }) => {
  if (data.kind === "cancel") cancelled = true;
  else last = last.then(() => report(data));
});
