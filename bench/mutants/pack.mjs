// Bundles and packs the checkout that contains this file, as `npm test` does. Stryker builds its
// mutants with it.

import { bundle } from "../../xtask/lib/bundle.mjs";
import { fromRoot } from "../../xtask/lib/process.mjs";
import { pack } from "../../xtask/suites.mjs";

await bundle(fromRoot("dist"));
await pack();
