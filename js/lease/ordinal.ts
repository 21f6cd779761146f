/** A worker number from the platform, where that numbers its processes; the source is named, never guessed. */

import { numberIn, pickOptions } from "../checks.js";
import { rangeError, typeError } from "../errors.js";

/** What `ordinal` takes. */
export interface OrdinalOptions {
  /**
   * Where the number is: `"hostname"`, whose part after the last hyphen it is (`orders-3`), or the name of an environment variable that is
   * the number, such as `"NODE_APP_INSTANCE"`.
   */
  readonly from: string;
  /** How many there are: the number is from 0 to `of - 1`. */
  readonly of: number;
}

interface Process {
  readonly env?: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(name: string): { hostname(): string } | undefined;
}

/** The name of this host. Node's own module is not imported, so that bundles for other platforms need none. */
function hostname({ env, getBuiltinModule }: Process): string | undefined {
  return env?.HOSTNAME || getBuiltinModule?.("node:os")?.hostname();
}

/**
 * A worker number that the platform gives: the ordinal of a pod of a Kubernetes StatefulSet, of a process of PM2. It protects from nothing
 * by itself: not from two sets, or an old pod beside a new one, with the same ordinal; not from a Deployment, whose names end in letters
 * and digits by chance. Where that may be, take a lease.
 *
 * Errors: `TYPE` for a source that is missing, empty or no number, `RANGE` for a number of `of` or more.
 *
 * @example
 * ```js
 * import { twitter } from "graupel";
 * import { ordinal } from "graupel/lease";
 * process.env.NODE_APP_INSTANCE = "3";
 * const workerId = ordinal({ from: "NODE_APP_INSTANCE", of: 32 });
 * console.log(workerId);   // 3
 * const ids = twitter.generator({ datacenterId: 0, workerId });
 * ```
 */
export function ordinal(options: OrdinalOptions): number {
  const { from, of } = pickOptions(options, "options", ["from", "of"]);
  if (typeof from !== "string" || from === "") {
    return typeError("from", from, '"hostname", or the name of an environment variable');
  }
  const count = numberIn(of, "of", 2 ** 31, 1);
  const { process = {} } = globalThis as { readonly process?: Process };
  const text = from === "hostname" ? hostname(process) : process.env?.[from];
  const digits = from === "hostname" ? /-([^-]*)$/.exec(text ?? "")?.[1] : text;
  if (digits === undefined || !/^(?:0|[1-9]\d{0,9})$/.test(digits)) {
    return typeError(
      from,
      text,
      `a number without leading zeros${from === "hostname" ? " after the last hyphen" : ""}`,
    );
  }
  const number = Number(digits);
  return number < count ? number : rangeError(from, number, 0, count - 1);
}
