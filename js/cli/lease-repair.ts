/**
 * `graupel lease repair`: frees a namespace whose numbers are marked far ahead, because the store's
 * clock was.
 *
 * A mark means that a holder may have used every ID time below it, even a holder that sleeps and
 * cannot be reached. So no store may lower a mark, and `repair` does not either. It deletes the
 * whole namespace, like a flush of the server. The new namespace starts one quarantine after the
 * store's present time. No ID repeats if no holder is left and no ID has a later time. The operator
 * confirms both, and `repair` checks what the records can show.
 */
import type { Held, LeaseStore } from "../lease/types.js";
import { type OptionName, UsageError } from "./arguments.js";
import { type LeaseInput, recordsOf } from "./lease-input.js";
import { write } from "./output.js";
import { printable, printableJson } from "./terminal.js";
import { shownDuration, shownTime } from "./times.js";
import { answerOf } from "./user-module.js";
import { toTime } from "./values.js";

/** Gives the time of the namespace's newest ID. */
export const newestOption: OptionName = { name: "newest" };
/** Confirms that no process of the namespace is running. */
export const stoppedFlag: OptionName = { name: "stopped" };

/** Whether a number is marked so far ahead that the store's clock must have been wrong. */
type IsAhead = (record: Held) => boolean;

export async function repair(input: LeaseInput): Promise<number> {
  const { store, namespace, typed } = input;
  const { quarantineMs } = input.request();
  const records = await recordsOf(input);
  const isAhead: IsAhead = ({ mark, now }) => mark > now + quarantineMs;
  const ahead = records.filter(isAhead);
  if (ahead.length > 0) {
    failIfUnsound(input, records, isAhead);
    if (store.forget === undefined) {
      throw new Error(`this store cannot delete a namespace; do it yourself: ${byHand(store, namespace)}`);
    }
    await answerOf("store", store.forget(namespace));
  }
  const said =
    ahead.length === 0
      ? `nothing to repair: no number is blocked for more than ${shownDuration(quarantineMs)}`
      : `deleted; the next start creates it again, and waits ${shownDuration(quarantineMs)}`;
  await write(
    typed.flags.has("json")
      ? `${printableJson({ namespace, quarantineMs, forgotten: ahead.length === 0 ? 0 : records.length })}\n`
      : `${printable(namespace)}: ${said}\n`,
  );
  return 0;
}

/** The command that deletes the records of a namespace, if the store tells where they are. */
function byHand({ table, prefix }: LeaseStore & RecordLocation, namespace: string): string {
  return typeof prefix === "string"
    ? `etcdctl del --prefix '${prefix}${namespace}#'`
    : typeof table === "string"
      ? `DELETE FROM ${table} WHERE namespace = '${namespace}'`
      : `delete all records of ${namespace}, in one step`;
}

/** The location of the records in a store of this package. */
interface RecordLocation {
  readonly table?: unknown;
  readonly prefix?: unknown;
}

/** Throws if a repair would be unsafe, as far as the records and the operator's options show. */
function failIfUnsound({ namespace, typed }: LeaseInput, records: readonly Held[], isAhead: IsAhead): void {
  const { now } = records[0] as Held;
  const skewMs = now - Date.now();
  if (Math.abs(skewMs) > LARGEST_SKEW_MS) {
    const side = skewMs > 0 ? "ahead of" : "behind";
    throw new Error(
      `the store's clock is ${shownDuration(Math.abs(skewMs))} ${side} this machine's clock; correct the wrong one first`,
    );
  }
  const alive = records.find((record) => record.held && record.mark > now && !isAhead(record));
  if (alive) {
    const { number, label, mark } = alive;
    throw new Error(
      `number ${number} is held until ${shownTime(mark)}, by ${label}; stop all processes of ${namespace}, and retry after that`,
    );
  }
  const newest = typed.values.get(newestOption.name);
  if (newest === undefined || !typed.flags.has(stoppedFlag.name)) {
    const ahead = records.filter(isAhead);
    const last = ahead.reduce((latest, { mark }) => Math.max(latest, mark), 0);
    throw new UsageError(
      `${ahead.length} of ${records.length} numbers are blocked until ${shownTime(last)}; confirm with --stopped that no process of ${namespace} is running, and give the time of its newest ID with --newest TIME`,
    );
  }
  if (toTime(newest) > now) {
    throw new Error(
      `${newest.as}: ${newest.text} is in the future; until then, new IDs could repeat existing ones`,
    );
  }
}

/** The largest accepted difference between two clocks, in milliseconds. */
const LARGEST_SKEW_MS = 10_000;
