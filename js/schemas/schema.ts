/**
 * Schemas of objects and lists of IDs, and JSON Schema of an ID. Each is a Standard Schema v1 (https://standardschema.dev).
 *
 * @module graupel/schema
 */
import { refused, wrong } from "../refusals.js";
import type { StandardIssue, StandardResult, StandardSchema, StandardTypes } from "../types.js";

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

/** A Standard Schema that checks with a function. */
const schemaOf = <Input, Output>(
  validate: (value: unknown) => StandardResult<Output>,
): StandardSchema<Input, Output> => ({ "~standard": { version: 1, vendor: "graupel", validate } });

/** Checks that it is a part. */
function given(part: Part, field: string): Part["~standard"] {
  const standard = (Object(part) as Partial<Part>)["~standard"];
  return typeof standard?.validate === "function"
    ? standard
    : wrong(field, part, "a format, or another Standard Schema");
}

/** What a part makes of a value. Its issues get the key in front of their paths. */
function check(part: Part["~standard"], value: unknown, key: PropertyKey, issues: StandardIssue[]): unknown {
  const result = part.validate(value) as Partial<StandardResult<unknown> & PromiseLike<unknown>>;
  if (typeof result.then === "function") {
    // Its answer would be no answer here: anything would pass.
    refused("TYPE", String(key), value, `${String(key)}: expected a schema that answers without a promise`);
  }
  for (const { message, path = [] } of result.issues ?? []) {
    issues.push({ message, path: [key, ...path] });
  }
  return (result as { value?: unknown }).value;
}

/** The value, unless there are issues. */
const resultOf = <Output>(value: unknown, issues: readonly StandardIssue[]): StandardResult<Output> =>
  issues.length > 0 ? { issues } : { value: value as Output };

/** A refusal of the whole value. */
const refusal = (what: string) => ({ issues: [{ message: `value: expected ${what} [TYPE]` }] });

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
export function shape<P extends Parts>(parts: P): StandardSchema<ShapeInput<P>, ShapeOutput<P>> {
  const list = Object.entries((parts as Parts | undefined) ?? wrong("parts", parts, "an object")).map(
    ([key, part]): [string, Part["~standard"]] => [key, given(part, key)],
  );
  return schemaOf((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return refusal("an object");
    }
    // Without a prototype, so that nothing inherited counts.
    const own: Readonly<Record<string, unknown>> = { __proto__: null, ...value };
    const issues: StandardIssue[] = [];
    const entries = list.map(([key, part]): [string, unknown] => [key, check(part, own[key], key, issues)]);
    return resultOf(Object.fromEntries(entries.filter(([, made]) => made !== undefined)), issues);
  });
}

/**
 * The same part, or nothing: a key that may be left out. An empty text is not left out, and is refused.
 *
 * @throws `TYPE` for what is no Standard Schema.
 */
export function optional<P extends Part>(
  part: P,
): StandardSchema<InputOf<P> | undefined, OutputOf<P> | undefined> {
  const { validate } = given(part, "part");
  return schemaOf((value) =>
    value === undefined ? { value } : (validate(value) as StandardResult<OutputOf<P>>),
  );
}

/**
 * A list, or one value as a list of one: frameworks give a key of a query that stands once as a text, and as an array if it is repeated.
 *
 * @throws `TYPE` for what is no Standard Schema; when it checks, for one that answers with a promise.
 */
export function list<P extends Part>(
  part: P,
): StandardSchema<InputOf<P> | readonly InputOf<P>[], OutputOf<P>[]> {
  const standard = given(part, "part");
  return schemaOf((value) => {
    const issues: StandardIssue[] = [];
    // `map` would leave holes unchecked.
    const made = Array.from(Array.isArray(value) ? value : [value], (one, i) =>
      check(standard, one, i, issues),
    );
    return resultOf(made, issues);
  });
}
