/**
 * A Zod 4 codec between the text of an ID and the ID.
 *
 * @module graupel/zod
 */
import { z } from "zod";
import { type AnyFormat, givenFormat, type IdOf } from "../any-format.js";
import { fail } from "../errors.js";
import { idErrorOf } from "./id-error.js";

/** A codec from text to an ID. */
export type IdCodec<Id> = z.ZodCodec<z.ZodString, z.ZodType<Id, Id>>;

/** The schema of an ID itself. */
const SCHEMAS = { string: () => z.string(), bigint: () => z.bigint(), number: () => z.number() };

/**
 * A codec between canonical text, as in JSON and URLs, and the ID in the format's type.
 * `decode` parses a text with the format's `parse`, and `encode` writes it. An invalid value is an
 * issue with the code `"custom"`, and graupel's code in `params.code`; only `z.parse` throws. Use
 * it in any schema, including `zod/mini`.
 *
 * @param format Any format.
 * @throws `TYPE` for an invalid format; `PEER` for Zod before 4.1, which has no codecs.
 *
 * @example
 * ```js
 * import { discord } from "graupel/snowflake";
 * import { codec } from "graupel/zod";
 * import { z } from "zod";
 *
 * const message = z.object({ id: codec(discord), text: z.string() });
 * const { id } = z.decode(message, { id: "175928847299117063", text: "hello" });
 * console.log(id);                                              // 175928847299117063n
 * console.log(z.encode(message, { id, text: "hello" }).id);     // 175928847299117063
 * console.log(message.safeParse({ id: "x", text: "" }).error?.issues[0]?.params); // { code: 'CHARACTER' }
 * ```
 */
export function codec<F extends AnyFormat>(format: F): IdCodec<IdOf<F>> {
  // Zod 3 also exports `z`, so the import succeeds.
  if (z.codec === undefined) {
    fail("PEER", "zod", undefined, "graupel/zod works with zod >=4.1.0: npm install zod@4");
  }
  /** The result of a conversion. An error becomes an issue. */
  const attempt = <T>(input: IdOf<F> | string, { issues }: z.core.ParsePayload, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      const { code, message } = idErrorOf(error);
      issues.push({ code: "custom", message, input, params: { code } });
      return z.NEVER;
    }
  };
  const outer = z.string();
  const { layout, valueType } = givenFormat(format);
  const inner = SCHEMAS[valueType]() as unknown as z.ZodType<IdOf<F>, IdOf<F>>;
  // For both sides, because JSON contains the text. The pattern matches every text of an ID, and a
  // few others; the exact one of graupel/schema would double this entry. It is set on the parts,
  // because Zod copies a refined or described codec, but not its parts.
  inner._zod.toJSONSchema = outer._zod.toJSONSchema = () => ({
    type: "string",
    ...(layout.base && {
      pattern: `^[0-9${layout.base > 10 ? "a-zA-Z" : ""}]{1,${Math.ceil(layout.bits / Math.log2(layout.base))}}$`,
    }),
  });
  return z.codec(outer, inner, {
    decode: (text, payload) => attempt(text, payload, () => format.parse(text) as IdOf<F>),
    encode: (id, payload) => attempt(id, payload, () => format.format(id)),
  });
}
