/** The IDs that were generated: a list of the first ones, and buttons to copy or download all. */
import { Copy } from "../lib/copy.tsx";
import { offeredOf } from "../lib/offered.ts";
import { Scroll } from "../lib/scroll.tsx";
import { utcTime } from "../lib/time.ts";
import type { Order } from "./job.ts";
import { lookInside } from "./look-inside.ts";
import type { Made, Work } from "./use-worker.ts";

const numbers = new Intl.NumberFormat("en");

/** Downloads a file with a name such as `sno-1000.csv`. */
export function save(blob: Blob, ending: string, { texts, count }: Pick<Made, "texts" | "count">): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${offeredOf(texts.format).name}-${count}.${ending}`;
  link.click();
  // By then, the download has begun in every browser.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The progress. Screen readers do not announce it, because it changes too often. */
function progressOf({ busy, done, of }: Work): string {
  if (busy === undefined) return "";
  const far = `${numbers.format(done)} of ${numbers.format(of)}`;
  return busy === "make" ? `${far} made` : `Writing: ${far}`;
}

/** Describes the IDs that were generated. */
function wordsOf({ busy, made }: Work): string {
  if (made === undefined || busy !== undefined) return "";
  const took = made.ms < 1000 ? `${Math.ceil(made.ms)} ms` : `${(made.ms / 1000).toFixed(1)} s`;
  const { title } = offeredOf(made.texts.format);
  const what = `${title}: ${numbers.format(made.count)} ${made.count === 1 ? "ID" : "IDs"} in ${took}`;
  if (made.count === made.asked) return what;
  return `${what}; ${made.refusal === undefined ? "cancelled" : "stopped"} before ${numbers.format(made.asked)}`;
}

interface Properties {
  readonly work: Work;
  readonly order: (order: Exclude<Order, { kind: "cancel" }>) => void;
}

function List({ work: { made, written, form } }: { readonly work: Work }) {
  const more = (made?.count ?? 0) - written.rows.length;
  const page = made !== undefined && form === "text" ? lookInside(made.texts) : undefined;
  return (
    <>
      <Scroll label="The first IDs">
        <table class="ids">
          <thead>
            <tr>
              <th scope="col">ID</th>
              <th scope="col">Time, UTC</th>
            </tr>
          </thead>
          <tbody>
            {written.rows.map(({ id, timestamp }) => (
              <tr key={id}>
                <td class="mono">{page === undefined ? id : <a href={page + id}>{id}</a>}</td>
                <td class="mono quiet">{utcTime(timestamp)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {more > 0 && (
        <p class="quiet">
          and {numbers.format(more)} more, which the page copies and downloads, but does not show
        </p>
      )}
    </>
  );
}

export function Result({ work, order }: Properties) {
  const { made, written, form, radix, busy } = work;
  const some = made !== undefined && made.count > 0;
  return (
    <section class="result" aria-label="The IDs">
      <p>
        <span class="far">{progressOf(work)}</span>
        <span role="status">{wordsOf(work)}</span>
      </p>
      {some && (
        <>
          <div class="buttons">
            <Copy value={written.text} what="all IDs" />
            <button
              type="button"
              aria-disabled={busy !== undefined}
              onClick={() =>
                busy === undefined &&
                save(new Blob([written.text, "\n"], { type: "text/plain" }), "txt", made)
              }
            >
              Download text
            </button>
            {(["csv", "json"] as const).map((file) => (
              <button
                key={file}
                type="button"
                aria-disabled={busy !== undefined}
                onClick={() =>
                  busy === undefined &&
                  order({ kind: "file", file, form, texts: { ...made.texts, radix: radix ?? "36" } })
                }
              >
                Download {file.toUpperCase()}
              </button>
            ))}
          </div>
          <List work={work} />
        </>
      )}
    </section>
  );
}
