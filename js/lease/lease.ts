/** `lease`: puts a lease together, and lets generators join it. */
import { orDefault } from "../checks.js";
import { GraupelError, typeError } from "../errors.js";
import { type Holder, type Joinable, LEASE } from "../identity/shared.js";
import { driverOf } from "./driver.js";
import type { Environment } from "./environment.js";
import { complete, PAST } from "./joining.js";
import { numberingOf, restrictedTo } from "./number.js";
import { given, signalOf, storeOf, timesOf } from "./options.js";
import { type Format, tenuresOf } from "./tenure.js";
import type { HeldLease, Lease, LeaseOptions, LeaseStore } from "./types.js";

/** Asks a format for what a lease needs to know: a generator that joins says it. It is thrown away, having issued nothing. */
export function ask(format: { generator(options: object): unknown }): Format {
  let said: Format | undefined;
  const methodsOf: Holder["methodsOf"] = (methods) => methods;
  const listener: Joinable = {
    [LEASE]: (options, names, schema) => {
      const numbering = numberingOf(schema, names);
      complete(options, numbering, {});
      return (_, __, occupants) => {
        said = { schema, occupants, numbering };
        return { methodsOf } as Holder;
      };
    },
  };
  format.generator({ lease: listener });
  return said ?? typeError("format", format, "a format of graupel");
}

/** How long a lease that failed waits for its store to take the number back, in milliseconds. */
const LONGEST_END_MS = 100;

/** The function `lease`, on a platform. */
export const leaseIn =
  (environment: Environment) =>
  async (givenStore: LeaseStore, givenOptions: LeaseOptions): Promise<Lease> => {
    const store = storeOf(givenStore);
    const options = given(givenOptions);
    const { format, namespace, signal, label = environment.label(), onChange } = options;
    const known = ask(format);
    const { schema, numbering } = known;
    const { layout, last } = numbering;
    const { mask, bits, chosen } = restrictedTo(numbering, orDefault(options.fixed, {}));
    if (store.ready) {
      await store.ready(options);
    }
    const { ttlMs, quarantineMs, maxWaitMs } = timesOf(options, store, schema.tickMs, last);

    /** An asynchronous call that finds no number, or no time left in its interval, is made again once there is. */
    const again = async <T>(call: (options: unknown) => Promise<T>, callOptions: unknown): Promise<T> => {
      const end = environment.elapsed() + maxWaitMs;
      for (;;) {
        try {
          return await call(callOptions);
        } catch (error) {
          const passes = GraupelError.is(error) && /LEASE_LOST|OUTSIDE_INTERVAL/.test(error.code);
          // A clock of the generator's own may never come into the interval.
          if (!passes || environment.elapsed() > end) {
            throw error;
          }
        }
        await driver.ready(signalOf(Object(callOptions).signal));
      }
    };
    const methodsOf: Holder["methodsOf"] = (methods) => {
      const { nextAsync } = methods as { nextAsync: (options: unknown) => Promise<unknown> };
      return Object.assign(methods, PAST, { nextAsync: (options: unknown) => again(nextAsync, options) });
    };
    const tenures = tenuresOf(known, () => driver.reason(), methodsOf);
    const driver = driverOf({
      environment,
      store,
      tenures,
      request: { namespace, layout, last, mask, bits, ttlMs, quarantineMs, label },
      maxWaitMs,
      onChange,
    });
    const { release, invalidate } = driver;
    const { asyncDispose = Symbol() } = Symbol as { readonly asyncDispose?: symbol };
    const lease: HeldLease & Joinable = {
      get status() {
        return driver.status();
      },
      release,
      invalidate,
      [asyncDispose]: release,
      [LEASE]: (options, names, schema) => {
        const own = numberingOf(schema, names);
        complete(options, own, chosen);
        return tenures.admit(own);
      },
    };
    try {
      await driver.ready(signal);
      if (signal?.aborted) {
        // React Native's older signals have no reason.
        throw signal.reason ?? Object.assign(Error("aborted"), { name: "AbortError" });
      }
    } catch (error) {
      // Not for as long as a store may need that does not answer.
      await Promise.race([
        release().catch(() => {}),
        new Promise<void>((resolve) => environment.after(LONGEST_END_MS, true, resolve, undefined)),
      ]);
      throw error;
    }
    return lease as unknown as Lease;
  };
