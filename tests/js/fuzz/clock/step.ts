/** The steps of a story. */
import type { Dial, Pace } from "./world.ts";

/** What a callback, or an injected source of randomness, does besides its work. */
export const ACTS = [
  "look",
  "next",
  "many",
  "at",
  "async",
  "throw",
  "save",
  "restore",
  "spend",
  "crash",
  "clock",
  "abort",
] as const;
export type Act = (typeof ACTS)[number];

/** The calls for many IDs. */
export type Batch = "nextMany" | "nextManyText" | "nextTyped";

/** A `notBefore`: a number of ticks, possibly fractional, after a place. */
export interface Spend {
  /** The tick after the last one issued, or the world's time. */
  readonly from: "last" | "now";
  readonly ticks: number;
  /** Whether it is given as a `Date`. */
  readonly date: boolean;
}

/** A generator's own options, without those of the identity. */
export interface Policy {
  /** Which of the story's clocks it reads. */
  readonly dial?: number;
  readonly spend?: Spend;
  readonly clockBackwards?: "throw" | "wait" | "hold" | "tick-tock";
  readonly sequenceFull?: "throw" | "wait" | "borrow";
  readonly maxWaitMs?: number;
  readonly maxAheadMs?: number;
  readonly onBack?: Act;
  readonly onFull?: Act;
  readonly entropySize?: number;
  readonly onNewMillisecond?: "reset" | "keep";
  readonly sequenceResetThreshold?: number;
}

/** Changes of a snapshot before it is used, which its owner may make. */
export interface Retouch {
  /** Moves sequences to this many values before their end. */
  readonly near?: number;
  /** Leaves out the counter behind `at`. */
  readonly dropAt?: boolean;
  /** sno: writes the partition as two bytes, leaves out `now`, and sets `drifts` shortly before it wraps. */
  readonly plain?: boolean;
}

/** One step. Numbers that choose one of several things are taken modulo their number. */
export type Step =
  | { readonly do: "clock"; readonly by: number }
  | { readonly do: "set"; readonly of: number; readonly dial: Dial }
  | { readonly do: "jump"; readonly to: "epoch" | "end" | "heard" | "last" | "start"; readonly ticks: number }
  | { readonly do: "pace"; readonly pace: Pace }
  | { readonly do: "rubbish"; readonly after: number }
  | { readonly do: "generator"; readonly of: number; readonly policy: Policy }
  | { readonly do: "next"; readonly of: number; readonly times: number; readonly text: boolean }
  | { readonly do: "many"; readonly of: number; readonly n: number; readonly call: Batch }
  | {
      readonly do: "async";
      readonly of: number;
      readonly calls: number;
      readonly abort: "never" | "before" | "some";
    }
  | { readonly do: "settle"; readonly rounds: number; readonly ticks: number }
  | { readonly do: "abort"; readonly calls: number }
  | {
      readonly do: "at";
      readonly of: number;
      readonly times: number;
      readonly near: number;
      readonly spread: number;
    }
  | { readonly do: "save"; readonly of: number }
  | {
      readonly do: "restore";
      readonly of: number;
      readonly saved: number;
      readonly policy: Policy;
      readonly retouch: Retouch;
    }
  | {
      readonly do: "restart";
      readonly of: number;
      /**
       * What the next process knows: the last state of the one before; that and a `notBefore`; an older state, and a `notBefore`
       * after everything issued; only that `notBefore`.
       */
      readonly knows: "snapshot" | "both" | "old" | "time";
      /** The `notBefore`, if it has one. */
      readonly spend: Spend;
      /** Whether its other generators are made before the one that knows. */
      readonly early: boolean;
      readonly retouch: Retouch;
      /** IDs of a new generator before the snapshot is available, later than all others; -1 for none. */
      readonly late: number;
      readonly policies: readonly Policy[];
    };
