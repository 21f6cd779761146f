// Chromium: its tabs and workers are the processes, and IndexedDB is the server.

import { browserServer } from "../lib/browser.mjs";

export const { find, install } = browserServer("Chromium");
