/** The state of a page in its address: after the "#", which no server gets to see. */

/**
 * WebKit throws after 100 writes in 10 seconds, and other browsers drop some. After `FREE` writes
 * within that time, each write waits until the previous one is old enough, and includes what was
 * entered meanwhile. In milliseconds.
 */
const FREE = 40;
const SPAN = 10_000;
const PAUSE = 250;

/** When the last writes were. */
let times: number[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
/** What is still to be written. */
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
// Another address was entered meanwhile.
addEventListener("hashchange", drop);

/** What the address says, or is about to say. */
export const readFragment = (): URLSearchParams => new URLSearchParams((waiting ?? location.hash).slice(1));

type Values = Readonly<Record<string, string | undefined>>;

/** A fragment with its "#"; `undefined` and empty texts leave their name out, and nothing is an empty fragment. */
export function fragmentOf(values: Values): string {
  const given = Object.entries(values).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const text = new URLSearchParams(given).toString();
  // Commas and colons are legal in a fragment, and easier to read as they are.
  return text === "" ? "" : `#${text.replaceAll("%2C", ",").replaceAll("%3A", ":")}`;
}

/** Writes what is given. Adds nothing to the history. */
export function writeFragment(values: Values): void {
  waiting = fragmentOf(values);
  const now = performance.now();
  const many = times.length === FREE && now - (times[0] ?? 0) < SPAN;
  const wait = many ? (times.at(-1) ?? 0) + PAUSE - now : 0;
  if (wait <= 0) write();
  else timer ??= setTimeout(write, wait);
}
