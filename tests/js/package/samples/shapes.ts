// Object schemas: the types of their input and output.

import { prefixed } from "graupel/prefixed";
import { jsonSchema, list, optional, type ShapeOutput, shape } from "graupel/schema";
import { sno } from "graupel/sno";
import { twitter } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";

const orders = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });
const query = shape({
  user: twitter,
  text: twitter.text,
  order: optional(orders),
  log: list(sno),
  public: prefixed(twitter, "usr_"),
  inner: shape({ id: twitter }),
});
const result = query["~standard"].validate({});
if (result.issues) {
  const [issue] = result.issues;
  export_(issue?.message, issue?.path);
} else {
  const { value } = result;
  const user: bigint = value.user;
  const text: string = value.text;
  const order: number | undefined = value.order;
  const log: string[] = value.log;
  const shown: bigint = value.public;
  const inner: bigint = value.inner.id;
  export_(user, text, order, log, shown, inner);
  // @ts-expect-error: the key may have been left out
  const always: number = value.order;
  // @ts-expect-error: the shape has no such key
  export_(always, value.other);
}
function export_(..._: unknown[]): void {}

type Input = NonNullable<(typeof query)["~standard"]["types"]>["input"];
export const given: Pick<Input, "user" | "order" | "log"> = { user: "1", log: "brpk4q72xwf2m63l" };
export const also: Pick<Input, "user" | "order" | "log"> = { user: 1n, order: 1, log: ["brpk4q72xwf2m63l"] };
// @ts-expect-error: a required key is missing
export const missing: Input = { user: "1" };

const parts = { id: twitter, parent: optional(twitter) };
export const output: ShapeOutput<typeof parts> = { id: 1n };

export const text: { type: "string"; pattern: string } = jsonSchema(twitter);
export const ofText: { type: "string" } = jsonSchema(orders.text);
export const integer: { type: "integer"; format: "int64"; maximum: number } = jsonSchema(orders);

// @ts-expect-error: a number is not a valid part
shape({ id: 1 });
// @ts-expect-error: a string is not a format
jsonSchema("twitter");
