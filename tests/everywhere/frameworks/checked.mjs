// What a page or an endpoint runs. A plain ES module, as checks.mjs: each framework's build takes a copy of it.

import { ascending, check } from "./checks.mjs";
import { tally } from "./entries.mjs";
import vectors from "./vectors.mjs";

/** IDs of each of the two generators. */
const EACH = 100;

/** Every check; and that `sno`, from an entry of its own, shares its state with the one among all formats. */
export async function checked(graupel, sno, core) {
  const result = await check(graupel, core, vectors);
  tally(result, "graupel and graupel/sno in turn", () => {
    const generators = [graupel.sno, sno].map((format) => format.generator({ partition: 11 }));
    ascending(
      Array.from({ length: 2 * EACH }, (_, i) => generators[i % 2].next()),
      "in turn",
    );
  });
  return result;
}
