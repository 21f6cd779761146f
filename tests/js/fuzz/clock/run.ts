/** Plays the stories of one format, and reports those with a defect. */
import type { Kind } from "./finding.ts";
import { IdSet } from "./id-set.ts";
import { type Plan, planOf } from "./plan.ts";
import { shrink } from "./shrink.ts";
import { Story } from "./story.ts";
import { Tally } from "./tally.ts";
import { World } from "./world.ts";

/** How many of a format's defects are reported in full. */
const TOLD = 3;

export interface Run {
  readonly format: string;
  readonly seed: number;
  /** The run ends with the story that reaches this many IDs; 0 plays one story. */
  readonly ids: number;
  /** The least number of stories, however many IDs they make. */
  readonly stories?: number;
  say(line: string): void;
  /** Called between stories. */
  progress(tally: Tally): void;
  /** Whether the first defect ends the run. */
  readonly once?: boolean;
}

/** Runs it. The story of number n has the seed `seed + n`. */
export async function tellStories({
  format,
  seed,
  ids,
  stories = 1,
  say,
  progress,
  once = false,
}: Run): Promise<Tally> {
  const tally = new Tally();
  const seen = new IdSet();
  const world = new World();
  const tell = async (plan: Plan, into: Tally): Promise<Story> => {
    const story = new Story(plan, world, into, seen);
    await story.tell();
    return story;
  };
  for (let n = seed; tally.stories < stories || tally.ids < ids; n++) {
    const story = await tell(planOf(format, n), tally);
    const { finding } = story;
    if (finding !== undefined) {
      tally.findings[finding.kind]++;
      if (tally.found <= TOLD) {
        say(
          `\n${format}, seed ${n}: ${finding.kind} in step ${story.at + 1} of ${story.plan.steps.length}: ${finding.message}`,
        );
        say(`again: --format ${format} --seed ${n} --ids 0`);
        const shows = async (plan: Plan): Promise<Kind | undefined> =>
          (await tell(plan, new Tally())).finding?.kind;
        const short = await shrink(story.plan, finding.kind, shows);
        const again = await tell(short, new Tally());
        say(
          `shortened to ${short.steps.length} steps: ${again.finding?.message ?? "which was not found again"}`,
        );
        say(described(short));
      }
      if (once) {
        break;
      }
    }
    progress(tally);
  }
  return tally;
}

/** A plan as text. */
function described({ subject, randomness, source, start, dials, ...plan }: Plan): string {
  const { format, namings } = subject;
  const layout = format.layout.fields.map(({ name, bits }) => `${name} ${bits}`).join(", ");
  return [
    `  layout ${layout}; epoch ${format.epoch}, tick ${format.layout.tickMs} ms; the clock starts at ${start}, ${(start - format.epoch) / format.layout.tickMs} ticks after it`,
    ...namings.map(({ options }) => `  identity ${JSON.stringify(options)}`),
    ...(source === undefined ? [] : [`  randomness of its own (${randomness}), which may also: ${source}`]),
    `  clocks ${JSON.stringify(dials)}${plan.system ? ", the first one the system's" : ""}`,
    `  ${plan.together ? "one process" : "a process for each identity"}${plan.isolated ? "; an isolated generator of the first identity's fields" : ""}`,
    ...plan.steps.map((step, i) => `  ${String(i + 1).padStart(3)} ${JSON.stringify(step)}`),
  ].join("\n");
}
