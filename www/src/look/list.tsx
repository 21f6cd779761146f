/** The IDs of a log. */
import type { Found } from "../find/types.ts";
import { ago } from "../lib/time.ts";

interface Properties {
  readonly found: readonly Found[];
  readonly chosen: number;
  readonly choose: (index: number) => void;
  readonly now: number;
}

export function List({ found, chosen, choose, now }: Properties) {
  return (
    <section aria-labelledby="found">
      <h2 id="found">{found.length} IDs in this text</h2>
      <ul class="found">
        {found.map(({ text, start, readings: [first] }, index) => (
          <li key={start}>
            <button type="button" aria-pressed={index === chosen} onClick={() => choose(index)}>
              <span class="mono">{text}</span>{" "}
              <span class="quiet">
                {first?.title}
                {first?.timestamp !== undefined && `, ${ago(first.timestamp, now)}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
