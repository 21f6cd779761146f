/** An epoch and a layout of one's own, as entered and as it stands in the address. */
import { Field } from "../lib/field.tsx";
import { type Declared, declared } from "../lib/formats.ts";
import { type Outcome, outcomeOf } from "../lib/refusal.ts";

/** What is entered, as text. */
export interface OwnText {
  readonly kind: Declared["kind"] | "";
  readonly epoch: string;
  readonly fields: string;
  readonly tick: string;
}

const KINDS: Readonly<Record<Declared["kind"], string>> = {
  nanoflake: "Nanoflake",
  snowflakeSI: "Snowflake-SI",
  snowflake: "Snowflake with fields of your own",
};

const isKind = (text: string): text is Declared["kind"] => Object.hasOwn(KINDS, text);

/** From the address. */
export function ownFrom(address: URLSearchParams): OwnText {
  const kind = address.get("kind") ?? "";
  return {
    kind: isKind(kind) ? kind : "",
    epoch: address.get("epoch") ?? "2024-01-01",
    fields: address.get("fields") ?? "time:41,worker:10,sequence:12",
    tick: address.get("tick") ?? "1",
  };
}

/** For the address: nothing if nothing is declared. */
export function wordsOfOwn({ kind, epoch, fields, tick }: OwnText): Record<string, string | undefined> {
  if (kind === "") return {};
  return kind === "snowflake" ? { kind, epoch, fields, tick } : { kind, epoch };
}

const refusal = (error: string, field: string): Outcome<never> => ({ error, field });

/** Unix milliseconds, or a date as ISO 8601 writes it, in UTC unless it says otherwise. */
function epochOf(text: string): number {
  const trimmed = text.trim();
  if (/^-?\d+$/.test(trimmed)) return Number(trimmed);
  return /^\d{4}-\d\d-\d\d/.test(trimmed)
    ? Date.parse(/T.*\d$/.test(trimmed) ? `${trimmed}Z` : trimmed)
    : Number.NaN;
}

function widthsOf(text: string): Record<string, number> | undefined {
  const pairs = text.split(",").map((pair) => /^\s*(\w+)\s*:\s*(\d+)\s*$/.exec(pair));
  const read = pairs.filter((pair) => pair !== null);
  if (read.length < pairs.length) return undefined;
  return Object.fromEntries(read.map(([, name = "", bits = ""]) => [name, Number(bits)]));
}

/** The declaration, or why the text is none; undefined if nothing is declared. */
export function declarationOf({ kind, epoch, fields, tick }: OwnText): Outcome<Declared> | undefined {
  if (kind === "") return undefined;
  const ms = epochOf(epoch);
  if (Number.isNaN(ms)) return refusal("expected a date such as 2024-01-31, or Unix milliseconds", "epoch");
  if (kind !== "snowflake") return { value: { kind, epoch: ms } };
  const widths = widthsOf(fields);
  if (widths === undefined)
    return refusal("expected names and bits such as time:41,worker:10,sequence:12", "fields");
  if (!/^\d+$/.test(tick.trim())) return refusal("expected a whole number of milliseconds", "tickMs");
  return { value: { kind, epoch: ms, fields: widths, tickMs: Number(tick) } };
}

/** Why what is entered declares no format: from the text, or from the package. */
function whyNot(own: OwnText): { readonly error: string; readonly field: string | undefined } | undefined {
  const read = declarationOf(own);
  if (read === undefined) return undefined;
  const made = "value" in read ? outcomeOf(() => declared(read.value)) : read;
  return "error" in made ? made : undefined;
}

export function OwnFormat({
  value,
  onChange,
}: {
  readonly value: OwnText;
  readonly onChange: (value: OwnText) => void;
}) {
  const error = whyNot(value);
  const at = error?.field ?? "fields";
  const errorOf = (...fields: string[]) =>
    error !== undefined && fields.includes(at) ? error.error : undefined;
  const known = ["epoch", "tickMs"];
  return (
    <details class="card" open={value.kind !== ""}>
      <summary>An epoch or a layout of your own</summary>
      <div class="fields">
        <label>
          Format
          <select
            value={value.kind}
            onChange={({ currentTarget: { value: kind } }) =>
              onChange({ ...value, kind: isKind(kind) ? kind : "" })
            }
          >
            <option value="">none</option>
            {Object.entries(KINDS).map(([kind, name]) => (
              <option key={kind} value={kind}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {value.kind !== "" && (
        <div class="fields top-aligned">
          <Field
            label="Epoch"
            value={value.epoch}
            onInput={(epoch) => onChange({ ...value, epoch })}
            error={errorOf("epoch")}
            hint="a date in UTC, or Unix ms"
            width="14rem"
          />
          {value.kind === "snowflake" && (
            <>
              <Field
                label="Fields, high to low"
                value={value.fields}
                onInput={(fields) => onChange({ ...value, fields })}
                error={known.includes(at) ? undefined : error?.error}
                hint="the first is time; one is sequence"
                width="22rem"
              />
              <Field
                label="Tick"
                value={value.tick}
                inputMode="numeric"
                onInput={(tick) => onChange({ ...value, tick })}
                error={errorOf("tickMs")}
                hint="in milliseconds"
                width="8rem"
              />
            </>
          )}
        </div>
      )}
    </details>
  );
}
