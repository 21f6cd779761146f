// Frameworks for the web and for servers, each built for production. A framework has one server
// bundle, so one page or endpoint is enough. The exception is Nuxt, which bundles endpoints with
// another tool.

import { SEND, SHOW } from "../lib/browser.mjs";
import { inRoom, rowsOf, settingsIn } from "../lib/framework.mjs";
import { imports, RUN } from "../lib/project.mjs";

const CHECKS = RUN("WebAssembly");
const importsFrom = (up) => imports("graupel", up);
/** Code for a page that the server renders. */
const ON_SERVER = `const result = await ${CHECKS};`;
/** Code for a page in a browser. */
const IN_BROWSER = `${ON_SERVER}\n    ${SEND}`;
const CLIENT = "in Chromium";

const nuxt = rowsOf({
  host: "Nuxt",
  name: "nuxt",
  files: {
    "nuxt.config.ts":
      'export default defineNuxtConfig({ compatibilityDate: "2026-11-01", telemetry: false });\n',
    "app/pages/server.vue": `<script setup>
${importsFrom("../../")}
${ON_SERVER}
const text = ${SHOW};
</script>
<template><p>{{ text }}</p></template>
`,
    "app/pages/client.vue": `<script setup>
import { onMounted } from "vue";
${importsFrom("../../")}
onMounted(async () => {
  ${IN_BROWSER}
});
</script>
<template><p>checks</p></template>
`,
    "server/routes/endpoint.ts": `${importsFrom("../../")}
export default defineEventHandler(() => ${CHECKS});
`,
  },
  build: [["nuxt/bin/nuxt.mjs", "build"]],
  server: (at) => [at(".output", "server", "index.mjs")],
  ways: {
    "page, on the server": ["page", "/server"],
    [`page, ${CLIENT}`]: ["Chromium", "/client"],
    endpoint: ["endpoint", "/endpoint"],
  },
});

const sveltekit = rowsOf({
  host: "SvelteKit",
  name: "@sveltejs/kit",
  files: {
    "vite.config.js": `import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";
export default { plugins: [sveltekit({ adapter: adapter() })] };
`,
    "src/app.html": `<!doctype html>
<html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>
`,
    "src/routes/server/+page.server.js": `${importsFrom("../../../")}
export async function load() {
  ${ON_SERVER}
  return { text: ${SHOW} };
}
`,
    "src/routes/server/+page.svelte":
      "<script>\n  const { data } = $props();\n</script>\n<p>{data.text}</p>\n",
    "src/routes/client/+page.svelte": `<script>
  import { onMount } from "svelte";
  ${importsFrom("../../../")}
  onMount(async () => {
    ${IN_BROWSER}
  });
</script>
<p>checks</p>
`,
  },
  build: [["vite/bin/vite.js", "build"]],
  server: (at) => [at("build", "index.js")],
  ways: {
    "page, on the server": ["page", "/server"],
    [`page, ${CLIENT}`]: ["Chromium", "/client"],
  },
});

const astroPage = (prerender) => `---
${importsFrom("../../")}
export const prerender = ${prerender};
${ON_SERVER}
const text = ${SHOW};
---
<p>{text}</p>
`;

const astro = rowsOf({
  host: "Astro",
  name: "astro",
  files: {
    "astro.config.mjs": `import node from "@astrojs/node";
export default { output: "server", adapter: node({ mode: "standalone" }), devToolbar: { enabled: false } };
`,
    "src/pages/static.astro": astroPage(true),
    "src/pages/server.astro": astroPage(false),
    "src/pages/client.astro": `<p>checks</p>
<script>
  ${importsFrom("../../")}
  ${IN_BROWSER}
</script>
`,
  },
  build: [["astro/bin/astro.mjs", "build"]],
  server: (at) => [at("dist", "server", "entry.mjs")],
  ways: {
    "page, in the build": ["page", "/static/"],
    "page, on the server": ["page", "/server"],
    [`page, ${CLIENT}`]: ["Chromium", "/client"],
  },
});

const reactRouter = rowsOf({
  host: "React Router",
  name: "@react-router/dev",
  files: {
    // Without these two, React Router would edit this file and install one of them.
    "package.json": `{
  "name": "row", "private": true, "type": "module",
  "dependencies": { "@react-router/node": "*", "isbot": "*" }
}
`,
    "vite.config.js": `import { reactRouter } from "@react-router/dev/vite";
export default { plugins: [reactRouter()] };
`,
    "react-router.config.js": "export default { ssr: true };\n",
    "app/root.jsx": `import { Outlet, Scripts } from "react-router";
export function Layout({ children }) {
  return <html lang="en"><body>{children}<Scripts /></body></html>;
}
export default function Root() { return <Outlet />; }
`,
    "app/routes.js": `import { route } from "@react-router/dev/routes";
export default [route("server", "server.jsx"), route("client", "client.jsx")];
`,
    "app/server.jsx": `${importsFrom("../")}
export async function loader() {
  ${ON_SERVER}
  return { text: ${SHOW} };
}
export default function Page({ loaderData }) { return <p>{loaderData.text}</p>; }
`,
    "app/client.jsx": `import { useEffect } from "react";
${importsFrom("../")}
export default function Page() {
  useEffect(() => {
    ${CHECKS}.then((result) => { ${SEND} });
  }, []);
  return <p>checks</p>;
}
`,
  },
  build: [["@react-router/dev/bin.cjs", "build"]],
  server: (at) => [inRoom("@react-router", "serve", "bin.cjs"), at("build", "server", "index.js")],
  ways: {
    "loader, on the server": ["page", "/server"],
    [`component, ${CLIENT}`]: ["Chromium", "/client"],
  },
});

/** The components of Angular's pages. */
const ANGULAR = `import { afterNextRender, type ApplicationConfig, Component, inject, PendingTasks, signal } from "@angular/core";
import { provideRouter, RouterOutlet } from "@angular/router";
${importsFrom("../")}
@Component({ selector: "app-server", template: "<p>{{ text() }}</p>" })
class ServerPage {
  protected readonly text = signal("");
  constructor() {
    inject(PendingTasks).run(async () => {
      ${ON_SERVER}
      this.text.set(${SHOW});
    });
  }
}

@Component({ selector: "app-client", template: "<p>checks</p>" })
class ClientPage {
  constructor() {
    afterNextRender(async () => {
      ${IN_BROWSER}
    });
  }
}

@Component({ selector: "app-root", imports: [RouterOutlet], template: "<router-outlet />" })
export class App {}

const routes = [
  { path: "server", component: ServerPage },
  { path: "client", component: ClientPage },
];
export const config: ApplicationConfig = { providers: [provideRouter(routes)] };
`;

const angular = rowsOf({
  host: "Angular",
  name: "@angular/build",
  files: {
    ...settingsIn("angular"),
    "src/index.html": `<!doctype html>
<html lang="en"><head><base href="/"></head><body><app-root></app-root></body></html>
`,
    "src/app.ts": ANGULAR,
    "src/main.ts": `import { bootstrapApplication } from "@angular/platform-browser";
import { App, config } from "./app";
bootstrapApplication(App, config);
`,
    "src/main.server.ts": `import { mergeApplicationConfig } from "@angular/core";
import { bootstrapApplication, type BootstrapContext } from "@angular/platform-browser";
import { provideServerRendering, RenderMode, withRoutes } from "@angular/ssr";
import { App, config } from "./app";
const all = mergeApplicationConfig(config, {
  providers: [provideServerRendering(withRoutes([{ path: "**", renderMode: RenderMode.Server }]))],
});
export default (context: BootstrapContext) => bootstrapApplication(App, all, context);
`,
    "src/server.ts": `import { join } from "node:path";
import { AngularNodeAppEngine, createNodeRequestHandler, isMainModule, writeResponseToNodeResponse } from "@angular/ssr/node";
import express from "express";
const app = express();
const engine = new AngularNodeAppEngine({ allowedHosts: ["127.0.0.1"] });
app.use(express.static(join(import.meta.dirname, "../browser"), { index: false, redirect: false }));
app.use(async (request, response, next) => {
  const page = await engine.handle(request);
  if (page) await writeResponseToNodeResponse(page, response);
  else next();
});
if (isMainModule(import.meta.url)) app.listen(Number(process.env["PORT"]), "127.0.0.1");
export const reqHandler = createNodeRequestHandler(app);
`,
  },
  build: [["@angular/cli/bin/ng.js", "build"]],
  server: (at) => [at("dist", "row", "server", "server.mjs")],
  ways: {
    "component, on the server": ["page", "/server"],
    [`component, ${CLIENT}`]: ["Chromium", "/client"],
  },
});

/** A NestJS service that others inject. The declarations must name the types of its members. */
const SERVICE = `import { Injectable } from "@nestjs/common";
import { sno } from "graupel/sno";
import { discord } from "graupel/snowflake";

@Injectable()
export class IdService {
  readonly ids = sno.generator({ partition: 12 });
  readonly messages = discord.generator({ internalWorkerId: 3, internalProcessId: 4 });
  inspect(id: string) {
    return sno.inspect(id);
  }
}
`;

const CONTROLLER = `import { Controller, Get, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
${importsFrom("../")}import { IdService } from "./id.service.js";

@Controller()
class AppController {
  constructor(private readonly service: IdService) {}

  @Get("endpoint")
  async endpoint() {
    const result = await ${CHECKS};
    const { partition } = this.service.inspect(this.service.ids.next());
    const { internalWorkerId } = graupel.discord.inspect(this.service.messages.next());
    if (partition === 12 && internalWorkerId === 3) result.passed++;
    else result.failed.push({ name: "the service", message: \`\${partition}, \${internalWorkerId}\` });
    return result;
  }
}

@Module({ controllers: [AppController], providers: [IdService] })
class AppModule {}

async function bootstrap() {
  const app = await NestFactory.create(AppModule, { logger: ["error"] });
  await app.listen(Number(process.env["PORT"]), "127.0.0.1");
}
void bootstrap();
`;

/** Compiled to ES modules and to CommonJS. */
const nest = ["module", "commonjs"].flatMap((type) =>
  rowsOf({
    host: "NestJS",
    name: "@nestjs/core",
    id: `nest-${type}`,
    files: {
      "package.json": JSON.stringify({ name: "row", private: true, type }),
      ...settingsIn("nest"),
      "src/id.service.ts": SERVICE,
      "src/main.ts": CONTROLLER,
    },
    build: [["@nestjs/cli/bin/nest.js", "build"]],
    server: (at) => [at("dist", "main.js")],
    ways: { [`controller, ${type === "module" ? "ES modules" : "CommonJS"}`]: ["endpoint", "/endpoint"] },
  }),
);

export const rows = [...nuxt, ...sveltekit, ...astro, ...reactRouter, ...angular, ...nest];
