/** Standard output and standard error, with their errors. */
import { printable } from "./terminal.js";

/** Error codes of a closed pipe, which is not a failure: for example, `head` has read enough. */
const closed = new Set(["EPIPE", "EOF", "ERR_STREAM_DESTROYED"]);

/** Call once, before anything is written. */
export function guardStreams(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (closed.has(error.code ?? "")) process.exit(0);
    complain(`cannot write: ${error.message}`);
    process.exit(1);
  });
  // There is nowhere left to report this.
  process.stderr.on("error", () => {});
}

/**
 * Writes the text, and resolves once the reader has accepted it, so that a fast producer waits for
 * a slow reader.
 */
export function write(text: string): Promise<void> {
  return new Promise((resolve) => {
    // After an error it never resolves: the handler in `guardStreams` ends the process.
    process.stdout.write(text, (error) => {
      if (!error) resolve();
    });
  });
}

/** Writes a line on standard error, after the program's name. */
export function complain(message: string): void {
  process.stderr.write(`graupel: ${printable(message)}\n`);
}

/** Collects lines, so that a hundred thousand lines need few writes. */
export class Buffered {
  #pieces: string[] = [];
  #size = 0;

  /** Adds a line. Returns a promise only if the buffer is full and must be written. */
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
