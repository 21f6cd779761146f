/** The words of a question: which say nothing, which mean the same, and which have two letters swapped. */

/** Words that only make a question of the others. */
const FILLERS = new Set(
  `a an and any are as at be but by can could did do does for from get got had happen happens has have how i if in into is it its just me my need of
  on or our please shall should so than that the their them then there these they this those to use want was we were what when where which
  who why will with work works would you your`.split(/\s+/),
);

/** What people also call a thing of this site. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  k8s: ["kubernetes"],
  db: ["database"],
  postgres: ["postgresql", "database"],
  mysql: ["database"],
  sqlite: ["database"],
  decode: ["inspect", "paste", "inside"],
  read: ["inspect"],
  extract: ["inspect"],
  create: ["make", "generate"],
  collision: ["duplicate", "repeat"],
  unique: ["duplicate", "repeat"],
  performance: ["speed"],
  benchmark: ["speed", "bench"],
  fast: ["speed"],
  crash: ["restart", "kill"],
  reboot: ["restart"],
  deploy: ["restart"],
  commonjs: ["require"],
  cjs: ["require", "commonjs"],
  cli: ["command"],
  terminal: ["command"],
  compare: ["beside", "choose"],
  lambda: ["serverless"],
  prisma: ["database"],
  drizzle: ["database"],
  typeorm: ["database"],
  serverless: ["worker", "edge"],
  cluster: ["process", "worker"],
};

export interface Word {
  readonly text: string;
  /** Other words that are as good. */
  readonly also: readonly string[];
}

/** The words that say something. A question of fillers alone is taken as it is. */
export function wordsOf(query: string, tokenize: (text: string) => string[]): Word[] {
  const all = tokenize(query).map((text) => ({ text, also: ALSO[text.toLowerCase()] ?? [] }));
  const telling = all.filter(({ text }) => !FILLERS.has(text.toLowerCase()));
  return telling.length === 0 ? all : telling;
}

/** A word with two neighbouring letters swapped, in each place where that makes another word. */
export const swapped = (word: string): string[] =>
  word.length < 4
    ? []
    : Array.from({ length: word.length - 1 }, (_, i) => {
        const [first = "", second = ""] = word.slice(i, i + 2);
        return word.slice(0, i) + second + first + word.slice(i + 2);
      }).filter((other) => other !== word);
