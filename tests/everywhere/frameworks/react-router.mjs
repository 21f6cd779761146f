// React Router as a framework: a loader, an effect in the browser, and a resource route.

import { SEND, SHOW } from "../lib/server.mjs";
import { imports, inRoom, RUN, served } from "./framework.mjs";

/** Without these two it would change this file, and install one of them. */
const MANIFEST = `{
  "name": "row", "private": true, "type": "module",
  "dependencies": { "@react-router/node": "*", "isbot": "*" }
}
`;

const CONFIG = `import { reactRouter } from "@react-router/dev/vite";
export default { plugins: [reactRouter()] };
`;

const ROOT = `import { Outlet, Scripts } from "react-router";
export function Layout({ children }) {
  return <html lang="en"><body>{children}<Scripts /></body></html>;
}
export default function Root() { return <Outlet />; }
`;

const ROUTES = `import { route } from "@react-router/dev/routes";
export default [
  route("server", "server.jsx"),
  route("client", "client.jsx"),
  route("endpoint", "endpoint.js"),
];
`;

const SERVER = `${imports("../")}
export async function loader() {
  const result = await ${RUN};
  return { text: ${SHOW} };
}
export default function Page({ loaderData }) { return <p>{loaderData.text}</p>; }
`;

const CLIENT = `import { useEffect } from "react";
${imports("../")}
export default function Page() {
  useEffect(() => {
    ${RUN}.then((result) => ${SEND.replace(/;$/, "")});
  }, []);
  return <p>checks</p>;
}
`;

const ENDPOINT = `${imports("../")}
export const loader = async () => Response.json(await ${RUN});
`;

export const reactRouter = served({
  host: "React Router",
  name: "@react-router/dev",
  files: {
    "package.json": MANIFEST,
    "vite.config.js": CONFIG,
    "react-router.config.js": "export default { ssr: true };\n",
    "app/root.jsx": ROOT,
    "app/routes.js": ROUTES,
    "app/server.jsx": SERVER,
    "app/client.jsx": CLIENT,
    "app/endpoint.js": ENDPOINT,
  },
  build: [["@react-router/dev/bin.cjs", "build"]],
  server: (at, port) => ({
    args: [inRoom("@react-router", "serve", "bin.cjs"), at("build", "server", "index.js")],
    env: { HOST: "127.0.0.1", PORT: port },
  }),
  ways: {
    "loader, on the server": ["page", "/server"],
    "component, in Chromium": ["Chromium", "/client"],
    "resource route": ["endpoint", "/endpoint"],
  },
});
