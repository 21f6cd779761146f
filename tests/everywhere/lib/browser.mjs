// Reads the results of the checks from pages in browsers and from newly started servers.

import { installationOf, startBrowser } from "../../support/browsers.mjs";
import { freePort } from "../../support/places.mjs";
import { beside, limited } from "../../support/run.mjs";
import { contentOf, serve } from "../../support/server.mjs";
import { installed, moduleOf } from "./places.mjs";
import { folder } from "./project.mjs";
import { systemHas } from "./tools.mjs";

/** The URL of an entry's file below /graupel, for a page without a bundler. */
export const addressOf = (entry) => moduleOf(entry).replace("./", "/graupel/");

/** Code that posts `result`. */
export const post = (origin = "") =>
  `fetch("${origin}/result", { method: "POST", body: JSON.stringify(result) });`;

/** A script for pages that posts errors that occur before the checks run. */
export const ERRORS = `const tell = (message) => {
  const result = { core: "none", passed: 0, failed: [{ name: "page", message }] };
  ${post()}
};
addEventListener("error", (event) => tell(String(event.message ?? "a script did not load")), true);
addEventListener("unhandledrejection", (event) => tell(String(event.reason)));
`;

/**
 * Opens the row's page.html and resolves to the posted result. `policy`: the
 * Content-Security-Policy. `extension`: gets the server's origin and returns the folder of an
 * extension.
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
      return { version: browser.version, ...(await limited(result)) };
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

/**
 * Resolves to the text of a page as soon as its server listens. Rejects if the response is not a
 * success.
 */
export async function textOf(url) {
  let isLate = false;
  const asking = async () => {
    // Limit the loop: otherwise, it would keep this process alive after its caller gives up.
    while (!isLate) {
      const response = await fetch(url).catch(() => undefined);
      if (response === undefined) {
        await new Promise((done) => setTimeout(done, 50));
        continue;
      }
      const text = await response.text();
      if (!response.ok) throw new Error(`status ${response.status}: ${text.slice(0, 600)}`);
      return text;
    }
  };
  try {
    return await limited(asking());
  } finally {
    isLate = true;
  }
}

/**
 * An expression for the `result` in the text of a page, percent-encoded so that markup does not
 * change it.
 */
export const SHOW = '"[" + encodeURIComponent(JSON.stringify(result)) + "]"';

/** Page code that sends `result` to the server that opened the page. */
export const SEND =
  'fetch(new URLSearchParams(location.search).get("to") + "/result", ' +
  '{ method: "POST", mode: "no-cors", body: JSON.stringify(result) });';

/** How a server is queried at its address. `name`: the name of the row's folder. */
export const answers = {
  async page(url) {
    const text = await textOf(url);
    const found = /\[(%7B[^\]]*)\]/.exec(text);
    if (found === null) throw new Error(`no result in the page: ${text.slice(0, 300)}`);
    return JSON.parse(decodeURIComponent(found[1]));
  },
  endpoint: async (url) => JSON.parse(await textOf(url)),
  async Chromium(url, name) {
    await textOf(url);
    const page = `<script>location.href = "${url}?to=" + location.origin;</script>`;
    return shown("Chromium", folder(`${name}-client`, { "page.html": page })());
  },
};

/**
 * Runs a server while `work` makes requests to its address. `argsOf`: returns the arguments for a
 * port, which is also in the environment.
 */
export async function served(program, argsOf, { at, env }, work) {
  const port = String(await freePort());
  const options = { cwd: at(), env: { ...env, HOST: "127.0.0.1", PORT: port } };
  return beside(program, argsOf(port), options, () => work(`http://127.0.0.1:${port}`));
}
