/** Exceptions that the harness throws into the package. Their identity distinguishes them from the package's own. */

/** Where a marked exception was thrown. */
export type Origin = "getter" | "trap" | "conversion" | "clock" | "random" | "callback" | "signal" | "json";

let marks = 0;
const origins = new WeakMap<object, Origin>();

/** Something to throw: rarely an Error, because its stack is expensive; also imitations of the package's errors. */
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

/** Where an exception was thrown, if it was thrown by the harness. */
export function originOf(thrown: unknown): Origin | undefined {
  return (typeof thrown === "object" && thrown !== null) || typeof thrown === "function"
    ? origins.get(thrown)
    : undefined;
}
