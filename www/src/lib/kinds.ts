/** The kind of a field, which gives it its colour: the same as in the command line. */
import { facts } from "graupel/facts";
import palette from "../../../js/cli/palette.json" with { type: "json" };

export type Kind = keyof typeof palette.kinds;

/** What the formats' fields are for, by name. */
const roles = new Map(
  Object.values(facts).flatMap(({ fields }) => (fields ?? []).map(({ name, role }) => [name, role] as const)),
);

/** A field that no format has identifies a machine. */
export const kindOf = (field: string): Kind => palette.roles[roles.get(field) ?? "fixed"] as Kind;

/** A kind in words. */
export const wordsOf = (kind: Kind): string => palette.kinds[kind].words;
