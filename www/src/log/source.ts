/**
 * The sources of the table's rows: IDs that the page has already found, or a worker that reads a
 * file.
 */
import { foundAgain } from "../find/find.ts";
import type { Found } from "../find/types.ts";
import type { Texts } from "../lib/offered.ts";
import { ownFormatIn } from "../lib/own-format.ts";
import type { Around, Order, Progress, Report } from "./job.ts";
import { type Arrangement, Rows, type Shown, type Summary } from "./rows.ts";

export interface Source {
  arrange(arrangement: Arrangement): Promise<Summary>;
  slice(from: number, to: number): Promise<readonly Shown[]>;
  /** All readings of a row. */
  found(index: number): Promise<Found | undefined>;
  csv(): Promise<Blob>;
  end(): void;
}

/** The IDs that the page has already found. */
export function sourceOf(found: readonly Found[]): Source {
  const rows = new Rows();
  const listed = found.filter(({ readings }) => readings.length > 0);
  for (const one of listed) rows.add(one);
  return {
    async arrange(arrangement) {
      rows.arrange(arrangement);
      return rows.summary();
    },
    slice: async (from, to) => rows.slice(from, to),
    found: async (index) => listed[index],
    csv: async () => new Blob(rows.csv(), { type: "text/csv" }),
    end() {},
  };
}

interface Reading {
  readonly file: Blob;
  /** The inputs that declare a format. */
  readonly own: Texts;
  readonly now: number;
  readonly onProgress: (progress: Progress) => void;
  readonly onFailure: (why: string) => void;
}

/** A file. A separate worker reads it. */
export function sourceOfFile({ file, own, now, onProgress, onFailure }: Reading): Source {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const waiting = new Map<number, (answer: never) => void>();
  let last = 0;
  const send = (order: Order) => worker.postMessage(order);
  const ask = <T>(order: (number: number) => Order): Promise<T> =>
    new Promise((answer) => {
      last += 1;
      waiting.set(last, answer);
      send(order(last));
    });
  worker.onmessage = ({ data }: MessageEvent<Report>) => {
    if (data.kind === "progress") onProgress(data);
    else if (data.kind === "failed") onFailure(data.why);
    else {
      waiting.get(data.number)?.(data.answer as never);
      waiting.delete(data.number);
    }
  };
  worker.onerror = () => onFailure("A background worker of this page failed. Reload the page.");
  send({ kind: "read", file, own, now });
  return {
    arrange: (arrangement) => ask((number) => ({ kind: "arrange", number, arrangement })),
    slice: (from, to) => ask((number) => ({ kind: "slice", number, from, to })),
    async found(index) {
      const { piece, token, hints } = await ask<Around>((number) => ({ kind: "around", number, index }));
      return foundAgain(piece, token, ownFormatIn(own), now, hints);
    },
    csv: () => ask((number) => ({ kind: "csv", number })),
    end: () => worker.terminate(),
  };
}
