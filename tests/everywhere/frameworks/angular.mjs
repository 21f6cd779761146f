// Angular with server-side rendering: components on the server and in the browser, and an endpoint beside them.

import { SEND, SHOW } from "../lib/server.mjs";
import { imports, RUN, served, settingsIn } from "./framework.mjs";

const HTML = `<!doctype html>
<html lang="en"><head><base href="/"></head><body><app-root></app-root></body></html>
`;

const APP = `import { afterNextRender, type ApplicationConfig, Component, inject, PendingTasks, signal } from "@angular/core";
import { provideRouter, RouterOutlet } from "@angular/router";
${imports("../")}
@Component({ selector: "app-server", template: "<p>{{ text() }}</p>" })
class ServerPage {
  protected readonly text = signal("");
  constructor() {
    inject(PendingTasks).run(async () => {
      const result = await ${RUN};
      this.text.set(${SHOW});
    });
  }
}

@Component({ selector: "app-client", template: "<p>checks</p>" })
class ClientPage {
  constructor() {
    afterNextRender(async () => {
      const result = await ${RUN};
      ${SEND}
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

const MAIN = `import { bootstrapApplication } from "@angular/platform-browser";
import { App, config } from "./app";
bootstrapApplication(App, config);
`;

const MAIN_SERVER = `import { mergeApplicationConfig } from "@angular/core";
import { bootstrapApplication, type BootstrapContext } from "@angular/platform-browser";
import { provideServerRendering, RenderMode, withRoutes } from "@angular/ssr";
import { App, config } from "./app";
const all = mergeApplicationConfig(config, {
  providers: [provideServerRendering(withRoutes([{ path: "**", renderMode: RenderMode.Server }]))],
});
export default (context: BootstrapContext) => bootstrapApplication(App, all, context);
`;

const SERVER = `import { join } from "node:path";
import { AngularNodeAppEngine, createNodeRequestHandler, isMainModule, writeResponseToNodeResponse } from "@angular/ssr/node";
import express from "express";
${imports("../")}
const app = express();
const engine = new AngularNodeAppEngine({ allowedHosts: ["127.0.0.1"] });
app.get("/endpoint", async (_, response) => {
  response.json(await ${RUN});
});
app.use(express.static(join(import.meta.dirname, "../browser"), { index: false, redirect: false }));
app.use(async (request, response, next) => {
  const page = await engine.handle(request);
  if (page) await writeResponseToNodeResponse(page, response);
  else next();
});
if (isMainModule(import.meta.url)) app.listen(Number(process.env["PORT"]), "127.0.0.1");
export const reqHandler = createNodeRequestHandler(app);
`;

export const angular = served({
  host: "Angular",
  name: "@angular/build",
  files: {
    ...settingsIn("angular"),
    "src/index.html": HTML,
    "src/app.ts": APP,
    "src/main.ts": MAIN,
    "src/main.server.ts": MAIN_SERVER,
    "src/server.ts": SERVER,
  },
  build: [["@angular/cli/bin/ng.js", "build"]],
  server: (at, port) => ({ args: [at("dist", "row", "server", "server.mjs")], env: { PORT: port } }),
  ways: {
    "component, on the server": ["page", "/server"],
    "component, in Chromium": ["Chromium", "/client"],
    endpoint: ["endpoint", "/endpoint"],
  },
});
