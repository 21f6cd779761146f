/** What a lease takes from its platform, so that a simulation can give something else. */
import { NO_RANDOM } from "../checks.js";
import { fail } from "../errors.js";

export interface Environment {
  /** Unix milliseconds. */
  wall(): number;
  /** Monotonic milliseconds. */
  elapsed(): number;
  /** 128 random bits, as text. Errors: `RANDOM_FAILED`. */
  random(): string;
  /** A number from 0 to below 1, to spread calls. */
  jitter(): number;
  /** Calls `work` after `ms`. `keeps`: whether the process stays alive for it. Returns a function that cancels it. */
  after(ms: number, keeps: boolean, work: () => void): () => void;
  /** Calls `work` when a page or a process comes back to life. Returns a function that ends this. */
  onWake(work: () => void): () => void;
  /** Host and process, in words. */
  label(): string;
}

/** Events of a page that comes back. */
const WAKING = ["visibilitychange", "resume", "pageshow", "online"];

interface Globals {
  readonly addEventListener?: EventTarget["addEventListener"];
  readonly removeEventListener?: EventTarget["removeEventListener"];
  readonly crypto?: Pick<Crypto, "getRandomValues">;
  readonly performance?: Pick<Performance, "now">;
  readonly document?: { readonly hidden: boolean };
  readonly location?: { readonly origin?: string };
  readonly process?: {
    readonly pid?: number;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly getBuiltinModule?: (name: string) => Globals["crypto"];
  };
}

const globals = globalThis as unknown as Globals;

/** The platform that the program runs on. */
export const platform: Environment = {
  wall: () => Date.now(),
  // Some engines have no monotonic clock, and a lease needs none to be right.
  elapsed: () => globals.performance?.now() ?? Date.now(),
  random() {
    // Where it is not global, as in Jest 27, Node's module has the same function.
    const source = globals.crypto ?? globals.process?.getBuiltinModule?.("crypto");
    const words = new Uint32Array(4);
    // A mock may return an array of its own.
    source?.getRandomValues(words);
    return words.some(Boolean)
      ? words.join(".")
      : fail("RANDOM_FAILED", "lease", words, `lease: ${NO_RANDOM}`);
  },
  jitter: () => Math.random(),
  after(ms, keeps, work) {
    // Node warns of a time that is over.
    const timer: unknown = setTimeout(work, Math.max(0, ms));
    if (!keeps) {
      (timer as { unref?: () => void }).unref?.();
    }
    return () => clearTimeout(timer as never);
  },
  onWake(work) {
    const wake = () => {
      // A page that is left or hidden renews nothing at its end.
      if (!globals.document?.hidden) {
        work();
      }
    };
    // Those of a document are heard on their way down, because not all of them come up again.
    const options = { capture: "document" in globals };
    const all = (method: "addEventListener" | "removeEventListener") => {
      for (const name of WAKING) {
        globals[method]?.(name, wake, options);
      }
    };
    all("addEventListener");
    return () => all("removeEventListener");
  },
  label() {
    const { process, location } = globals;
    let host = location?.origin;
    try {
      host = process?.env?.HOSTNAME ?? process?.env?.COMPUTERNAME ?? host;
    } catch {
      // Deno asks for a permission.
    }
    return (
      [host, process?.pid]
        .join(" ")
        .trim()
        // What an option may be: a store or a terminal may not take more.
        .slice(-200)
        .replace(/\p{C}/gu, "")
    );
  },
};
