/** Right and wrong values of options, and the faults of any value: as the facts say, by kind and range. */
import fc from "fast-check";
import type { OptionFacts, OptionKind } from "graupel/facts";
import { type Fault, numberFaults, timeFaults, type Values } from "../../support/expected.ts";
import { anything, type Given, number, time } from "./values.ts";

/** An option: its values, and their faults. */
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly right: fc.Arbitrary<Given>;
  /** Values that are nearly right. */
  readonly near: fc.Arbitrary<Given>;
  faults(value: unknown): readonly Fault[];
}

const constants = (...values: unknown[]): fc.Arbitrary<Given> =>
  fc.constantFrom(...values.map((value) => () => value));

/** Words of all options, and no words. */
const WORDS = [
  "throw",
  "wait",
  "hold",
  "tick-tock",
  "borrow",
  "reset",
  "keep",
  "Throw",
  "constructor",
  "reference-24",
];

/** The range of an option of numbers. */
const rangeOf = ({ min, max }: OptionFacts): readonly [min: number, max: number] => [
  min as number,
  max as number,
];

/** Faults of a value that must be of one type. */
const typeFaults = (fits: boolean, field: string, value: unknown): Fault[] =>
  fits ? [] : [{ code: "TYPE", field, value }];

const ofType = (type: string, ...right: unknown[]) => ({
  right: constants(...right),
  near: constants("true", 1, null),
  faults: ({ name }: OptionFacts, value: unknown) => typeFaults(typeof value === type, name, value),
});

interface Kind {
  readonly right: fc.Arbitrary<Given> | ((option: OptionFacts) => fc.Arbitrary<Given>);
  readonly near: fc.Arbitrary<Given> | ((option: OptionFacts) => fc.Arbitrary<Given>);
  faults(option: OptionFacts, value: unknown): readonly Fault[];
}

const KINDS: Readonly<Record<OptionKind, Kind>> = {
  number: {
    right: (option) => {
      const [min, max] = rangeOf(option);
      return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max)).map((value) => () => value);
    },
    near: (option) => {
      const [min, max] = rangeOf(option);
      return constants(min - 1, max + 1, min + 0.5, -0, Number.NaN, String(max), null);
    },
    faults: (option, value) => {
      const [min, max] = rangeOf(option);
      return numberFaults(value, option.name, max, min);
    },
  },
  duration: {
    right: constants(0, 0.5, 1, 20),
    near: (option) =>
      constants(...rangeOf(option), -0.5, (option.max as number) + 1, -0, Number.NaN, "5", null),
    faults: ({ name, max }, value) => numberFaults(value, name, max as number, 0, true),
  },
  time: {
    right: fc.nat(2 ** 31).map((seconds) => () => seconds * 1000),
    near: fc.oneof(
      time,
      number.map((ms) => () => ms),
    ),
    faults: ({ name }, value) => timeFaults(value, name),
  },
  word: {
    right: ({ words }) => constants(...(words ?? [])),
    near: constants(...WORDS),
    faults: ({ name, words }, value) => typeFaults(words?.includes(value as string) ?? false, name, value),
  },
  flag: ofType("boolean", true, false),
  function: ofType("function", () => {}),
  // Right ones are made where the generator is known.
  snapshot: {
    right: constants(undefined),
    near: constants({}, []),
    faults: () => [{ code: "TYPE" }, { code: "SNAPSHOT" }],
  },
  fields: { right: constants({}), near: constants({}), faults: () => [] },
};

/** An option as its facts say. `own`: what is known better, or differs. */
export function parameter(option: OptionFacts, own: Partial<Parameter> = {}): Parameter {
  const { right, near, faults } = KINDS[option.kind];
  return {
    name: option.name,
    required: option.required,
    right: typeof right === "function" ? right(option) : right,
    near: typeof near === "function" ? near(option) : near,
    faults: (value) => faults(option, value),
    ...own,
  };
}

/** A value for each option, or none; some of them wrong. */
export function entriesOf(
  parameters: readonly Parameter[],
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

/** The faults of the values of options. */
export const optionFaults = (parameters: readonly Parameter[], values: Values): Fault[] =>
  parameters.flatMap(({ name, required, faults }) =>
    values[name] !== undefined ? faults(values[name]) : required ? typeFaults(false, name, undefined) : [],
  );
