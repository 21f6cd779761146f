/** `graupel lease status`: lists the numbers with their holders and times. */
import type { Held } from "../lease/types.js";
import { type LeaseInput, recordsOf } from "./lease-input.js";
import { write } from "./output.js";
import { table } from "./table.js";
import { paintFor, printable, printableJson } from "./terminal.js";
import { shownDuration, shownTime } from "./times.js";

export async function status(input: LeaseInput): Promise<number> {
  const records = await recordsOf(input);
  if (input.typed.flags.has("json")) {
    await write(records.map((record) => `${printableJson(rowOf(record, input))}\n`).join(""));
  } else if (records.length === 0) {
    await write(`${printable(input.namespace)}: no number has been leased\n`);
  } else {
    await write(tableOf(records, input));
  }
  return 0;
}

/**
 * `held`: its holder may use it now. `waiting`: its interval has not started. `expired`: its holder
 * has not renewed it. `free`: the next holder may use it from `mark` on.
 */
const stateOf = ({ held, from, mark, now }: Held): "held" | "waiting" | "expired" | "free" =>
  held ? (now < from ? "waiting" : now < mark ? "held" : "expired") : "free";

const rowOf = (record: Held, { namespace, fieldsOf }: LeaseInput) => {
  const { number, label, from, mark, now } = record;
  const fields = fieldsOf?.(number);
  return {
    namespace,
    number,
    ...(fields && { fields }),
    state: stateOf(record),
    label,
    from,
    until: mark,
    remainingMs: Math.max(0, mark - now),
    now,
  };
};

function tableOf(records: readonly Held[], input: LeaseInput): string {
  const paint = paintFor(process.stdout);
  const names = Object.keys(input.fieldsOf?.(0) ?? {});
  // A single field equals the number.
  const named = names.length === 1 ? [] : names;
  const head = [names.length === 1 ? (names[0] as string) : "number", ...named];
  const numeric = new Set(head.map((_, i) => i)).add(head.length + 3);
  const rows = records.map((record) => {
    const { number, fields, state, label, from, until, remainingMs } = rowOf(record, input);
    const isFree = state === "free";
    return [
      `${number}`,
      ...named.map((name) => `${fields?.[name]}`),
      state,
      isFree ? "" : shownTime(from),
      shownTime(until),
      remainingMs > 0 ? shownDuration(remainingMs) : "",
      isFree ? "" : printable(label),
    ];
  });
  return table([...head, "state", "from", "until", "left", "holder"], rows, numeric, paint);
}
