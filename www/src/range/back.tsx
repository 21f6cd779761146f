/** Shows the times of two IDs. The address does not contain the IDs. */
import { useState } from "preact/hooks";
import { Field } from "../lib/field.tsx";
import type { AnyFormat } from "../lib/formats.ts";
import { outcomeOf } from "../lib/refusal.ts";
import { ago, localTime, timeInWords } from "../lib/time.ts";
import { durationOf, spanOf } from "./queries.ts";

interface Properties {
  readonly format: AnyFormat;
  /** Uses the times of the IDs as the range. */
  readonly onUse: (from: number, to: number) => void;
}

export function Back({ format, onUse }: Properties) {
  const [pasted, setPasted] = useState<readonly [string, string]>(["", ""]);
  const outcomes = pasted.map((text) =>
    text.trim() === "" ? undefined : outcomeOf(() => spanOf(format, text.trim())),
  );
  const spans = outcomes.map((outcome) => (outcome && "value" in outcome ? outcome.value : undefined));
  const [a, b] = spans;
  const first = a && b && Math.min(a.from, b.from);
  const last = a && b && Math.max(a.from, b.from);
  return (
    <section aria-label="From IDs to dates">
      <h2>From IDs to dates</h2>
      <div class="fields pasted">
        {pasted.map((text, index) => {
          const outcome = outcomes[index];
          return (
            <Field
              key={index === 0 ? "first" : "second"}
              label={index === 0 ? "One ID" : "Another ID"}
              value={text}
              width="18rem"
              error={outcome && "error" in outcome ? outcome : undefined}
              onInput={(next) => setPasted(index === 0 ? [next, pasted[1]] : [pasted[0], next])}
            />
          );
        })}
      </div>
      <dl class="pairs times" aria-live="polite">
        {spans.map(
          (span, index) =>
            span !== undefined && (
              <div key={index === 0 ? "first" : "second"}>
                <dt>{index === 0 ? "One ID" : "Another ID"}</dt>
                <dd class="mono">{timeInWords(span.from)}</dd>
                <dd>
                  {localTime(span.from)}, {ago(span.from, Date.now())}
                </dd>
              </div>
            ),
        )}
        {first !== undefined && last !== undefined && (
          <div>
            <dt>Between them</dt>
            <dd class="mono">{durationOf(last - first)}</dd>
          </div>
        )}
      </dl>
      {a && b && (
        <button type="button" onClick={() => onUse(Math.min(a.from, b.from), Math.max(a.to, b.to))}>
          Use as the range
        </button>
      )}
    </section>
  );
}
