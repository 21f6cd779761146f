// Runs the hosts' programs, each in its own process group, which is ended as a whole.

import { basename } from "node:path";
import { endGroup, signalGroup, startGroup } from "../../xtask/lib/process.mjs";

/**
 * The time limit of a program, in seconds. It is long enough for a busy machine, so it ends
 * only hangs.
 */
const SECONDS = 900;

/**
 * How long the other processes in a program's group may take to end by themselves, in milliseconds.
 * In this time, a display server removes its lock.
 */
const MOMENT = 300;

/** The environment without npm's variables, which would make a tool work on the repository. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

const begin = (program, args, { env, ...options }) =>
  startGroup(program, args, { ...options, env: { ...environment, ...env } });

/** The last lines of what a program printed, for a message. */
const lastLines = (text) => text.trim().split("\n").slice(-12).join("\n");

/** Runs a program that must succeed. Resolves to its standard output. */
export function output(program, args, { cwd, env } = {}) {
  return new Promise((done, fail) => {
    const child = begin(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const line = [basename(program), ...args].join(" ").slice(0, 100);
    let out = "";
    let all = "";
    const hear = (text) => {
      all += text;
    };
    child.stdout.setEncoding("utf8").on("data", (text) => {
      out += text;
      hear(text);
    });
    child.stderr.setEncoding("utf8").on("data", hear);
    const late = setTimeout(() => {
      signalGroup(child.pid, "SIGKILL");
      fail(new Error(`${line} had not ended after ${SECONDS} s\n${lastLines(all)}`));
    }, SECONDS * 1000);
    child.on("error", (error) => {
      clearTimeout(late);
      fail(new Error(`${line} does not start: ${error.message}`));
    });
    child.on("close", (code, signal) => {
      clearTimeout(late);
      setTimeout(signalGroup, MOMENT, child.pid, "SIGKILL").unref();
      if (code === 0) done(out);
      else fail(new Error(`${line} ended with ${code ?? signal}\n${lastLines(all)}`));
    });
  });
}

/**
 * Starts a program that runs until `work` has ended. `work` gets a function that resolves to the
 * program's output as soon as it matches a pattern.
 */
export async function beside(program, args, { cwd, env } = {}, work) {
  const child = begin(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let all = "";
  const listeners = new Set();
  const hear = (text) => {
    all += text;
    for (const listener of listeners) listener();
  };
  child.stdout.setEncoding("utf8").on("data", hear);
  child.stderr.setEncoding("utf8").on("data", hear);
  const ended = new Promise((_, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => {
      fail(new Error(`${basename(program)} ended with ${code ?? signal}\n${lastLines(all)}`));
    });
  });
  ended.catch(() => {});
  const printed = (pattern) =>
    new Promise((done) => {
      const listener = () => {
        if (!pattern.test(all)) return;
        listeners.delete(listener);
        done(all);
      };
      listeners.add(listener);
      listener();
    });
  try {
    return await Promise.race([work(printed), ended]);
  } finally {
    await endGroup(child.pid);
  }
}

/**
 * Rejects if `promise` takes longer. `what`: the beginning of the message, such as "the test did
 * not end".
 */
export async function within(seconds, what, promise) {
  let late;
  const clock = new Promise((_, fail) => {
    late = setTimeout(() => fail(new Error(`${what} within ${seconds} s`)), seconds * 1000);
  });
  try {
    return await Promise.race([promise, clock]);
  } finally {
    clearTimeout(late);
  }
}

/** Limits a whole test. It only ends a hang. */
export const limited = (test) => within(SECONDS, "the test did not end", test);
