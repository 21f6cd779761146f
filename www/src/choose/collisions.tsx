/** Shows how likely a collision is if machine numbers are random. */
import { Choice } from "../lib/choice.tsx";
import { Field } from "../lib/field.tsx";
import type { Texts } from "../lib/offered.ts";
import { collision, drawsFor, duplicatesPerDay } from "./birthday.ts";
import { count, odds, rate } from "./words.ts";

/** The fields that can be random, by their width. */
const WIDTHS = [
  ["5", "5 bits: a worker of Twitter, Discord, Snowflake-SI"],
  ["10", "10 bits: a generator of Nanoflake"],
  ["13", "13 bits: a shard of Instagram"],
  ["16", "16 bits: a partition of sno, a machine of Sonyflake"],
  ["20", "20 bits: Ulid-Flake, in each millisecond"],
] as const;

const PROCESSES = 1_000_000;

const wholeIn = (text: string, most: number): number | undefined =>
  /^\d{1,9}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most ? Number(text) : undefined;

interface Properties {
  readonly texts: Texts;
  readonly onChange: (changes: Texts) => void;
}

/** Shows how often two IDs of the same millisecond have the same random bits. */
function Milliseconds({
  texts,
  onChange,
  drawn,
  of,
}: Properties & { readonly drawn: number; readonly of: number }) {
  const text = texts.load ?? "100";
  const load = wholeIn(text, 1_000_000);
  return (
    <>
      <Field
        label="IDs per second, each process"
        value={text}
        inputMode="numeric"
        width="14rem"
        error={load === undefined ? "Expected a whole number from 1 to 1,000,000" : undefined}
        onInput={(next) => onChange({ load: next })}
      />
      {load !== undefined && (
        <p>
          At this rate, expect about <strong>{rate(duplicatesPerDay(drawn, load, of))}</strong> duplicates a
          day, if the IDs are spread evenly over time.
        </p>
      )}
    </>
  );
}

export function Collisions({ texts, onChange }: Properties) {
  const text = texts.processes ?? "10";
  const drawn = wholeIn(text, PROCESSES);
  const bits = WIDTHS.find(([width]) => width === texts.bits)?.[0] ?? "16";
  const of = 2 ** Number(bits);
  const what = bits === "20" ? "IDs of the same millisecond" : "random numbers";
  const half = drawsFor(0.5, of);
  return (
    <section aria-label="Random numbers">
      <h2>Random numbers</h2>
      <div class="fields">
        <Field
          label="Threads and processes"
          value={text}
          inputMode="numeric"
          width="12rem"
          error={drawn === undefined ? `Expected a whole number from 1 to ${count(PROCESSES)}` : undefined}
          onInput={(next) => onChange({ processes: next })}
        />
        <Choice
          label="Random bits"
          value={bits}
          options={WIDTHS}
          width="30rem"
          onChange={(width) => onChange({ bits: width })}
        />
      </div>
      {drawn !== undefined && (
        <p role="status">
          Odds that at least two of {count(drawn)} {what} are equal, of {count(of)} possible values:{" "}
          <strong class="odds">{odds(collision(drawn, of))}</strong>
        </p>
      )}
      {bits === "20" && drawn !== undefined && <Milliseconds {...{ texts, onChange, drawn, of }} />}
      <div class="scroll">
        <table class="odds-of">
          <caption>Odds that at least two numbers are equal, by the number of processes</caption>
          <thead>
            <tr>
              <th scope="col">processes</th>
              <th scope="col">odds</th>
            </tr>
          </thead>
          <tbody>
            {[...new Set([2, 10, 100, 1000, half])]
              .sort((a, b) => a - b)
              .map((processes) => (
                <tr key={processes}>
                  <th scope="row">{count(processes)}</th>
                  <td>{odds(collision(processes, of))}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      <p class="quiet">
        These odds follow the birthday formula, 1 − (1 − 1/n)(1 − 2/n)… graupel cannot detect that two
        processes have the same number. If both generate IDs in the same tick, IDs repeat.
      </p>
    </section>
  );
}
