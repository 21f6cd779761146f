/**
 * Repairs texts that programs have damaged, before they are cut into pieces, and notes each repair.
 */

/** A kind of damage, and its repair. */
interface Rule {
  readonly find: RegExp;
  readonly write: (match: RegExpExecArray) => string;
  /** The note for the reader; absent if the repair changes only the notation. */
  readonly note?: string;
}

/** A repaired text that remembers the original position of each character. */
export interface Clean {
  readonly text: string;
  /** The position in the original text. */
  readonly placeOf: (at: number) => number;
  readonly notesAt: (start: number, end: number) => string[];
}

/**
 * The separators between groups of digits, by CLDR: spaces, dots, apostrophes and the Arabic mark.
 * token.ts handles commas and underscores.
 */
const MARKS = String.raw`[ \u00a0\u2007\u2009\u202f.'’˙٬]`;
/**
 * The ends of a line or punctuation marks surround digits that are grouped by spaces. In a list of
 * numbers, other numbers surround them.
 */
const [BEFORE, BEHIND] = [
  String.raw`(?<=^|[^\d\s.,][ ]?|[:=]\s?)`,
  String.raw`(?=\s*$|["'<>)\]},;]|(?:n|[uU]?[lL]{1,2})\b|\s+[^\d\s])`,
];

/** The code point of the zero in the script of a digit. */
const zeroOf = (digit: string): number => {
  let point = digit.codePointAt(0) as number;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(point - 1)) && (digit.codePointAt(0) as number) - point < 9)
    point -= 1;
  return point;
};
const asASCII = (character: string): string =>
  /^\p{Nd}$/u.test(character) && !/[！-～]/.test(character)
    ? String((character.codePointAt(0) as number) - zeroOf(character))
    : character.normalize("NFKC");

const hexOf = (text: string): string => (text.match(/[0-9a-f]{2}(?![0-9a-f]?x)/gi) ?? []).join("");

/** An object of the package `long`. Its two halves may be in either order. */
const ofLong = (first: string, second: string): Rule => ({
  find: new RegExp(
    String.raw`(?:Long\s*)?\{\s*["']?${first}["']?\s*:\s*(?<${first}>-?\d+)\s*,\s*["']?${second}["']?\s*:\s*(?<${second}>-?\d+)\s*(?:,\s*["']?unsigned["']?\s*:\s*\w+\s*)?\}`,
    "g",
  ),
  write: ({ groups: { low = "0", high = "0" } = {} }) =>
    String(BigInt.asUintN(64, (BigInt(high) << 32n) | BigInt.asUintN(32, BigInt(low)))),
  note: "Joined from two halves, which is how the package long stores it.",
});

const BYTES = "Read as bytes in hexadecimal.";
const INVISIBLE = "Read without invisible characters.";

const RULES: readonly Rule[] = [
  { find: /%(?:2[0235F]|3[ACDEF]|40|5[BD]|7[BD])/g, write: ([one = ""]) => decodeURIComponent(one) },
  // A line break or tab written as an escape sequence, such as "\n".
  { find: /\\[nrt](?=[\dA-Za-z]{10,})/g, write: () => " " },
  { find: /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]+/g, write: () => "", note: INVISIBLE },
  {
    // The hyphens of a UUID, as word processors write them.
    find: /(?<=[0-9a-f]{4})[\u2010-\u2015\u2212](?=(?:[0-9a-f]{4}){1,3}(?![0-9a-z]))/gi,
    write: () => "-",
    note: "Read with plain hyphens.",
  },
  {
    find: /[\uff01-\uff5e]|(?![0-9])\p{Nd}/gu,
    write: ([one = ""]) => asASCII(one),
    note: "Its full-width characters were read as plain digits and letters.",
  },
  {
    find: new RegExp(`${BEFORE}\\d{1,3}(${MARKS})\\d{3}(?:\\1\\d{3}){3,5}${BEHIND}`, "gmu"),
    write: ([one = ""]) => one.replace(/\D/g, ""),
    note: "Read without the separators between its digits.",
  },
  {
    // Digits in groups of two, as in India, or of four. 16 digits in groups of four are a card
    // number.
    find: /(?<![\d.,] ?)(?:\d{1,2}(?:,\d{2}){6,8},\d{3}|\d{1,4}([ ,.\u00a0])\d{4}(?:\1\d{4}){3})(?! ?[\d,.])/g,
    write: ([one = ""]) => (one.replace(/\D/g, "").length > 16 ? one.replace(/\D/g, "") : one),
    note: "Read without the separators between its digits.",
  },
  {
    find: /(?<=[\d_]{14}\d)(?:\.0+(?!\d)|_?[iu]64\b|[uU]?[lL]{1,2}\b|[uU]\b)/g,
    write: () => "",
    note: "Read without its suffix.",
  },
  {
    find: /(?<![\w.,-])0+(?=[1-9]\d{14,19}(?!\w))/g,
    write: () => "",
    note: "Read without its leading zeros.",
  },
  {
    // PostgreSQL's bytea and SQL's hexadecimal literals.
    find: /(?:\\{1,2}x|\bx'|\b0x(?=[0-9a-f]{32}\b))([0-9a-f]{14,40})(?![0-9a-f])'?/gi,
    write: ([, hex = ""]) => (hex.length > 20 ? hex : `0x${hex}`),
    note: BYTES,
  },
  {
    find: /(?:\\x[0-9a-f]{2}){7,16}|(?:0x[0-9a-f]{2},\s*){6,15}0x[0-9a-f]{2}/gi,
    write: ([one = ""]) => hexOf(one.replace(/\\x|0x/gi, " ")),
    note: BYTES,
  },
  {
    find: /(?<![0-9a-f:.-])(?<![0-9a-f]{2} )(?:<Buffer )?([0-9a-f]{2}(?:([ :-])[0-9a-f]{2})(?:\2[0-9a-f]{2}){5,14})>?(?![0-9a-f:-]|[ ][0-9a-f]{2}\b)/gi,
    write: ([one = "", bytes = ""]) => {
      const hex = hexOf(bytes);
      // Six bytes are a MAC address, and numbers of two digits are not bytes.
      return [14, 16, 20, 24, 32].includes(hex.length) && (/[a-f]/i.test(hex) || hex.startsWith("0"))
        ? hex
        : one;
    },
    note: BYTES,
  },
  {
    find: /(?<![0-9a-f] ?)[0-9a-f]{4}(?: [0-9a-f]{4}){3}(?! ?[0-9a-f])/gi,
    write: ([one = ""]) => (/[a-f]/i.test(one) && /\d/.test(one) ? one.replaceAll(" ", "") : one),
    note: BYTES,
  },
  ofLong("low", "high"),
  ofLong("high", "low"),
];

interface Change {
  readonly start: number;
  readonly end: number;
  readonly note: string | undefined;
}

/** Applies one rule to a text. Positions and changes refer to the original text. */
function after(before: Clean & { readonly changes: readonly Change[] }, { find, write, note }: Rule) {
  const { text, placeOf, changes } = before;
  /**
   * The start of each piece in the new and in the old text. `goesOn`: positions within the piece
   * correspond one to one.
   */
  const pieces: (readonly [to: number, from: number, goesOn: boolean])[] = [[0, 0, true]];
  const made: Change[] = [];
  let [written, last] = ["", 0];
  for (const match of text.matchAll(find)) {
    const whole = match[0];
    const other = write(match);
    if (other === whole) continue;
    written += text.slice(last, match.index);
    last = match.index + whole.length;
    made.push({ start: placeOf(match.index), end: placeOf(last), note });
    pieces.push([written.length, match.index, false]);
    written += other;
    pieces.push([written.length, last, true]);
  }
  if (made.length === 0) return before;
  const place = (at: number): number => {
    let [low, high] = [0, pieces.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((pieces[middle]?.[0] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const [to, from, goesOn] = pieces[low] ?? [0, 0, true];
    return placeOf(goesOn ? from + at - to : from);
  };
  return { ...before, text: written + text.slice(last), placeOf: place, changes: [...changes, ...made] };
}

/** Applies all rules to a text. */
export function cleaned(input: string): Clean {
  const same = {
    text: input,
    placeOf: (at: number) => at,
    notesAt: () => [],
    changes: [] as readonly Change[],
  };
  const clean = RULES.reduce<Clean & { readonly changes: readonly Change[] }>(after, same);
  return {
    ...clean,
    notesAt: (start, end) => [
      ...new Set(
        clean.changes.flatMap((one) =>
          one.note !== undefined && one.end >= start && one.start <= end ? [one.note] : [],
        ),
      ),
    ],
  };
}
