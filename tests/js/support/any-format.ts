/** The common interface of all formats and generators, with types that accept any argument. */
import type * as graupel from "graupel";

/** An ID of any format. */
export type Id = graupel.AnyId;

/** A snapshot of any format. */
export type Snapshot = graupel.Snapshot & Record<string, unknown>;

/** A function with the same result that accepts any arguments. */
type Loose<F> = F extends (...given: never) => infer Result ? (...given: readonly unknown[]) => Result : F;

/** A generator of any format. */
type LooseGenerator = { [K in keyof graupel.AnyGenerator]: Loose<graupel.AnyGenerator[K]> };
export interface AnyGenerator extends Omit<LooseGenerator, "snapshot"> {
  snapshot(): Snapshot;
  /** Only in sno. */
  sequence?(): number;
  len?(): number;
}

/** A format of any family. */
type LooseFormat = { [K in keyof graupel.AnyFormat]: Loose<graupel.AnyFormat[K]> };
export interface AnyFormat extends Omit<LooseFormat, "generator" | "inspect" | "text" | "~standard"> {
  inspect(id: unknown): graupel.AnyInspection;
  generator(options?: unknown): AnyGenerator;
  readonly text: AnyFormat;
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "graupel";
    validate(value: unknown): graupel.StandardResult<Id>;
  };
}

/**
 * Calls a verb by name. For `validate` (under "~standard"), returns the value or the kind of the
 * issues.
 */
export function ask(format: AnyFormat, verb: string, given: readonly unknown[]): unknown {
  if (verb !== "validate") {
    return Reflect.apply(format[verb as "parse"], format, given);
  }
  const { issues, ...rest } = format["~standard"].validate(given[0]);
  return issues === undefined
    ? rest
    : issues.length === 1 && typeof issues[0]?.message === "string"
      ? "one issue"
      : issues;
}
