/** Plays the stories of one format until there is a defect, which fast-check then shortens. */
import fc from "fast-check";
import { type Plan, storiesOf } from "./plan.ts";
import { Story } from "./story.ts";
import { Tally } from "./tally.ts";

/** Stories of one seed; the next ones have the next seed. */
const STORIES = 100;

export interface Run {
  readonly format: string;
  readonly seed: number;
  /** One of the seed's stories, as fast-check names it; it alone is then played. */
  readonly path?: string | undefined;
  /** The seed that reaches this many IDs is the last one. */
  readonly ids: number;
  /** Called after each story. */
  readonly progress?: (tally: Tally) => void;
}

/** Runs it. The report is undefined if nothing was found. */
export async function tellStories({ format, seed, path = "", ids, progress }: Run) {
  const tally = new Tally();
  // Then shorter stories follow, which do not count.
  let found = false;
  const property = fc.asyncProperty(storiesOf(format), async (plan) => {
    try {
      await new Story(plan, found ? new Tally() : tally).play();
    } catch (error) {
      found = true;
      throw error;
    }
    progress?.(tally);
  });
  for (let n = seed; ; n++) {
    const { counterexample, counterexamplePath, errorInstance } = await fc.check(property, {
      seed: n,
      path,
      endOnFailure: path !== "",
      numRuns: STORIES,
    });
    if (counterexample !== null) {
      const again = `npm run storm -- --format ${format} --seed ${n} --path ${counterexamplePath}`;
      const report = `${format} shows a defect; again: ${again}\n${described(counterexample[0])}\n${errorInstance}`;
      return { tally, report };
    }
    if (tally.of("ids") >= ids || path !== "") {
      return { tally, report: undefined };
    }
  }
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
  return lines.map(([name, value]) => `  ${name} ${JSON.stringify(value)}`).join("\n");
}
