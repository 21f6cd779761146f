/** The kinds of fields, which give them their colours, here and on the site: js/cli/palette.json. */
import type { FieldRole, FormatFacts } from "../facts.js";
import palette from "./palette.json" with { type: "json" };

export type Kind = keyof typeof palette.kinds;

/** The kind of a field by its name. One that no format has identifies a machine, as do all but two of one's own layouts. */
export function kindsOf(facts: Readonly<Record<string, FormatFacts>>): (field: string) => Kind {
  const fields = Object.values(facts).flatMap((format) => format.fields ?? []);
  const roles = new Map<string, FieldRole>(fields.map(({ name, role }) => [name, role]));
  return (field) => palette.roles[roles.get(field) ?? "fixed"] as Kind;
}

/** A kind in words, and its colours. */
export const kinds: Readonly<Record<Kind, { readonly words: string; readonly terminal: string }>> =
  palette.kinds;
