/** Recognizes texts that are not IDs, by kind, and adds notes on numbers. */

/** Card numbers, by issuer. */
const CARD =
  /^(?:4\d{12}|4\d{15}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|35\d{14}|6(?:011|5\d\d)\d{12}|62\d{14,17})$/;

/** Whether digits are a card number: the issuer is known, and the check digit is right (Luhn). */
export function isCard(digits: string): boolean {
  if (!CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (1 + (index % 2));
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Whether this is the number of a Chinese ID card: the birthday and the check digit are right. */
export const isIDCard = (text: string): boolean =>
  /^[1-8]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]$/.test(text) &&
  [...text].reduce((sum, one, at) => sum + (one === "X" ? 10 : Number(one)) * 2 ** (17 - at), 0) % 11 === 1;

/** Whether 13 digits have a correct check digit, like the numbers of products and books. */
const isEAN = (digits: string): boolean =>
  [...digits].reduce((sum, digit, index) => sum + Number(digit) * (1 + 2 * (index % 2)), 0) % 10 === 0;

const only = (text: string): string => text.replace(/\D/g, "");

/** A kind of text. The first kind that matches counts. */
type OtherText = readonly [what: string, form: RegExp, holds?: (text: string) => boolean];

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*";
const isDay = (text: string): boolean => {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(text)?.map(Number) ?? [];
  return (
    [year, month, day].every((one) => one !== undefined) &&
    Number(year) > 1899 &&
    Number(year) < 2100 &&
    Number(month) > 0 &&
    Number(month) < 13 &&
    Number(day) > 0 &&
    Number(day) < 32
  );
};
const isClock = (text: string): boolean =>
  [text.slice(8, 10), text.slice(10, 12), text.slice(12, 14)].every(
    (part, index) => Number(part || 0) < (index ? 61 : 25),
  );

const KINDS: readonly OtherText[] = [
  [
    "a date",
    /^[+-]?\d{4}-\d\d(?:-\d\d)?(?:[T\s_]\d\d[:h_-]?\d\d(?:[:_-]?\d\d)?(?:[.,]\d+)?)?\s*(?:Z|UTC|GMT|[+-]\d\d:?(?:\d\d)?)?(?:\[[\w/]+\])?$/i,
  ],
  [
    "a date",
    /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:,?\s+\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?(?:\s*[ap]\.?m\.?)?)?$/i,
  ],
  [
    "a date",
    new RegExp(
      String.raw`^(?:[a-z]{3,9},?\s+)?(?:\d{1,2}(?:st|nd|rd|th|\.)?[\s-]+${MONTH}|${MONTH}[\s.]+\d{1,2}(?:st|nd|rd|th)?)\b.*\d{2,4}.*$`,
      "i",
    ),
  ],
  ["a date", /^\d{4}-?W\d\d(?:-?\d)?$|^\d{4}-[0-3]\d\d$/],
  ["a date", /^\d{8}T\d{4,6}(?:\.\d+)?Z?$/, isDay],
  ["a date", /^\d{8}(?:\d{4}|\d{6}|\d{9})?$/, (text) => isDay(text) && isClock(text)],
  ["a time of day", /^\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?(?:\s*[ap]m)?$/i],
  ["a duration", /^P(?=.)(?:\d+[YMWD])*(?:T(?:\d+(?:\.\d+)?[HMS])+)?$/],
  ["an IP address", /^(?:\d{1,3}\.){3}\d{1,3}(?::\d+|\/\d+)?$/],
  [
    "an IP address",
    /^\[?(?=.*:)(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}\]?(?:\/\d+|:\d+)?$/i,
    (text) => !/^(?:[0-9a-f]{2}:){5,}/i.test(text),
  ],
  ["a MAC address", /^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}$/i],
  ["a fingerprint", /^(?:(?:MD5|SHA\d+):)?(?:[0-9a-f]{2}:){15,}[0-9a-f]{2}$/i],
  ["an email address", /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/],
  ["a token (JWT)", /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/],
  ["part of a trace context", /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/],
  ["a hash", /^(?:sha\d+|md5|blake\w+|integrity)[:=-].+$/i],
  ["a hash", /^\$(?:2[aby]?|argon2\w*|[156]|scrypt|pbkdf2)\$.+$/],
  [
    "a hash",
    /^(?:[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i,
    (text) => /[a-f]/i.test(text),
  ],
  [
    "a secret key",
    /^(?:[sp]k|rk|whsec|gh[pousr]|github_pat|glpat|xox[abprs]|npm|pypi|hf|AIza|AKIA|ASIA|ya29|SG|dop_v1|shp\w\w|sq0\w\w\w)[-_.]?\w[\w.-]{14,}$/,
  ],
  [
    "a Stripe ID, which contains no time",
    /^(?:cus|pi|ch|pm|sub|in|price|prod|evt|txn|acct|cs|seti|card|tok|si|ii|py|re|po|src)_(?:test_|live_)?(?!.{27}$)[0-9A-Za-z]{14,}$/,
  ],
  [
    "an AWS ID, which contains no time",
    /^(?:i|vol|ami|subnet|vpc|sg|snap|eni|igw|rtb|eipalloc|fs|lt|nat)-(?:[0-9a-f]{8}|[0-9a-f]{17})$/,
  ],
  ["a Steam ID, which contains no time", /^7656119\d{10}$/],
  ["an Amazon resource name (ARN)", /^arn:aws.*$/],
  ["a tracking number", /^1Z[0-9A-Z]{16}$|^[A-Z]{2}\d{9}[A-Z]{2}$/],
  [
    "a bank account number (IBAN)",
    /^[A-Z]{2}\d{2}(?: ?[0-9A-Z]{4}){2,7}(?: ?[0-9A-Z]{1,4})?$/,
    (text) => /\d{6}/.test(text.replaceAll(" ", "")),
  ],
  ["a card number", /^\d{4}(?:[ -]?\d{3,6}){2,3}(?:[ -]?\d{1,4})?$/, (text) => isCard(only(text))],
  ["a Chinese ID card number", /^.{18}$/, isIDCard],
  [
    "a book or product number",
    /^(?:ISBN[:\s-]*)?97[89](?:[ -]?\d+){1,4}$/i,
    (text) => only(text).length === 13 && isEAN(only(text)),
  ],
  [
    "a book or product number",
    /^(?:ISBN[:\s-]*)?\d{1,5}-\d{1,7}-\d{1,7}-[\dX]$|^[0-9]{13}$/i,
    (text) => only(text).length !== 13 || isEAN(only(text)),
  ],
  ["a phone number", /^(?:tel:)?(?:\+|00)[1-9][\d\s()./-]{6,20}$/, (text) => only(text).length < 16],
  [
    "a phone number",
    /^(?:\(0?\d{1,4}\)|0\d{1,4}|\d{3})[\s./-]*\d{2,4}(?:[\s.-]\d{2,5}){1,3}$|^0\d{1,4}[ /-]\d{4,9}$/,
  ],
  ["a version", /^v?\d+(?:\.\d+){1,3}(?:[-+][\w.-]+)?$/i, (text) => /^v|\..*\.|[a-z]/i.test(text)],
  ["an object identifier", /^(?!\d{1,3}(?:\.\d{3})+$)\d+(?:\.\d+){4,}$/],
  ["a negative number", /^[-−–]\d[\d.,_ ]*$/],
  ["a position on a map", /^[-+]?\d{1,3}\.\d+°?\s*[NSEW]?\s*[,;\s]\s*[-+]?\d{1,3}\.\d+°?\s*[NSEW]?$/],
  ["an amount", /^(?:[€$£¥₹₿]|[A-Z]{3}\s)\s*-?\d[\d.,' ]*$|^-?\d[\d.,' ]*\s*(?:[€$£¥₹₿%]|EUR|USD|GBP)$/],
  [
    "a measure",
    /^-?\d[\d.,]*\s?(?:[kKMGTP]i?[bB]|bytes?|ns|[µu]s|ms|s|sec|min|h|days?|px|r?em|k?m|cm|mm|kg|g|Hz|[GMk]Hz|°C)$/,
  ],
  [
    "a decimal number",
    /^[+-]?\d+[.,]\d+$|^[+-]?\d{1,3}([.,' ])\d{3}(?:\1\d{3})*(?!\1)[.,]\d+$|^[+-]?\d(?:[.,]\d+)?e(?:-|\+?(?:\d|1[0-4]|[2-9]\d)$)\d*$/i,
    // Excludes IDs to which a program has added this suffix.
    (text) => !/^\d{15,}\.0+$/.test(text),
  ],
  ["a colour", /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i],
  ["one digit, repeated", /^(.)\1{7,}$/],
  [
    "a file",
    /^(?:[A-Za-z]:\\|\.{0,2}\/|~\/)[^\n]+$|^[\w-]+\.(?:js|ts|tsx|json|txt|log|csv|png|jpe?g|gif|pdf|zip|html?|css|md|ya?ml|sql|py|rs|go|java)$/,
  ],
  [
    "a limit of 32-bit, 53-bit or 64-bit integers",
    /^(?:4294967296|4294967295|2147483647|2147483648|900719925474099[0-9]|922337203685477580[6-8]|1844674407370955161[56])$/,
  ],
  ["a round number", /^[1-9]\d{0,2}0{7,}$/],
  [
    "digits in a row",
    /^0?1234567890?(?:1234567890?)*\d{0,9}$|^9876543210?\d*$/,
    (text) =>
      (/^(?:0?12345678|987654321)/.test(text) &&
        "0123456789012345678901234567890".includes(text.replace(/^0/, ""))) ||
      /^9876543210?$/.test(text),
  ],
  [
    "hexadecimal digits, as in a hash or a memory address",
    /^(?:0x)?(?=.*[a-f])[0-9a-f]+$|^(?:0x)?(?=.*[A-F])[0-9A-F]+$/,
    (text) => /\d/.test(text) || /^0x/.test(text) || /^(?:DEAD|BEEF|CAFE|BABE|FACE|FEED|C0DE)+$/i.test(text),
  ],
  ["a word", /^[\p{L}'’]+$/u],
  ["a name in code", /^_?[A-Za-z]+(?:[-_.][A-Za-z]+)*_?\d{0,4}$|^[a-z]+(?:[-_][a-z0-9]{1,9}){0,8}$/],
  ["a number", /^[\d.,_' ]+$/],
];

/** Kinds of text that may still be an ID, or contain one. */
const VAGUE = [
  "an email address",
  "an Amazon resource name (ARN)",
  "a word",
  "a file",
  "a name in code",
  "a number",
  "a round number",
  "hexadecimal digits, as in a hash or a memory address",
];

/** Whether a number is probably invented, and not a Unix time. */
export const isMadeUp = (digits: string): boolean => /^\d0+$|^1234567890\d+$|^(\d)\1+$/.test(digits);

/**
 * The kind of a whole text that is not an ID. `isCertain`: no part of the text is an ID, either.
 */
export function otherIn(text: string): { readonly what: string; readonly isCertain: boolean } | undefined {
  if (text.length > 200) return undefined;
  const what = KINDS.find(([, form, holds]) => form.test(text) && (holds?.(text) ?? true))?.[0];
  return what === undefined ? undefined : { what, isCertain: !VAGUE.includes(what) };
}

/** Whether a number ends in zeros and is the shortest text of its own double. */
const isRounded = (digits: string): boolean =>
  digits.length >= 17 && digits.length <= 20 && digits.endsWith("00") && String(Number(digits)) === digits;

export function notesOn(text: string): string[] {
  const digits = text.replace(/[,_]/g, "");
  if (!/^[1-9]\d*$/.test(digits)) return [];
  const notes: string[] = [];
  if (digits.length < 60 && BigInt(digits) >= 1n << 64n) notes.push("It has more than 64 bits.");
  if (isRounded(digits))
    notes.push("It ends in zeros, like a number that JavaScript has rounded: its last digits may be lost.");
  return notes;
}
