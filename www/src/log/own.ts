/** A format of the reader's own, from the texts of the page's inputs. */
import type { AnyFormat } from "../lib/formats.ts";
import { outcomeOf } from "../lib/refusal.ts";
import { makeFormat, subjectOf, type Texts } from "../lib/subjects.ts";

/** Undefined if none is declared, or if the package refuses it. */
export function ownFormat(texts: Texts): AnyFormat | undefined {
  if (texts.own === undefined) return undefined;
  const outcome = outcomeOf(() => makeFormat(subjectOf(texts.own), texts));
  return "value" in outcome ? outcome.value : undefined;
}
