/** The other possible readings of the ID with their evidence, folded into one row. */
import type { Reading } from "../find/types.ts";
import { dayInWords } from "../lib/time.ts";

interface Properties {
  readonly readings: readonly Reading[];
  /** Undefined if the text is probably not an ID. */
  readonly shown: Reading | undefined;
  readonly onChoose: (key: string) => void;
}

const list = new Intl.ListFormat("en", { type: "disjunction" });

/** The number of names in the row. If one more would complete the list, it is added. */
const NAMED = 3;

/**
 * The name of a reading, followed by its day if several readings are likely. A text can be two IDs
 * of one format, in two alphabets.
 */
function nameOf({ key, title, encoding, timestamp }: Reading, isDoubtful: boolean): string {
  const further = ` in ${encoding}`;
  const name = `${title.replace(/, .*/, "")}${key.endsWith(further) ? further : ""}`;
  return isDoubtful && timestamp !== undefined ? `${name} (${dayInWords(timestamp)})` : name;
}

function summaryOf(others: readonly Reading[], shown: Reading | undefined): string {
  if (shown === undefined) return "If it were an ID";
  const { title, isDoubtful } = shown;
  if (others.length === 0) return `Why ${title}?`;
  const shownOnes = others.length === NAMED + 1 ? others : others.slice(0, NAMED);
  const names = shownOnes.map((other) => nameOf(other, isDoubtful));
  const more = others.length - names.length;
  return `Could also be ${list.format(more > 0 ? [...names, `${more} more`] : names)}`;
}

export function Readings({ readings, shown, onChoose }: Properties) {
  if (readings.length === 0 || (readings.length === 1 && shown?.reasons.length === 0)) return null;
  const others = readings.filter((one) => one !== shown);
  return (
    <details class="readings">
      <summary>{summaryOf(others, shown)}</summary>
      <ul class="formats">
        {readings.map((one) => (
          <li key={one.key}>
            <label class="check">
              <input type="radio" name="format" checked={one === shown} onChange={() => onChoose(one.key)} />
              <span>
                <strong>{one.title}</strong> <span class="quiet">{one.reasons.join(" ")}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}
