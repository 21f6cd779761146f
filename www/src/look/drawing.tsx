/** One ID as its bits, its fields, its time and its encodings. A changed field or bit changes the ID. */
import { useState } from "preact/hooks";
import { Bits, placesOf } from "../lib/bits.tsx";
import { Copy } from "../lib/copy.tsx";
import type { AnyFormat, Id } from "../lib/formats.ts";
import { wordsOf } from "../lib/kinds.ts";
import { outcomeOf } from "../lib/refusal.ts";
import { ago, localTime, utcTime } from "../lib/time.ts";
import { encodingsOf } from "./encodings.ts";

interface Properties {
  readonly format: AnyFormat;
  readonly id: Id;
  readonly now: number;
  readonly onChange: (id: Id) => void;
}

interface Refusal {
  readonly error: string;
  /** The control that was refused; undefined for a bit. */
  readonly field: string | undefined;
  readonly format: AnyFormat;
  readonly id: Id;
}

export function Drawing({ format, id, now, onChange }: Properties) {
  // A refusal belongs to what it was said about: the next ID has none.
  const [last, refuse] = useState<Refusal>();
  const refused = last !== undefined && last.format === format && last.id === id ? last : undefined;
  const [marked, mark] = useState<string>();
  const integer = format.toBigInt(id);
  const inspection = format.inspect(id);
  const change = (call: () => Id, field?: string) => {
    const outcome = outcomeOf(call);
    if ("value" in outcome) onChange(outcome.value);
    else refuse({ error: outcome.error, field, format, id });
  };
  const turn = (bit: number) => change(() => format.fromBigInt(integer ^ (1n << BigInt(bit))));
  return (
    <section class="drawing" aria-labelledby="bits">
      <h2 id="bits">
        {format.name} <span class="mono">{format.format(id)}</span>
      </h2>
      <Bits
        {...{ integer, marked }}
        layout={format.layout}
        width={8 * format.toBytes(id).length}
        onTurn={turn}
      />
      <p class="refused turned" role="alert">
        {refused !== undefined && refused.field === undefined ? refused.error : ""}
      </p>
      <dl class="times">
        <dt>local</dt>
        <dd>{localTime(inspection.timestamp)}</dd>
        <dt>UTC</dt>
        <dd class="with-copy">
          <input
            class="mono"
            aria-label="time in UTC"
            value={utcTime(inspection.timestamp)}
            size={26}
            aria-invalid={refused?.field === "time in UTC" ? "true" : undefined}
            onChange={(event) => {
              // What is no date is refused by the package, in its own words.
              const timestamp = Date.parse(event.currentTarget.value);
              change(() => format.with(id, { timestamp }), "time in UTC");
            }}
          />
          <Copy value={utcTime(inspection.timestamp)} what="the time in UTC" />
          {refused?.field === "time in UTC" && (
            <small class="refused" role="alert">
              {refused.error}
            </small>
          )}
        </dd>
        <dt>Unix ms</dt>
        <dd class="with-copy">
          <span class="mono">{inspection.timestamp}</span>{" "}
          <Copy value={String(inspection.timestamp)} what="Unix milliseconds" />
        </dd>
        <dt>age</dt>
        <dd>{ago(inspection.timestamp, now)}</dd>
      </dl>
      <Fields {...{ format, id, inspection, refused, change, mark }} />
      <h3>Every encoding</h3>
      <dl class="encodings">
        {encodingsOf(format, id).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span class="mono">{text}</span>
              <Copy value={text} what={`the ID as ${name}`} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface FieldsProperties {
  readonly format: AnyFormat;
  readonly id: Id;
  readonly inspection: Readonly<Record<string, unknown>> & { readonly ticks: number };
  readonly refused: Refusal | undefined;
  readonly change: (call: () => Id, field: string) => void;
  readonly mark: (field: string | undefined) => void;
}

/** A line for each field: its colour, its place, and its value, which can be changed. */
function Fields({ format, id, inspection, refused, change, mark }: FieldsProperties) {
  const places = placesOf(format.layout);
  return (
    <div class="scroll">
      <table class="field-table">
        <thead>
          <tr>
            <th scope="col">field</th>
            <th scope="col">value</th>
            <th scope="col">bits</th>
            <th scope="col" class="for">
              for
            </th>
          </tr>
        </thead>
        <tbody>
          {places.map(({ name, kind, high, low }, index) => {
            // The first field is the time, whose raw value is the ticks.
            const key = index === 0 ? "ticks" : name;
            const value = String(inspection[key]);
            const most = 2 ** (high - low + 1) - 1;
            const error = refused?.field === name ? refused.error : undefined;
            const enter = (entered: string) =>
              change(() => {
                // Only digits: anything else is refused by the package, in its own words.
                const number = /^\d+$/.test(entered) ? Number(entered) : entered;
                return format.with(id, { [key]: number as number });
              }, name);
            return (
              <tr
                key={name}
                class={`kind-${kind}`}
                onMouseEnter={() => mark(name)}
                onMouseLeave={() => mark(undefined)}
              >
                <th scope="row">
                  <span class="swatch" aria-hidden="true" />
                  {name}
                </th>
                <td>
                  <input
                    class="mono"
                    inputMode="numeric"
                    aria-label={`${name}, 0 to ${most}`}
                    aria-invalid={error === undefined ? undefined : "true"}
                    value={value}
                    size={Math.max(6, String(most).length)}
                    onFocus={() => mark(name)}
                    onBlur={() => mark(undefined)}
                    onChange={(event) => enter(event.currentTarget.value)}
                  />{" "}
                  <small
                    class={error === undefined ? "quiet" : "refused"}
                    role={error === undefined ? undefined : "alert"}
                  >
                    {error ?? `0 to ${most}`}
                  </small>
                </td>
                <td>
                  {high === low ? high : `${high}–${low}`} <span class="quiet">({high - low + 1})</span>
                </td>
                <td class="for">{wordsOf(kind)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
