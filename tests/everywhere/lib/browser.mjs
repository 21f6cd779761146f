// Pages in browsers: a page of a server on the loopback interface runs the checks, and posts the result there.

import { installationOf, startBrowser } from "../../support/browsers.mjs";
import { within } from "../../support/run.mjs";
import { contentOf, serve } from "../../support/server.mjs";
import { installed, moduleOf } from "./places.mjs";
import { systemHas } from "./tools.mjs";

/** The longest from the opening of a page to the result. */
const SECONDS = 90;

/** The address of an entry's file below /graupel, as a page without a bundler names it. */
export const addressOf = (entry) => moduleOf(entry).replace("./", "/graupel/");

/** Code that posts `result`. */
export const post = (origin = "") =>
  `fetch("${origin}/result", { method: "POST", body: JSON.stringify(result) });`;

/** A script for pages: posts what goes wrong before the checks run. */
export const ERRORS = `const tell = (message) => {
  const result = { core: "none", passed: 0, failed: [{ name: "page", message }] };
  ${post()}
};
addEventListener("error", (event) => tell(String(event.message ?? "a script did not load")), true);
addEventListener("unhandledrejection", (event) => tell(String(event.reason)));
`;

/**
 * Opens the row's page.html, and resolves to the result that it posts. `policy`: the Content-Security-Policy. `extension`: called with
 * the server's origin; gives the folder of an extension.
 */
export async function shown(name, directory, { policy, extension } = {}) {
  await systemHas(installationOf(name));
  let posted;
  const result = new Promise((done) => {
    posted = done;
  });
  const server = await serve(({ path, body }) => {
    if (body !== undefined) {
      posted(JSON.parse(body));
      return { status: 204, headers: { "access-control-allow-origin": "*" } };
    }
    const [folder, file] = path.startsWith("/graupel/") ? [installed, path.slice(9)] : [directory, path];
    return {
      content: contentOf(folder, file),
      headers: policy && { "content-security-policy": policy },
    };
  });
  try {
    const browser = await startBrowser(name, { extension: await extension?.(server.origin) });
    try {
      await browser.fresh(server.origin);
      await browser.goto(`${server.origin}/page.html`);
      return { version: browser.version, ...(await within(SECONDS, "no result", result)) };
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}
