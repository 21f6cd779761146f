// `npm run site` serves the site as a host does.

import { equal, match, ok } from "node:assert/strict";
import { site } from "../../../www/build.mjs";
import { serveSite } from "../../../www/serve.mjs";
import { test } from "../lib/test.mjs";

const ONCE = { only: ["Chromium"] };

/** Serves the site for the time of a test. */
async function whileServed(work) {
  const host = await serveSite(site, 0);
  try {
    await work(host.address);
  } finally {
    await host.close();
  }
}

test("host: a folder's address ends with a slash, text is compressed, robots may come", ONCE, () =>
  whileServed(async (address) => {
    const folder = await fetch(`${address}docs/formats/sno`, { redirect: "manual" });
    equal(folder.status, 301);
    equal(new URL(folder.headers.get("location"), address).pathname, "/docs/formats/sno/");
    const page = await fetch(`${address}docs/formats/sno/`);
    equal(page.status, 200);
    equal(page.headers.get("content-encoding"), "gzip");
    match(await page.text(), /<h1 id="sno">/);
    equal(await (await fetch(`${address}robots.txt`)).text(), "User-agent: *\nAllow: /\n");
    const wasm = await fetch(`${address}manifest.webmanifest`);
    match(wasm.headers.get("content-type"), /^application\/manifest\+json/);
  }),
);

test("host: what is not there is answered with 404", ONCE, () =>
  whileServed(async (address) => {
    for (const path of ["nothing", "docs/nothing/", "assets/nothing.js", "docs/../../package.json"]) {
      const { status } = await fetch(address + path);
      equal(status, 404, path);
    }
  }),
);

test("host: the page for what is not there leads back, from any depth", ONCE, async (person) => {
  // The browser tells of the answer, too.
  person.expect(/404|another origin/);
  await whileServed(async (address) => {
    await person.driver.goto(`${address}docs/formats/nothing/`);
    await person.find({ role: "heading", name: "There is no such page" });
    // Its style has come, and its script: the search opens.
    equal(await person.evaluate(() => getComputedStyle(document.querySelector(".top")).display), "grid");
    await person.click({ role: "button", name: /^Search/ });
    await person.find("#site-query");
    await person.press("Escape");
    await person.click({ role: "link", name: "See inside an ID" });
    await person.find({ role: "heading", name: "See inside an ID" });
    equal(await person.evaluate(() => location.pathname), "/");
  });
});

test("host: a port that is taken is said", ONCE, () =>
  whileServed(async (address) => {
    const { port } = new URL(address);
    const why = await serveSite(site, Number(port)).then(
      () => "",
      ({ message }) => message,
    );
    ok(why.includes(`port ${port} is taken`), why);
  }),
);
