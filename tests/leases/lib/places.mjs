// The paths of this folder, of the parts of other folders that it uses, and of the package.

import { pathToFileURL } from "node:url";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { libraries } from "../../everywhere/lib/tools.mjs";
import { importFrom } from "../../support/places.mjs";

/** The folder tests/leases. */
export const here = fromRoot("tests", "leases");

/** The installed client libraries of stores. */
export const tools = libraries("stores");

/** Imports a client library. */
export const importTool = (name) => importFrom(tools, name);

/** Imports an entry of the built package. */
export const importBuilt = (entry) => import(pathToFileURL(fromRoot("dist", `${entry}.js`)));
