/** The state of a page, kept in the address after the "#", which is never sent to a server. */

/**
 * WebKit throws after 100 writes in 10 seconds, and other browsers drop some. After `FREE` writes
 * within `SPAN`, each write waits until the previous one is `PAUSE` old, and then includes later
 * changes, too. In milliseconds.
 */
const FREE = 40;
const SPAN = 10_000;
const PAUSE = 250;

/** The times of the last writes. */
let times: number[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
/** The fragment that is not written yet. */
let waiting: string | undefined;

function drop(): void {
  clearTimeout(timer);
  timer = undefined;
  waiting = undefined;
}

function write(): void {
  const hash = waiting;
  drop();
  if (hash === undefined || hash === location.hash) return;
  times = [...times, performance.now()].slice(-FREE);
  history.replaceState(history.state, "", hash === "" ? location.pathname + location.search : hash);
}

addEventListener("pagehide", write);
// The reader has opened another address.
addEventListener("hashchange", drop);

/** The texts in the address, including those that are not written yet. */
export const readFragment = (): URLSearchParams => new URLSearchParams((waiting ?? location.hash).slice(1));

type Values = Readonly<Record<string, string | undefined>>;

/**
 * A fragment with its "#". Names with an empty or missing text are left out, and without any names
 * the fragment is empty.
 */
export function fragmentOf(values: Values): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const text = new URLSearchParams(given).toString();
  // Commas and colons are valid in a fragment and easier to read without an escape.
  return text === "" ? "" : `#${text.replaceAll("%2C", ",").replaceAll("%3A", ":")}`;
}

/** Replaces the fragment, without a new entry in the history. */
export function writeFragment(values: Values): void {
  waiting = fragmentOf(values);
  const now = performance.now();
  const many = times.length === FREE && now - (times[0] ?? 0) < SPAN;
  const wait = many ? (times.at(-1) ?? 0) + PAUSE - now : 0;
  if (wait <= 0) write();
  else timer ??= setTimeout(write, wait);
}
