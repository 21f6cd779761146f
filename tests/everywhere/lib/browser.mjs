// Browsers, without a driver: a page of a server on the loopback interface runs the checks, and posts the result there.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { installed, moduleOf } from "./places.mjs";
import { beside, output, within } from "./run.mjs";
import { fromDebian } from "./tools.mjs";

/** The longest from the browser's start to the result. */
const SECONDS = 90;

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

/** Switches without which Chromium looks for Google's hosts, and those that root and a machine without a GPU need. */
export const CHROMIUM = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/** The same for Firefox, in its profile. */
export const FIREFOX = {
  "app.update.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.aboutwelcome.enabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "datareporting.policy.dataSubmissionPolicyBypassNotification": true,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "toolkit.telemetry.enabled": false,
  "browser.startup.page": 0,
  "browser.startup.homepage_override.mstone": "ignore",
};

/** The triplet in Debian's paths. */
const TRIPLET = { x64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" }[process.arch];

/**
 * Each browser: its program and the Debian package with it, what else it needs, how it says its version, and the command line
 * that opens a page. `profile`: an empty directory.
 */
export const BROWSERS = {
  Chromium: {
    debian: "chromium",
    file: "/usr/bin/chromium",
    command: (file, profile, url, switches) => [
      file,
      ...CHROMIUM,
      ...switches,
      `--user-data-dir=${profile}`,
      url,
    ],
  },
  Firefox: {
    debian: "firefox-esr",
    file: "/usr/bin/firefox-esr",
    command(file, profile, url) {
      const lines = Object.entries(FIREFOX).map(
        ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
      );
      writeFileSync(join(profile, "user.js"), `${lines.join("\n")}\n`);
      return [file, "--headless", "--no-remote", "--profile", profile, url];
    },
  },
  // It has no mode without a window, so it gets a screen in memory.
  WebKitGTK: {
    debian: "libwebkit2gtk-4.1-0",
    file: `/usr/lib/${TRIPLET}/webkit2gtk-4.1/MiniBrowser`,
    also: { "/usr/bin/xvfb-run": "xvfb", "/usr/bin/xauth": "xauth" },
    before: ["/usr/bin/xvfb-run", "--auto-servernum"],
    command: (file, _, url) => [file, url],
  },
};

/** The version in what a browser says with --version, such as "Chromium 156.0.8078.79 built on Debian". */
async function versionOf([program, ...args]) {
  return /\d+(\.\d+)+/.exec(await output(program, [...args, "--version"], { seconds: 30 }))[0];
}

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

/** A server of a row's files, and of the package's below /graupel. Resolves to its port, and to the posted result. */
async function served(directory, policy) {
  let posted;
  const result = new Promise((done) => {
    posted = done;
  });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (request.method === "POST") {
      let body = "";
      request.setEncoding("utf8").on("data", (text) => {
        body += text;
      });
      request.on("end", () => {
        response.writeHead(204, { "access-control-allow-origin": "*" }).end();
        posted(JSON.parse(body));
      });
      return;
    }
    const path = normalize(pathname);
    const file = path.startsWith("/graupel/") ? join(installed, path.slice(9)) : join(directory, path);
    try {
      const content = readFileSync(file);
      const headers = { "content-type": TYPES[extname(file)] ?? "text/plain" };
      if (policy !== undefined) headers["content-security-policy"] = policy;
      response.writeHead(200, headers).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { server, result, port: server.address().port };
}

/**
 * Opens the row's page.html, and resolves to the result that it posts. `policy`: the Content-Security-Policy. `prepare`: called
 * with the server's origin before the browser starts; gives further switches.
 */
export async function shown(browser, directory, { policy, prepare = () => [] } = {}) {
  const { debian, file, also = {}, before = [], command } = BROWSERS[browser];
  await fromDebian(file, debian);
  for (const [needed, name] of Object.entries(also)) await fromDebian(needed, name);
  const version = await versionOf([...before, file]);
  const profile = mkdtempSync(join(tmpdir(), "graupel-browser-"));
  const { server, result, port } = await served(directory, policy);
  try {
    const origin = `http://127.0.0.1:${port}`;
    const opening = command(file, profile, `${origin}/page.html`, await prepare(origin));
    const [program, ...args] = [...before, ...opening];
    const env = { HOME: profile, XDG_DATA_HOME: profile, XDG_CACHE_HOME: profile };
    const found = await beside(program, args, { cwd: directory, env }, () =>
      within(SECONDS, "no result", result),
    );
    return { version, ...found };
  } finally {
    server.closeAllConnections();
    server.close();
    // A browser's processes may still write for a moment.
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
