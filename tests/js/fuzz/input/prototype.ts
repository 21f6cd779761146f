/**
 * Puts every name that the package reads from objects on `Object.prototype`: the package must ignore them there. Field names of custom
 * layouts (such as `time` and `sequence`) are left out, because a layout refuses a name that is on `Object.prototype`.
 */
import { mark } from "./marked.ts";

const NAMES = [
  // Options, and declarations of formats.
  ..."clockBackwards sequenceFull maxWaitMs maxAheadMs onClockBackwards onOverflow snapshot notBefore".split(
    " ",
  ),
  ..."clock isolated partition sequenceMin sequenceMax entropySize random onNewMillisecond".split(" "),
  ..."sequenceResetThreshold epoch layout tickMs fields clockBits machineBits sequenceBits signal".split(" "),
  // Fields.
  ..."timestamp ticks metabyte tickTock generatorId unused datacenterId workerId".split(" "),
  ..."internalWorkerId internalProcessId increment shardId sequenceData machineId randomness".split(" "),
  "scalability",
  // Snapshots.
  ..."version format highest last left wrapped firstLive now wallHi wallSafe drifts name bits".split(" "),
];

const descriptor: PropertyDescriptor = {
  configurable: true,
  get() {
    throw mark("prototype");
  },
  set() {
    throw mark("prototype");
  },
};
const polluted = Object.fromEntries(NAMES.map((name) => [name, descriptor]));

/** Runs a call while all of them are there. */
export function withPrototype<T>(call: () => T): T {
  Object.defineProperties(Object.prototype, polluted);
  try {
    return call();
  } finally {
    for (const name of NAMES) {
      Reflect.deleteProperty(Object.prototype, name);
    }
  }
}
