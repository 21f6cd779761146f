/** A format that the reader declares, from the texts of a page's inputs. */
import type { AnyFormat } from "./formats.ts";
import { limitsOf, makeFormat, OFFERED, type OfferedFormat, type Texts } from "./offered.ts";
import { type Outcome, outcomeOf } from "./refusal.ts";

/** The formats that take an epoch or a layout. */
export const DECLARABLE: readonly OfferedFormat[] = OFFERED.filter(({ settings }) => settings.length > 0);

export const ownOffered = ({ own }: Texts): OfferedFormat | undefined =>
  DECLARABLE.find(({ name }) => name === own);

/** The declared format, or why the package refuses it; undefined if nothing is declared. */
export function ownFormat(texts: Texts): Outcome<AnyFormat> | undefined {
  const offered = ownOffered(texts);
  return offered && outcomeOf(() => makeFormat(offered, texts), limitsOf(offered.settings));
}

/** The same without a reason. */
export function ownFormatIn(texts: Texts): AnyFormat | undefined {
  const outcome = ownFormat(texts);
  return outcome !== undefined && "value" in outcome ? outcome.value : undefined;
}
