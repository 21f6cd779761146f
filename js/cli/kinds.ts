/** The kinds of fields. A kind decides the colour, here and on the site: js/cli/palette.json. */
import type { FieldRole } from "../facts.js";
import palette from "./palette.json" with { type: "json" };

export type FieldKind = keyof typeof palette.kinds;

/** The kind of a field. */
export const kindOf = ({ role }: { readonly role: FieldRole }): FieldKind => palette.roles[role] as FieldKind;

/** The description and the colours of each kind. */
export const kinds: Readonly<Record<FieldKind, { readonly words: string; readonly terminal: string }>> =
  palette.kinds;
