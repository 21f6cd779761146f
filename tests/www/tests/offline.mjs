// The site without a network, and after a new version is published.

import { equal, ok } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { site } from "../../../www/build.mjs";
import { DOCUMENT, NAVIGATION } from "../lib/pages.mjs";
import { test, testEverywhere } from "../lib/test.mjs";

const [LOOK, MAKE, RANGE] = NAVIGATION;

const read = (path) => readFileSync(join(site, path), "utf8");

/** A browser's messages for a request while the server is stopped. */
const REFUSED =
  /REFUSED|failed: |did not load|NetworkError|Load failed|error occurred when fetching the script/i;

testEverywhere("offline: every page opens, by its link and by its address", async (person) => {
  await person.open();
  await person.readyForOffline();
  await person.offline(true);
  await person.reload();
  await person.find({ role: "heading", name: LOOK.heading });
  for (const { name, heading } of NAVIGATION.slice(1)) {
    await person.click({ role: "link", name, inside: "nav" });
    await person.find({ role: "heading", name: heading });
    equal(await person.text("nav [aria-current=page]"), name);
  }
  await person.click({ role: "link", name: "graupel" });
  await person.find({ role: "heading", name: LOOK.heading });
  equal(await person.address(), "");
  await person.click({ role: "link", name: "Docs", inside: "nav" });
  await person.until(() => document.body.dataset.page === "document");
  await person.open(`${MAKE.path}?from=a-newsletter`);
  await person.find({ role: "heading", name: MAKE.heading });
  await person.open("range#kept");
  await person.find({ role: "heading", name: RANGE.heading });
  equal(await person.address(), "range/#kept");
  await person.open("range/index.html");
  await person.find({ role: "heading", name: RANGE.heading });
  const [id] = /(?<=<h2 id=")[^"]+/.exec(read(`${DOCUMENT.path}index.html`));
  await person.open(`${DOCUMENT.path}#${id}`);
  ok(await person.until((id) => document.querySelector(":target")?.id === id, id));
});

testEverywhere("offline: the network fails while the site is being cached", async (person) => {
  person.expect(REFUSED);
  await person.open();
  await person.until(async () => (await navigator.serviceWorker.getRegistration()) !== undefined);
  await person.offline(true);
  await person.find({ role: "heading", name: LOOK.heading });
  // An incomplete cache is discarded.
  await person.until(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return registration === undefined || registration.active !== null;
  });
  await person.offline(false);
  await person.open(MAKE.path);
  await person.readyForOffline();
  await person.offline(true);
  await person.open();
  await person.find({ role: "heading", name: LOOK.heading });
});

/**
 * Publishes a new version with one changed heading. `without`: a file that the new version does not
 * have.
 */
function publish({ server }, heading, without) {
  server.change("index.html", read("index.html").replace(LOOK.heading, heading));
  const worker = read("service-worker.js");
  const [version] = /(?<=["'`])[0-9a-f]{12}(?=["'`])/.exec(worker);
  const changed = worker.replace(version, "a-newer-one");
  server.change("service-worker.js", changed.replace(`\\"${without}\\",`, ""));
  if (without !== undefined) server.change(without, null);
}

const NEWS = { text: /^A new version of this site is available\./ };
const LOAD = { role: "button", name: "Reload" };

testEverywhere("offline: a new version is announced, and a button loads it", async (person) => {
  await person.open();
  await person.readyForOffline();
  equal(await person.count(NEWS), 0);
  publish(person, "Look into an ID");
  await person.reload();
  await person.find(NEWS);
  equal(await person.text("h1"), LOOK.heading);
  await person.click(LOAD);
  await person.find({ role: "heading", name: "Look into an ID" });
  await person.gone(NEWS);
  await person.offline(true);
  await person.reload();
  await person.find({ role: "heading", name: "Look into an ID" });
});

testEverywhere("offline: with a new version, another tab keeps its own files", async (person) => {
  const file = `assets/${readdirSync(join(site, "assets")).find((name) => /^range-.*\.js$/.test(name))}`;
  await person.open();
  await person.readyForOffline();
  const other = await person.newTab();
  await person.open(MAKE.path);
  publish(person, "Look into an ID", file);
  await person.open();
  await person.click(LOAD);
  await person.find({ role: "heading", name: "Look into an ID" });
  await person.goTo(0);
  await person.find(NEWS);
  equal(await person.text("h1"), LOOK.heading);
  equal(await person.evaluate(async (file) => (await fetch(file)).status, file), 200);
  await person.click(LOAD);
  await person.find({ role: "heading", name: "Look into an ID" });
  await person.goTo(other);
});

test("the manifest, and the icons it names", async (person) => {
  await person.open(MAKE.path);
  const session = await person.driver.page().createCDPSession();
  const { url, data, errors } = await session.send("Page.getAppManifest");
  equal(url, `${person.server.root}manifest.webmanifest`);
  equal(errors.map(({ message }) => message).join(), "");
  const manifest = JSON.parse(data);
  for (const name of ["start_url", "scope"]) equal(new URL(manifest[name], url).href, person.server.root);
  const purposes = new Set(manifest.icons.map(({ purpose = "any" }) => purpose));
  equal([...purposes].sort().join(), "any,maskable");
  await person.readyForOffline();
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  equal(installabilityErrors.map(({ errorId }) => errorId).join(), "");
});
