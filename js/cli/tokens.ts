/** Splits the command line into positional arguments and options with their values. */

/** The names of an option. */
export interface OptionName {
  readonly name: string;
  readonly short?: string;
}

export interface Token {
  readonly kind: "positional" | "flag" | "valued" | "unknown";
  /** The long name of a known option. */
  readonly name: string;
  /** As typed: a positional argument, or the option without its value, such as `-n`. */
  readonly typed: string;
  /** The option's value, if there is one. */
  readonly value?: string | undefined;
  /** If an option lacks its value: the argument in its place. */
  readonly instead?: string | undefined;
}

/**
 * Splits the arguments by the usual rules: `--name value`, `--name=value`, `-n value`, `-nvalue`, grouped letters, and `--`
 * before arguments that are never options. A negative number after an option is its value. With `negatives`, a negative
 * number elsewhere is a positional argument.
 */
export function tokens(
  args: readonly string[],
  flags: readonly OptionName[],
  valued: readonly OptionName[],
  negatives = false,
): Token[] {
  const known = [
    ...flags.map((option) => ({ option, kind: "flag" }) as const),
    ...valued.map((option) => ({ option, kind: "valued" }) as const),
  ];
  const byName = new Map(known.map((one) => [one.option.name, one]));
  const byLetter = new Map(known.map((one) => [one.option.short, one]));
  const found: Token[] = [];
  let index = 0;

  /** Adds a known option. Its value is in the same argument or in the next one. */
  const add = (
    { option: { name }, kind }: (typeof known)[number],
    typed: string,
    attached?: string,
  ): void => {
    const next = args[index];
    if (kind === "flag" || attached !== undefined) {
      found.push({ kind, name, typed, value: attached });
    } else if (next !== undefined && isValue(next)) {
      index++;
      found.push({ kind, name, typed, value: next });
    } else {
      found.push({ kind, name, typed, instead: next });
    }
  };

  while (index < args.length) {
    const arg = args[index++] as string;
    if (arg === "--") {
      found.push(...args.slice(index).map(positional));
      break;
    }
    if (!arg.startsWith("-") || arg === "-" || (negatives && isNumber(arg))) {
      found.push(positional(arg));
    } else if (arg.startsWith("--")) {
      const [, typed = "", attached] = /^(--[^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
      const one = byName.get(typed.slice(2));
      if (one) add(one, typed, attached);
      else found.push(unknown(typed));
    } else {
      for (let at = 1; at < arg.length; at++) {
        const one = byLetter.get(arg[at]);
        if (one) add(one, `-${arg[at]}`, one.kind === "flag" ? undefined : arg.slice(at + 1) || undefined);
        else found.push(unknown(arg));
        if (one?.kind !== "flag") break;
      }
    }
  }
  return found;
}

const positional = (typed: string): Token => ({ kind: "positional", name: "", typed });
const unknown = (typed: string): Token => ({ kind: "unknown", name: "", typed });

const isNumber = (arg: string): boolean => /^-\.?\d/.test(arg);
const isValue = (arg: string): boolean => !arg.startsWith("-") || arg === "-" || isNumber(arg);
