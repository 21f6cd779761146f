// Servers that run until a story ends them, and that can restart on the same port with the same
// data. A file in servers/ defines what is specific to a server (tests/README.md).

import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, openSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { basename, join } from "node:path";
import { atExit, freePort, temporary } from "../../support/places.mjs";
import { importBuilt } from "./places.mjs";
import { until } from "./time.mjs";

/** The running servers. */
const running = new Set();
atExit(() => {
  for (const child of running) child.kill("SIGKILL");
});

/** Makes a `find` function for programs with these paths. */
export const installed =
  (...programs) =>
  () =>
    programs.every(existsSync) ? programs : undefined;

/**
 * A command prefix that runs a program as this user and makes the user the owner of the folder:
 * some servers refuse to run as root.
 */
export function userOf(name, directory) {
  if (process.getuid() !== 0) return [];
  const number = (flag) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  chownSync(directory, number("-u"), number("-g"));
  return ["setpriv", `--reuid=${name}`, `--regid=${name}`, "--clear-groups"];
}

/**
 * Whether a port accepts connections and, if `say` and `hear` are given, answers `say` with `hear`.
 */
export const listens = (port, say, hear) =>
  new Promise((done) => {
    const end = (isReady) => {
      socket.destroy();
      done(isReady);
    };
    const socket = connect(port, "127.0.0.1", () => (say ? socket.write(say) : end(true)));
    socket.once("data", (bytes) => end(String(bytes).startsWith(hear))).once("error", () => end(false));
  });

/**
 * The `clients` and `open` of a server with clients. `makers`: for each name, a function that gets
 * a port and returns a client and a function that closes it.
 */
export const storesOf = (entry, makers) => ({
  clients: Object.keys(makers),
  async open({ port, client = Object.keys(makers)[0], ...options }) {
    const [built, [raw, close]] = await Promise.all([importBuilt(`lease/${entry}`), makers[client](port)]);
    return { store: built[entry](raw, options), raw, close };
  },
});

/**
 * Starts a server. `command`: returns the program and the arguments for a port and a folder.
 * `isReady`: whether the server answers. `open`: as in servers/; `kind`: options for every call of
 * `open`. `signals`: the signals that stop it normally and as in a crash. `more`: further methods.
 */
export async function started({ directory = temporary("server"), command, isReady, open, kind, ...rest }) {
  const { signals: { stop = "SIGTERM", kill = "SIGKILL" } = {}, ...more } = rest;
  const port = await freePort();
  const [file, ...args] = await command(port, directory);
  const log = join(directory, "log");
  let child;
  let ended;

  async function start() {
    const out = openSync(log, "a");
    child = spawn(file, args.map(String), { cwd: directory, stdio: ["ignore", out, out] });
    const mine = child;
    running.add(mine);
    ended = new Promise((done) => {
      mine.once("error", done);
      mine.once("exit", done);
    }).then(() => running.delete(mine));
    const alive = () => mine.exitCode === null && mine.signalCode === null && mine.pid !== undefined;
    await until(async () => !alive() || (await isReady(port, log)), `${basename(file)} does not answer`);
    if (!alive()) throw new Error(`${basename(file)} ended\n${readFileSync(log, "utf8").slice(-2000)}`);
  }

  async function end(signal) {
    child.kill(signal);
    await ended;
  }

  await start();
  const connection = (options) => ({ port, ...kind, ...options });
  return {
    ...{ port, connection },
    connect: (options) => open(connection(options)),
    pid: () => child.pid,
    stop: () => end(stop),
    /** Stops the server as in a crash, without notice. Keeps the data. */
    kill: () => end(kill),
    again: start,
    ...more,
  };
}

/** Creates the table of a running server. */
export async function withTable(running) {
  const { store, close } = await running.connect();
  await store.createTable();
  await close();
  return running;
}
