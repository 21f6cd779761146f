/** Standard output and standard error, with everything that can go wrong there. */
import { printable } from "./terminal.js";

/** A reader that has seen enough closes the pipe. That is no failure. */
const closed = new Set(["EPIPE", "EOF", "ERR_STREAM_DESTROYED"]);

/** To be called once, before anything is written. */
export function guardStreams(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (closed.has(error.code ?? "")) process.exit(0);
    complain(`cannot write: ${error.message}`);
    process.exit(1);
  });
  // Nobody is left who could be told.
  process.stderr.on("error", () => {});
}

/** Writes, and comes back when the reader has taken it: this is what holds back a fast producer. */
export function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    // After an error there is nothing to come back for; the guard ends the process.
    process.stdout.write(text, (error) => {
      if (!error) resolve();
    });
  });
}

/** A line on standard error, under the program's name. */
export function complain(message: string): void {
  process.stderr.write(`graupel: ${printable(message)}\n`);
}

/** Collects small pieces, so that a hundred thousand lines are not a hundred thousand writes. */
export class Buffered {
  #pieces: string[] = [];
  #size = 0;

  /** Adds a line; waits only when enough has come together. */
  line(text: string): Promise<void> | undefined {
    this.#pieces.push(text, "\n");
    this.#size += text.length + 1;
    return this.#size >= 65_536 ? this.flush() : undefined;
  }

  async flush(): Promise<void> {
    if (this.#size === 0) return;
    const text = this.#pieces.join("");
    this.#pieces = [];
    this.#size = 0;
    await write(text);
  }
}
