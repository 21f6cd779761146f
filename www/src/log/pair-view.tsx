/** Shows two IDs side by side. */
import { pairOf } from "./pair.ts";
import type { LogRow } from "./row.ts";

interface Properties {
  readonly rows: readonly LogRow[];
  readonly clear: () => void;
}

/** The names of all values, without repetition, in the order of the first ID. */
const namesOf = (rows: readonly LogRow[]): string[] => [
  ...new Set(rows.flatMap(({ values }) => values.map(({ name }) => name))),
];

const said = ({ values }: LogRow, wanted: string): string =>
  values.find(({ name }) => name === wanted)?.value ?? "";

const timeOf = ({ timestamp }: LogRow): string =>
  timestamp === undefined
    ? "none"
    : `${new Date(timestamp).toISOString().replace("T", " ").replace("Z", "")} UTC`;

export function PairView({ rows, clear }: Properties) {
  const [one, other] = rows;
  if (one === undefined) return null;
  if (other === undefined)
    return <p class="quiet log-hint">Select another ID to compare it with {one.text}.</p>;
  const { between, machine } = pairOf(one, other);
  return (
    <section class="card log-pair" aria-labelledby="pair">
      <h3 id="pair">Two IDs</h3>
      <p class="log-answer">
        {between} {machine}
      </p>
      <table>
        <thead>
          <tr>
            <td />
            {rows.map(({ index, text }) => (
              <th key={index} scope="col" class="mono">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">format</th>
            {rows.map(({ index, title }) => (
              <td key={index}>{title}</td>
            ))}
          </tr>
          <tr>
            <th scope="row">time</th>
            {rows.map((row) => (
              <td key={row.index}>{timeOf(row)}</td>
            ))}
          </tr>
          {namesOf(rows).map((name) => (
            <tr key={name} class={said(one, name) === said(other, name) ? "log-same" : undefined}>
              <th scope="row">{name}</th>
              {rows.map((row) => (
                <td key={row.index} class="mono">
                  {said(row, name)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" onClick={clear}>
        Close the comparison
      </button>
    </section>
  );
}
