/** Filters the rows of a log by a text and a format. Also saves the remaining rows as a file. */
import type { Arrangement, Summary } from "./rows.ts";
import type { Source } from "./source.ts";

interface Properties {
  readonly arrangement: Arrangement;
  readonly arrange: (arrangement: Arrangement) => void;
  readonly summary: Summary;
  readonly source: Source;
  /** The name of the file that was read. */
  readonly name: string;
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${name.replace(/\.\w+$/, "")}.csv`;
  link.click();
  // Firefox reads the file only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export function Filter({ arrangement, arrange, summary, source, name }: Properties) {
  const { filter, format } = arrangement;
  return (
    <div class="log-filter">
      <label>
        Filter
        <input
          type="search"
          value={filter}
          placeholder="an ID, a date, worker 3 …"
          onInput={(event) => arrange({ ...arrangement, filter: event.currentTarget.value })}
        />
      </label>
      <label>
        Format
        <select
          value={format}
          onChange={(event) => arrange({ ...arrangement, format: event.currentTarget.value })}
        >
          <option value="">all</option>
          {summary.formats.map(({ key, title, count }) => (
            <option key={key} value={key}>
              {title} ({count.toLocaleString("en")})
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => source.csv().then((blob) => save(blob, name))}>
        Download as CSV
      </button>
    </div>
  );
}
