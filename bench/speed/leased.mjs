// The same calls under a lease: a state with an interval must cost no more than one without.

import { lease, memory } from "graupel/lease";
import { someOf, tickOf } from "./formats.mjs";

/** The name of an operation under a lease. `without` in a case: that of the same one without. */
export const leased = (operation) => `${operation}, under a lease`;

/** Longer than any run: what renews a lease would run between the calls. */
const TTL_MS = 24 * 3600 * 1000;

/** A store without a quarantine: nobody else uses it. */
function store() {
  const { acquire, ...calls } = memory();
  return { ...calls, acquire: (request) => acquire({ ...request, quarantineMs: 0 }) };
}

async function casesOf(one) {
  const { name: subject, format, fixed, many, unsure, options } = one;
  const worker = await lease(store(), {
    format,
    namespace: "bench",
    // Not the number of the other cases.
    fixed: { [fixed]: 2 },
    ttlMs: TTL_MS,
    quarantineMs: TTL_MS,
  });
  const generator = format.generator({ lease: worker, ...(unsure && options) });
  const all = { subject, scope: { generator }, tick: tickOf(one).tick };
  const next = { ...all, operation: leased("next"), without: "next", code: "generator.next()" };
  // In the middle of a batch, a tick of random steps may be full.
  if (unsure) return [next];
  const call = someOf("nextMany")(one);
  return [next, { ...all, operation: leased(call), without: call, code: `generator.${call}`, each: many }];
}

/** The cases of the formats whose numbers can be leased. */
export const leasedCases = async (formats) =>
  (await Promise.all(formats.filter(({ fixed }) => fixed !== undefined).map(casesOf))).flat();
