/** The worker and its results. */
import { useCallback, useRef, useState } from "preact/hooks";
import type { Texts } from "../lib/offered.ts";
import type { Refusal } from "../lib/refusal.ts";
import type { File, Order, Report, Written } from "./job.ts";

export interface Made {
  /** The inputs at that time. */
  readonly texts: Texts;
  readonly asked: number;
  readonly count: number;
  readonly ms: number;
  readonly refusal: Refusal | undefined;
}

export interface Work {
  /** The order that is running, and its progress. */
  readonly busy: Order["kind"] | undefined;
  readonly done: number;
  readonly of: number;
  readonly made: Made | undefined;
  /** The form and the radix in which the IDs were last written. */
  readonly form: string;
  readonly radix: string | undefined;
  readonly written: Written;
  readonly refusal: Refusal | undefined;
}

const NOTHING: Work = {
  busy: undefined,
  done: 0,
  of: 0,
  made: undefined,
  form: "text",
  radix: undefined,
  written: { rows: [], text: "" },
  refusal: undefined,
};

type Started = Exclude<Order, { kind: "cancel" }>;

/** `save`: called with each requested file and a description of its contents. */
export function useWorker(save: (blob: Blob, file: File, made: Pick<Made, "texts" | "count">) => void) {
  const [work, setWork] = useState(NOTHING);
  const worker = useRef<Worker | undefined>(undefined);
  /** The inputs and the number of the IDs that the worker holds or is generating. */
  const held = useRef<{ texts: Texts; count: number }>({ texts: {}, count: 0 });

  const hear = useCallback(
    (report: Report) => {
      if (report.kind === "progress") {
        setWork((before) => ({ ...before, done: report.done, of: report.of }));
        return;
      }
      const { texts, count: asked } = held.current;
      if (report.kind === "file") save(report.blob, report.file, held.current);
      if (report.kind === "made") held.current = { texts, count: report.count };
      setWork((before) => {
        const idle = { ...before, busy: undefined, refusal: undefined };
        if (report.kind === "refused") return { ...idle, refusal: report.refusal };
        if (report.kind === "written") return { ...idle, written: report.written };
        if (report.kind !== "made") return idle;
        const { written, refusal, count, ms } = report;
        return { ...idle, made: { texts, asked, count, ms, refusal }, written, refusal };
      });
    },
    [save],
  );

  const order = useCallback(
    (next: Started) => {
      // Create the worker when it is first needed. It is kept, because it holds the state of the
      // generators.
      if (worker.current === undefined) {
        worker.current = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
        worker.current.addEventListener("error", () =>
          hear({
            kind: "refused",
            refusal: { error: "A background worker of this page failed. Reload the page.", field: undefined },
          }),
        );
      }
      worker.current.onmessage = ({ data }: MessageEvent<Report>) => hear(data);
      if (next.kind === "make") held.current = { texts: next.texts, count: next.count };
      const of = next.kind === "make" ? next.count : held.current.count;
      setWork((before) => ({
        ...before,
        busy: next.kind,
        done: 0,
        of,
        refusal: undefined,
        ...(next.kind !== "file" && { form: next.form, radix: next.texts.radix }),
      }));
      worker.current.postMessage(next);
    },
    [hear],
  );

  const cancel = useCallback(() => worker.current?.postMessage({ kind: "cancel" } satisfies Order), []);
  return { work, order, cancel };
}
