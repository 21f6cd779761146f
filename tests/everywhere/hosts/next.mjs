// Next.js with the App Router: server and client components, and routes in Node and at the edge.
// The site is built once and then served. Also the application of the Next.js guide, which sets
// `cacheComponents`.

import { rmSync } from "node:fs";
import { installationOf, startBrowser } from "../../support/browsers.mjs";
import { blocksOf, pageOf } from "../../support/pages.mjs";
import { limited, output } from "../../support/run.mjs";
import { same, tally } from "../entries.mjs";
import { answers, SEND, SHOW, served, textOf } from "../lib/browser.mjs";
import { everywhere, tool } from "../lib/places.mjs";
import { folder, imports, RUN, versionOf } from "../lib/project.mjs";
import { systemHas } from "../lib/tools.mjs";

const CONFIG = (more = "") => `export default {${more}
  turbopack: { root: ${JSON.stringify(everywhere)} },
  outputFileTracingRoot: ${JSON.stringify(everywhere)},
};
`;

const IMPORTS = imports("graupel", "../../");

const LAYOUT = `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
`;

const SERVER = `${IMPORTS}
export const dynamic = "force-dynamic";
export default async function Page() {
  const result = await ${RUN("WebAssembly")};
  return <p>{${SHOW}}</p>;
}
`;

const CLIENT = `"use client";
import { useEffect } from "react";
${IMPORTS}
export default function Page() {
  useEffect(() => {
    ${RUN("WebAssembly")}.then((result) => {
      ${SEND}
    });
  }, []);
  return <p>checks</p>;
}
`;

const ROUTE = (runtime, core) => `${IMPORTS}
export const runtime = "${runtime}";
export const dynamic = "force-dynamic";
export async function GET() {
  return Response.json(await ${RUN(core)});
}
`;

const PACKAGE = '{ "name": "row", "private": true, "type": "module" }\n';

const NEXT = [tool("next", "dist", "bin", "next")];
const env = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };

/** Builds a site. */
async function build(at) {
  await output(process.execPath, [...NEXT, "build"], { cwd: at(), env });
  return at;
}

let site;
/** Builds the site once. All rows except the guide's share it. */
function built() {
  site ??= build(
    folder("next", {
      "package.json": PACKAGE,
      "next.config.mjs": CONFIG(),
      "app/layout.jsx": LAYOUT,
      "app/page.jsx": "export default function Page() { return <p>graupel</p>; }\n",
      "app/server/page.jsx": SERVER,
      "app/client/page.jsx": CLIENT,
      "app/node/route.js": ROUTE("nodejs", "WebAssembly"),
      "app/edge/route.js": ROUTE("edge", "JavaScript"),
    }),
  );
  return site;
}

const start = (port) => [...NEXT, "start", "--hostname", "127.0.0.1", "--port", port];
const version = () => versionOf("next");

/** `way`: how a path of the site is requested. */
const rowOf = (how, core, way, path) => ({
  ...{ host: "Next.js", how, core, version },
  run: async () =>
    served(process.execPath, start, { at: await built(), env }, (origin) =>
      answers[way](origin + path, "next"),
    ),
});

/** Two adjacent IDs that round to the same number, and the rows with which the database begins. */
const [A, B] = [1585841080431321656n, 1585841080431321657n];
const ROWS = `if (rows.size === 0) {
  rows.set(${A}n, { id: ${A}n, parent: 17n }).set(${B}n, { id: ${B}n, parent: 18n });
}
`;

/** A component that generates an ID while its page is prerendered, which the guide forbids. */
const WRONG = (before) => `import { ids } from "../../lib/ids.js";
export default async function Page() {
  ${before}
  return <p>{ids.next()}</p>;
}
`;

/** Presses the button of a page. Returns the text that the form then shows. */
const PRESS = `() => new Promise((done) => {
  const output = document.querySelector("output");
  new MutationObserver(() => done(output.textContent)).observe(output, { childList: true, characterData: true, subtree: true });
  document.querySelector("button").click();
})`;

/** Submits the form of a page as a browser without JavaScript does. */
async function submit(url, values) {
  const html = await textOf(url);
  const body = new FormData();
  for (const [, tag] of html.matchAll(/<input([^>]*)>/g)) {
    const of = (name) => new RegExp(`${name}="([^"]*)"`).exec(tag)?.[1].replaceAll("&quot;", '"') ?? "";
    body.append(of("name"), values[of("name")] ?? of("value"));
  }
  return fetch(url, { method: "POST", body, redirect: "manual", headers: { origin: new URL(url).origin } });
}

/** The text of the page's paragraph. */
const shownBy = async (url) =>
  /<p>(.*?)<\/p>/
    .exec(await textOf(url))?.[1]
    .replaceAll(/<!--.*?-->/g, "")
    .trim();

async function asTheGuideSays(origin, check) {
  const order = (id) => `${origin}/orders/${id}`;
  await check("an order", shownBy(order(A)), `${A} of 17: open`);
  await check("its neighbour, from the cache", shownBy(order(B)), `${B} of 18: open`);
  await check(
    "no ID",
    fetch(order("01")).then(async (answer) => [
      answer.status,
      (await answer.text()).includes("NEXT_HTTP_ERROR_FALLBACK;404"),
    ]),
    [200, true],
  );
  const made = await submit(origin, { parent: `${B}` });
  const to = made.headers.get("location") ?? "";
  await check("a form", [made.status, await shownBy(origin + to)], [303, `${to.slice(8)} of ${B}: open`]);
  const refused = await submit(origin, { parent: "01" });
  await check(
    "a wrong form",
    [refused.status, (await refused.text()).includes("[NOT_CANONICAL]")],
    [200, true],
  );
  const [first, second] = [await shownBy(`${origin}/draft`), await shownBy(`${origin}/draft`)];
  await check("new IDs", first !== second && first.length > 15, true);
  const cached = [await shownBy(`${origin}/cached`), await shownBy(`${origin}/cached`)];
  await check("a cached ID", cached[0], cached[1]);
  await systemHas(installationOf("Chromium"));
  const browser = await startBrowser("Chromium");
  try {
    await browser.fresh(origin);
    await browser.goto(order(B));
    await check("the button", limited(browser.evaluate(PRESS)), B);
  } finally {
    await browser.close();
  }
  await check("the order, once it is paid", shownBy(order(B)), `${B} of 18: paid`);
  await check("its neighbour then", shownBy(order(A)), `${A} of 17: open`);
}

/** The guide's application. Its build fails if a prerendered page generates an ID. */
function guideFiles() {
  const files = blocksOf(pageOf("nextjs.md")).flatMap(({ words, code }) => {
    const [, file] = /^file=(.+)$/.exec(words) ?? [];
    return file === undefined ? [] : [[file, file === "lib/db.js" ? code + ROWS : code]];
  });
  return {
    "package.json": PACKAGE,
    "next.config.mjs": CONFIG("\n  cacheComponents: true,"),
    "app/cached/page.jsx": WRONG('"use cache";'),
    "app/early/page.jsx": WRONG(""),
    ...Object.fromEntries(files),
  };
}

async function runGuide(at) {
  const result = { passed: 0, failed: [] };
  const check = (name, found, wanted) =>
    tally(result, name, async () => same(String(await found), String(wanted), name));
  const early = await build(at).catch(({ message }) => message);
  await check("the build refuses", /early.*exiting the build/.test(early), true);
  rmSync(at("app", "early"), { recursive: true });
  await build(at);
  await served(process.execPath, start, { at, env }, (origin) => asTheGuideSays(origin, check));
  return result;
}

export const rows = [
  rowOf("server component", "WebAssembly", "page", "/server"),
  rowOf("client component, in Chromium", "WebAssembly", "Chromium", "/client"),
  rowOf("route in Node", "WebAssembly", "endpoint", "/node"),
  rowOf("route at the edge", "JavaScript", "endpoint", "/edge"),
  {
    ...{ host: "Next.js", how: "the guide: server actions and use cache", core: "WebAssembly", version },
    files: guideFiles,
    run: runGuide,
  },
];
