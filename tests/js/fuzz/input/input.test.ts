/**
 * Bad input to every public call. Each call must end in a GraupelError that names the problem, in
 * the caller's own exception, or in a result that the reference confirms. `GRAUPEL_RUNS=100`
 * searches longer. (For the formats' verbs, see conformance/reference.test.ts.)
 */
import { test } from "node:test";
import fc from "fast-check";
import type { FormatUnderTest } from "../../support/formats.ts";
import { custom, declarations, named, snowflakeSIs, tiny } from "../../support/layouts.ts";
import { check } from "../property.ts";
import { declarationCases } from "./declarations.ts";
import { generators } from "./options.ts";
import { twins } from "./twins.ts";
import { identified, isOurs } from "./verbs.ts";

// Half of the calls end in an error, most of whose cost is the stack.
Error.stackTraceLimit = 4;

type Make = (subject: FormatUnderTest) => fc.Arbitrary<() => unknown>;

const formats = named();
const [sno] = formats as [FormatUnderTest];
const si = snowflakeSIs();
const narrow = tiny();
const of = (subjects: readonly FormatUnderTest[], make: Make) => fc.oneof(...subjects.map(make));
const any = (make: Make) =>
  fc.oneof({ weight: 4, arbitrary: of(formats, make) }, of(si, make), declarations.map(custom).chain(make));
// Often sno, which has the most state, and layouts whose ticks hold two or four IDs.
const stateful = fc.oneof(
  twins(sno),
  { weight: 2, arbitrary: of(narrow, twins) },
  { weight: 3, arbitrary: any(twins) },
);
// The formats that `identify` knows: those with a default epoch, Nanoflake, and Snowflake-SI with
// its default widths.
const defaultSI = si.find(({ name }) => name.endsWith(" 40|5|8")) as FormatUnderTest;
const known = [...formats, defaultSI].filter(({ name }) => !/reference|epoch/.test(name));

const CASES: Record<string, readonly [number, fc.Arbitrary<() => unknown>]> = {
  identify: [400, identified(known)],
  "GraupelError.is": [200, isOurs],
  "declarations of formats": [1000, declarationCases],
  "options of generators": [800, any(generators)],
  "calls of generators, which leave no trace": [300, stateful],
};

for (const [name, [cases, arbitrary]] of Object.entries(CASES)) {
  test(`bad input: ${name}`, () => check(cases, arbitrary, (run) => run()));
}
