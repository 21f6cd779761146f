/**
 * `Object.prototype` with every name on it that the package looks for in an object: none of them may be found there. Names
 * that layouts of one's own have here (`time`, `sequence` and the like) are not among them: a layout refuses those that
 * stand on `Object.prototype`.
 */
import { mark } from "./marked.ts";

const NAMES = [
  // Options, and what declares a format.
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

/** Runs a call while all of them can be found. */
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
