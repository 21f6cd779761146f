/** All formats in one table. */
import type { Layout } from "graupel";
import { kindOf, wordsOf } from "../lib/kinds.ts";
import { root } from "../lib/page.ts";
import { Scroll } from "../lib/scroll.tsx";
import type { Facts } from "./facts.ts";
import { rate, until } from "./words.ts";

function textOf({ subject, characters: [shortest, longest] }: Facts): string {
  const length = shortest === longest ? longest : `up to ${longest}`;
  const { base } = subject.facts.text;
  return `${base === 10 ? "decimal" : `base ${base}`}, ${length}`;
}

/** The widths of the fields, as a bar. */
function Widths({ fields }: Layout) {
  return (
    <span class="widths" role="img" aria-label={fields.map(({ name, bits }) => `${name} ${bits}`).join(", ")}>
      {fields.map(({ name, bits }) => (
        <span
          key={name}
          class={`kind-${kindOf(name)}`}
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

export function Compare({ facts }: { readonly facts: readonly Facts[] }) {
  const names = facts.flatMap(({ format }) => format.layout.fields.map(({ name }) => name));
  const kinds = [...new Set(names.map(kindOf))];
  return (
    <section aria-label="All formats">
      <h2>All formats</h2>
      <Scroll label="Comparison of all formats">
        <table class="compare">
          <thead>
            <tr>
              <th scope="col">Format</th>
              <th scope="col">Bits</th>
              <th scope="col">Fields</th>
              <th scope="col">Text, characters</th>
              <th scope="col">next()</th>
              <th scope="col">Machines</th>
              <th scope="col">IDs per second of each</th>
              <th scope="col">Last date</th>
              <th scope="col">In order of time</th>
              <th scope="col">When the clock goes back</th>
            </tr>
          </thead>
          <tbody>
            {facts.map((each) => (
              <tr key={each.subject.name}>
                <th scope="row">
                  <a href={new URL(`docs/formats/${each.subject.page}/`, root()).href}>
                    {each.subject.title}
                  </a>
                </th>
                <td>{each.bits}</td>
                <td>
                  <Widths {...each.format.layout} />
                </td>
                <td>{textOf(each)}</td>
                <td class="mono">{each.type}</td>
                <td>{machinesOf(each)}</td>
                <td>
                  {each.random && "about "}
                  {rate(each.perSecond)}
                </td>
                <td>{until(each)}</td>
                <td>{each.sorts ? "IDs and their texts" : "IDs, not their texts"}</td>
                <td>{each.whenBack}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <ul class="legend" aria-label="Colours of the fields">
        {kinds.map((kind) => (
          <li key={kind} class={`kind-${kind}`}>
            {wordsOf(kind)}
          </li>
        ))}
      </ul>
      <p class="quiet">
        A Snowflake of your own is shown with 41, 10 and 12 bits. Random steps of Ulid-Flake use a millisecond
        up sooner than its bits would: the rate is the average.
      </p>
    </section>
  );
}
