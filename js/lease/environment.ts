/** What a lease takes from its platform, so that a simulation can give something else. */

export interface Environment {
  /** Unix milliseconds. */
  wall(): number;
  /** Monotonic milliseconds. */
  elapsed(): number;
  /** 128 random bits, as 32 hexadecimal digits. */
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
  readonly document?: EventTarget & { readonly hidden: boolean };
  readonly addEventListener?: unknown;
  readonly location?: { readonly origin?: string };
  readonly process?: { readonly pid?: number; readonly env?: Readonly<Record<string, string | undefined>> };
}

/** The platform that the program runs on. */
export const platform: Environment = {
  wall: () => Date.now(),
  elapsed: () => performance.now(),
  random() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  },
  jitter: () => Math.random(),
  after(ms, keeps, work, it) {
    const timer: unknown = setTimeout(work as (it: unknown) => void, ms, it);
    if (!keeps) {
      (timer as { unref?: () => void }).unref?.();
    }
    return () => clearTimeout(timer as never);
  },
  onWake(work, it) {
    const { document, addEventListener } = globalThis as unknown as Globals;
    const targets = [document, addEventListener && globalThis].filter(Boolean) as EventTarget[];
    const wake = () => {
      if (!document?.hidden) {
        work(it);
      }
    };
    for (const target of targets) {
      for (const name of WAKING) {
        target.addEventListener(name, wake);
      }
    }
    return () => {
      for (const target of targets) {
        for (const name of WAKING) {
          target.removeEventListener(name, wake);
        }
      }
    };
  },
  label() {
    const { process, location } = globalThis as unknown as Globals;
    const { HOSTNAME, COMPUTERNAME } = process?.env ?? {};
    return [HOSTNAME ?? COMPUTERNAME ?? location?.origin, process?.pid]
      .filter((part) => part !== undefined)
      .join(" ");
  },
};
