// The pages about formats, and the formats on each page.

import { readFileSync } from "node:fs";
import { facts } from "graupel/facts";
import { fromRoot } from "../../../xtask/lib/process.mjs";

/** The names of the pages, each with its description in the list of pages. */
export const { pages } = JSON.parse(readFileSync(fromRoot("js", "cli", "words.json"), "utf8"));

/** The page of a format: its own page if it has one, or else the page of its entry. */
const pageOf = ({ name, entry }) => (name in pages ? name : entry.replace("graupel/", ""));

/** The facts of the formats on a page. A declared layout has no facts. */
export const formatsOn = (page) =>
  Object.values(facts).filter((one) => one.fields !== null && pageOf(one) === page);
