/**
 * The clock on a format's page. Readers can run it, pause it and push it back, and see how each
 * policy reacts.
 */
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { AnyFormat } from "../../lib/formats.ts";
import { makeFormat, OFFERED, type OfferedFormat } from "../../lib/offered.ts";
import { Refused } from "../../lib/refused.tsx";
import "./clock.css";
import { Drawing, Shape } from "./drawing.tsx";
import type { Entry, Lane, Policy } from "./lane.ts";
import { type Simulation, shortestStep, simulate } from "./simulation.ts";
import { announced, duration, PROMISES, stateOf, timeOfDay, whyRefused } from "./words.ts";

/** The steps of the buttons that push the clock back, in milliseconds. */
const PUSHES = [1, 30, 1000, 3_600_000];

/** The stops of the slider, in milliseconds. */
const STOPS = [1, 2, 5, 10, 30, 100, 300, 1000, 3000, 9000, 10_050, 30_000, 60_000, 600_000, 3_600_000];

/** The time between two steps, in milliseconds; longer for readers who prefer reduced motion. */
const PACE_MS = 400;
const SLOW_PACE_MS = 1200;

function offeredOf(name: string): OfferedFormat {
  const offered = OFFERED.find((one) => one.name === name);
  if (offered === undefined) throw new Error(`no format ${name}`);
  return offered;
}

/** Formats that declare an epoch get the same epoch here as in the drawings. */
const formatOf = (name: string): AnyFormat => makeFormat(offeredOf(name), {});

/**
 * The last ID of a lane, or the reason why there is none. It always takes the same space, so that
 * nothing moves.
 */
function Last({ policy, entry }: { readonly policy: Policy; readonly entry: Entry | undefined }) {
  if (entry?.refused !== undefined)
    return (
      <p class="last why refused">
        <Refused
          refusal={{ error: whyRefused(policy, entry.refused), field: undefined, code: entry.refused.code }}
        />
      </p>
    );
  if (entry?.issued === undefined) return <p class="last" />;
  return (
    <p class="last">
      <span class="id mono">{entry.issued.text}</span>{" "}
      <span class="when">
        clock {timeOfDay(entry.reading)} → ID {timeOfDay(entry.issued.timestamp)}
      </span>
    </p>
  );
}

function LaneView({ simulation, lane }: { readonly simulation: Simulation; readonly lane: Lane }) {
  const { policy, entries } = lane;
  const last = entries.at(-1);
  return (
    <article class="lane" data-policy={policy} aria-label={`Policy ${policy}`}>
      <div class="about">
        <h4>
          <code>"{policy}"</code>
          {policy === simulation.byDefault && <span class="default">the default</span>}
        </h4>
        <p class="quiet">{PROMISES[policy]}</p>
        <p class={last?.refused === undefined || lane.waitsFor !== undefined ? "state" : "state refused"}>
          {stateOf(lane)}
        </p>
        <Last policy={policy} entry={last} />
      </div>
      <Drawing simulation={simulation} lane={lane} />
    </article>
  );
}

interface ControlsProperties {
  readonly now: number;
  readonly running: boolean;
  readonly stepMs: number;
  readonly shortest: number;
  readonly onRun: () => void;
  readonly onStep: () => void;
  readonly onStepMs: (ms: number) => void;
  readonly onPush: (ms: number) => void;
  readonly onAgain: () => void;
}

function Controls({
  now,
  running,
  stepMs,
  shortest,
  onRun,
  onStep,
  onStepMs,
  onPush,
  onAgain,
}: ControlsProperties) {
  const [stop, setStop] = useState(STOPS.indexOf(300));
  const chosen = STOPS[stop] ?? 1;
  return (
    <>
      <div class="controls">
        <p class="now">
          <span class="quiet">The clock shows</span> <time class="mono">{timeOfDay(now)}</time>
        </p>
        <button type="button" class="main run" onClick={onRun}>
          {running ? "Pause" : "Run"}
        </button>
        <button type="button" onClick={onStep}>
          One step
        </button>
        <label class="inline">
          Each step is
          <select
            value={String(stepMs)}
            onChange={({ currentTarget }) => onStepMs(Number(currentTarget.value))}
          >
            {[shortest, 100, 1000, 600_000].map((ms) => (
              <option key={ms} value={String(ms)}>
                {duration(ms)}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={onAgain}>
          Start again
        </button>
      </div>
      <fieldset class="pushes">
        <legend>Push the clock back by</legend>
        {PUSHES.map((ms) => (
          <button key={ms} type="button" onClick={() => onPush(ms)}>
            {duration(ms)}
          </button>
        ))}
        <span class="slider">
          <input
            type="range"
            aria-label="How far to push the clock back"
            aria-valuetext={duration(chosen)}
            min="0"
            max={String(STOPS.length - 1)}
            value={String(stop)}
            onInput={({ currentTarget }) => setStop(Number(currentTarget.value))}
          />
          <button type="button" class="chosen" onClick={() => onPush(chosen)}>
            {duration(chosen)}
          </button>
        </span>
      </fieldset>
    </>
  );
}

function Clock({ names }: { readonly names: readonly string[] }) {
  const [name, setName] = useState(names[0] ?? "");
  const [life, setLife] = useState(0);
  // A life is one run of the clock. "Start again" begins the next one.
  const simulation = useMemo(() => simulate(formatOf(name)), [name, life]);
  const [, setSteps] = useState(0);
  const [running, setRunning] = useState(false);
  const shortest = shortestStep(simulation.format);
  const [chosenMs, setChosenMs] = useState<number>();
  const [said, say] = useState("");
  const stepMs = chosenMs ?? shortest;

  const changed = () => setSteps((steps) => steps + 1);
  const step = () => {
    simulation.step(stepMs);
    say(announced(`The clock shows ${timeOfDay(simulation.now)}.`, simulation.lanes));
    changed();
  };

  useEffect(() => {
    if (!running) return undefined;
    const slow = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const timer = setInterval(
      () => {
        if (document.hidden) return;
        simulation.step(stepMs);
        setSteps((steps) => steps + 1);
      },
      slow ? SLOW_PACE_MS : PACE_MS,
    );
    return () => clearInterval(timer);
  }, [running, simulation, stepMs]);

  const push = (ms: number) => {
    simulation.pushBack(ms);
    say(announced(`The clock went back by ${duration(ms)}.`, simulation.lanes));
    changed();
  };
  const again = () => {
    setRunning(false);
    setLife(life + 1);
    say("");
  };
  const choose = (chosen: string) => {
    setName(chosen);
    setChosenMs(undefined);
    say("");
  };

  return (
    <>
      <p>
        {simulation.lanes.length === 4 ? "Four" : "Three"} generators of this package share one clock. Each is
        asked for an ID at every step.
      </p>
      {names.length > 1 && (
        <label class="inline">
          Format
          <select value={name} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {names.map((one) => (
              <option key={one} value={one}>
                {offeredOf(one).title}
              </option>
            ))}
          </select>
        </label>
      )}
      <Controls
        {...{ running, stepMs, shortest, now: simulation.now }}
        onRun={() => setRunning(!running)}
        onStep={step}
        onStepMs={setChosenMs}
        onPush={push}
        onAgain={again}
      />
      <p class="visually-hidden" role="status">
        {said}
      </p>
      <div class="lanes" data-lanes={simulation.lanes.length}>
        {simulation.lanes.map((lane) => (
          <LaneView key={lane.policy} simulation={simulation} lane={lane} />
        ))}
      </div>
      <Legend tickTock={simulation.lanes.length > 3} />
    </>
  );
}

/** A shape from the drawings, within a text. */
const Sample = (mark: Parameters<typeof Shape>[0]) => (
  <svg viewBox="-4 -4 8 8" aria-hidden="true">
    <Shape {...mark} />
  </svg>
);

function Legend({ tickTock }: { readonly tickTock: boolean }) {
  return (
    <p class="legend quiet">
      Steps go to the right, and time goes up; long gaps are shortened. The line is the clock. A call{" "}
      <Sample happened="issued" tickTock={0} /> returns an ID
      {tickTock && (
        <>
          , <Sample happened="toggled" tickTock={1} /> one with the tick-tock bit
        </>
      )}
      , <Sample happened="waits" tickTock={0} /> waits, or <Sample happened="refused" tickTock={0} /> throws.
    </p>
  );
}

/** Renders the clock into its section of the page. */
export function showClock(section: HTMLElement): void {
  const stage = section.querySelector(".stage");
  if (stage === null) throw new Error("the page has no place for the clock");
  stage.replaceChildren();
  render(<Clock names={(section.dataset.formats ?? "").split("|")} />, stage);
  section.dataset.ready = "";
}
