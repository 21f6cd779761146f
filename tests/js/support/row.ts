/** A row of the table of formats under test (formats.ts), and what follows from it. */
import type { AnyFormat } from "./any-format.ts";
import type { FormatFacts } from "./make.ts";
import type { Spec } from "./reference.ts";

/** For formats without an epoch of their own. */
export const EPOCH = Date.UTC(2020, 0, 1);

/** A format under test. */
export interface Row {
  /** What the package says of it. */
  readonly facts: FormatFacts;
  /** As its page in www/docs calls it. */
  readonly name: string;
  /** Its page, and its entry of the package. */
  readonly page: string;
  readonly entry: string;
  /** Its name and its options on the command line, without the epoch. */
  readonly cli: string;
  /** A function of the epoch if the user chooses it. */
  readonly format: object | ((epoch: number) => object);
  readonly spec: Spec | ((epoch: number) => Spec);
  /** Fixed fields of a generator, as its options. */
  readonly fixed: Readonly<Record<string, number>>;
  /** The field that distinguishes the IDs of one tick: a counter, unless `random`. */
  readonly counts: string;
  /** The largest `entropySize`, if values within a tick are random. */
  readonly random?: number;
  readonly specified: Specified;
  readonly known?: Known;
}

/** Facts of the specification. `last`: the start of the last tick; `spanMs`: from the epoch to there. */
export interface Specified {
  readonly bits: number;
  readonly tickMs: number;
  readonly capacity: number;
  readonly largest: string;
  readonly epoch?: string;
  readonly last?: string;
  readonly spanMs?: number;
}

/** An ID whose parts are known from the publisher's documents or program, and the options needed to read it. */
export interface Known {
  readonly id: string;
  readonly options?: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A row's format. */
export const formatOf = ({ format }: Row, epoch = EPOCH): AnyFormat =>
  (typeof format === "function" ? format(epoch) : format) as AnyFormat;

/** A row's layout, as its specification has it. */
export const specOf = ({ spec }: Row, epoch = EPOCH): Spec =>
  typeof spec === "function" ? spec(epoch) : spec;

/** Whether the user chooses the epoch. */
export const ownEpoch = ({ spec }: Row): boolean => typeof spec === "function";
