/** Compares two IDs: the time between them, and whether the same machine generated both. */
import { duration } from "./duration.ts";
import type { LogRow, Value } from "./row.ts";

export interface Pair {
  /** The time between them, in words. */
  readonly between: string;
  readonly machine: string;
}

function betweenOf({ timestamp: one }: LogRow, { timestamp: other }: LogRow): string {
  if (one === undefined || other === undefined) return "One of the IDs has no time.";
  if (one === other) return "Both IDs have the same time.";
  return `The second is ${duration(other - one)} ${other > one ? "later" : "earlier"}.`;
}

const list = new Intl.ListFormat("en-GB");
const say = (values: readonly Value[]): string =>
  list.format(values.map(({ name, value }) => `${name} ${value}`));

function machineOf(one: LogRow, other: LogRow): string {
  if (one.key !== other.key) return "The IDs have different formats, so their machines cannot be compared.";
  if (one.machine.length === 0) return `${one.title} IDs do not say which machine generated them.`;
  const [first, second] = [say(one.machine), say(other.machine)];
  return first === second
    ? `The same machine may have generated both: ${first}.`
    : `Different machines generated them: ${first}, and ${second}.`;
}

export const pairOf = (one: LogRow, other: LogRow): Pair => ({
  between: betweenOf(one, other),
  machine: machineOf(one, other),
});
