/**
 * Runs commands one after the other in one thread: the program's main file is loaded anew for each, with streams of its own, and the
 * modules that it imports stay loaded. Twenty times as fast as a process for each.
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

/** The thread's own streams. Node calls methods on them by symbols, as soon as somebody has read what they wrote. */
const own = { stdout: process.stdout, stderr: process.stderr };

/** `stream`, for use instead of the thread's stream `real`. Node's calls by symbols still reach that one. */
function inPlaceOf(real, stream) {
  for (const symbol of Object.getOwnPropertySymbols(Object.getPrototypeOf(real))) {
    if (typeof real[symbol] === "function") {
      stream[symbol] = (...given) => real[symbol](...given);
    }
  }
  return stream;
}

// A command with a module of the user's ends its process at last, for what the module has left open.
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
  // The program puts every error into words itself: what is thrown here is a fault of the program or of this thread.
  const fault = await import(`${workerData.program}?${runs}`).then(
    () => undefined,
    (error) => error?.stack ?? String(error),
  );
  parentPort.postMessage({ code: process.exitCode, out: out.text(), err: err.text(), fault });
});
