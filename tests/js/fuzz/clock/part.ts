/** The stories of a format, as a part of the search. */
import fc from "fast-check";
import type { Part } from "../search.ts";
import { type Plan, storiesOf } from "./plan.ts";
import { Story } from "./story.ts";
import { Tally } from "./tally.ts";

/** The stories, and what happens in them. */
export function partOf(format: string): Part & { readonly tally: Tally } {
  const tally = new Tally();
  // Then shorter stories follow, which do not count.
  let found = false;
  const property = fc.asyncProperty(storiesOf(format), async (plan) => {
    try {
      await new Story(plan, found ? new Tally() : tally).play();
    } catch (cause) {
      found = true;
      throw new Error(described(plan), { cause });
    }
  });
  return { property: property as Part["property"], cases: 100, done: () => tally.of("ids"), tally };
}

/** A story as text, a line for each step. */
function described({ subject, generators, steps, ...world }: Plan): string {
  const { spec, namings } = subject;
  const fields = spec.fields.map(([name, bits]) => `${name} ${bits}`).join(", ");
  const lines = [
    ["world", { ...world, fields, epoch: spec.epoch, tickMs: spec.tickMs }],
    ...namings.map(({ options }) => ["identity", options]),
    ...generators.map((one) => ["generator", one]),
    ...steps.map((step) => ["step", step]),
  ];
  return lines.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join("\n    ");
}
