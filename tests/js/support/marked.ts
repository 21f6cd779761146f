/**
 * Exceptions that the tests throw into the package. Their identity distinguishes them from the
 * package's own errors.
 */

/** Where a marked exception was thrown. */
export type Origin = "getter" | "trap" | "conversion" | "clock" | "random" | "callback" | "signal" | "json";

let marks = 0;
const origins = new WeakMap<object, Origin>();

/**
 * Creates a value to throw. It is rarely an Error, because stacks are slow; some values imitate the
 * package's errors.
 */
export function mark(origin: Origin): object {
  const variant = marks++;
  const thrown =
    variant % 3 === 0
      ? {}
      : variant % 3 === 1
        ? { [Symbol.for("graupel.error")]: true, code: "RANGE", name: "GraupelError" }
        : Object.assign(() => {}, { origin });
  origins.set(thrown, origin);
  return thrown;
}

/** The origin of an exception, if the tests threw it. */
export function originOf(thrown: unknown): Origin | undefined {
  return (typeof thrown === "object" && thrown !== null) || typeof thrown === "function"
    ? origins.get(thrown)
    : undefined;
}
