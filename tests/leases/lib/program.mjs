// Servers: programs that run until a story ends them, and start again on the same port, with the same data. A file of servers/ says what is
// special about one (tests/README.md).

import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, openSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { basename, join } from "node:path";
import { atExit, freePort, temporary } from "../../support/places.mjs";
import { importBuilt } from "./places.mjs";
import { until } from "./time.mjs";

/** Servers that still run. */
const running = new Set();
atExit(() => {
  for (const child of running) child.kill("SIGKILL");
});

/** `find` of programs with these paths. */
export const installed =
  (...programs) =>
  () =>
    programs.every(existsSync) ? programs : undefined;

/** The beginning of a command line that runs it as this user, who then owns the folder: some servers refuse root. */
export function userOf(name, directory) {
  if (process.getuid() !== 0) return [];
  const number = (flag) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  chownSync(directory, number("-u"), number("-g"));
  return ["setpriv", `--reuid=${name}`, `--regid=${name}`, "--clear-groups"];
}

/** Whether somebody listens at a port, and answers to `say` with `hear`, if they are given. */
export const listens = (port, say, hear) =>
  new Promise((done) => {
    const end = (isReady) => {
      socket.destroy();
      done(isReady);
    };
    const socket = connect(port, "127.0.0.1", () => (say ? socket.write(say) : end(true)));
    socket.once("data", (bytes) => end(String(bytes).startsWith(hear))).once("error", () => end(false));
  });

/** `clients` and `open` of a server with clients: by name, a function of a port that returns one, and what closes it. */
export const storesOf = (entry, makers) => ({
  clients: Object.keys(makers),
  async open({ port, client = Object.keys(makers)[0], ...options }) {
    const [built, [raw, close]] = await Promise.all([importBuilt(`lease/${entry}`), makers[client](port)]);
    return { store: built[entry](raw, options), raw, close };
  },
});

/**
 * Starts a server. `command`: from a free port and a folder, its program and the arguments. `isReady`: whether it answers. `open`: as it is
 * in servers/; `kind`: options of `open` that all have. `signals`: those that stop it, and that end it as a crash does. `more`: what else it
 * can do.
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
    /** Ends without a word to anybody, as in a crash; the data stay. */
    kill: () => end(kill),
    again: start,
    ...more,
  };
}

/** A server whose table is there. */
export async function withTable(running) {
  const { store, close } = await running.connect();
  await store.createTable();
  await close();
  return running;
}
