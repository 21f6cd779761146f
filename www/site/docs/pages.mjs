// The pages of the formats, and which format is on which.

import { readFileSync } from "node:fs";
import { facts } from "graupel/facts";
import { fromRoot } from "../../../xtask/lib/process.mjs";

/** The names of the pages, each with its line in the index. */
export const { pages } = JSON.parse(readFileSync(fromRoot("js", "cli", "words.json"), "utf8"));

/** The page of a format: its own, or that of its entry. */
const pageOf = ({ name, entry }) => (name in pages ? name : entry.replace("graupel/", ""));

/** The facts of a page's formats. A declared layout has none. */
export const formatsOn = (page) =>
  Object.values(facts).filter((one) => one.fields !== null && pageOf(one) === page);
