/** `lease`: creates a lease and lets generators join it. */
import { abortReason } from "../checks.js";
import { LEASE, type Leased } from "../identity/shared.js";
import type { Environment } from "./environment.js";
import { Keeper } from "./keeper.js";
import { given, storeOf, timesOf } from "./options.js";
import { layoutOf, numbersOf } from "./packing.js";
import type { HeldLease, Lease, LeaseOptions, LeaseStore } from "./types.js";

/** How long a failed lease waits for its release, in milliseconds. */
const LONGEST_END_MS = 100;

/** Makes the function `lease` for a platform. */
export const leaseIn =
  (environment: Environment) =>
  async (givenStore: LeaseStore, givenOptions: LeaseOptions): Promise<Lease> => {
    const store = storeOf(givenStore);
    const options = given(givenOptions);
    const { format, namespace, fixed = {}, signal, label = environment.label() } = options;
    const [schema] = format;
    const { last, mask, bits, chosen } = numbersOf(schema, fixed);
    if (store.ready) {
      await store.ready(options);
    }
    const { ttlMs, quarantineMs, maxWaitMs } = timesOf(options, store, schema.tickMs, last);
    const keeper = new Keeper({
      ...options,
      environment,
      store,
      chosen,
      request: { namespace, layout: layoutOf(schema), last, mask, bits, ttlMs, quarantineMs, label },
      maxWaitMs,
    });
    const release = () => keeper.release();
    const { asyncDispose = Symbol() } = Symbol as { readonly asyncDispose?: symbol };
    const lease: HeldLease & { readonly [LEASE]: Leased } = {
      get status() {
        return keeper.status;
      },
      release,
      invalidate: () => keeper.invalidate(),
      [asyncDispose]: release,
      [LEASE]: keeper.tenures.join,
    };
    try {
      await keeper.ready(signal);
      if (signal?.aborted) {
        throw abortReason(signal);
      }
    } catch (error) {
      // Do not wait longer for a store that does not answer.
      await Promise.race([
        release().catch(() => {}),
        new Promise<void>((resolve) => environment.after(LONGEST_END_MS, true, resolve)),
      ]);
      throw error;
    }
    return lease as unknown as Lease;
  };
