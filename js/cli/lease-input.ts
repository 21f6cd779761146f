/**
 * The input of an action of `graupel lease`: the store, and the options of its leases from the
 * command line and the module.
 */
import type { AnyFormat } from "../index.js";
import { given as checked, timesOf } from "../lease/options.js";
import { fieldsOf, layoutOf, numbersOf } from "../lease/packing.js";
import type { AcquireRequest, Held, LeaseStore } from "../lease/types.js";
import { type Arguments, type OptionName, UsageError } from "./arguments.js";
import type { Choice } from "./choices.js";
import { optionsFrom } from "./format.js";
import { withOptionNames } from "./option-errors.js";
import { answerOf, type Requirement, type UserModule } from "./user-module.js";

/** The exports of a module: the store, and options of a lease under their own names. */
export interface StoreModule extends UserModule {
  readonly default: LeaseStore;
  readonly namespace?: unknown;
  readonly ttlMs?: unknown;
  readonly quarantineMs?: unknown;
}

/** The default export. */
export const store: Requirement = {
  is: (value) => ["acquire", "renew", "release"].every((name) => typeof Object(value)[name] === "function"),
  what: "store of leases, such as redis(client)",
};

export const namespaceOption: OptionName = { name: "namespace" };

const durationChoice = (name: string, key: string): Choice => {
  return { name, key, kind: "duration", value: "MS", about: "" };
};
export const timeOptions: readonly Choice[] = [
  durationChoice("ttl-ms", "ttlMs"),
  durationChoice("quarantine-ms", "quarantineMs"),
];

export interface LeaseInput {
  readonly store: LeaseStore;
  readonly namespace: string;
  /** The typed arguments. */
  readonly typed: Arguments;
  /** The fixed fields in a number, by name; undefined without a format. */
  readonly fieldsOf: ((number: number) => Readonly<Record<string, number>>) | undefined;
  /**
   * The request of a lease, without token and label. Throws without a format, or for an invalid
   * time.
   */
  request(): Omit<AcquireRequest, "token" | "label">;
}

/** The command line overrides the module. `named`: the format that it names. */
export function inputOf(module: StoreModule, typed: Arguments, named: AnyFormat | undefined): LeaseInput {
  const { default: store, format = named } = module;
  const { values } = typed;
  const namespace = values.get(namespaceOption.name)?.text ?? module.namespace;
  if (typeof namespace !== "string") {
    throw new UsageError("a namespace is missing: use --namespace, or export one from the module");
  }
  const { ttlMs, quarantineMs } = { ...module, ...optionsFrom(values, timeOptions) };
  // Errors about values that were not typed use the names of the module's exports.
  const context = { choices: timeOptions.filter(({ name }) => values.has(name)), values };
  const options = { format: named ?? format, namespace, ttlMs, quarantineMs };
  const known =
    format === undefined
      ? undefined
      : withOptionNames(() => {
          const given = checked(options);
          const [schema] = given.format;
          return { given, schema, last: numbersOf(schema, {}).last };
        }, context);
  return {
    store,
    namespace,
    typed,
    fieldsOf: known && ((number) => fieldsOf(known.schema, number)),
    request() {
      if (known === undefined) {
        throw new UsageError("a format is missing: use --format, or export one from the module");
      }
      const { given, schema, last } = known;
      const { ttlMs, quarantineMs } = withOptionNames(
        () => timesOf(given, store, schema.tickMs, last),
        context,
      );
      return { namespace, layout: layoutOf(schema), last, mask: 0, bits: 0, ttlMs, quarantineMs };
    },
  };
}

/** The records of the namespace, by number. */
export async function recordsOf({ store, namespace }: LeaseInput): Promise<Held[]> {
  if (store.list === undefined) throw new Error("store: it has no `list`, so its holders are unknown");
  const records = await answerOf("store", store.list(namespace));
  const isRecord = (record: unknown) => {
    const { number, from, mark, now, label } = Object(record) as Partial<Held>;
    return [number, from, mark, now].every(Number.isSafeInteger) && typeof label === "string";
  };
  if (!Array.isArray(records) || !records.every(isRecord)) {
    throw new Error("store: its `list` returns no records; check it with graupel/lease/conformance");
  }
  return [...records].sort((a, b) => a.number - b.number);
}
