/** Generators whose fixed fields are options by name: those of every format except sno. */

import { numberIn, orDefault } from "../checks.js";
import type { Id } from "../core/id-types.js";
import { maxOf, type Schema } from "../core/schema.js";
import { typeError } from "../errors.js";
import { NEW } from "../generated/layouts.js";
import type { IntegerSnapshot, LayoutField, TypedGenerator } from "../types.js";
import { methodsOf } from "./generator.js";
import { type Read, readSnapshot, takeSnapshot } from "./integer-snapshot.js";
import { type Kind, makerOf } from "./maker.js";
import { agree } from "./snapshot.js";

/** What a format adds to the plain counter. */
export interface Special extends Pick<Kind, "options" | "sequenceRule" | "random"> {
  /** Fixed fields that default to 0. */
  readonly optional: readonly string[];
}

/** Adds nothing. */
export const PLAIN: Special = { options: [], optional: [], sequenceRule: () => 0, random: () => undefined };

/** The function `generator` of a schema. */
export function fixedFieldGenerators<I extends Id, Typed>(
  schema: Schema<I, Typed>,
  special: Special = PLAIN,
): (options?: unknown) => TypedGenerator<I, Typed, IntegerSnapshot> {
  const { fields, sequence, optional } = schema;
  const free = fields.filter((_, i) => i > 0 && i !== sequence && !optional.includes(i));
  const restarts = special.sequenceRule === PLAIN.sequenceRule;
  const kind: Kind<I, Typed, Read> = {
    ...special,
    schema,
    options: [...free.map(({ name }) => name), ...special.options],
    callOptions: [],
    bitsOf: () => 0,
    read: (snapshot) => readSnapshot(snapshot, schema, free, schema.startBytes > 0, restarts),
    wanted(options, stored) {
      /** From the option or the snapshot. */
      const valueIn = (field: LayoutField): number => {
        const { name } = field;
        const before = stored?.fields[name];
        const value = orDefault(options[name], before ?? (special.optional.includes(name) ? 0 : undefined));
        if (value === undefined) {
          typeError(name, value, `a number from 0 to ${maxOf(field)}, unique among running generators`);
        }
        agree(name, value, numberIn(value, name, maxOf(field)), before);
        return value as number;
      };
      const fixed = fields.map((field) => (free.includes(field) ? valueIn(field) : 0));
      return { first: 0, last: maxOf(fields[sequence]), initial: NEW, fields: fixed };
    },
  };
  return (given = {}) => {
    const maker = makerOf(kind, given);
    return methodsOf(maker, (state) => {
      const fixed = maker.holder.fields as readonly number[];
      return takeSnapshot(
        state.save(),
        schema,
        free.map((field) => [field.name, fixed[fields.indexOf(field)] as number]),
        restarts,
      );
    });
  };
}
