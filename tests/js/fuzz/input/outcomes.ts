/** Makes calls and judges their outcomes. Throws a defect if an outcome is wrong. */
import { inspect, isDeepStrictEqual, types } from "node:util";
import { GraupelError } from "graupel";
import { CODES } from "../../support/codes.ts";
import { type Expected, type Fault, isOneOf } from "../../support/expected.ts";
import type { Given } from "../../support/junk.ts";
import { type Origin, originOf } from "../../support/marked.ts";
import { Bag } from "./objects.ts";

export type Outcome =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "refusal"; readonly error: GraupelError }
  | { readonly kind: "own"; readonly origin: Origin };

/** A short text for any value, without running code of the value. */
export function picture(value: unknown): string {
  try {
    const text = typeof value === "bigint" && BigInt.asIntN(256, value) !== value ? "huge" : value;
    return inspect(text, { depth: 2, breakLength: Infinity, maxStringLength: 120, maxArrayLength: 12 });
  } catch {
    return "(cannot be shown)";
  }
}

/** Fails the case. */
export function defect(what: string): never {
  throw new Error(what);
}

/** Fails the case unless a condition holds. */
export function expect(holds: boolean, what: () => string): void {
  if (!holds) {
    defect(what());
  }
}

/** Makes a call and judges its exception. */
export function run(call: () => unknown): Outcome {
  try {
    return { kind: "value", value: call() };
  } catch (error) {
    return judged(error);
  }
}

/** Like `run`, for a call that returns a promise. */
export async function wait(call: () => unknown): Promise<Outcome> {
  const outcome = run(call);
  if (outcome.kind !== "value") {
    return defect("throws instead of rejecting");
  }
  if (!(outcome.value instanceof Promise)) {
    return defect("answers with no promise");
  }
  try {
    return { kind: "value", value: await outcome.value };
  } catch (error) {
    return judged(error);
  }
}

/**
 * Whether an error comes from the engine because a callback is a class, which only calling it
 * reveals. Such an error counts as the caller's.
 */
const isOfCalledClass = (error: unknown): boolean =>
  error instanceof TypeError && error.message.startsWith("Class constructor");

/**
 * Judges an exception: the caller's own, or a GraupelError that describes the problem in ASCII and
 * in JSON.
 */
export function judged(error: unknown): Outcome {
  const origin = originOf(error) ?? (isOfCalledClass(error) ? "callback" : undefined);
  if (origin !== undefined) {
    return { kind: "own", origin };
  }
  if (!(error instanceof GraupelError && GraupelError.is(error))) {
    return defect(`threw ${error instanceof Error ? error.stack : picture(error)}`);
  }
  const { code, field, message, range } = error;
  if (!CODES.includes(code)) {
    defect(`refused with the code ${code}: ${message}`);
  }
  if (/[^ -~]/.test(message)) {
    defect(`${code} shows what is not ASCII: ${JSON.stringify(message)}`);
  }
  if (field === undefined || !names(message, field)) {
    defect(`${code} does not name its field ${field}: ${message}`);
  }
  const said = JSON.parse(JSON.stringify(error)) as Record<string, unknown>;
  const seen = [said.name, said.code, said.message, said.range !== undefined];
  return isDeepStrictEqual(seen, ["GraupelError", code, message, range !== undefined])
    ? { kind: "refusal", error }
    : defect(`says ${picture(said)} as JSON`);
}

/**
 * Whether a message contains the name of a field: the last part of its path, or the beginning of a
 * long key.
 */
function names(message: string, field: string): boolean {
  const last = field.slice(field.lastIndexOf(".") + 1);
  const begin = JSON.stringify(field.slice(0, 40)).slice(1, -1);
  const escaped = begin.replace(/[^ -~]/g, (unit) => `\\u{${unit.charCodeAt(0).toString(16)}}`);
  return message.includes(escaped) || message.includes(last);
}

/** Describes a GraupelError in a message. */
export const told = ({ code, field, value, range }: GraupelError): string =>
  picture({ code, field, value, range });

/** The expected outcome of a call with objects, which may themselves have effects. */
export interface Verdict extends Pick<Expected, "faults"> {
  /**
   * Returns the value that the result must equal. Alternatively, `check` throws if the value is
   * wrong.
   */
  readonly result?: () => unknown;
  readonly check?: (value: unknown) => void;
  /** Origins whose exceptions are also acceptable, besides getters and traps. */
  readonly own?: readonly Origin[];
  /** Objects within the objects. */
  readonly bags?: readonly Bag[];
}

/** Compares an outcome with the expected one. */
export function verdict(outcome: Outcome, wanted: Verdict, outer: readonly Bag[] = []): void {
  const { faults, result, check, own = [] } = wanted;
  const bags = [...outer, ...(wanted.bags ?? [])];
  if (outcome.kind === "own") {
    const { origin } = outcome;
    const may =
      origin === "trap" || bags.some(({ throws, loose }) => throws || loose) || own.includes(origin);
    expect(may, () => `an exception of its ${origin}`);
    return;
  }
  if (bags.some(({ loose }) => loose)) {
    return;
  }
  if (outcome.kind === "value" && bags.some(({ throws }) => throws)) {
    defect("did not read what throws");
  }
  const all = [...faults, ...bags.flatMap((bag) => bag.faults)];
  if (outcome.kind === "refusal") {
    const may = isOneOf(outcome.error, all) || bags.some(({ throws }) => throws);
    expect(may, () => `refused with ${told(outcome.error)}; expected ${expected(all, result)}`);
    return;
  }
  if (all.length > 0 || (result !== undefined && !isDeepStrictEqual(outcome.value, result()))) {
    defect(`answered ${picture(outcome.value)}; expected ${expected(all, result)}`);
  }
  check?.(outcome.value);
}

const expected = (faults: readonly Fault[], result?: () => unknown): string =>
  faults.length > 0 ? picture(faults) : result === undefined ? "a result" : picture(result());

/** Whether a value is a bag. Checking a proxy with `instanceof` could throw. */
export const isBag = (value: unknown): value is Bag => !types.isProxy(value) && value instanceof Bag;

/**
 * Makes a call with drawn arguments. For an object, `wanted` gets the values that are read from it,
 * and `call` gets the object.
 */
export function ask(
  name: string,
  label: string,
  drawn: readonly Given[],
  wanted: (...read: readonly unknown[]) => Verdict,
  call: (...given: readonly unknown[]) => unknown,
): void {
  const made = drawn.map((given) => given());
  const given = made.map((value) => (isBag(value) ? value.object : value));
  const bags = made.filter(isBag);
  try {
    const verdictOf = wanted(...made.map((value) => (isBag(value) ? value.values : value)));
    verdict(
      run(() => call(...given)),
      verdictOf,
      bags,
    );
  } catch (error) {
    throw new Error(`${label}: ${name}(${given.map(picture).join(", ")})`, { cause: error });
  }
}
