/**
 * Explains that the page does not know the layout or the format that a link requests, or that the
 * ID does not have that format.
 */
import type { Reading } from "../find/types.ts";
import { OFFERED, type Texts } from "../lib/offered.ts";

interface Properties {
  /** The texts in the link. */
  readonly asked: Texts;
  readonly reading: Reading | undefined;
}

const offeredOf = (name: string | undefined) => OFFERED.find((offered) => offered.name === name);

function lacksOf({ asked: { format, own }, reading }: Properties): string[] {
  const lacks: string[] = [];
  if (own !== undefined && own !== "" && !(offeredOf(own)?.settings.length ?? 0))
    lacks.push(`The link asks for a layout of the format “${own}”, which this page does not know.`);
  if (format === undefined || format === "" || format === reading?.key) return lacks;
  const known = offeredOf(format)?.title ?? (format === "own" ? "the layout that it contains" : undefined);
  if (known === undefined)
    lacks.push(`The link asks for the format “${format}”, which this page does not know.`);
  else if (reading !== undefined) lacks.push(`The link asks for ${known}, but this text is not such an ID.`);
  return lacks;
}

export function Asked(properties: Properties) {
  return lacksOf(properties).map((lack) => (
    <p key={lack} class="refused" role="alert">
      {lack}
    </p>
  ));
}
