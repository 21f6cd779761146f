// Next.js with the App Router: server and client components, routes in Node and at the edge; built once, then served.

import { shown } from "../lib/browser.mjs";
import { everywhere, tool } from "../lib/places.mjs";
import { freePort } from "../lib/ports.mjs";
import { folder, versionOf } from "../lib/project.mjs";
import { beside, output, within } from "../lib/run.mjs";
import { answerOf } from "../lib/server.mjs";

const CONFIG = `export default {
  turbopack: { root: ${JSON.stringify(everywhere)} },
  outputFileTracingRoot: ${JSON.stringify(everywhere)},
};
`;

const IMPORTS = (up, entry = "graupel") => `import * as graupel from "${entry}";
import { check } from "${up}checks.mjs";
import vectors from "${up}vectors.mjs";
`;

const LAYOUT = `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
`;

/** The result is in the page's text, as a URL's characters: no markup changes them. */
const SERVER = `${IMPORTS("../../")}
export const dynamic = "force-dynamic";
export default async function Page() {
  const result = await check(graupel, "WebAssembly", vectors);
  return <p>{"[" + encodeURIComponent(JSON.stringify(result)) + "]"}</p>;
}
`;

const CLIENT = `"use client";
import { useEffect } from "react";
${IMPORTS("../../")}
export default function Page() {
  useEffect(() => {
    const to = new URLSearchParams(location.search).get("to");
    check(graupel, "WebAssembly", vectors).then((result) =>
      fetch(to + "/result", { method: "POST", mode: "no-cors", body: JSON.stringify(result) }));
  }, []);
  return <p>checks</p>;
}
`;

const ROUTE = (runtime, core) => `${IMPORTS("../../")}
export const runtime = "${runtime}";
export const dynamic = "force-dynamic";
export async function GET() {
  return Response.json(await check(graupel, "${core}", vectors));
}
`;

const NEXT = [tool("next", "dist", "bin", "next")];
const env = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };

let site;
/** The built site. All rows share it. */
function built() {
  site ??= (async () => {
    const at = folder("next", {
      "package.json": '{ "name": "row", "private": true, "type": "module" }\n',
      "next.config.mjs": CONFIG,
      "app/layout.jsx": LAYOUT,
      "app/page.jsx": "export default function Page() { return <p>graupel</p>; }\n",
      "app/server/page.jsx": SERVER,
      "app/client/page.jsx": CLIENT,
      "app/node/route.js": ROUTE("nodejs", "WebAssembly"),
      "app/edge/route.js": ROUTE("edge", "JavaScript"),
    });
    await output(process.execPath, [...NEXT, "build"], { cwd: at(), env, seconds: 240 });
    return at;
  })();
  return site;
}

/** Serves the site while `work` runs. */
async function served(work) {
  const at = await built();
  const port = await freePort();
  const args = [...NEXT, "start", "--hostname", "127.0.0.1", "--port", String(port)];
  return beside(process.execPath, args, { cwd: at(), env }, () => work(`http://127.0.0.1:${port}`, at));
}

const asked = (path) => within(60, "no answer", answerOf(path));

function rowOf(how, core, work) {
  const run = async () => {
    const { version, ...result } = await served(work);
    return { ...result, version: versionOf("next") };
  };
  return { host: "Next.js", how, core, run };
}

export const rows = [
  rowOf("server component", "WebAssembly", async (origin) => {
    const page = await asked(`${origin}/server`);
    const [, text] = /\[(%7B[^\]]*)\]/.exec(page) ?? [undefined, ""];
    if (text === "") throw new Error(`no result in the page: ${page.slice(0, 300)}`);
    return JSON.parse(decodeURIComponent(text));
  }),
  rowOf("client component, in Chromium", "WebAssembly", async (origin) => {
    await asked(`${origin}/client`);
    const page = `<script>location.href = "${origin}/client?to=" + location.origin;</script>`;
    return shown("Chromium", folder("next-client", { "page.html": page })());
  }),
  rowOf("route in Node", "WebAssembly", async (origin) => JSON.parse(await asked(`${origin}/node`))),
  rowOf("route at the edge", "JavaScript", async (origin) => JSON.parse(await asked(`${origin}/edge`))),
];
