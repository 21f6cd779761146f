// Plays every situation with every subject, under every combination of policies, by every call.
import assert from "node:assert/strict";
import { OtherProcess } from "../support/other-process.ts";
import { ask, CALLS, type Call, outcome, type Policies, Stage, verdict } from "./scripted-clock.ts";
import { AHEAD, expectedOf, onwards, SITUATIONS, type Situation, WAIT } from "./situations.ts";
import { type Backwards, FULL, type Full, type Subject } from "./subjects.ts";

/** The time of a story within the format's life. */
function high(situation: Situation, { format }: Subject): number {
  const { epoch, endOfLife, layout } = format;
  const places = {
    epoch: epoch + 2 * layout.tickMs,
    end: endOfLife,
    middle: epoch + 1_000_000 * layout.tickMs,
  };
  return places[situation.where ?? "middle"];
}

function stageFor(subject: Subject, situation: Situation, policies: Policies): Stage {
  const { tickMs } = subject.format.layout;
  const options = {
    maxWaitMs: WAIT * tickMs,
    maxAheadMs: AHEAD * tickMs,
    ...situation.options?.(tickMs),
    ...policies,
  };
  const process = situation.shared ? new OtherProcess() : undefined;
  const stage = new Stage(subject, high(situation, subject), situation.room, options, process);
  situation.prepare(stage);
  return stage;
}

/** Runs one story, and returns the verdict. */
export async function tell(
  subject: Subject,
  situation: Situation,
  policies: Policies,
  call: Call,
): Promise<string> {
  const stage = stageFor(subject, situation, policies);
  const readings = situation.readings.map(
    (ticks, i) => stage.at(ticks) - (i === 0 ? (situation.less ?? 0) : 0),
  );
  stage.clock.script(readings, onwards(situation, stage));
  const seen = await ask(stage, call);
  const found = verdict(seen, stage);
  const atOnce = !/ @|CLOCK_STUCK/.test(found);
  assert.ok(!atOnce || seen.readings.length === 1, `at once, but after ${seen.readings.length} readings`);
  for (const id of seen.ids) {
    assert.ok(subject.format.isValid(id), `${id} is no ID of the format`);
  }
  if (seen.error !== undefined) {
    assert.ok(seen.error.message.length > 20);
    unharmed(stage, stageFor(subject, situation, policies));
  }
  return found;
}

/** After a refusal, the generator continues like its twin, which did not get the call. */
function unharmed(stage: Stage, twin: Stage): void {
  const { format } = stage.subject;
  const compare = (reading: number) => {
    const [mine, other] = [stage, twin].map(({ clock, generator }) => {
      clock.script([reading], (last) => last + stage.tick);
      return outcome(() => generator.next());
    });
    assert.equal(mine, other, `at ${reading}`);
    return mine;
  };
  // The clock as before the call: the room in the tick must be the same.
  const before = {
    ...twin.generator.stats(),
    waits: 0,
    waitedMs: 0,
    clockRegressions: 0,
    largestRegressionMs: 0,
  };
  assert.equal(stage.generator.stats().issued, before.issued, "IDs that nobody has seen were counted");
  assert.equal(stage.generator.stats().aheadMs, before.aheadMs);
  const { clock, generator } = stage;
  clock.stand(stage.high);
  twin.clock.stand(stage.high);
  assert.deepEqual(generator.snapshot(), twin.generator.snapshot());
  compare(stage.high);
  compare(stage.high + stage.tick / 2);
  const later = compare(stage.high + 60 * stage.tick);
  const over = stage.high + 60 * stage.tick > format.endOfLife;
  assert.equal(later, over ? "END_OF_LIFE" : later);
  assert.ok(over || format.isValid(later), `refused at a good reading: ${later}`);
}

/** Whether a row is about a combination. */
function applies(
  { only = {} }: Situation,
  subject: Subject,
  backwards: Backwards,
  full: Full,
  call: Call,
): boolean {
  return (
    (only.tickTock === undefined || subject.backwards.includes("tick-tock")) &&
    (only.backwards ?? backwards) === backwards &&
    (only.full ?? full) === full &&
    (only.call ?? call) === call
  );
}

/** One observation. */
export interface Sighting {
  readonly subject: Subject;
  readonly situation: Situation;
  readonly clockBackwards: Backwards;
  readonly sequenceFull: Full;
  readonly call: Call;
  readonly found: string;
  readonly wanted: string;
}

const told = new Map<string, readonly Sighting[]>();

/** Every story of a subject, played once. */
export async function sightings(subject: Subject): Promise<readonly Sighting[]> {
  const all = told.get(subject.name) ?? (await tellAll(subject));
  told.set(subject.name, all);
  return all;
}

async function tellAll(subject: Subject): Promise<readonly Sighting[]> {
  const all: Sighting[] = [];
  for (const situation of SITUATIONS) {
    for (const clockBackwards of subject.backwards) {
      for (const sequenceFull of FULL) {
        for (const call of CALLS) {
          if (applies(situation, subject, clockBackwards, sequenceFull, call)) {
            const policies = { clockBackwards, sequenceFull };
            const wanted = expectedOf(situation, clockBackwards, sequenceFull, call);
            let found: string;
            try {
              found = await tell(subject, situation, policies, call);
            } catch (error) {
              found = `(${error instanceof Error ? error.message : error})`;
            }
            all.push({ subject, situation, ...policies, call, found, wanted });
          }
        }
      }
    }
  }
  return all;
}
