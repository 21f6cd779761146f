/** The kinds of fields. A kind decides the colour, here and on the site: js/cli/palette.json. */
import type { FieldRole, FormatFacts } from "../facts.js";
import palette from "./palette.json" with { type: "json" };

export type Kind = keyof typeof palette.kinds;

/**
 * The kind of a field by its name. An unknown name is a field of a custom layout, in which all
 * fields except time and sequence identify a machine.
 */
export function kindsOf(facts: Readonly<Record<string, FormatFacts>>): (field: string) => Kind {
  const fields = Object.values(facts).flatMap((format) => format.fields ?? []);
  const roles = new Map<string, FieldRole>(fields.map(({ name, role }) => [name, role]));
  return (field) => palette.roles[roles.get(field) ?? "fixed"] as Kind;
}

/** The description and the colours of each kind. */
export const kinds: Readonly<Record<Kind, { readonly words: string; readonly terminal: string }>> =
  palette.kinds;
