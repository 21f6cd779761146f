/** What a lease takes from its platform, so that a simulation can give something else. */

export interface Environment {
  /** Unix milliseconds. */
  wall(): number;
  /** Monotonic milliseconds. */
  elapsed(): number;
  /** 128 random bits, as text. */
  random(): string;
  /** A number from 0 to below 1, to spread calls. */
  jitter(): number;
  /** Calls `work` with `it` after `ms`. `keeps`: whether the process stays alive for it. Returns a function that cancels it. */
  after<T>(ms: number, keeps: boolean, work: (it: T) => void, it: T): () => void;
  /** Calls `work` with `it` when a page or a process comes back to life. Returns a function that ends this. */
  onWake<T>(work: (it: T) => void, it: T): () => void;
  /** Host and process, in words. */
  label(): string;
}

/** Events of a page that comes back. */
const WAKING = ["visibilitychange", "resume", "pageshow", "online"];

interface Globals {
  readonly addEventListener?: EventTarget["addEventListener"];
  readonly removeEventListener?: EventTarget["removeEventListener"];
  readonly location?: { readonly origin?: string };
  readonly process?: { readonly pid?: number; readonly env?: Readonly<Record<string, string | undefined>> };
}

/** The platform that the program runs on. */
export const platform: Environment = {
  wall: () => Date.now(),
  elapsed: () => performance.now(),
  random: () => crypto.getRandomValues(new Uint32Array(4)).join("."),
  jitter: () => Math.random(),
  after(ms, keeps, work, it) {
    const timer: unknown = setTimeout(work as (it: unknown) => void, ms, it);
    if (!keeps) {
      (timer as { unref?: () => void }).unref?.();
    }
    return () => clearTimeout(timer as never);
  },
  onWake(work, it) {
    const wake = () => work(it);
    const all = (method: "addEventListener" | "removeEventListener") => {
      for (const name of WAKING) {
        // On their way down, because not all of them come up again.
        (globalThis as Globals)[method]?.(name, wake, true);
      }
    };
    all("addEventListener");
    return () => all("removeEventListener");
  },
  label() {
    const { process, location } = globalThis as unknown as Globals;
    const { HOSTNAME, COMPUTERNAME } = process?.env ?? {};
    return [HOSTNAME ?? COMPUTERNAME ?? location?.origin, process?.pid]
      .filter((part) => part !== undefined)
      .join(" ");
  },
};
