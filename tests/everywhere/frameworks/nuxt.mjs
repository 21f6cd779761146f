// Nuxt: pages on Nitro's server and in the browser, and an endpoint.

import { SEND, SHOW } from "../lib/server.mjs";
import { imports, RUN, served } from "./framework.mjs";

const CONFIG = `export default defineNuxtConfig({ compatibilityDate: "2026-11-01", telemetry: false });
`;

const SERVER = `<script setup>
${imports("../../")}
const result = await ${RUN};
const text = ${SHOW};
</script>
<template><p>{{ text }}</p></template>
`;

const CLIENT = `<script setup>
import { onMounted } from "vue";
${imports("../../")}
onMounted(async () => {
  const result = await ${RUN};
  ${SEND}
});
</script>
<template><p>checks</p></template>
`;

const ENDPOINT = `${imports("../../")}
export default defineEventHandler(() => ${RUN});
`;

export const nuxt = served({
  host: "Nuxt",
  name: "nuxt",
  files: {
    "nuxt.config.ts": CONFIG,
    "app/pages/server.vue": SERVER,
    "app/pages/client.vue": CLIENT,
    "server/routes/endpoint.ts": ENDPOINT,
  },
  build: [["nuxt/bin/nuxt.mjs", "build"]],
  server: (at, port) => ({
    args: [at(".output", "server", "index.mjs")],
    env: { HOST: "127.0.0.1", PORT: port },
  }),
  ways: {
    "page, on the server": ["page", "/server"],
    "page, in Chromium": ["Chromium", "/client"],
    endpoint: ["endpoint", "/endpoint"],
  },
});
