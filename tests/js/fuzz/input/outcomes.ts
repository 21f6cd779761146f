/** Counts and judges the outcome of each case. Every other outcome than the accepted ones is a defect. */
import { inspect } from "node:util";
import { type ErrorCode, GraupelError } from "graupel";
import { type Origin, originOf } from "./marked.ts";
import { withPrototype } from "./prototype.ts";

/** Every code there is; the type makes this list complete. */
const CODES: Record<ErrorCode, true> = {
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
};

/** How a call ended. */
export type Outcome =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "refusal"; readonly code: ErrorCode; readonly error: GraupelError }
  | { readonly kind: "own"; readonly origin: Origin; readonly error: unknown }
  | { readonly kind: "defect" };

/** A short text for any value. Runs no code of the value. */
export function picture(value: unknown): string {
  try {
    const text = typeof value === "bigint" && (value > 2n ** 200n || value < -(2n ** 200n)) ? "huge" : value;
    return inspect(text, { depth: 2, breakLength: Infinity, maxStringLength: 120, maxArrayLength: 12 });
  } catch {
    return "(cannot be shown)";
  }
}

interface Row {
  cases: number;
  values: number;
  refusals: number;
  own: number;
}

/** What an engine throws if a callback is a class, which only the call of it shows: the caller's own. */
const isOfCalledClass = (error: unknown): boolean =>
  error instanceof TypeError && error.message.startsWith("Class constructor");

/** A defect: its count, and its first case with the arguments. */
export interface Defect {
  count: number;
  readonly first: string;
}

export class Outcomes {
  readonly calls = new Map<string, Row>();
  readonly codes = new Map<string, number>();
  readonly defects = new Map<string, Defect>();
  cases = 0;
  traps = 0;
  /** Whether `Object.prototype` has every option during the case's call, which must change nothing. */
  polluted = false;
  /** The slowest case, with its milliseconds. */
  slowest = { ms: 0, call: "" };
  #call = "";
  #given: readonly unknown[] = [];
  #row: Row = { cases: 0, values: 0, refusals: 0, own: 0 };

  /** Begins a case. `given` is shown if it ends in a defect. */
  begin(call: string, ...given: readonly unknown[]): void {
    this.cases++;
    this.#call = call;
    this.#given = given;
    let row = this.calls.get(call);
    if (row === undefined) {
      row = { cases: 0, values: 0, refusals: 0, own: 0 };
      this.calls.set(call, row);
    }
    row.cases++;
    this.#row = row;
  }

  /** The call of the current case. */
  get call(): string {
    return this.#call;
  }

  /** Makes the case's call, and judges its outcome. */
  run(call: () => unknown): Outcome {
    try {
      const value = this.polluted ? withPrototype(call) : call();
      this.#row.values++;
      return { kind: "value", value };
    } catch (error) {
      return this.judge(error);
    }
  }

  /** The same for a promise. */
  async wait(call: () => Promise<unknown>): Promise<Outcome> {
    try {
      const value = await (this.polluted ? withPrototype(call) : call());
      this.#row.values++;
      return { kind: "value", value };
    } catch (error) {
      return this.judge(error);
    }
  }

  /** Judges an exception. */
  judge(error: unknown): Outcome {
    const origin = originOf(error) ?? (isOfCalledClass(error) ? "callback" : undefined);
    if (origin === "prototype") {
      return this.defect("looked at Object.prototype for what nobody gave");
    }
    if (origin !== undefined) {
      this.#row.own++;
      return { kind: "own", origin, error };
    }
    if (!(error instanceof GraupelError)) {
      if (error instanceof WebAssembly.RuntimeError) {
        this.traps++;
      }
      const text = error instanceof Error ? `${error.name}: ${error.message}` : picture(error);
      return this.defect(`threw ${text.slice(0, 120)}`);
    }
    const { code, field, message } = error;
    if (!(code in CODES)) {
      return this.defect(`refused with the code ${code}: ${message}`);
    }
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    this.#row.refusals++;
    if (!GraupelError.is(error)) {
      this.defect("GraupelError.is() does not know its own error");
    }
    if (/[^ -~]/.test(message)) {
      this.defect(`${code} shows what is not ASCII: ${JSON.stringify(message)}`);
    }
    if (field === undefined) {
      this.defect(`${code} without a field: ${message}`);
    } else if (!names(message, field)) {
      this.defect(`${code} does not name its field ${field.slice(0, 40)}: ${message}`);
    }
    this.#logged(error);
    return { kind: "refusal", code, error };
  }

  /** Checks that JSON can log an error, whatever value was refused. */
  #logged(error: GraupelError): void {
    const { code, message, range } = error;
    try {
      const said = JSON.parse(JSON.stringify(error)) as Record<string, unknown>;
      const right =
        said.name === "GraupelError" &&
        said.code === code &&
        said.message === message &&
        (range === undefined) === (said.range === undefined);
      this.expect(right, () => `says ${picture(said)} as JSON`);
    } catch (thrown) {
      this.defect(`cannot be said as JSON: ${picture(thrown)}`);
    }
  }

  /** Records a defect of the current case. */
  defect(what: string): Outcome {
    const call = this.#call;
    // One line for each kind of defect: numbers and texts vary.
    const key = `${call}: ${what.replace(/"(?:[^"\\]|\\.)*"/g, '"…"').replace(/-?\d[\d.e+-]*n?/g, "#")}`;
    const known = this.defects.get(key);
    if (known !== undefined) {
      known.count++;
    } else if (this.defects.size < 200) {
      const given = this.#given.map(picture).join(", ");
      this.defects.set(key, { count: 1, first: `case ${this.cases}: ${call}(${given}): ${what}` });
    }
    return { kind: "defect" };
  }

  /** Records a defect unless `holds`. */
  expect(holds: boolean, what: () => string): void {
    if (!holds) {
      this.defect(what());
    }
  }

  /** Judges a case with known faults: without faults, `check` gets the value; otherwise one of them must be refused. */
  verdict(outcome: Outcome, faults: ReadonlySet<string>, check: (value: unknown) => void): void {
    if (outcome.kind === "value") {
      if (faults.size > 0) {
        this.defect(`accepted, got ${picture(outcome.value)}; expected ${[...faults].join(" or ")}`);
      } else {
        check(outcome.value);
      }
    } else if (outcome.kind === "refusal" && !faults.has(outcome.code)) {
      const expected = faults.size > 0 ? [...faults].join(" or ") : "a result";
      this.defect(`refused with ${outcome.code} (${outcome.error.message}); expected ${expected}`);
    }
  }
}

/** Whether a message has the name of a field: the last part of its path, or the beginning of a long key. */
function names(message: string, field: string): boolean {
  const last = field.slice(field.lastIndexOf(".") + 1);
  return message.includes(escaped(JSON.stringify(field.slice(0, 40)).slice(1, -1))) || message.includes(last);
}

/** A text as messages show it: in ASCII, unit by unit. */
function escaped(text: string): string {
  return Array.from({ length: text.length }, (_, i) => {
    const code = text.charCodeAt(i);
    return code < 32 || code > 126 ? `\\u{${code.toString(16)}}` : text.charAt(i);
  }).join("");
}
