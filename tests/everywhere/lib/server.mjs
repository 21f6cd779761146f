// Asks a server that has just been started for the result of the checks.

import { within } from "../../support/run.mjs";
import { shown } from "./browser.mjs";
import { folder } from "./project.mjs";

/** The longest until the server listens. */
const SECONDS = 60;

/** The text of a page. Asks until the server listens; an answer that is no success is an error. */
async function answerOf(url) {
  const since = performance.now();
  for (;;) {
    let response;
    try {
      response = await fetch(url);
    } catch (error) {
      // Not for ever: a loop that nobody awaits any more would keep this process alive.
      if (performance.now() - since > SECONDS * 1000) throw error;
      await new Promise((done) => setTimeout(done, 50));
      continue;
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`status ${response.status}: ${text.slice(0, 600)}`);
    return text;
  }
}

/** The `result` in the text of a page, as a URL's characters: no markup changes them. */
export const SHOW = '"[" + encodeURIComponent(JSON.stringify(result)) + "]"';

/** Code of a page that sends `result` to the server that opened the page. */
export const SEND =
  'fetch(new URLSearchParams(location.search).get("to") + "/result", ' +
  '{ method: "POST", mode: "no-cors", body: JSON.stringify(result) });';

/** The result in a page. */
function resultIn(page) {
  const found = /\[(%7B[^\]]*)\]/.exec(page);
  if (found === null) throw new Error(`no result in the page: ${page.slice(0, 300)}`);
  return JSON.parse(decodeURIComponent(found[1]));
}

/** The text of a page, once its server listens. */
export const textOf = (url) => within(60, "no answer", answerOf(url));

/** How a server is asked, by its address. `name`: that of the row's folder. */
export const answers = {
  page: async (url) => resultIn(await textOf(url)),
  endpoint: async (url) => JSON.parse(await textOf(url)),
  Chromium: async (url, name) => {
    await textOf(url);
    const page = `<script>location.href = "${url}?to=" + location.origin;</script>`;
    return shown("Chromium", folder(`${name}-client`, { "page.html": page })());
  },
};
