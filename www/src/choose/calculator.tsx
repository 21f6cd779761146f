/** Shows which layouts are large enough for the given IDs per second, machines and years. */
import { Code } from "../lib/code.tsx";
import { Field } from "../lib/field.tsx";
import type { Texts } from "../lib/offered.ts";
import type { Facts } from "./facts.ts";
import { type Lack, type Layout, lacksOf, layoutFor, type Needs, offerOf, safeLayoutFor } from "./layouts.ts";
import { quantitiesIn, quantityOf } from "./quantities.ts";
import { count, rate, years } from "./words.ts";

interface Input {
  readonly key: keyof Needs;
  readonly label: string;
  readonly preset: string;
  readonly most: number;
  readonly whole: boolean;
}

const INPUTS: readonly Input[] = [
  { key: "perSecond", label: "IDs per second, each machine", preset: "1000", most: 1e12, whole: false },
  { key: "machines", label: "Machines", preset: "50", most: 1e12, whole: true },
  { key: "years", label: "Years", preset: "20", most: 1e6, whole: false },
];

/** The number in an input; `undefined` if the text is not a number or is out of range. */
function read({ key, preset, most, whole }: Input, texts: Texts): number | undefined {
  const text = texts[key] ?? preset;
  const number = quantityOf(key, text) ?? Number(quantitiesIn(text)[key] ?? 0);
  return number > 0 && number <= most && (!whole || Number.isInteger(number)) ? number : undefined;
}

const offers = ({ perSecond, machines, years: left }: Needs): Record<Lack, string> => ({
  perSecond: `${rate(perSecond)} IDs per second`,
  machines: machines === 1 ? "no machine numbers" : `${count(machines)} machines`,
  years: years(left),
});

function Verdict({ facts, needs }: { readonly facts: Facts; readonly needs: Needs }) {
  const lacks = lacksOf(needs, facts);
  const words = offers(facts);
  const fits = lacks.length === 0;
  return (
    <tr class={fits ? "fits" : "lacks"}>
      <th scope="row">{facts.offered.title}</th>
      <td>
        {fits
          ? `enough: ${Object.values(words).join(", ")}`
          : `not enough: ${lacks.map((lack) => words[lack]).join(", ")}`}
      </td>
    </tr>
  );
}

const EPOCH = `epoch: Date.UTC(${new Date().getUTCFullYear()}, 0, 1)`;

function ownCode({ time, worker, sequence, tickMs }: Layout): string {
  const fields = [`time: ${time}`, ...(worker > 0 ? [`worker: ${worker}`] : []), `sequence: ${sequence}`];
  const tick = tickMs === 1 ? "" : `, tickMs: ${tickMs}`;
  return `snowflake({ ${EPOCH}${tick}, fields: { ${fields.join(", ")} } });`;
}

const safeCode = ({ time, worker }: Layout): string =>
  `snowflakeSI({ ${EPOCH}, clockBits: ${time}, machineBits: ${worker} });`;

function Own({
  title,
  layout,
  code,
}: {
  readonly title: string;
  readonly layout: Layout;
  readonly code: string;
}) {
  const offer = offerOf(layout);
  const bits = layout.time + layout.worker + layout.sequence;
  return (
    <Code title={title} code={code}>
      <p class="quiet">
        {bits} bits: {rate(offer.perSecond)} IDs per second of each of {count(offer.machines)}{" "}
        {offer.machines === 1 ? "machine" : "machines"}, for {years(offer.years)}.
      </p>
    </Code>
  );
}

interface Properties {
  readonly facts: readonly Facts[];
  readonly texts: Texts;
  readonly onChange: (changes: Texts) => void;
}

export function Calculator({ facts, texts, onChange }: Properties) {
  const numbers = INPUTS.map((input) => read(input, texts));
  const [perSecond, machines, life] = numbers;
  const needs =
    perSecond === undefined || machines === undefined || life === undefined
      ? undefined
      : { perSecond, machines, years: life };
  const own = needs && layoutFor(needs);
  const safe = needs && safeLayoutFor(needs);
  return (
    <section aria-label="Which layouts are enough?">
      <h2>Which layouts are enough?</h2>
      <div class="fields">
        {INPUTS.map((input, index) => (
          <Field
            key={input.key}
            label={input.label}
            value={texts[input.key] ?? input.preset}
            inputMode="numeric"
            width="14rem"
            error={
              numbers[index] === undefined
                ? `Expected a ${input.whole ? "whole number" : "number"} above 0, up to ${count(input.most)}`
                : undefined
            }
            // A pasted line of the results below fills in every value that it contains.
            onInput={(text) => onChange({ ...quantitiesIn(text), [input.key]: text })}
          />
        ))}
      </div>
      {needs !== undefined && (
        <>
          <table class="verdicts">
            <thead class="visually-hidden">
              <tr>
                <th scope="col">Format</th>
                <th scope="col">Is it enough, and what does it offer?</th>
              </tr>
            </thead>
            <tbody>
              {facts.map((each) => (
                <Verdict key={each.offered.name} facts={each} needs={needs} />
              ))}
            </tbody>
          </table>
          {own === undefined ? (
            <p>No layout of 63 bits is enough for this.</p>
          ) : (
            <Own title="Your own layout" layout={own} code={ownCode(own)} />
          )}
          {safe === undefined ? (
            <p class="quiet">53 bits, the limit for plain numbers in JSON, are not enough for this.</p>
          ) : (
            <Own title="In 53 bits: plain numbers in JSON" layout={safe} code={safeCode(safe)} />
          )}
        </>
      )}
    </section>
  );
}
