// Next.js with the App Router: server and client components, routes in Node and at the edge; built once, then served.

import { freePort } from "../../support/places.mjs";
import { beside, output } from "../../support/run.mjs";
import { everywhere, tool } from "../lib/places.mjs";
import { folder, versionOf } from "../lib/project.mjs";
import { answers, SEND, SHOW } from "../lib/server.mjs";

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

const SERVER = `${IMPORTS("../../")}
export const dynamic = "force-dynamic";
export default async function Page() {
  const result = await check(graupel, "WebAssembly", vectors);
  return <p>{${SHOW}}</p>;
}
`;

const CLIENT = `"use client";
import { useEffect } from "react";
${IMPORTS("../../")}
export default function Page() {
  useEffect(() => {
    check(graupel, "WebAssembly", vectors).then((result) => {
      ${SEND}
    });
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

/** `way`: how the site is asked for a path. */
function rowOf(how, core, way, path) {
  const run = async () => {
    const { version, ...result } = await served((origin) => answers[way](origin + path, "next"));
    return { ...result, version: versionOf("next") };
  };
  return { host: "Next.js", how, core, run };
}

export const rows = [
  rowOf("server component", "WebAssembly", "page", "/server"),
  rowOf("client component, in Chromium", "WebAssembly", "Chromium", "/client"),
  rowOf("route in Node", "WebAssembly", "endpoint", "/node"),
  rowOf("route at the edge", "JavaScript", "endpoint", "/edge"),
];
