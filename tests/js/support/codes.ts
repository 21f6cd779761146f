/** The error codes. */
import type { ErrorCode } from "graupel";

/** All codes. The type makes the compiler check that the list is complete. */
const ALL: Readonly<Record<ErrorCode, true>> = {
  TYPE: true,
  RANGE: true,
  LENGTH: true,
  CHARACTER: true,
  NOT_CANONICAL: true,
  OVERFLOW: true,
  UNKNOWN_OPTION: true,
  UNKNOWN_FIELD: true,
  CONFLICT: true,
  BEFORE_EPOCH: true,
  END_OF_LIFE: true,
  CLOCK_BACKWARDS: true,
  SEQUENCE_FULL: true,
  TIME_TAKEN: true,
  OUTSIDE_INTERVAL: true,
  RANDOM_FAILED: true,
  CLOCK_STUCK: true,
  CLOCK_INVALID: true,
  PARTITIONS_EXHAUSTED: true,
  SNAPSHOT: true,
  REGISTRY: true,
  CORE: true,
  PEER: true,
  LEASE_LOST: true,
  LEASE_RELEASED: true,
  LEASE_FULL: true,
  LEASE_STORE: true,
  LEASE_LAYOUT: true,
  LEASE_SKEW: true,
};

export const CODES = Object.keys(ALL).sort() as readonly ErrorCode[];
