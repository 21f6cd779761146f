// Notes the errors of a page in the page itself, because not every browser reports them to its
// driver. The test's server inserts this before the scripts.

/** The key in sessionStorage, which survives a reload. */
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

/**
 * Runs in the page: returns the notes and the addresses of files from other origins and clears
 * them.
 */
export const NOTED = `() => {
  if (!/^http/.test(location.protocol)) return [];
  const notes = JSON.parse(sessionStorage.getItem("${NOTES}") ?? "[]");
  sessionStorage.removeItem("${NOTES}");
  const files = performance.getEntriesByType("resource").map(({ name }) => name);
  const strange = files.filter((name) => /^https?:/.test(name) && !name.startsWith(location.origin + "/"));
  return [...notes, ...strange.map((name) => "a request to another origin: " + name)];
}`;
