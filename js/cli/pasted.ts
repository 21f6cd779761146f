/**
 * Finds the ID in a text that was copied from a chat or from code, with quotes, marks and commas
 * around it.
 */

/** Discord's mentions of people, roles, channels, emoji and commands. */
const mention = /^<(?:@[!&]?|#|a?:\w+:|\/[^:<>]+:)(\d+)>$/;

const around: readonly (readonly [RegExp, string])[] = [
  [/^["'`“”‘’„«»]+|["'`“”‘’„«»]+$/g, ""],
  [/,$/, ""],
  [mention, "$1"],
  // A BigInt literal.
  [/^(\d+)n$/, "$1"],
];

/** Longer texts are not pasted IDs. */
const longest = 256;

/** The ID that a text probably contains; undefined if there is nothing around it to remove. */
export function unwrap(text: string): string | undefined {
  if (text.length > longest) return undefined;
  let inner = text.trim();
  for (let before = ""; before !== inner; ) {
    before = inner;
    for (const [form, instead] of around) inner = inner.replace(form, instead).trim();
  }
  return inner === text || inner === "" ? undefined : inner;
}
