/** Whether the readings of a call explain its refusal. */
import type { Actor } from "./actors.ts";
import type { Subject } from "./subjects.ts";
import type { Call } from "./tally.ts";
import type { World } from "./world.ts";

/** What is known of a refused call besides its readings. */
export interface Refused {
  readonly call: Call;
  readonly actor: Actor;
  /** The argument of `at`. */
  readonly time: number | undefined;
  /** Whether its source of randomness may fail. */
  readonly fickle: boolean;
}

/** Whether `code` is to be expected. */
export function reasonable(
  code: string,
  { call, actor, time, fickle }: Refused,
  subject: Subject,
  world: World,
): boolean {
  const { issued } = actor.identity;
  const { format } = subject;
  const asynchronous = call === "nextAsync";
  // An asynchronous call may end long after its readings.
  const heard = asynchronous ? world.ever : world.heard;
  const back = heard.count > 0 && Math.max(issued.heard, issued.tickOf(heard.max)) > issued.tickOf(heard.min);
  switch (code) {
    case "BEFORE_EPOCH":
      return (time ?? heard.min) < format.epoch;
    case "END_OF_LIFE":
      // The last tick may have been spent or used up: by an enclosing call, or by a batch that failed after its callback had issued
      // IDs, so that its own are lost.
      return time === undefined
        ? Math.max(issued.heard, issued.tickOf(heard.max)) + actor.identity.ahead >= issued.lastTick ||
            Math.max(issued.highest, issued.everSpent) >= issued.lastTick
        : issued.tickOf(time) > issued.lastTick;
    case "CLOCK_INVALID":
      // 0 is no time of the system's clock.
      return heard.invalid || (heard.min <= 0 && heard.max >= 0);
    case "CLOCK_BACKWARDS":
      return time === undefined && (back || asynchronous);
    case "SEQUENCE_FULL":
      // Only after an ID; but the IDs of a failed call are not known here.
      return true;
    case "CLOCK_STUCK":
      return time === undefined && (heard.same || asynchronous);
    case "TIME_TAKEN":
      return time === undefined ? issued.given : true;
    case "RANDOM_FAILED":
      return fickle;
    default:
      return false;
  }
}
