/**
 * `graupel lease repair`: frees a namespace whose numbers are marked far ahead, because the store's clock was.
 *
 * A mark says that every ID time below it may be used, by a holder that nobody can reach: perhaps it sleeps. So no store may lower a mark, and
 * nothing here does. The namespace is forgotten as a whole, as if its server had been flushed, and begins anew: a quarantine after the
 * store's now, with nobody's token. That repeats nothing if no holder is left, and no ID is of a later time. Both are
 * for the operator to state; what the records tell is checked.
 */
import type { Held, LeaseStore } from "../lease/types.js";
import { type OptionName, UsageError } from "./arguments.js";
import { recordsOf, type Subject } from "./lease-subject.js";
import { shownDuration, shownTime } from "./lease-times.js";
import { write } from "./output.js";
import { printable, printableJson } from "./terminal.js";
import { answerOf } from "./user-module.js";
import { toTime } from "./values.js";

/** States the time of the namespace's newest ID. */
export const newestOption: OptionName = { name: "newest" };
/** States that no process of the namespace runs. */
export const stoppedFlag: OptionName = { name: "stopped" };

/** Whether a number is marked so far ahead that the store's clock must have been wrong. */
type IsAhead = (record: Held) => boolean;

export async function repair(subject: Subject): Promise<number> {
  const { store, namespace, typed } = subject;
  const { quarantineMs } = subject.request();
  const records = await recordsOf(subject);
  const isAhead: IsAhead = ({ mark, now }) => mark > now + quarantineMs;
  const ahead = records.filter(isAhead);
  if (ahead.length > 0) {
    refuseUnsound(subject, records, isAhead);
    if (store.forget === undefined) {
      throw new Error(`the store leaves that to you: ${byHand(store, namespace)}`);
    }
    await answerOf("store", store.forget(namespace));
  }
  const said =
    ahead.length === 0
      ? `nothing to repair: no mark is further ahead than ${shownDuration(quarantineMs)}`
      : `forgotten; the next start makes it anew, and waits ${shownDuration(quarantineMs)}`;
  await write(
    typed.flags.has("json")
      ? `${printableJson({ namespace, quarantineMs, forgotten: ahead.length === 0 ? 0 : records.length })}\n`
      : `${printable(namespace)}: ${said}\n`,
  );
  return 0;
}

/** What deletes the records of a namespace, as far as the store says where they are. */
function byHand({ table, prefix }: LeaseStore & Places, namespace: string): string {
  return typeof prefix === "string"
    ? `etcdctl del --prefix '${prefix}${namespace}#'`
    : typeof table === "string"
      ? `DELETE FROM ${table} WHERE namespace = '${namespace}'`
      : `delete all records of ${namespace}, in one step`;
}

/** Where a store of this package keeps its records. */
interface Places {
  readonly table?: unknown;
  readonly prefix?: unknown;
}

/** Refuses what would not be sound, as far as the records and the operator tell. */
function refuseUnsound({ namespace, typed }: Subject, records: readonly Held[], isAhead: IsAhead): void {
  const { now } = records[0] as Held;
  const skewMs = now - Date.now();
  if (Math.abs(skewMs) > LARGEST_SKEW_MS) {
    const side = skewMs > 0 ? "ahead of" : "behind";
    throw new Error(
      `the store's clock is ${shownDuration(Math.abs(skewMs))} ${side} this one; set the one that is wrong first`,
    );
  }
  const alive = records.find((record) => record.held && record.mark > now && !isAhead(record));
  if (alive) {
    const { number, label, mark } = alive;
    throw new Error(
      `number ${number} is held until ${shownTime(mark)}, by ${label}; stop all processes of ${namespace}, and try again then`,
    );
  }
  const newest = typed.values.get(newestOption.name);
  if (newest === undefined || !typed.flags.has(stoppedFlag.name)) {
    const ahead = records.filter(isAhead);
    const last = ahead.reduce((latest, { mark }) => Math.max(latest, mark), 0);
    throw new UsageError(
      `${ahead.length} of ${records.length} numbers are marked ahead, until ${shownTime(last)}; --stopped states that no process of ${namespace} runs, and --newest TIME of when its newest ID is`,
    );
  }
  if (toTime(newest) > now) {
    throw new Error(
      `${newest.as}: ${newest.text} is to come; until then new IDs could repeat those that are there`,
    );
  }
}

/** What clocks that are right may differ by, in milliseconds. */
const LARGEST_SKEW_MS = 10_000;
