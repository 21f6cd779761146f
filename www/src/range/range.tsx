/** The page "Time ranges": computes the first and the last ID between two dates. */
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import "./range.css";
import { Code } from "../lib/code.tsx";
import { Copy } from "../lib/copy.tsx";
import { Field } from "../lib/field.tsx";
import type { AnyFormat } from "../lib/formats.ts";
import { limitsOf, makeFormat, type OfferedFormat, offeredOf, type Texts } from "../lib/offered.ts";
import { outcomeOf, type Refusal } from "../lib/refusal.ts";
import { Refused } from "../lib/refused.tsx";
import { concerns, FormatChoice, Settings } from "../lib/settings.tsx";
import { timeInWords } from "../lib/time.ts";
import { useFragment } from "../lib/use-fragment.ts";
import { time, timeText } from "../lib/values.ts";
import { Back } from "./back.tsx";
import { DateField } from "./date-field.tsx";
import { readDate, showDate, type Zone } from "./dates.ts";
import { periods } from "./periods.ts";
import { api, type Bounds, code, sql } from "./queries.ts";

const EXPECTED = "Expected a complete date and time, such as 2025-01-31T12:00";

type End = "from" | "to";

/** The time of an end of the range, from the address. */
function endOf(texts: Texts, end: End): number | undefined {
  const read = time(texts[end] ?? "");
  return typeof read === "number" && Number.isFinite(new Date(read).getTime()) ? read : undefined;
}

interface ZoneProperties {
  readonly zone: Zone;
  readonly onChange: (zone: Zone) => void;
}

/** Names of UTC that may be the reader's own time zone. */
const UTC = /^(?:Etc\/)?(?:UTC|UCT|Universal|Zulu)$/;

function ZoneChoice({ zone, onChange }: ZoneProperties) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (UTC.test(own)) return <p class="zone">Dates are in UTC, which is also your local time.</p>;
  return (
    <fieldset class="zone">
      <legend>Dates in</legend>
      {(["local", "utc"] as const).map((each) => (
        <label key={each}>
          <input type="radio" name="zone" checked={zone === each} onChange={() => onChange(each)} />
          {each === "utc" ? "UTC" : `local time (${own})`}
        </label>
      ))}
    </fieldset>
  );
}

interface BoundsProperties {
  readonly format: AnyFormat;
  readonly bounds: Bounds;
}

function Limits({ format, bounds }: BoundsProperties) {
  return (
    <dl class="pairs">
      {(["min", "max"] as const).map((end) => {
        const text = format.format(bounds[end]);
        return (
          <div key={end}>
            <dt>{end}</dt>
            <dd>
              <span class="mono">{text}</span>
              <Copy value={text} what={end} />
              <small class="quiet">{timeInWords(format.inspect(bounds[end]).timestamp)}</small>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface QueriesProperties extends BoundsProperties {
  readonly offered: OfferedFormat;
  readonly texts: Texts;
  readonly onColumn: (column: string) => void;
}

function Queries({ offered, format, bounds, texts, onColumn }: QueriesProperties) {
  const column = texts.column ?? "id";
  const all = [sql(format, bounds, column || "id"), api(format, bounds), code(offered, texts, bounds)];
  return all.map(({ title, code: text, notes }, index) => (
    <Code key={title} title={title} code={text}>
      {notes.map((note) => (
        <p key={note} class="quiet">
          {note}
        </p>
      ))}
      {index === 0 && <Field label="Column" value={column} width="14rem" onInput={onColumn} />}
    </Code>
  ));
}

/** Changes the format and keeps the range. */
function inFormat(name: string, texts: Texts): Texts {
  const gone = Object.keys(texts).filter((key) => !["from", "to", "zone", "column"].includes(key));
  return { ...Object.fromEntries(gone.map((key) => [key, undefined])), format: name };
}

interface PeriodsProperties {
  readonly now: number;
  readonly zone: Zone;
  readonly onChoose: (from: number, to: number) => void;
}

/** Buttons for common ranges. */
const Periods = ({ now, zone, onChoose }: PeriodsProperties) => (
  <fieldset class="periods">
    <legend class="visually-hidden">Often used</legend>
    {periods(now, zone).map(({ name, from, to }) => (
      <button key={name} type="button" onClick={() => onChoose(from, to)}>
        {name}
      </button>
    ))}
  </fieldset>
);

/** Shows an example on the first visit. */
function useFirstRange(now: number, setEnds: (from: number, to: number) => void): void {
  useEffect(() => {
    const month = periods(now, "local").find(({ name }) => name === "This month");
    if (location.hash === "" && month !== undefined) setEnds(month.from, month.to);
  }, [now, setEnds]);
}

export function RangePage() {
  const [texts, change] = useFragment();
  const offered = offeredOf(texts.format);
  const zone: Zone = texts.zone === "utc" ? "utc" : "local";
  const ends = { from: endOf(texts, "from"), to: endOf(texts, "to") };
  /** The text of each input while it is not a valid date. */
  const [drafts, setDrafts] = useState<Partial<Record<End, string>>>({});
  const now = useMemo(Date.now, []);
  const setEnds = useCallback(
    (from: number, to: number) => {
      setDrafts({});
      change({ from: timeText(from), to: timeText(to) });
    },
    [change],
  );
  useFirstRange(now, setEnds);

  const made = useMemo(
    () => outcomeOf(() => makeFormat(offered, texts), limitsOf(offered.settings)),
    [offered, texts],
  );
  const format = "value" in made ? made.value : undefined;
  const found = format && outcomeOf(() => format.range(ends.from, ends.to));
  const bounds = found && "value" in found ? { ...found.value, ...ends } : undefined;
  const refusal: Refusal | undefined = "error" in made ? made : found && "error" in found ? found : undefined;
  const inputs = [...offered.settings.map(({ key }) => key), "from", "to"];

  const enter = (end: End) => (text: string, incomplete: boolean) => {
    const read = readDate(text, zone);
    const { [end]: _, ...others } = drafts;
    if (read === undefined && (text !== "" || incomplete)) setDrafts({ ...others, [end]: text });
    else {
      setDrafts(others);
      change({ [end]: read === undefined ? "" : timeText(read) });
    }
  };
  const dateOf = (end: End, label: string, hint: string) => (
    <DateField
      label={label}
      hint={hint}
      value={drafts[end] ?? showDate(ends[end], zone)}
      error={end in drafts ? EXPECTED : concerns(refusal, end) ? refusal : undefined}
      onInput={enter(end)}
    />
  );

  return (
    <>
      <div class="fields">
        <FormatChoice asked={texts.format} onChange={(name) => change(inFormat(name, texts))} />
        <Settings
          settings={offered.settings}
          texts={texts}
          refusal={refusal}
          onChange={(key, text) => change({ [key]: text })}
        />
      </div>
      <ZoneChoice
        zone={zone}
        onChange={(next) => {
          setDrafts({});
          change({ zone: next });
        }}
      />
      <div class="fields">
        {dateOf("from", "From", "Included; if empty, the epoch")}
        {dateOf("to", "To", "Not included; if empty, no end")}
      </div>
      <Periods now={now} zone={zone} onChoose={setEnds} />
      {refusal !== undefined && !inputs.some((key) => concerns(refusal, key)) && (
        <p class="refused" role="alert">
          <Refused refusal={refusal} />
        </p>
      )}
      {format !== undefined && bounds !== undefined && (
        <section aria-label="Bounds">
          <h2>The bounds</h2>
          <Limits format={format} bounds={bounds} />
          <Queries {...{ offered, format, bounds, texts }} onColumn={(column) => change({ column })} />
        </section>
      )}
      {format !== undefined && <Back format={format} onUse={setEnds} />}
    </>
  );
}
