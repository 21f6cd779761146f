/**
 * Right and wrong values of options, and the faults of any value, according to the kind and range
 * in the facts.
 */
import fc from "fast-check";
import { facts, type OptionFacts, type OptionKind } from "graupel/facts";
import { type Fault, numberFaults, timeFaults, type Values } from "../../support/expected.ts";
import { anything, constant, type Given, time } from "../../support/junk.ts";

/** An option: its values and their faults. */
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly right: fc.Arbitrary<Given>;
  /** Values that are almost right. */
  readonly near: fc.Arbitrary<Given>;
  faults(value: unknown): readonly Fault[];
}

const constants = (...values: unknown[]): fc.Arbitrary<Given> => constant(fc.constantFrom(...values));

/** The words of all options. */
const WORDS = Object.values(facts)
  .flatMap(({ options, declaration }) => [...options, ...declaration])
  .flatMap(({ words }) => words ?? []);

/** The fault of a value with the wrong type. */
const typeFaults = (fits: boolean, field: string, value: unknown): Fault[] =>
  fits ? [] : [{ code: "TYPE", field, value }];

/** The properties that depend on the kind. */
type Choice = Pick<Parameter, "right" | "near" | "faults">;

const ofType = (name: string, type: string, ...right: unknown[]): Choice => ({
  right: constants(...right),
  near: constants("true", 1, null),
  faults: (value) => typeFaults(typeof value === type, name, value),
});

function numbers({ name, min: least, max: most }: OptionFacts): Choice {
  const [min, max] = [least as number, most as number];
  return {
    right: constant(fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max))),
    near: constants(min - 1, max + 1, min + 0.5, -0, Number.NaN, String(max), null),
    faults: (value) => numberFaults(value, name, max, min),
  };
}

const KINDS: Readonly<Record<OptionKind, (option: OptionFacts) => Choice>> = {
  number: numbers,
  duration: (option) => ({
    right: constants(0, 0.5, 1, 20),
    near: fc.oneof(numbers(option).near, constants(option.max)),
    faults: (value) => numberFaults(value, option.name, option.max as number, 0, true),
  }),
  time: ({ name }) => ({
    right: constant(fc.nat(2 ** 31).map((seconds) => seconds * 1000)),
    near: time,
    faults: (value) => timeFaults(value, name),
  }),
  word: ({ name, words }) => ({
    right: constants(...(words ?? [])),
    near: constants(...WORDS, "Throw", "constructor"),
    faults: (value) => typeFaults(words?.includes(value as string) ?? false, name, value),
  }),
  flag: ({ name }) => ofType(name, "boolean", true, false),
  function: ({ name }) => ofType(name, "function", () => {}),
  // Valid snapshots are created where the generator or the layout is known.
  snapshot: () => ({
    right: constants(undefined),
    near: constants({}, []),
    faults: () => [{ code: "TYPE" }, { code: "SNAPSHOT" }],
  }),
  lease: ({ name }) => ({
    right: constants(undefined),
    near: constants({}, [], { release: () => {} }),
    faults: (value) => typeFaults(value === undefined, name, value),
  }),
  fields: () => ({ right: constants({}), near: constants({}), faults: () => [] }),
  field: ({ name, default: absent }) => ({
    ...ofType(name, "string", absent),
    near: constants("time", "", 1, null),
  }),
};

/** An option according to its facts. `own` overrides properties. */
export const parameter = (option: OptionFacts, own: Partial<Parameter> = {}): Parameter => ({
  name: option.name,
  required: option.required,
  ...KINDS[option.kind](option),
  ...own,
});

/** A value for each option or none; some values are wrong. */
export function entriesOf(
  parameters: readonly Omit<Parameter, "faults">[],
): fc.Arbitrary<readonly (readonly [name: string, value: Given])[]> {
  const values = parameters.map(({ name, required, right, near }) => {
    const left = fc.constantFrom<Given | undefined>(undefined, () => undefined);
    return fc
      .oneof(
        { weight: required ? 40 : 20, arbitrary: right },
        { weight: required ? 1 : 20, arbitrary: left },
        { weight: 2, arbitrary: near },
        { weight: 1, arbitrary: anything },
      )
      .map((value) => [name, value] as const);
  });
  return fc
    .tuple(...values)
    .map((entries) =>
      entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    );
}

/** The faults of option values. */
export const optionFaults = (parameters: readonly Parameter[], values: Values): Fault[] =>
  parameters.flatMap(({ name, required, faults }) =>
    values[name] !== undefined ? faults(values[name]) : required ? typeFaults(false, name, undefined) : [],
  );
