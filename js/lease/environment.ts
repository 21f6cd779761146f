/** Everything that a lease needs from its platform. A simulation replaces it. */
import { fillRandom } from "../entropy.js";

export interface Environment {
  /** Unix milliseconds. */
  wall(): number;
  /** Monotonic milliseconds. */
  elapsed(): number;
  /** 128 random bits, as text. Errors: `RANDOM_FAILED`. */
  random(): string;
  /** A random number, at least 0 and below 1, to spread calls over time. */
  jitter(): number;
  /**
   * Calls `work` after `ms`. `keeps`: whether the timer keeps the process alive. Returns a function
   * that cancels it.
   */
  after(ms: number, keeps: boolean, work: () => void): () => void;
  /** Calls `work` when a page or a process resumes. Returns a function that stops listening. */
  onWake(work: () => void): () => void;
  /** The host and the process, for operators. */
  label(): string;
}

/** Events of a page that becomes active again. */
const WAKING = ["visibilitychange", "resume", "pageshow", "online"];

interface Globals {
  readonly addEventListener?: EventTarget["addEventListener"];
  readonly removeEventListener?: EventTarget["removeEventListener"];
  readonly performance?: Pick<Performance, "now">;
  readonly document?: { readonly hidden: boolean };
  readonly location?: { readonly origin?: string };
  readonly process?: {
    readonly pid?: number;
    readonly env?: Readonly<Record<string, string | undefined>>;
  };
}

const globals = globalThis as unknown as Globals;

/** The platform that the program runs on. */
export const platform: Environment = {
  wall: () => Date.now(),
  // Some engines have no monotonic clock. A lease stays correct without one.
  elapsed: () => globals.performance?.now() ?? Date.now(),
  random() {
    const words = new Uint32Array(16);
    fillRandom(new Uint8Array(words.buffer), "lease");
    return words.subarray(0, 4).join(".");
  },
  jitter: () => Math.random(),
  after(ms, keeps, work) {
    // Node warns about a negative delay.
    const timer: unknown = setTimeout(work, Math.max(0, ms));
    if (!keeps) {
      (timer as { unref?: () => void }).unref?.();
    }
    return () => clearTimeout(timer as never);
  },
  onWake(work) {
    const wake = () => {
      // These events also fire when a page is hidden or left. Then there is nothing to renew.
      if (!globals.document?.hidden) {
        work();
      }
    };
    // Listen in the capture phase: some of a document's events do not bubble.
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
      // Deno throws without a permission.
    }
    return (
      [host, process?.pid]
        .join(" ")
        .trim()
        // The limits of the option `label`: a store or a terminal may not accept more.
        .slice(-200)
        .replace(/\p{C}/gu, "")
    );
  },
};
