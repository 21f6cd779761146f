/** Writes an ID in the same form as the original text. */
import type { Encoding } from "../find/types.ts";
import type { AnyFormat, Id } from "../lib/formats.ts";
import { encodingsOf } from "./encodings.ts";

/** Puts the separator before every third digit from the right. */
const grouped = (digits: string, separator: string): string =>
  digits.replace(/\B(?=(?:\d{3})+$)/g, separator);

/** Writes an ID in the form of `old`: with the same encoding, case, prefix and separators. */
export function writtenAs(format: AnyFormat, id: Id, encoding: Encoding, old: string): string {
  const text = format.format(id);
  const wanted = encoding === "0x" ? "hex" : encoding;
  const written = encodingsOf(format, id).find(([name]) => name === wanted)?.[1] ?? text;
  const separator = /^\d{1,3}(?:([,_.' ])\d{3})+$/.exec(old)?.[1];
  if (separator !== undefined && /^\d+$/.test(written)) return grouped(written, separator);
  if (encoding === "UUID" && !old.includes("-")) return sameCase(written.replaceAll("-", ""), old);
  if (wanted === "hex") return hexLike(written, old);
  return encoding === "UUID" || encoding === "base 36" ? sameCase(written, old) : written;
}

const sameCase = (written: string, old: string): string =>
  /[A-Z]/.test(old) && !/[a-z]/.test(old) ? written.toUpperCase() : written;

/** Writes hexadecimal digits with the prefix, the case and the number of leading zeros of `old`. */
function hexLike(written: string, old: string): string {
  const [, prefix = "", digits = ""] = /^(0x)?(.*)$/i.exec(old) ?? [];
  const short = written.replace(/^0+(?=.)/, "").padStart(digits.length, "0");
  return prefix + sameCase(digits.length === written.length ? written : short, digits);
}
