/** What holds for all bad input, as properties of fast-check: each has one or several calls, which judge themselves. */
import fc from "fast-check";
import { custom, declarations, named, type Subject, snowflakeSIs, tiny } from "../../support/subjects.ts";
import type { Part } from "../search.ts";
import { declarationCases } from "./declarations.ts";
import { generators, ready } from "./options.ts";
import { present, tally } from "./outcomes.ts";
import { snapshots } from "./snapshots.ts";
import { stories, tell } from "./stories.ts";
import { seldom } from "./values.ts";
import { identified, isOurs, snoOnly, verbs } from "./verbs.ts";

type Make<T> = (subject: Subject) => fc.Arbitrary<T>;
type Case = () => void | Promise<void>;

/** Of so many cases, one runs with a polluted prototype, which makes the engine forget what it has compiled: a millisecond each. */
const POLLUTED = 100;

function part(cases: number, arbitrary: fc.Arbitrary<Case>, polluted = POLLUTED): Part {
  const drawn = [arbitrary, seldom(polluted, fc.constant(true))] as const;
  const property = fc.asyncProperty(...drawn, async (run, isPolluted) => {
    present.polluted = isPolluted === true;
    await run();
  });
  return { property: property as Part["property"], cases, done: () => tally.total };
}

const formats = named();
const [sno] = formats as [Subject];
const si = snowflakeSIs();
const narrow = tiny();
const of = <T>(subjects: readonly Subject[], make: Make<T>) => fc.oneof(...subjects.map(make));
const any = <T>(make: Make<T>) =>
  fc.oneof({ weight: 4, arbitrary: of(formats, make) }, of(si, make), declarations.map(custom).chain(make));
// For cases about state: often sno, which has the most, and layouts in which a tick holds two or four IDs.
const stateful = <T>(make: Make<T>) =>
  fc.oneof(make(sno), { weight: 2, arbitrary: of(narrow, make) }, { weight: 3, arbitrary: any(make) });
// The formats that `identify` knows: those with an epoch of their own, Nanoflake, and Snowflake-SI with its default widths.
const defaultSI = si.find(({ label }) => label.endsWith(" 40|5|8")) as Subject;
const known = [...formats, defaultSI].filter(({ label }) => !/reference|epoch/.test(label));
const isReady = ({ reference, counter }: Subject) =>
  reference.spec.name === "sno" || counter === "randomness";
const told = stateful(stories).map((story) => () => tell(story));

/** The properties by name, with the cases of each seed. */
export const PARTS: ReadonlyMap<string, Part> = new Map([
  ["verbs", part(500, any(verbs))],
  ["identify", part(40, identified(known))],
  ["sno", part(50, snoOnly(sno))],
  ["errors", part(20, isOurs)],
  ["declarations", part(100, declarationCases)],
  ["generators", part(80, any(generators))],
  ["ready", part(5, of(formats.filter(isReady), ready))],
  ["snapshots", part(30, stateful(snapshots))],
  ["stories", part(20, told, 30)],
]);
