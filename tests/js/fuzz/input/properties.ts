/** What holds for all bad input, as properties of fast-check: each has one or several calls, which judge themselves. */
import fc from "fast-check";
import { custom, declarations, named, type Subject, snowflakeSIs, tiny } from "../../support/subjects.ts";
import { declarationCases } from "./declarations.ts";
import { generators, ready } from "./options.ts";
import { present } from "./outcomes.ts";
import { snapshots } from "./snapshots.ts";
import { stories, tell } from "./stories.ts";
import { seldom } from "./values.ts";
import { identified, isOurs, snoOnly, verbs } from "./verbs.ts";
import { waits } from "./waits.ts";

type Make<T> = (subject: Subject) => fc.Arbitrary<T>;
type Case = () => void | Promise<void>;

/** Of so many cases, one runs with a polluted prototype, which makes the engine forget what it has compiled: a millisecond each. */
const POLLUTED = 100;

function property(cases: fc.Arbitrary<Case>, polluted = POLLUTED): fc.IAsyncProperty<unknown> {
  return fc.asyncProperty(cases, seldom(polluted, fc.constant(true)), async (run, isPolluted) => {
    present.polluted = isPolluted === true;
    await run();
  }) as fc.IAsyncProperty<unknown>;
}

/** A property, and how many cases a round has. */
export interface Part {
  readonly cases: number;
  readonly property: fc.IAsyncProperty<unknown>;
}

/** The properties by name. The seed chooses the layouts of one's own. */
export function propertiesOf(seed: number): ReadonlyMap<string, Part> {
  const formats = named();
  const [sno] = formats as [Subject];
  const si = snowflakeSIs();
  const narrow = tiny();
  const own = fc.sample(declarations, { seed, numRuns: 20 }).map(custom);
  const of = <T>(subjects: readonly Subject[], make: Make<T>) => fc.oneof(...subjects.map(make));
  const any = <T>(make: Make<T>) =>
    fc.oneof({ weight: 4, arbitrary: of(formats, make) }, of(si, make), of(own, make));
  // For cases about state: often sno, which has the most, and layouts in which a tick holds two or four IDs.
  const stateful = <T>(make: Make<T>) =>
    fc.oneof(make(sno), { weight: 2, arbitrary: of(narrow, make) }, { weight: 3, arbitrary: any(make) });
  // The formats that `identify` knows: those of the table with their own epoch, and Snowflake-SI with its own widths.
  const known = [...formats, si[4] as Subject].filter(({ label }) => !/reference|epoch/.test(label));
  const isReady = ({ reference, counter }: Subject) =>
    reference.spec.name === "sno" || counter === "randomness";
  const told = stateful(stories).map((story) => () => tell(story));
  return new Map([
    ["verbs", { cases: 500, property: property(any(verbs)) }],
    ["identify", { cases: 40, property: property(identified(known)) }],
    ["sno", { cases: 50, property: property(snoOnly(sno)) }],
    ["errors", { cases: 20, property: property(isOurs) }],
    ["declarations", { cases: 100, property: property(declarationCases) }],
    ["generators", { cases: 80, property: property(any(generators)) }],
    ["ready", { cases: 5, property: property(of(formats.filter(isReady), ready)) }],
    ["snapshots", { cases: 30, property: property(stateful(snapshots)) }],
    ["stories", { cases: 20, property: property(told, 30) }],
    ["waits", { cases: 1, property: property(stateful(waits)) }],
  ]);
}
