/**
 * Compares all formats: as rows of a table on a wide screen, as cards on a narrow one. Nothing
 * scrolls sideways.
 */
import type { Layout } from "graupel";
import type { ComponentChildren } from "preact";
import { kindOf, wordsOf } from "../lib/kinds.ts";
import { root } from "../lib/page.ts";
import type { Facts } from "./facts.ts";
import { rate, until } from "./words.ts";

function textOf({ offered, characters: [shortest, longest] }: Facts): string {
  const length = shortest === longest ? longest : `up to ${longest}`;
  const { base } = offered.facts.text;
  return `${base === 10 ? "decimal" : `base ${base}`}, ${length} characters`;
}

/** The widths of the fields, drawn as a bar. */
function Widths({ fields }: Layout) {
  return (
    <span class="widths" role="img" aria-label={fields.map(({ name, bits }) => `${name} ${bits}`).join(", ")}>
      {fields.map(({ name, bits, role }) => (
        <span
          key={name}
          class={`kind-${kindOf({ role })}`}
          style={{ flexGrow: String(bits) }}
          title={`${name}: ${bits} bits`}
        >
          {bits > 4 ? bits : ""}
        </span>
      ))}
    </span>
  );
}

const machinesOf = ({ machines, random }: Facts): string =>
  machines > 1 ? machines.toLocaleString("en") : random ? "random bits only" : "one";

/** The facts of each format, as columns. In a card, each fact follows the name of its column. */
const COLUMNS: readonly (readonly [name: string, cell: (facts: Facts) => ComponentChildren])[] = [
  ["Fields", ({ format }) => <Widths {...format.layout} />],
  [
    "An ID",
    (facts) => (
      <>
        <span class="mono">{facts.example}</span>
        <small>
          {facts.type}; {textOf(facts)}
        </small>
      </>
    ),
  ],
  ["Machines at a time", machinesOf],
  ["IDs per second, each", ({ random, perSecond }) => `${random ? "about " : ""}${rate(perSecond)}`],
  ["Last date", until],
  ["Sorted by time", ({ sorts }) => (sorts ? "as a number and as text" : "as a number; not as text")],
  ["If the clock goes back", ({ whenBack }) => whenBack],
];

function FormatRow({ facts }: { readonly facts: Facts }) {
  const { offered, bits } = facts;
  return (
    <tr>
      <th scope="row">
        <a href={new URL(`docs/formats/${offered.page}/`, root()).href}>{offered.title}</a>
        <small>{bits} bits</small>
      </th>
      {COLUMNS.map(([name, cell]) => (
        <td key={name}>
          <span class="label" aria-hidden="true">
            {name}
          </span>
          {cell(facts)}
        </td>
      ))}
    </tr>
  );
}

export function Compare({ facts }: { readonly facts: readonly Facts[] }) {
  const kinds = [...new Set(facts.flatMap(({ format }) => format.layout.fields.map(kindOf)))];
  return (
    <section aria-label="All formats">
      <h2>All formats</h2>
      <ul class="legend" aria-label="Colours of the fields">
        {kinds.map((kind) => (
          <li key={kind} class={`kind-${kind}`}>
            {wordsOf(kind)}
          </li>
        ))}
      </ul>
      <table class="compare" aria-label="Comparison of all formats">
        <thead>
          <tr>
            {["Format", ...COLUMNS.map(([name]) => name)].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {facts.map((each) => (
            <FormatRow key={each.offered.name} facts={each} />
          ))}
        </tbody>
      </table>
      <p class="quiet">
        The IDs are examples with today’s time. A Snowflake of your own is shown with 41, 10 and 12 bits. The
        random steps of Ulid-Flake use up a millisecond early, so its rate is an average.
      </p>
    </section>
  );
}
