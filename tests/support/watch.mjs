// What goes wrong on a page, noted by the page itself: not every browser tells its driver. The test's server puts this in front
// of the scripts.

/** The name in the session's storage, which outlives a reload. */
const NOTES = "noted by the test";

/** Runs in the page, once. */
function watch(notes) {
  const page = globalThis;
  if (page.document === undefined || page[notes]) return;
  page[notes] = true;
  const note = (text) => {
    const before = JSON.parse(sessionStorage.getItem(notes) ?? "[]");
    sessionStorage.setItem(notes, JSON.stringify([...before, text]));
  };
  for (const level of ["error", "warn"]) {
    const print = console[level];
    console[level] = (...values) => {
      note(`console.${level}: ${values.map((value) => String(value?.stack ?? value)).join(" ")}`);
      print.apply(console, values);
    };
  }
  const listen = (type, words) => addEventListener(type, (event) => note(words(event)), true);
  listen("error", ({ message, filename, lineno, target }) =>
    message === undefined
      ? `did not load: ${target.src ?? target.href ?? target}`
      : `error: ${message} (${filename}:${lineno})`,
  );
  listen("unhandledrejection", ({ reason }) => `unhandled: ${reason?.stack ?? reason}`);
  listen(
    "securitypolicyviolation",
    ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
      `against the policy: ${violatedDirective} ${blockedURI} (${sourceFile}:${lineNumber})`,
  );
}

export const PRELUDE = `(${watch})(${JSON.stringify(NOTES)});\n`;

/** Runs in the page: gives what was noted, and where files of other origins came from, and forgets it. */
export const NOTED = `() => {
  if (!/^http/.test(location.protocol)) return [];
  const notes = JSON.parse(sessionStorage.getItem("${NOTES}") ?? "[]");
  sessionStorage.removeItem("${NOTES}");
  const files = performance.getEntriesByType("resource").map(({ name }) => name);
  const strange = files.filter((name) => /^https?:/.test(name) && !name.startsWith(location.origin + "/"));
  return [...notes, ...strange.map((name) => "a request to another origin: " + name)];
}`;
