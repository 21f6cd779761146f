/**
 * A worker ID from a platform that numbers its processes. You name the source; it is never
 * guessed.
 */

import { numberIn, pickOptions } from "../checks.js";
import { rangeError, typeError } from "../errors.js";

/** Options of `ordinal`. */
export interface OrdinalOptions {
  /**
   * The source: `"hostname"` for the digits after the last hyphen of the host name (`orders-3`), or
   * the name of an environment variable, such as `"NODE_APP_INSTANCE"`.
   */
  readonly from: string;
  /** The number of worker IDs, which are 0 to `of - 1`. */
  readonly of: number;
}

interface Process {
  readonly env?: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(name: string): { hostname(): string } | undefined;
}

/**
 * The name of this host. A static import of Node's module would break bundles for other platforms.
 */
function hostname({ env, getBuiltinModule }: Process): string | undefined {
  return env?.HOSTNAME || getBuiltinModule?.("node:os")?.hostname();
}

/**
 * Reads the worker ID that the platform assigned: the ordinal of a pod in a Kubernetes
 * StatefulSet, or of a PM2 process. It cannot detect a clash: two sets, or an old pod beside a new
 * one, may have the same ordinal, and the random suffix of a Deployment's pod may be a number. If
 * that can happen, use a lease.
 *
 * Errors: `TYPE` if the source is missing, empty or not a number, `RANGE` if the number is `of` or
 * more.
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
