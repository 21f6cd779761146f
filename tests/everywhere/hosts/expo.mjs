// Expo: its web export in a browser, and its Android export in React Native's engine.

import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { output } from "../../support/run.mjs";
import { post, shown } from "../lib/browser.mjs";
import { built, inRoom } from "../lib/framework.mjs";
import { imports, loadedBy, print, RUN, versionOf } from "../lib/project.mjs";
import { CRYPTO, hermes } from "./hermes.mjs";

/** Exports an Expo project for a platform. */
async function exported(name, files, platform, ...more) {
  const { at } = await built(name, {
    files: {
      "package.json": '{ "name": "row", "version": "1.0.0", "private": true, "main": "index.js" }\n',
      "app.json": JSON.stringify({ expo: { name: "row", slug: "row", platforms: ["web", "android"] } }),
      ...files,
    },
    build: [["expo/bin/cli", "export", "--platform", platform, ...more]],
  });
  return at;
}

async function web() {
  const app = `import { registerRootComponent } from "expo";
import { useEffect } from "react";
import { Text } from "react-native";
${imports()}
function App() {
  useEffect(() => {
    ${RUN("WebAssembly")}.then((result) => { ${post()} });
  }, []);
  return <Text>checks</Text>;
}
registerRootComponent(App);
`;
  const at = await exported("expo-web", { "index.js": app }, "web");
  renameSync(at("dist", "index.html"), at("dist", "page.html"));
  return shown("Chromium", at("dist"));
}

/** The first bytes of Hermes bytecode. */
const MAGIC = "c61fbc03c103191f";

/** The file that the Android export wrote. */
function madeIn(at) {
  const directory = at("dist", "_expo", "static", "js", "android");
  return join(directory, readdirSync(directory)[0]);
}

/**
 * Compiles bytecode as for an app, but runs the same code as text, because the engine that is
 * published as a program is older.
 */
async function android() {
  const engine = hermes();
  // The app has no components: the engine runs alone, without Android and without timers.
  const files = {
    "crypto.js": CRYPTO,
    "loaded.mjs": loadedBy({ has: ["entries", "parts"] }),
    "index.js": `import "./crypto.js";
${imports()}
${RUN("JavaScript")}.then((result) => {
  ${print("globalThis.print")}
});
`,
  };
  const compiled = madeIn(await exported("expo-android", files, "android"));
  const bytecode = readFileSync(compiled).subarray(0, 8).toString("hex");
  if (bytecode !== MAGIC) throw new Error(`expected bytecode, the file begins with ${bytecode}`);
  const older = `module.exports = { presets: [["babel-preset-expo", { unstable_transformProfile: "hermes-v0" }]] };
`;
  const withOlder = { ...files, "babel.config.js": older };
  const at = await exported("expo-hermes", withOlder, "android", "--no-bytecode");
  return output(engine, ["-w", madeIn(at)], { cwd: at() });
}

const version = () => versionOf("expo", inRoom);
export const rows = [
  { host: "Expo", how: "export for the web, in Chromium", core: "WebAssembly", version, run: web },
  { host: "Expo", how: "export for Android, in Hermes", core: "JavaScript", version, run: android },
];
