/** Plays the stories of one format until there is a defect, which fast-check then shortens. */
import fc from "fast-check";
import { type Plan, storiesOf } from "./plan.ts";
import { play } from "./story.ts";
import { Tally } from "./tally.ts";

/** Stories of one seed; the next ones have the next seed. */
const STORIES = 200;

export interface Run {
  readonly format: string;
  readonly seed: number;
  /** One of the seed's stories, as fast-check names it; it alone is then played. */
  readonly path?: string | undefined;
  /** The seed that reaches this many IDs is the last one. */
  readonly ids: number;
  /** Called after each story. */
  progress?(tally: Tally): void;
}

/** Runs it. The report is undefined if nothing was found. */
export async function tellStories({ format, seed, path, ids, progress }: Run) {
  const tally = new Tally();
  const property = fc.asyncProperty(storiesOf(format), async (plan) => {
    await play(plan, tally);
    progress?.(tally);
  });
  for (let n = seed; ; n++) {
    const found = await fc.check(property, {
      seed: n,
      numRuns: STORIES,
      ...(path !== undefined && { path, endOnFailure: true }),
    });
    if (found.counterexample !== null) {
      const { counterexample, counterexamplePath, errorInstance, numRuns } = found;
      const lines = [
        `${format}: story ${numRuns} of seed ${n} shows a defect`,
        `again: npm run storm -- --format ${format} --seed ${n} --path ${counterexamplePath}`,
        described(counterexample[0]),
        String(errorInstance),
      ];
      return { tally, report: lines.join("\n") };
    }
    if (tally.ids >= ids || path !== undefined) {
      return { tally, report: undefined };
    }
  }
}

/** A story as text, a line for each step. */
function described({ subject, generators, steps, ...world }: Plan): string {
  const { spec, namings } = subject;
  const fields = spec.fields.map(([name, bits]) => `${name} ${bits}`).join(", ");
  return [
    `  ${fields}; epoch ${spec.epoch}, tick ${spec.tickMs} ms`,
    `  world ${JSON.stringify(world)}`,
    ...namings.map(({ options }) => `  identity ${JSON.stringify(options)}`),
    ...generators.map((one) => `  generator ${JSON.stringify(one)}`),
    ...steps.map((step, i) => `  ${i + 1} ${JSON.stringify(step)}`),
  ].join("\n");
}
