/**
 * `graupel lease`: shows the holders of numbers in the store that a module exports, and prepares or
 * repairs a namespace.
 */
import { type OptionName, quote, read, UsageError, unknownName } from "./arguments.js";
import { formatChoices } from "./choices.js";
import { formatOption, namedFormat } from "./format.js";
import { init } from "./lease-init.js";
import {
  inputOf,
  type LeaseInput,
  namespaceOption,
  type StoreModule,
  store,
  timeOptions,
} from "./lease-input.js";
import { newestOption, repair, stoppedFlag } from "./lease-repair.js";
import { status } from "./lease-status.js";
import { withModule } from "./user-module.js";

/** All options except those of a format. */
const own: readonly OptionName[] = [namespaceOption, formatOption, ...timeOptions, newestOption];

interface Action {
  /** The options that the action does not take. */
  readonly without: readonly OptionName[];
  readonly run: (input: LeaseInput) => Promise<number>;
}

const actions: ReadonlyMap<string, Action> = new Map([
  ["status", { without: [...timeOptions, newestOption, stoppedFlag], run: status }],
  ["init", { without: [newestOption, stoppedFlag], run: init }],
  ["repair", { without: [], run: repair }],
]);

export async function lease(args: readonly string[]): Promise<number> {
  const given = read(args, { ownFlags: [stoppedFlag], own, of: formatChoices });
  const [name, path, more] = given.positionals;
  const action = actionOf(name);
  if (path === undefined)
    throw new UsageError("lease needs a module that exports a store, such as ./store.mjs");
  if (more !== undefined) throw new UsageError(`expected one module, also got ${quote(more)}`);
  for (const option of action.without) {
    const as = given.flags.get(option.name) ?? given.values.get(option.name)?.as;
    if (as !== undefined) throw new UsageError(`${as} is not an option of lease ${name}`);
  }
  const named = namedFormat(given.values, own, formatChoices);
  return withModule(path, store, (module: StoreModule) => action.run(inputOf(module, given, named?.format)));
}

function actionOf(name: string | undefined): Action {
  const names = [...actions.keys()];
  if (name === undefined) throw new UsageError(`lease needs an action: ${names.join(", ")}`);
  const action = actions.get(name);
  if (!action) throw unknownName("unknown action", name, names);
  return action;
}
