/**
 * The table of a log's rows. Only the visible rows are in the document, so 100,000 rows are as fast
 * as ten.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { gapText } from "./duration.ts";
import { fieldsOf } from "./row.ts";
import { type Arrangement, type Column, inOrder, type Shown, type Summary } from "./rows.ts";
import type { Source } from "./source.ts";

interface Properties {
  readonly source: Source;
  readonly summary: Summary;
  readonly arrangement: Arrangement;
  readonly arrange: (arrangement: Arrangement) => void;
  readonly chosen: number;
  readonly open: (index: number) => void;
  readonly compared: readonly Shown[];
  readonly toggle: (row: Shown) => void;
}

/**
 * The number of extra rows before and after the visible ones, so that a short scroll shows no gap.
 */
const MORE = 12;
/** The height of a row, as in log.css. In a narrow window, a row has two lines. */
const NARROW = "(max-width: 46rem)";
const heightOf = (narrow: boolean) => (narrow ? 60 : 38);

function useNarrow(): boolean {
  const [narrow, set] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const change = () => set(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return narrow;
}

const timeText = (timestamp: number | undefined): string =>
  timestamp === undefined ? "" : new Date(timestamp).toISOString().replace("T", " ").replace("Z", "");

/** An ID that occurs more than once gets the number of its occurrence. */
const nameOf = ({ text, nth, times }: Shown): string => (times > 1 ? `${text}, ${nth} of ${times}` : text);

const HEADINGS: readonly (readonly [Column, string])[] = [
  ["id", "ID"],
  ["format", "Format"],
  ["time", "Time, UTC"],
  ["gap", "Gap"],
];

export function Table(properties: Properties) {
  const { source, summary, arrangement, arrange, chosen, open, compared, toggle } = properties;
  const view = useRef<HTMLDivElement>(null);
  const height = heightOf(useNarrow());
  const [from, setFrom] = useState(0);
  const [held, hold] = useState<{ readonly from: number; readonly rows: readonly Shown[] }>({
    from: 0,
    rows: [],
  });
  const count = Math.ceil((view.current?.clientHeight ?? 600) / height) + 2 * MORE;

  // While a log is read in its own order, new rows come after the visible ones, which stay until
  // the rows are arranged again.
  const reached = `${summary.arranged} ${Math.min(summary.shown, from + count)}`;
  const inView = inOrder(arrangement) ? reached : summary;
  useEffect(() => {
    let current = true;
    source.slice(from, from + count).then((rows) => current && hold({ from, rows }));
    return () => {
      current = false;
    };
  }, [source, inView, arrangement, from, count]);
  useEffect(() => {
    view.current?.scrollTo(0, 0);
  }, [source, arrangement]);

  const scroll = () => setFrom(Math.max(0, Math.floor((view.current?.scrollTop ?? 0) / height) - MORE));
  const sort = (column: Column) => {
    const same = arrangement.sort === column;
    // The third click restores the order of the log.
    if (same && arrangement.down) arrange({ ...arrangement, sort: "place", down: false });
    else arrange({ ...arrangement, sort: column, down: same });
  };
  const after = Math.max(0, summary.shown - held.from - held.rows.length);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll only the focused element
    <section class="log-view" ref={view} onScroll={scroll} tabIndex={0} aria-label="the IDs of the log">
      <table aria-rowcount={summary.shown + 1}>
        <thead>
          <tr>
            <th scope="col" class="log-pick">
              <span class="visually-hidden">Compare</span>
            </th>
            {HEADINGS.map(([column, name]) => (
              <th key={column} scope="col" class={`log-${column}`} aria-sort={sortOf(arrangement, column)}>
                <button type="button" onClick={() => sort(column)}>
                  {name}
                </button>
              </th>
            ))}
            <th scope="col" class="log-fields">
              Fields
            </th>
          </tr>
        </thead>
        <tbody>
          <tr class="log-space" style={{ height: `${held.from * height}px` }} />
          {held.rows.map((row, at) => (
            <tr
              key={row.index}
              aria-rowindex={held.from + at + 2}
              aria-current={row.index === chosen ? "true" : undefined}
            >
              <td class="log-pick">
                <input
                  type="checkbox"
                  aria-label={`compare ${nameOf(row)}`}
                  checked={compared.some(({ index }) => index === row.index)}
                  onChange={() => toggle(row)}
                />
              </td>
              <td class="log-id">
                <button
                  type="button"
                  class="link mono"
                  title={row.text}
                  aria-label={nameOf(row)}
                  onClick={() => open(row.index)}
                >
                  {row.text}
                </button>
                {row.times > 1 && (
                  <span class="log-times" title={`The log contains it ${row.times} times`} aria-hidden="true">
                    {row.nth} of {row.times}
                  </span>
                )}
              </td>
              <td class="log-format">
                {row.isDoubtful && <span class="quiet">Perhaps </span>}
                {row.title}
              </td>
              <td class="log-time">{timeText(row.timestamp)}</td>
              <td class="log-gap">{row.gap === undefined ? "" : gapText(row.gap)}</td>
              <td class="log-fields" title={fieldsOf(row)}>
                {fieldsOf(row)}
              </td>
            </tr>
          ))}
          <tr class="log-space" style={{ height: `${after * height}px` }} />
        </tbody>
      </table>
      {summary.shown === 0 && summary.all > 0 && <p class="quiet">No ID matches.</p>}
    </section>
  );
}

const sortOf = ({ sort, down }: Arrangement, column: Column) =>
  sort === column ? (down ? "descending" : "ascending") : "none";
