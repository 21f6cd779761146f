/** The fields of an ID as inputs. */
import { useState } from "preact/hooks";
import type { FamilyReading } from "../find/types.ts";
import type { Id } from "../lib/formats.ts";
import type { Refusal } from "../lib/refusal.ts";
import { Refused } from "../lib/refused.tsx";
import { momentInWords, utcTime } from "../lib/time.ts";
import { time, whole } from "../lib/values.ts";
import type { FieldShown, Shown } from "./shown.ts";

const numbers = new Intl.NumberFormat("en");

/** The text that was typed into a field's control. */
export interface Entered {
  readonly field: string;
  readonly text: string;
}

interface Properties {
  readonly reading: FamilyReading;
  readonly shown: Shown;
  /** The last rejected text. The input keeps it, so that the user can correct it. */
  readonly refused: (Entered & { readonly refusal: Refusal }) | undefined;
  readonly marked: string | undefined;
  readonly onMark: (field: string | undefined) => void;
  readonly change: (call: () => Id, control: Entered) => void;
}

/** An input's text, its range, and a function that sets the field. */
interface Control {
  readonly label: string;
  readonly value: string;
  readonly size: number;
  readonly hint: string;
  readonly enter: (text: string) => Id;
}

function timeControl({ format, id }: FamilyReading): Control {
  return {
    label: "time in UTC",
    value: utcTime(format.inspect(id).timestamp),
    size: 25,
    hint: `${momentInWords(format.epoch)} to ${momentInWords(format.endOfLife)}`,
    enter: (text) => format.with(id, { timestamp: time(text.trim()) as number }),
  };
}

function numberControl(
  { format, id }: FamilyReading,
  { name, words, value, high, low }: FieldShown,
): Control {
  const most = 2 ** (high - low + 1) - 1;
  return {
    label: `${words}, 0 to ${numbers.format(most)}`,
    value,
    size: Math.max(6, String(most).length),
    hint: `0 to ${numbers.format(most)}`,
    enter: (text) => format.with(id, { [name]: whole(text.trim()) as number }),
  };
}

/** One line for each field: its colour, its position and its value, which can be edited. */
export function Fields({ reading, shown, refused, marked, onMark, change }: Properties) {
  // Keep the text that the user is typing when the component renders again.
  const [draft, write] = useState<Entered>();
  return (
    <>
      <h2>Change a field</h2>
      <table class="field-table">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
            <th scope="col" class="place">
              Bits
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.fields.map((field, index) => {
            const { name, words, kind, high, low } = field;
            const control = index === 0 ? timeControl(reading) : numberControl(reading, field);
            const { refusal, text = control.value } = refused?.field === name ? refused : {};
            return (
              <tr
                key={name}
                class={`kind-${kind}${marked === name ? " marked" : ""}`}
                onMouseEnter={() => onMark(name)}
                onMouseLeave={() => onMark(undefined)}
              >
                <th scope="row">
                  <span class="swatch" aria-hidden="true" />
                  {words}
                  {words !== name && (
                    <>
                      {" "}
                      <code class="quiet" title="in code">
                        {name}
                      </code>
                    </>
                  )}
                </th>
                <td>
                  <input
                    type="text"
                    class="mono"
                    inputMode={index === 0 ? "text" : "numeric"}
                    autocomplete="off"
                    spellcheck={false}
                    aria-label={control.label}
                    aria-invalid={refusal === undefined ? undefined : "true"}
                    data-typed={draft?.field === name ? "" : undefined}
                    value={draft?.field === name ? draft.text : text}
                    onInput={({ currentTarget }) => write({ field: name, text: currentTarget.value })}
                    size={control.size}
                    onFocus={() => onMark(name)}
                    onBlur={() => onMark(undefined)}
                    onChange={({ currentTarget }) => {
                      const { value } = currentTarget;
                      write(undefined);
                      change(() => control.enter(value), { field: name, text: value });
                    }}
                  />{" "}
                  <small class={refusal ? "refused" : "quiet"} role={refusal && "alert"}>
                    {refusal === undefined ? control.hint : <Refused refusal={refusal} />}
                  </small>
                </td>
                <td class="place">
                  {high === low ? high : `${high}–${low}`} <span class="quiet">({high - low + 1})</span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
