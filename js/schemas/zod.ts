/**
 * A codec of Zod 4 between the text of an ID and the ID.
 *
 * @module graupel/zod
 */
import { z } from "zod";
import type { AnyFormat } from "../any-format.js";
import { fail } from "../errors.js";
import { givenFormat, type IdOf } from "../given-format.js";
import { idErrorOf } from "./id-error.js";

/** Text outside, an ID inside. */
export type IdCodec<Id> = z.ZodCodec<z.ZodString, z.ZodType<Id, Id>>;

/** The schema of an ID itself. */
const SCHEMAS = { string: () => z.string(), bigint: () => z.bigint(), number: () => z.number() };

/**
 * A codec between canonical text, as JSON and addresses carry it, and the ID in the format's own type. `decode` reads a text as the format's
 * `parse` does, `encode` writes it. A refusal is an issue like any other, of the code `"custom"`, with the refusal's own code in `params.code`:
 * nothing is thrown but by `z.parse` itself. Part of any schema, also of `zod/mini`.
 *
 * @param format Any format.
 * @throws `TYPE` for what is no format; `PEER` for Zod before 4.1, which has no codecs.
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
  // Also Zod 3 has the export `z`, so that an import alone does not tell.
  if (z.codec === undefined) {
    fail("PEER", "zod", undefined, "graupel/zod works with zod >=4.1.0: npm install zod@4");
  }
  /** What a conversion gives; a refusal becomes an issue. */
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
  // Of both sides, because JSON carries the text. Every text of an ID matches: that of graupel/schema, which is exact, would double this entry. Set on
  // the parts, because Zod copies a codec that is refined or described, but not its parts.
  inner._zod.toJSONSchema = outer._zod.toJSONSchema = () => ({
    type: "string",
    pattern: `^[0-9${layout.base > 10 ? "a-zA-Z" : ""}]{1,${Math.ceil(layout.bits / Math.log2(layout.base))}}$`,
  });
  return z.codec(outer, inner, {
    decode: (text, payload) => attempt(text, payload, () => format.parse(text) as IdOf<F>),
    encode: (id, payload) => attempt(id, payload, () => format.format(id)),
  });
}
