/** Links to the page that looks inside an ID. */

import { offeredOf, type Texts, textOf } from "../lib/offered.ts";
import { root } from "../lib/page.ts";

/** The address at which Look inside opens an ID made with these settings; the ID is to be appended. */
export function lookInside(texts: Texts): string {
  const { name, settings } = offeredOf(texts.format);
  const given = settings
    .map((setting) => [setting.key, textOf(setting, texts)] as const)
    .filter(([, text]) => text !== "");
  // A format with settings is a declared format there.
  const pairs = given.length === 0 ? [["format", name]] : [["own", name], ...given];
  return `${root().href}#${new URLSearchParams(pairs.map((pair) => [...pair]))}&id=`;
}
