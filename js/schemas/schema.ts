/**
 * Schemas for objects and lists of IDs, and JSON Schema for an ID. Each schema is a Standard Schema
 * v1 (https://standardschema.dev).
 *
 * @module graupel/schema
 */

import type { AnyFormat, IdOf } from "../any-format.js";
import { typeError } from "../errors.js";
import type { StandardIssue, StandardProps, StandardResult, StandardTypes } from "../types.js";
import { jsonSchema } from "./json-schema.js";

export { type IntegerSchema, jsonSchema, type TextSchema } from "./json-schema.js";

/**
 * A part of a schema: a format, `optional`, `list`, a shape, or a synchronous Standard Schema of
 * another library.
 */
export interface Part<Input = unknown, Output = Input> {
  /** The properties of Standard Schema. */
  readonly "~standard": {
    /** Version of Standard Schema. */
    readonly version: 1;
    /** Checks a value. */
    readonly validate: (value: unknown) => object;
    /** Exists only at compile time. */
    readonly types?: StandardTypes<Input, Output> | undefined;
  };
}

/** The parts of an object, by key. */
export type Parts = Readonly<Record<string, Part>>;

/** The input type of a part. */
export type InputOf<P extends Part> = NonNullable<P["~standard"]["types"]>["input"];

/** The output type of a part. */
export type OutputOf<P extends Part> = NonNullable<P["~standard"]["types"]>["output"];

/** An object whose keys are optional if their values may be missing. */
export type Loose<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: T[K] } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

/** The input type of a shape. */
export type ShapeInput<P extends Parts> = Loose<{ [K in keyof P]: InputOf<P[K]> }>;

/** The output type of a shape. */
export type ShapeOutput<P extends Parts> = Loose<{ [K in keyof P]: OutputOf<P[K]> }>;

/**
 * Returns JSON Schema. It ignores the target, because the used keywords are the same in every draft
 * and in OpenAPI 3.0.
 */
export type Converter = (options: {
  /** The requested draft. */
  readonly target: string;
}) => Record<string, unknown>;

/** JSON Schema. */
type Described = Record<string, unknown>;

/** The side of a schema: its input or its output, as JSON. */
type Side = "input" | "output";

/** A Standard Schema that also implements Standard JSON Schema, from the same specification. */
export interface DescribedSchema<Input, Output> {
  /** The properties of Standard Schema and Standard JSON Schema. */
  readonly "~standard": StandardProps<Input, Output> & {
    /** JSON Schema of the input and of the output. */
    readonly jsonSchema: Readonly<Record<"input" | "output", Converter>>;
  };
}

/** Makes a Standard Schema from a function that checks and one that describes. */
const schemaOf = <Input, Output>(
  validate: (value: unknown) => StandardResult<Output>,
  describe: (of: (part: Part) => Described) => Described,
): DescribedSchema<Input, Output> => {
  // A part without a description gets a schema that accepts everything.
  const converter =
    (side: Side): Converter =>
    (options) =>
      describe((part) =>
        "layout" in part
          ? (jsonSchema(part as unknown as AnyFormat) as object as Described)
          : ((part as Partial<DescribedSchema<unknown, unknown>>)["~standard"]?.jsonSchema?.[side](options) ??
            {}),
      );
  return {
    "~standard": {
      version: 1,
      vendor: "graupel",
      validate,
      jsonSchema: { input: converter("input"), output: converter("output") },
    },
  };
};

/**
 * Returns a format as a Standard Schema with Standard JSON Schema (`~standard.jsonSchema`), for
 * libraries that take one schema and describe it, such as MCP tools and OpenAPI generators. Shapes
 * and lists already have it.
 *
 * @param format A format, or its `text`. @throws `TYPE` for a value that is not a format.
 *
 * @example
 * ```js
 * import { standard } from "graupel/schema";
 * import { sno } from "graupel/sno";
 *
 * const { jsonSchema, validate } = standard(sno)["~standard"];
 * console.log(jsonSchema.input({ target: "draft-2020-12" }).pattern);   // ^[2-9a-x]{16}$
 * console.log(validate("brpk4q72xwf2m63l"));                           // { value: 'brpk4q72xwf2m63l' }
 * ```
 */
export const standard = <F extends AnyFormat>(format: F): DescribedSchema<IdOf<F> | string, IdOf<F>> =>
  schemaOf(given(format, "format").validate as never, (of) => of(format));

/** Checks a part. */
function given(part: Part, field = "part"): Part["~standard"] {
  const standard = (Object(part) as Partial<Part>)["~standard"];
  return typeof standard?.validate === "function"
    ? standard
    : typeError(field, part, "a format, or another Standard Schema");
}

/** Checks a value with a part. Adds the key to the paths of its issues. */
function check(part: Part["~standard"], value: unknown, key: PropertyKey, issues: StandardIssue[]): unknown {
  const result = part.validate(value) as Partial<StandardResult<unknown> & PromiseLike<unknown>>;
  if (typeof result.then === "function") {
    // A promise has no issues, so any value would pass.
    typeError(String(key), value, "a synchronous schema");
  }
  for (const { message, path = [] } of result.issues ?? []) {
    issues.push({ message, path: [key, ...path] });
  }
  return (result as { value?: unknown }).value;
}

/** The result: the value, or the issues. */
const resultOf = <Output>(value: unknown, issues: readonly StandardIssue[]): StandardResult<Output> =>
  issues.length > 0 ? { issues } : { value: value as Output };

/**
 * A Standard Schema for an object of IDs, such as route parameters, a query, headers or a form.
 * Only own properties count. The result has only the keys of the shape; others are dropped, because
 * headers and queries always have more. Each invalid key is an issue with its `path` and a message
 * that ends with the code.
 *
 * @param parts For each key, a format, `optional(...)`, `list(...)`, another shape, or a
 *   synchronous Standard Schema of another library.
 * @throws `TYPE` for a value that is not a Standard Schema; validation throws `TYPE` for an
 *   asynchronous schema, and `CORE`.
 *
 * @example
 * ```js
 * import { list, optional, shape } from "graupel/schema";
 * import { twitter } from "graupel/snowflake";
 *
 * const query = shape({ user: twitter, after: optional(twitter), only: optional(list(twitter)) });
 * const { validate } = query["~standard"];
 * console.log(validate({ user: "1585841080431321088", utm: "x" }));   // { value: { user: 1585841080431321088n } }
 * console.log(validate({ user: "1", after: "01" }).issues[0].path);   // [ 'after' ]
 * ```
 */
export function shape<P extends Parts>(parts: P): DescribedSchema<ShapeInput<P>, ShapeOutput<P>> {
  const list = Object.entries((parts as Parts | undefined) ?? typeError("parts", parts, "an object")).map(
    ([key, part]): [string, Part["~standard"], Part] => [key, given(part, key), part],
  );
  return schemaOf(
    (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return { issues: [{ message: "value: expected an object [TYPE]" }] };
      }
      // Without a prototype, so that only own properties count.
      const own: Readonly<Record<string, unknown>> = { __proto__: null, ...value };
      const issues: StandardIssue[] = [];
      const entries = list.map(([key, part]): [string, unknown] => [key, check(part, own[key], key, issues)]);
      return resultOf(Object.fromEntries(entries.filter(([, made]) => made !== undefined)), issues);
    },
    (of) => ({
      type: "object",
      properties: Object.fromEntries(list.map(([key, , part]) => [key, of(part)])),
      required: list.filter(([, { validate }]) => "issues" in validate(undefined)).map(([key]) => key),
    }),
  );
}

/**
 * An optional key. An empty text is not a missing key, and is invalid.
 *
 * @throws `TYPE` for a value that is not a Standard Schema.
 */
export function optional<P extends Part>(
  part: P,
): DescribedSchema<InputOf<P> | undefined, OutputOf<P> | undefined> {
  const { validate } = given(part);
  return schemaOf(
    (value) => (value === undefined ? { value } : (validate(value) as StandardResult<OutputOf<P>>)),
    (of) => of(part),
  );
}

/**
 * The most issues of a list. A client needs only the first few. Each takes 7 microseconds and 80
 * bytes of the response, and a request of 1 MB could cause 250,000.
 */
const MOST_ISSUES = 100;

/**
 * A list. A single value becomes a list of one, because frameworks pass a query key as text if it
 * occurs once, and as an array if it is repeated. After 100 issues the rest is not checked.
 *
 * @throws `TYPE` for a value that is not a Standard Schema; validation throws it for an
 *   asynchronous schema.
 */
export function list<P extends Part>(
  part: P,
): DescribedSchema<InputOf<P> | readonly InputOf<P>[], OutputOf<P>[]> {
  const standard = given(part);
  return schemaOf(
    (value) => {
      const issues: StandardIssue[] = [];
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      const made: unknown[] = [];
      // `map` would skip holes.
      while (made.length < values.length && issues.length < MOST_ISSUES) {
        made.push(check(standard, values[made.length], made.length, issues));
      }
      return resultOf(made, issues);
    },
    (of) => ({ type: "array", items: of(part) }),
  );
}
