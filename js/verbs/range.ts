/** `range`: an interval of time to the bounds of its IDs. */
import { time } from "../checks.js";
import type { Id } from "../core/id-types.js";
import { type Schema, use } from "../core/schema.js";
import { failTime } from "../core/status.js";
import { fail } from "../errors.js";
import { SECOND, STATUS_END_OF_LIFE } from "../generated/constants.js";
import type { Range } from "../types.js";

/** The bounds of all IDs whose tick overlaps [from, to), within the format's life. Either end may be left out. */
export function range<I extends Id>(schema: Schema<I>, from: unknown, to: unknown): Range<I> {
  /** Beyond every life: an epoch and a span are each below 1e16. Not infinity, which is 0 to the core as JavaScript. */
  const EVER = 1e17;
  const start = from === undefined ? -EVER : time(from, "from");
  const end = to === undefined ? EVER : time(to, "to");
  if (start >= end) {
    fail("CONFLICT", "from", from, `range: from (${start}) must be before to (${end})`);
  }
  const core = use(schema);
  const status = core.wasm.range(start, end);
  if (status !== 0) {
    const late = status === STATUS_END_OF_LIFE;
    failTime(status, late ? start : end, schema, late ? "from" : "to");
  }
  const max = schema.idType.takeValue(core, SECOND);
  return { min: schema.idType.takeValue(core), max };
}
