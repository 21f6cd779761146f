/** A format of the reader's own, from the texts of a page's inputs. */
import type { AnyFormat } from "./formats.ts";
import { type Outcome, outcomeOf } from "./refusal.ts";
import { limitsOf, makeFormat, SUBJECTS, type Subject, type Texts } from "./subjects.ts";

/** The formats that take an epoch or a layout. */
export const DECLARABLE: readonly Subject[] = SUBJECTS.filter(({ settings }) => settings.length > 0);

export const ownSubject = ({ own }: Texts): Subject | undefined =>
  DECLARABLE.find(({ name }) => name === own);

/** The declared format, or why the package refuses it; undefined if nothing is declared. */
export function ownFormat(texts: Texts): Outcome<AnyFormat> | undefined {
  const subject = ownSubject(texts);
  return subject && outcomeOf(() => makeFormat(subject, texts), limitsOf(subject.settings));
}

/** The same without a reason. */
export function ownFormatIn(texts: Texts): AnyFormat | undefined {
  const outcome = ownFormat(texts);
  return outcome !== undefined && "value" in outcome ? outcome.value : undefined;
}
