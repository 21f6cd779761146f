/** Exceptions that the harness throws into the package, told apart from the package's own by identity. */

/** Where a marked exception was thrown. */
export type Origin =
  | "prototype"
  | "getter"
  | "trap"
  | "conversion"
  | "clock"
  | "random"
  | "callback"
  | "signal"
  | "json";

let marks = 0;
const origins = new WeakMap<object, Origin>();

/** Something to throw: mostly no Error, which is dear; also look-alikes of the package's own errors. */
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
