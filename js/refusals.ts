/**
 * Refusals of entries without a core, such as the stores of leases. Each is a small file of its own, and the class of errors would be a
 * quarter of it. So they throw what `GraupelError.is` knows as an error of another copy of the package, with the same properties.
 */
import { BRAND } from "./brand.js";
import type { ErrorCode } from "./errors.js";

/** Refuses, in words. */
export function refused(code: ErrorCode, field: string, value: unknown, message: string): never {
  throw Object.defineProperty(
    Object.assign(new Error(`${message} [${code}]`), { name: "GraupelError", code, field, [BRAND]: true }),
    "value",
    // Not enumerable, as in the class of errors.
    { __proto__: null, value } as PropertyDescriptor,
  );
}

/** What another thread or process was refused with, as an error of this one; without a code, it is an error of something else. */
export const revived = ({ message, ...properties }: { readonly message: string; readonly code?: string }) =>
  Object.assign(
    new Error(message),
    properties,
    properties.code !== undefined && { name: "GraupelError", [BRAND]: true },
  );

/** Refuses a value that is not what is expected, in words. */
export const wrong = (field: string, value: unknown, what: string): never =>
  refused("TYPE", field, value, `${field}: expected ${what}`);

/** A copy of the options of a store, checked. `types`: what `typeof` says of each, if it is given. Prototypes are not read. */
export function checkOptions<Options extends object>(
  options: Options,
  types: Readonly<Record<string, string>>,
): Options {
  const own = { __proto__: null, ...Object(options) };
  const known = Object.keys(types);
  for (const [name, value] of Object.entries(own)) {
    if (!known.includes(name)) {
      refused("UNKNOWN_OPTION", name, value, `options: unknown key; known are ${known}`);
    }
    if (value !== undefined && typeof value !== types[name]) {
      wrong(name, value, `a ${types[name]}`);
    }
  }
  return own;
}
