/** Compares an ID that was written to a database with the value that was read back. */
import type { AnyFormat, AnyId } from "../index.js";
import { GraupelError } from "../index.js";

/**
 * `whole`: the ID itself. `other`: the ID in a different type. `changed`: a different ID, or none.
 */
export type Outcome = "whole" | "other" | "changed";

export interface Finding {
  readonly state: Outcome;
  /** The meaning of the finding, and what to do. */
  readonly means: string;
}

const whole: Finding = { state: "whole", means: "unchanged" };
const other = (means: string): Finding => ({ state: "other", means });
const changed = (means: string): Finding => ({ state: "changed", means });

/** `sent`: the ID, or its text. `back`: the value that was read. */
export function findingOf(format: AnyFormat, sent: AnyId, back: unknown): Finding {
  if (Object.is(back, sent)) return whole;
  if (back === undefined || back === null) {
    return changed("nothing: the row was not written, or its ID does not find it");
  }
  const integer = format.toBigInt(sent);
  switch (typeof back) {
    case "bigint":
      if (back === integer) return other("unchanged, as a bigint: convert it with fromBigInt");
      return changed(reasonOf(integer, back));
    case "number":
      return ofNumber(format, integer, back);
    case "string":
      return ofText(format, sent, integer, back);
    default:
      return ofObject(format, integer, back);
  }
}

function ofNumber({ layout }: AnyFormat, integer: bigint, back: number): Finding {
  if (!Number.isInteger(back)) return changed("a number that is not an ID");
  if (BigInt(back) !== integer) return changed(reasonOf(integer, BigInt(back)));
  return layout.bits <= SAFE_BITS
    ? other("unchanged, as a number")
    : changed("a number: this ID is unchanged by chance, but others are rounded");
}

/** The largest integers that a number holds exactly have this many bits. */
const SAFE_BITS = 53;

function ofText(format: AnyFormat, sent: AnyId, integer: bigint, back: string): Finding {
  const again = idOf(format, back);
  if (again !== undefined && format.compare(again, sent) === 0) {
    return other("unchanged, as text: parse it when you read the row");
  }
  if (/^-?\d{1,40}$/.test(back)) {
    if (BigInt(back) === integer)
      return other("unchanged, as decimal text: convert it with fromBigInt(BigInt(text))");
    return changed(reasonOf(integer, BigInt(back)));
  }
  const text = format.format(sent);
  if (back.trim() === text) return changed("spaces were added: use varchar or text, not char");
  if (back.toLowerCase() === text.toLowerCase())
    return changed("upper and lower case changed: a different ID, or none");
  return changed("a different text");
}

function ofObject(format: AnyFormat, integer: bigint, back: unknown): Finding {
  if (ArrayBuffer.isView(back)) {
    const bytes = new Uint8Array(back.buffer, back.byteOffset, back.byteLength);
    const id = orUndefined(() => format.fromBytes(bytes));
    if (id !== undefined && format.toBigInt(id) === integer)
      return other("unchanged, as bytes: convert them with fromBytes");
  }
  const text = orUndefined(() => String(back));
  if (text === `${integer}`) {
    return other(`unchanged, as an object ${nameOf(back)}: parse String(value)`);
  }
  if (text !== undefined && /^-?\d{1,40}$/.test(text)) {
    return changed(`an object ${nameOf(back)}: ${reasonOf(integer, BigInt(text))}`);
  }
  return changed(`an object ${nameOf(back)}, which is not an ID`);
}

/** The reason why one integer became another one. */
function reasonOf(sent: bigint, back: bigint): string {
  if (back === BigInt(Number(sent))) {
    return `rounded by ${distance(sent, back)}: a different ID, without an error; set the driver to return bigint or text`;
  }
  if (back === BigInt.asIntN(64, sent)) return "negative: the column is signed, and the ID has 64 bits";
  if (back === BigInt.asIntN(32, sent)) return "cut to 32 bits";
  // Drivers and databases may round when they write, when they read, or both.
  if (Number(back) === Number(sent))
    return `rounded by ${distance(sent, back)}: a different ID, without an error`;
  return `a different number, off by ${distance(sent, back)}`;
}

const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);

const nameOf = (value: unknown): string => {
  const name: unknown = orUndefined(() => Object(value).constructor?.name);
  return typeof name === "string" && name !== "" ? name : "without a class";
};

function idOf(format: AnyFormat, text: string): AnyId | undefined {
  try {
    return format.parse(text);
  } catch (error) {
    if (GraupelError.is(error)) return undefined;
    throw error;
  }
}

/** Calls a function that uses the user's value. Returns undefined if it throws. */
function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
