/** A format that the reader declares in a page's inputs. */
import type { AnyFormat } from "./formats.ts";
import { limitsOf, makeFormat, OFFERED, type OfferedFormat, type Texts } from "./offered.ts";
import { type Outcome, outcomeOf } from "./refusal.ts";

/** The formats that accept an epoch or a layout. */
export const DECLARABLE: readonly OfferedFormat[] = OFFERED.filter(({ settings }) => settings.length > 0);

export const ownOffered = ({ own }: Texts): OfferedFormat | undefined =>
  DECLARABLE.find(({ name }) => name === own);

/**
 * The declared format, or the reason why the package rejects it; undefined if the reader declares
 * none.
 */
export function ownFormat(texts: Texts): Outcome<AnyFormat> | undefined {
  const offered = ownOffered(texts);
  return offered && outcomeOf(() => makeFormat(offered, texts), limitsOf(offered.settings));
}

/** The declared format; undefined if there is none or the package rejects it. */
export function ownFormatIn(texts: Texts): AnyFormat | undefined {
  const outcome = ownFormat(texts);
  return outcome !== undefined && "value" in outcome ? outcome.value : undefined;
}
