/**
 * A codec of Zod 4 between the text of an ID and the ID.
 *
 * @module graupel/zod
 */
import { z } from "zod";
import { refusePeer } from "../adapters/peer.js";
import type { AnyFormat } from "../any-format.js";
import { givenFormat, type IdOf } from "../given-format.js";
import { refusalOf } from "./refusal.js";

/** Text outside, an ID inside. */
export type IdCodec<Id> = z.ZodCodec<z.ZodString, z.ZodType<Id, Id>>;

/** The schema of an ID itself. */
const SCHEMAS = { string: () => z.string(), bigint: () => z.bigint(), number: () => z.number() };

/**
 * JSON Schema of both sides, because JSON carries the text. Every text of an ID matches; the exact pattern of `graupel/schema` has the size of this
 * entry.
 */
function described({ name, layout: { bits }, columnType }: AnyFormat) {
  const isNanoflake = name.startsWith("nanoflake");
  const letters = isNanoflake ? "a-zA-Z" : "";
  const pattern =
    columnType === "string"
      ? `[0-9a-zA-Z]{${Math.ceil(bits / 5)}}`
      : `(?:0|[1-9${letters}][0-9${letters}]{0,${Math.floor(bits / Math.log2(isNanoflake ? 36 : 10))}})`;
  return { type: "string", pattern: `^${pattern}$` };
}

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
  if (z.codec === undefined) refusePeer("graupel/zod", "zod", undefined, ">=4.1.0");
  /** What a conversion gives; a refusal becomes an issue. */
  const attempt = <T>(input: IdOf<F> | string, { issues }: z.core.ParsePayload, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      const { code, message } = refusalOf(error);
      issues.push({ code: "custom", message, input, params: { code } });
      return z.NEVER;
    }
  };
  const outer = z.string();
  const inner = SCHEMAS[givenFormat(format).valueType]() as unknown as z.ZodType<IdOf<F>, IdOf<F>>;
  // Of the parts, because Zod copies a codec that is refined or described, but not its parts.
  inner._zod.toJSONSchema = outer._zod.toJSONSchema = () => described(format);
  return z.codec(outer, inner, {
    decode: (text, payload) => attempt(text, payload, () => format.parse(text) as IdOf<F>),
    encode: (id, payload) => attempt(id, payload, () => format.format(id)),
  });
}
