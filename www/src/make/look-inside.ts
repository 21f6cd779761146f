/** Creates links to the page "Look inside". */

import { offeredOf, type Texts, textOf } from "../lib/offered.ts";
import { root } from "../lib/page.ts";

/** The address at which "Look inside" opens an ID with these settings. Append the ID. */
export function lookInside(texts: Texts): string {
  const { name, settings } = offeredOf(texts.format);
  const given = settings
    .map((setting) => [setting.key, textOf(setting, texts)] as const)
    .filter(([, text]) => text !== "");
  // On that page, a format with settings is a declared format.
  const pairs = given.length === 0 ? [["format", name]] : [["own", name], ...given];
  return `${root().href}#${new URLSearchParams(pairs.map((pair) => [...pair]))}&id=`;
}
