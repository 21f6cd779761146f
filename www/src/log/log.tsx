/**
 * Shows the IDs of a log as a table. Two IDs can be compared, and all of them can be saved as a
 * file.
 */
import { useEffect, useMemo, useState } from "preact/hooks";
import "./log.css";
import type { Found } from "../find/types.ts";
import type { Texts } from "../lib/offered.ts";
import { Filter } from "./filter.tsx";
import type { Progress } from "./job.ts";
import { PairView } from "./pair-view.tsx";
import { type Arrangement, AS_FOUND, type Shown, type Summary } from "./rows.ts";
import { type Source, sourceOf, sourceOfFile } from "./source.ts";
import { Table } from "./table.tsx";

interface Properties {
  /** The IDs in a short text; empty if there is a `file`. */
  readonly found: readonly Found[];
  /** A file, or a text that is too long to be read at once. */
  readonly file?: File | Blob | undefined;
  /** The inputs that declare a format, for reading a file. */
  readonly own?: Texts | undefined;
  /** The number of the row that the page shows. */
  readonly chosen: number;
  readonly choose: (index: number, found: Found) => void;
  readonly now: number;
}

const NOTHING: Summary = { arranged: 0, all: 0, shown: 0, different: 0, formats: [] };

/** The last message of a worker, with its source. */
interface Told {
  readonly of: Source;
  readonly progress?: Progress;
  readonly failure?: string;
}

export function Log({ found, file, own, chosen, choose, now }: Properties) {
  const [last, setTold] = useState<Told>();
  const [arrangement, arrange] = useState<Arrangement>(AS_FOUND);
  const [summary, setSummary] = useState(NOTHING);
  const [compared, compare] = useState<readonly Shown[]>([]);

  // Omit `now` from the dependencies, because the readings do not depend on the current time.
  const source = useMemo<Source>(() => {
    if (file === undefined) return sourceOf(found);
    const made: Source = sourceOfFile({
      file,
      own: own ?? {},
      now,
      onProgress: (progress) => setTold({ of: made, progress }),
      onFailure: (failure) => setTold({ of: made, failure }),
    });
    return made;
  }, [file, file === undefined ? found : undefined, own]);
  const told = last?.of === source ? last : undefined;
  const progress = told?.progress;
  useEffect(() => {
    arrange(AS_FOUND);
    compare([]);
    return () => source.end();
  }, [source]);
  useEffect(() => {
    let current = true;
    source.arrange(arrangement).then((answer) => current && setSummary(answer));
    return () => {
      current = false;
    };
  }, [source, arrangement]);
  useEffect(() => {
    if (progress !== undefined) setSummary(progress.summary);
  }, [progress]);

  const open = (index: number) => source.found(index).then((one) => one !== undefined && choose(index, one));
  const toggle = (row: Shown) =>
    compare((before) => {
      const others = before.filter(({ index }) => index !== row.index);
      return others.length < before.length ? others : [...before, row].slice(-2);
    });
  const reading = file !== undefined && (progress === undefined || progress.read < 1);
  return (
    <section class="log" aria-labelledby="log">
      <h2 id="log">{heading(summary, reading)}</h2>
      {told?.failure !== undefined && (
        <p class="refused" role="alert">
          The file could not be read: {told.failure}
        </p>
      )}
      {reading && told?.failure === undefined && (
        <progress value={progress?.read ?? 0} aria-label="read so far">
          {Math.round(100 * (progress?.read ?? 0))} %
        </progress>
      )}
      <Filter
        {...{ arrangement, arrange, summary, source }}
        name={file instanceof File ? file.name : "ids"}
      />
      {!reading && summary.all === 0 && <p>No ID was found in this file.</p>}
      <Table {...{ source, summary, arrangement, arrange, chosen, open, toggle }} compared={compared} />
      <PairView rows={compared} clear={() => compare([])} />
    </section>
  );
}

const number = new Intl.NumberFormat("en");

function heading({ all, shown, different }: Summary, reading: boolean): string {
  const repeats = different < all ? `, ${number.format(different)} different` : "";
  const found =
    shown === all
      ? `${number.format(all)} IDs${repeats}`
      : `${number.format(shown)} of ${number.format(all)} IDs`;
  return reading ? `${found} so far` : found;
}
