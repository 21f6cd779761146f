/**
 * Runs commands one after another in one thread. The program's main file is loaded again for each
 * command, with separate streams; the modules that it imports stay loaded. This is twenty times as
 * fast as one process per command.
 */
import { Readable, Writable } from "node:stream";
import { parentPort, workerData } from "node:worker_threads";

const collector = () => {
  const chunks = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
};

/**
 * The thread's original streams. As soon as their output has been read, Node calls methods on them
 * by symbols.
 */
const own = { stdout: process.stdout, stderr: process.stderr };

/**
 * Prepares `stream` to replace the thread's stream `real`, which still receives Node's calls by
 * symbols.
 */
function inPlaceOf(real, stream) {
  for (const symbol of Object.getOwnPropertySymbols(Object.getPrototypeOf(real))) {
    if (typeof real[symbol] === "function") {
      stream[symbol] = (...given) => real[symbol](...given);
    }
  }
  return stream;
}

// A command that loads a user's module finally calls `process.exit`, because the module may have
// left something open. This must not end the thread.
process.exit = () => {};

let runs = 0;

parentPort.on("message", async ({ args, input, output, env }) => {
  const [out, err] = [collector(), collector()];
  Object.assign(out.stream, output);
  const streams = {
    stdin: Readable.from([Buffer.from(input)]),
    stdout: inPlaceOf(own.stdout, out.stream),
    stderr: inPlaceOf(own.stderr, err.stream),
  };
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
  process.env = env;
  process.argv = [process.argv[0], workerData.program, ...args];
  process.exitCode = 0;
  runs += 1;
  // The program reports every error itself, so an error that is thrown here is a bug in the program
  // or in this thread.
  const fault = await import(`${workerData.program}?${runs}`).then(
    () => undefined,
    (error) => error?.stack ?? String(error),
  );
  parentPort.postMessage({ code: process.exitCode, out: out.text(), err: err.text(), fault });
});
