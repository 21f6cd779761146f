// This room, what it uses of others, and the package.

import { pathToFileURL } from "node:url";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { libraries } from "../../everywhere/lib/tools.mjs";
import { importFrom } from "../../support/places.mjs";

/** This room. */
export const here = fromRoot("tests", "leases");

/** The clients of stores. */
export const tools = libraries("stores");

/** A client as a module. */
export const importTool = (name) => importFrom(tools, name);

/** An entry of the package, as it is built. */
export const importBuilt = (entry) => import(pathToFileURL(fromRoot("dist", `${entry}.js`)));
