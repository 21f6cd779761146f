// WebKitGTK: its tabs and workers are the processes, and IndexedDB is the server.

import { installationOf } from "../../support/browsers.mjs";

export const { find, install } = installationOf("WebKitGTK");
