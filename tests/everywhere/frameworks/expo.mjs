// Expo: its export for the web in a browser, and that for Android in React Native's engine.

import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { output } from "../../support/run.mjs";
import { CRYPTO, hermes } from "../hosts/hermes.mjs";
import { post, shown } from "../lib/browser.mjs";
import { print, resultIn, versionOf } from "../lib/project.mjs";
import { built, imports, inRoom, RUN, runOf } from "./framework.mjs";

const version = () => versionOf("expo", inRoom);

const exported = (platform, ...more) => ["expo/bin/cli", "export", "--platform", platform, ...more];

const projectFiles = (index) => ({
  "package.json": '{ "name": "row", "version": "1.0.0", "private": true, "main": "index.js" }\n',
  "app.json": JSON.stringify({ expo: { name: "row", slug: "row", platforms: ["web", "android"] } }),
  "index.js": index,
});

const APP = `import { registerRootComponent } from "expo";
import { useEffect } from "react";
import { Text } from "react-native";
${imports("./")}
function App() {
  useEffect(() => {
    ${RUN}.then((result) => { ${post()} });
  }, []);
  return <Text>checks</Text>;
}
registerRootComponent(App);
`;

async function web() {
  const { at } = await built("expo-web", { files: projectFiles(APP), build: [exported("web")] });
  renameSync(at("dist", "index.html"), at("dist", "page.html"));
  return { ...(await shown("Chromium", at("dist"))), version: version() };
}

/** Without components: there is no Android around the engine. */
const SCRIPT = `import "./crypto.js";
${imports("./")}
${runOf("JavaScript")}.then((result) => {
  ${print("globalThis.print")}
});
`;

/** Apps run in a later Hermes, which is not published as a program. This is the syntax for the one that is. */
const OLDER = `module.exports = { presets: [["babel-preset-expo", { unstable_transformProfile: "hermes-v0" }]] };
`;

/** How bytecode begins. */
const MAGIC = "c61fbc03c103191f";

/** The file that an export has made for Android. */
function madeIn(at) {
  const directory = at("dist", "_expo", "static", "js", "android");
  return join(directory, readdirSync(directory)[0]);
}

/** Compiles bytecode as for an app; what runs is the same as text, for the older engine. */
async function android() {
  const engine = hermes();
  const files = { ...projectFiles(SCRIPT), "crypto.js": CRYPTO };
  const app = await built("expo-android", { files, build: [exported("android")] });
  const bytecode = readFileSync(madeIn(app.at)).subarray(0, 8).toString("hex");
  if (bytecode !== MAGIC) throw new Error(`expected bytecode, the file begins with ${bytecode}`);
  const { at } = await built("expo-hermes", {
    files: { ...files, "babel.config.js": OLDER },
    build: [exported("android", "--no-bytecode")],
  });
  const printed = await output(engine, ["-w", madeIn(at)], { cwd: at() });
  return { ...resultIn(printed), version: version() };
}

export const expo = [
  { host: "Expo", how: "export for the web, in Chromium", core: "WebAssembly", run: web },
  { host: "Expo", how: "export for Android, in Hermes", core: "JavaScript", run: android },
];
