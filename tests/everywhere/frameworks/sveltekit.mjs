// SvelteKit with its adapter for Node: what a page loads on the server, what it does in the browser, and an endpoint.

import { SEND, SHOW } from "../lib/server.mjs";
import { imports, RUN, served } from "./framework.mjs";

const CONFIG = `import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";
export default { plugins: [sveltekit({ adapter: adapter() })] };
`;

const HTML = `<!doctype html>
<html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>
`;

const LOAD = `${imports("../../../")}
export async function load() {
  const result = await ${RUN};
  return { text: ${SHOW} };
}
`;

const SERVER = `<script>
  const { data } = $props();
</script>
<p>{data.text}</p>
`;

const CLIENT = `<script>
  import { onMount } from "svelte";
  ${imports("../../../")}
  onMount(async () => {
    const result = await ${RUN};
    ${SEND}
  });
</script>
<p>checks</p>
`;

const ENDPOINT = `${imports("../../../")}
export const GET = async () => Response.json(await ${RUN});
`;

export const sveltekit = served({
  host: "SvelteKit",
  name: "@sveltejs/kit",
  files: {
    "vite.config.js": CONFIG,
    "src/app.html": HTML,
    "src/routes/server/+page.server.js": LOAD,
    "src/routes/server/+page.svelte": SERVER,
    "src/routes/client/+page.svelte": CLIENT,
    "src/routes/endpoint/+server.js": ENDPOINT,
  },
  build: [["vite/bin/vite.js", "build"]],
  server: (at, port) => ({ args: [at("build", "index.js")], env: { HOST: "127.0.0.1", PORT: port } }),
  ways: {
    "page, on the server": ["page", "/server"],
    "page, in Chromium": ["Chromium", "/client"],
    endpoint: ["endpoint", "/endpoint"],
  },
});
