// Sorts: `compare` beside the engine's own comparison, for each kind of ID.

/** The formats that are sorted, and the kinds of their IDs: one for each kind is enough. */
const SUBJECTS = { sno: [""], nanoflake: [".text"], twitter: ["", ".text"], snowflakeSI: [""] };
/** How many IDs. */
const COUNT = 20_000;
/** They are from this year on, and of one length. */
const SINCE = Date.UTC(2035, 0, 1);
const YEARS = 10;

const OWN = "(a, b) => a < b ? -1 : a > b ? 1 : 0";

/** The name of a sort; `text`: ".text" if the texts of IDs are sorted that are integers. */
const sort = (text, by) => `sort of 20,000${text && " texts"}, ${by}`;
/** The sorts of a format by `compare`. */
export const sorts = ({ name }) => (SUBJECTS[name] ?? []).map((text) => sort(text, "compare"));

/** IDs in no order. Texts are flat, as from a file. */
function shuffled(format) {
  const { min, max } = format.range(SINCE, SINCE + YEARS * 365 * 86_400_000);
  const [first, last] = [min, max].map((id) => format.toBigInt(id));
  const step = (last - first) / BigInt(2 ** 32);
  return Array.from({ length: COUNT }, () => {
    const id = format.fromBigInt(first + BigInt(Math.floor(Math.random() * 2 ** 32)) * step);
    return typeof id === "string" ? Buffer.from(id).toString("latin1") : id;
  });
}

function casesOf({ name: subject, format }) {
  return (SUBJECTS[subject] ?? []).flatMap((text) => {
    const { compare } = text ? format.text : format;
    const scope = { ids: shuffled(text ? format.text : format), compare };
    const one = (by, code, more) => ({
      ...{ subject, operation: sort(text, by), each: COUNT, scope, ...more },
      code: `ids.slice().sort(${code})`,
    });
    return [one("compare", "compare", { without: sort(text, "<") }), one("<", OWN)];
  });
}

export const sortCases = (formats) => formats.flatMap(casesOf);
