/**
 * Schemas of objects and lists of IDs, and JSON Schema of an ID. Each is a Standard Schema v1 (https://standardschema.dev).
 *
 * @module graupel/schema
 */

import type { AnyFormat } from "../any-format.js";
import { typeError } from "../errors.js";
import type { IdOf } from "../given-format.js";
import type { StandardIssue, StandardProps, StandardResult, StandardTypes } from "../types.js";
import { jsonSchema } from "./json-schema.js";

export { type IntegerSchema, jsonSchema, type TextSchema } from "./json-schema.js";

/** What can be a part: a format, `optional`, `list`, a shape, or the Standard Schema of another library that answers at once. */
export interface Part<Input = unknown, Output = Input> {
  /** What Standard Schema reads. */
  readonly "~standard": {
    /** Version of Standard Schema. */
    readonly version: 1;
    /** Checks a value. */
    readonly validate: (value: unknown) => object;
    /** Only for the compiler. */
    readonly types?: StandardTypes<Input, Output> | undefined;
  };
}

/** The parts of an object, by their keys. */
export type Parts = Readonly<Record<string, Part>>;

/** What a part takes. */
export type InputOf<P extends Part> = NonNullable<P["~standard"]["types"]>["input"];

/** What a part makes of it. */
export type OutputOf<P extends Part> = NonNullable<P["~standard"]["types"]>["output"];

/** An object whose keys may be left out where nothing may stand in their place. */
export type Loose<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: T[K] } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

/** The object that a shape takes. */
export type ShapeInput<P extends Parts> = Loose<{ [K in keyof P]: InputOf<P[K]> }>;

/** The object that a shape returns. */
export type ShapeOutput<P extends Parts> = Loose<{ [K in keyof P]: OutputOf<P[K]> }>;

/** Writes JSON Schema. The target is not looked at: no draft, nor OpenAPI 3.0, knows these keywords otherwise. */
export type Converter = (options: {
  /** The draft that is asked for. */
  readonly target: string;
}) => Record<string, unknown>;

/** JSON Schema. */
type Described = Record<string, unknown>;

/** Which side of a schema: what is taken, or what is returned, as it stands in JSON. */
type Side = "input" | "output";

/** A Standard Schema that also describes itself: Standard JSON Schema, of the same specification. */
export interface DescribedSchema<Input, Output> {
  /** What libraries with Standard Schema and Standard JSON Schema read. */
  readonly "~standard": StandardProps<Input, Output> & {
    /** JSON Schema of what is taken, and of what is returned. */
    readonly jsonSchema: Readonly<Record<"input" | "output", Converter>>;
  };
}

/** A Standard Schema that checks with a function, and describes itself with another. */
const schemaOf = <Input, Output>(
  validate: (value: unknown) => StandardResult<Output>,
  describe: (of: (part: Part) => Described) => Described,
): DescribedSchema<Input, Output> => {
  // Of what does not describe itself, one that takes everything.
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
 * A format as a Standard Schema that also has Standard JSON Schema (`~standard.jsonSchema`), for what takes one schema and describes it: a tool of
 * MCP, a generator of OpenAPI. Objects and lists have it by themselves.
 *
 * @param format A format, or its `text`.
 * @throws `TYPE` for what is no format.
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

/** Checks that it is a part. */
function given(part: Part, field = "part"): Part["~standard"] {
  const standard = (Object(part) as Partial<Part>)["~standard"];
  return typeof standard?.validate === "function"
    ? standard
    : typeError(field, part, "a format, or another Standard Schema");
}

/** What a part makes of a value. Its issues get the key in front of their paths. */
function check(part: Part["~standard"], value: unknown, key: PropertyKey, issues: StandardIssue[]): unknown {
  const result = part.validate(value) as Partial<StandardResult<unknown> & PromiseLike<unknown>>;
  if (typeof result.then === "function") {
    // Its answer would be no answer here: anything would pass.
    typeError(String(key), value, "a schema that answers at once");
  }
  for (const { message, path = [] } of result.issues ?? []) {
    issues.push({ message, path: [key, ...path] });
  }
  return (result as { value?: unknown }).value;
}

/** The value, unless there are issues. */
const resultOf = <Output>(value: unknown, issues: readonly StandardIssue[]): StandardResult<Output> =>
  issues.length > 0 ? { issues } : { value: value as Output };

/**
 * A Standard Schema for an object of IDs: the parameters of a route, a query, headers, a form. Only its own properties count. The result has
 * the keys of the shape alone; others are left out, because headers and queries always have some. Each wrong key is an issue with its `path`
 * and the message of the refusal, which ends with its code.
 *
 * @param parts For each key a format, `optional(...)`, `list(...)`, another shape, or a Standard Schema of another library that answers without
 *   a promise.
 * @throws `TYPE` for what is no Standard Schema; when it checks, for one that answers with a promise, and `CORE`.
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
      // Without a prototype, so that nothing inherited counts.
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
 * The same part, or nothing: a key that may be left out. An empty text is not left out, and is refused.
 *
 * @throws `TYPE` for what is no Standard Schema.
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

/** A client needs the first few. Each takes 7 microseconds and 80 bytes of the answer, and a request of 1 MB has room for 250,000. */
const MOST_ISSUES = 100;

/**
 * A list, or one value as a list of one: frameworks give a key of a query that stands once as a text, and as an array if it is repeated. After 100
 * issues the rest is not checked.
 *
 * @throws `TYPE` for what is no Standard Schema; when it checks, for one that answers with a promise.
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
      // `map` would leave holes unchecked.
      while (made.length < values.length && issues.length < MOST_ISSUES) {
        made.push(check(standard, values[made.length], made.length, issues));
      }
      return resultOf(made, issues);
    },
    (of) => ({ type: "array", items: of(part) }),
  );
}
