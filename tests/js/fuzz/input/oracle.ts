/** The faults of an argument, by the reference: the codes of the errors that it may cause; none if it is valid. */
import { types } from "node:util";
import type { Form, Reference } from "../../support/reference.ts";

export type Faults = Set<string>;

const LATEST = 8.64e15;

/** Faults of a value as an ID. `texts`: whether the text of an ID is accepted, too. */
export function idFaults(r: Reference, x: unknown, texts: boolean, form: Form = r.spec.form): Faults {
  const { idType } = r.spec;
  if (typeof x === "string") {
    return texts || idType === "string" ? r.faults(x, form) : new Set(["TYPE"]);
  }
  return typeof x === idType ? r.valueFaults(x as bigint | number) : new Set(["TYPE"]);
}

/** The integer of an ID without faults. */
export function integerOf(r: Reference, x: unknown, form: Form = r.spec.form): bigint {
  return typeof x === "string" ? r.read(x, form) : BigInt(x as bigint | number);
}

/** Faults of an integer from `min` to `max`. */
export function wholeFault(x: unknown, max: number, min = 0): string | undefined {
  return typeof x !== "number"
    ? "TYPE"
    : Number.isInteger(x) && x >= min && x <= max && !Object.is(x, -0)
      ? undefined
      : "RANGE";
}

/** A time's Unix milliseconds, or its fault. */
export function instantOf(x: unknown): number | string {
  if (typeof x !== "number" && !types.isDate(x)) {
    return "TYPE";
  }
  const ms = typeof x === "number" ? x : Date.prototype.getTime.call(x);
  return ms >= -LATEST && ms <= LATEST ? ms : "RANGE";
}

/** A time's fault, if it has one. */
export function faultOf(x: unknown): string | undefined {
  const ms = instantOf(x);
  return typeof ms === "string" ? ms : undefined;
}

/** The last tick that starts before a time; -1 if there is none. */
export function tickBefore(r: Reference, x: unknown): bigint {
  const ms = Number(instantOf(x));
  const tick = r.tick(ms);
  if (typeof tick === "string") {
    return tick === "END_OF_LIFE" ? r.lastTick : -1n;
  }
  return r.timestamp(tick) - (r.spec.rounds === true ? 0.5 : 0) < ms ? tick : tick - 1n;
}

/** An epoch's Unix milliseconds, or its fault. `span`: from the first tick's start to the last one's. */
export function epochOf(x: unknown, span: bigint): number | string {
  const ms = instantOf(x);
  if (typeof ms === "string") {
    return ms;
  }
  return Number.isInteger(ms) && BigInt(ms) + span <= BigInt(LATEST) ? ms : "RANGE";
}

/** The bytes of a genuine Uint8Array, whatever its properties say; undefined for other values. */
export function bytesOf(x: unknown): Uint8Array | undefined {
  if (!types.isUint8Array(x)) {
    return undefined;
  }
  const inherited = Object.getPrototypeOf(Uint8Array.prototype) as object;
  const length = Object.getOwnPropertyDescriptor(inherited, "length")?.get?.call(x) as number;
  return Uint8Array.from({ length }, (_, i) => x[i] as number);
}

/** The tick of the times in a composition, or their faults. */
function ticksOf(r: Reference, values: ReadonlyMap<string, unknown>): bigint | Faults {
  const ticks = new Set<bigint>();
  const faults: Faults = new Set();
  for (const key of ["timestamp", "time", "ticks"]) {
    const value = values.get(key);
    if (value === undefined) {
      continue;
    }
    if (key === "ticks") {
      const most = 2 ** (r.spec.fields[0]?.[1] ?? 0) - 1;
      const fault = wholeFault(value, most);
      if (fault !== undefined) {
        faults.add(fault);
      } else if (BigInt(value as number) > r.lastTick) {
        faults.add("END_OF_LIFE");
      }
      if (fault === undefined) {
        ticks.add(BigInt(value as number));
      }
    } else {
      const ms = instantOf(value);
      const tick = typeof ms === "string" ? ms : r.tick(ms);
      if (typeof tick === "string") {
        faults.add(tick);
      } else {
        ticks.add(tick);
      }
    }
  }
  if (ticks.size > 1) {
    faults.add("CONFLICT");
  }
  if (ticks.size === 0 && faults.size === 0) {
    faults.add("TYPE");
  }
  return faults.size > 0 ? faults : (ticks.values().next().value as bigint);
}

/** Fields that may be left out of a composition. */
const OPTIONAL = ["tickTock", "unused"];

/** The ID of the values in a composition, or their faults. */
export function composed(r: Reference, values: ReadonlyMap<string, unknown>): bigint | Faults {
  const faults: Faults = new Set();
  const tick = ticksOf(r, values);
  const parts = r.spec.fields.map(([name, bits], i) => {
    if (i === 0) {
      return 0n;
    }
    const value = values.get(name);
    if (value === undefined && OPTIONAL.includes(name)) {
      return 0n;
    }
    const fault = wholeFault(value, 2 ** bits - 1);
    if (fault !== undefined) {
      faults.add(fault);
      return 0n;
    }
    return BigInt(value as number);
  });
  if (tick instanceof Set) {
    return new Set([...faults, ...tick]);
  }
  return faults.size > 0 ? faults : r.pack([tick, ...parts.slice(1)]);
}
