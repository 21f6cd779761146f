// Astro with its adapter for Node: pages while it builds, on the server and in the browser, and an endpoint.

import { SEND, SHOW } from "../lib/server.mjs";
import { imports, RUN, served } from "./framework.mjs";

const CONFIG = `import node from "@astrojs/node";
export default { output: "server", adapter: node({ mode: "standalone" }), devToolbar: { enabled: false } };
`;

const PAGE = (prerender) => `---
${imports("../../")}
export const prerender = ${prerender};
const result = await ${RUN};
const text = ${SHOW};
---
<p>{text}</p>
`;

const CLIENT = `<p>checks</p>
<script>
  ${imports("../../")}
  const result = await ${RUN};
  ${SEND}
</script>
`;

const ENDPOINT = `${imports("../../")}
export const GET = async () => Response.json(await ${RUN});
`;

export const astro = served({
  host: "Astro",
  name: "astro",
  files: {
    "astro.config.mjs": CONFIG,
    "src/pages/static.astro": PAGE(true),
    "src/pages/server.astro": PAGE(false),
    "src/pages/client.astro": CLIENT,
    "src/pages/endpoint.js": ENDPOINT,
  },
  build: [["astro/bin/astro.mjs", "build"]],
  server: (at, port) => ({
    args: [at("dist", "server", "entry.mjs")],
    env: { HOST: "127.0.0.1", PORT: port },
  }),
  ways: {
    "page, in the build": ["page", "/static/"],
    "page, on the server": ["page", "/server"],
    "page, in Chromium": ["Chromium", "/client"],
    endpoint: ["endpoint", "/endpoint"],
  },
});
