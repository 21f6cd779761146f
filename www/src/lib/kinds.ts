/** The kind of a field, which gives it its colour: the same as in the command line. */
import palette from "../../../js/cli/palette.json";

export type Kind = keyof typeof palette.kinds;

/** A field that the palette does not name identifies a machine. */
export function kindOf(field: string): Kind {
  const named: Readonly<Record<string, string>> = palette.fields;
  return (Object.hasOwn(named, field) ? named[field] : "machine") as Kind;
}

/** A kind in words. */
export const wordsOf = (kind: Kind): string => palette.kinds[kind].words;
