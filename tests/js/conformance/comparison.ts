// One comparison of the package with the reference: the question, the result, the expected result.
import assert from "node:assert/strict";
import { GraupelError } from "graupel";

/** The result of a call, or the code of its error. */
export function outcome(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (error instanceof GraupelError) {
      return error;
    }
    throw error;
  }
}

/** Comparisons made, and what to do with one that fails. */
export class Comparison {
  made = 0;

  constructor(readonly label: string) {}

  same(actual: unknown, expected: unknown, what: string, ...given: readonly unknown[]): void {
    this.made++;
    if (!Object.is(actual, expected)) {
      const of = given.map((value) => (typeof value === "bigint" ? `${value}n` : String(value))).join(", ");
      const shown = actual instanceof GraupelError ? `${actual.code}: ${actual.message}` : String(actual);
      assert.fail(`${this.label}: ${what}(${of}): got ${shown}, the reference says ${String(expected)}`);
    }
  }

  /** A call that must be refused with one of the codes; without codes, it must return `expected`. */
  refused(
    call: () => unknown,
    codes: ReadonlySet<string>,
    expected: unknown,
    what: string,
    ...given: unknown[]
  ) {
    const actual = outcome(call);
    if (codes.size > 0) {
      const code = actual instanceof GraupelError && codes.has(actual.code) ? actual.code : actual;
      this.same(code, codes.has(code as string) ? code : [...codes].join(" or "), what, ...given);
    } else {
      this.same(actual, expected, what, ...given);
    }
  }
}
