/** IDs as they are copied from chats and code: with quotes, marks and commas around them, which are no part of the ID. */

/** Mentions of Discord: people, roles, channels, emoji, commands. */
const mention = /^<(?:@[!&]?|#|a?:\w+:|\/[^:<>]+:)(\d+)>$/;

const around: readonly (readonly [RegExp, string])[] = [
  [/^["'`“”‘’„«»]+|["'`“”‘’„«»]+$/g, ""],
  [/,$/, ""],
  [mention, "$1"],
  // A BigInt of JavaScript.
  [/^(\d+)n$/, "$1"],
];

/** Longer texts are nothing that somebody copied. */
const longest = 256;

/** The ID that a text probably holds, or nothing if there is nothing around it. */
export function unwrap(text: string): string | undefined {
  if (text.length > longest) return undefined;
  let inner = text.trim();
  for (let before = ""; before !== inner; ) {
    before = inner;
    for (const [form, instead] of around) inner = inner.replace(form, instead).trim();
  }
  return inner === text || inner === "" ? undefined : inner;
}
