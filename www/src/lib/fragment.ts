/** The state of a page in its address: after the "#", which no server gets to see. */

/** What the address says. */
export const readFragment = (): URLSearchParams => new URLSearchParams(location.hash.slice(1));

/** Writes what is given; `undefined` and empty texts leave their name out. Adds nothing to the history. */
export function writeFragment(values: Readonly<Record<string, string | undefined>>): void {
  const given = Object.entries(values).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const text = new URLSearchParams(given).toString();
  // Commas and colons are legal in a fragment, and easier to read as they are.
  const hash = text.replaceAll("%2C", ",").replaceAll("%3A", ":");
  history.replaceState(history.state, "", hash === "" ? location.pathname + location.search : `#${hash}`);
}
