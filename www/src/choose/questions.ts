/** The questions that lead to a format and its code. */
import words from "../../../js/cli/words.json" with { type: "json" };
import { collision } from "./birthday.ts";
import { GIVEN, leasedFrom, type Source, STORES } from "./sources.ts";

export interface Question {
  readonly key: "service" | "json" | "numbers" | "store" | "key";
  readonly asks: string;
  readonly answers: readonly (readonly [value: string, words: string])[];
}

export type Answers = Readonly<Partial<Record<string, string>>>;

/** Formats of services, with an ID of each. */
const SERVICES = Object.entries(words.formats).flatMap(([name, one]) =>
  "id" in one ? [[name, one] as const] : [],
);

const SERVICE: Question = {
  key: "service",
  asks: "Are these the IDs of an existing service?",
  answers: [["none", "No, my own"], ...SERVICES.map(([name, { title }]) => [name, title] as const)],
};

const JSON_NUMBERS: Question = {
  key: "json",
  asks: "Must the IDs be plain numbers in JSON?",
  answers: [
    ["no", "No: strings or bigints"],
    ["yes", "Yes, safe in JavaScript"],
  ],
};

const NUMBERS: Question = {
  key: "numbers",
  asks: "Can each process get its own number?",
  answers: [
    ["each", "Yes, each gets one"],
    ["lease", "Yes, from a database or a disk that all of them reach"],
    ["none", "No"],
    ["one", "There is only one process"],
  ],
};

const STORE: Question = {
  key: "store",
  asks: "What can all processes reach?",
  answers: Object.entries(STORES).map(([name, { title }]) => [name, title] as const),
};

const KEY: Question = {
  key: "key",
  asks: "What should the key be?",
  answers: [
    ["integer", "A 64-bit integer"],
    ["fields", "A 64-bit integer with fields of my own"],
    ["text", "Text that sorts, with a byte of my own"],
    ["random", "Text that sorts, and is harder to guess"],
  ],
};

/** The questions to show after the given answers. The last of these may have no answer yet. */
export function questionsFor(answers: Answers): Question[] {
  const asked: Question[] = [SERVICE];
  if (answers.service === undefined || answers.service !== "none") return asked;
  asked.push(JSON_NUMBERS);
  if (answers.json === undefined) return asked;
  asked.push(NUMBERS);
  if (answers.numbers === undefined) return asked;
  if (answers.numbers === "lease") {
    asked.push(STORE);
    if (answers.store === undefined) return asked;
  }
  if (answers.json === "yes") return asked;
  asked.push(KEY);
  return asked;
}

export interface Advice {
  /** The format's name. */
  readonly format: string;
  readonly code: string;
  readonly reasons: readonly string[];
  /** The code's imports besides the format. */
  readonly imports: readonly string[];
  /** Whether processes lease their numbers. */
  readonly isLease: boolean;
}

/** The part of the advice that depends on the format alone. */
type Chosen = Pick<Advice, "format" | "code" | "reasons">;

const EPOCH = "epoch: Date.UTC(2025, 0, 1)";

const FOR_SERVICES: Readonly<Record<string, string>> = Object.fromEntries(
  SERVICES.map(([name, { id }]) => [name, `${name}.inspect("${id}")`]),
);

const chance = Math.round(1 / collision(10, 65_536)).toLocaleString("en");

/** Advice for IDs that are safe integers. */
function safeAdvice(numbers: string, source: Source): Chosen {
  const format = "snowflake-si";
  const safe = "53 bits: every ID is a safe integer, in JSON too.";
  if (numbers === "one") {
    return {
      format,
      code: `const ids = snowflakeSI({ ${EPOCH}, machineBits: 0 }).generator();`,
      reasons: [safe, "One process needs no machine number, so the sequence gets all 13 bits."],
    };
  }
  const code = source.code(`snowflakeSI({ ${EPOCH} })`, "machineId: 3");
  if (numbers === "each") {
    return {
      format,
      code,
      reasons: [safe, "Up to 32 machines can generate 256 IDs per millisecond each.", ...source.says],
    };
  }
  return {
    format,
    code,
    reasons: [
      safe,
      "Only machine numbers tell processes apart, because 53 bits have no room for enough random bits. Find a number for each process first, or use strings.",
    ],
  };
}

/** Advice for IDs that are 64-bit integers. */
function integerAdvice(numbers: string, own: boolean, source: Source): Chosen {
  if (own && numbers !== "none") {
    const several = numbers === "each";
    const fields = several
      ? "time: 41, region: 4, worker: 6, sequence: 12"
      : "time: 41, kind: 10, sequence: 12";
    return {
      format: "snowflake",
      code: (several ? source : GIVEN).code(
        `snowflake({ ${EPOCH}, fields: { ${fields} } })`,
        several ? "region: 1, worker: 3" : "kind: 3",
        "region: 1",
      ),
      reasons: [
        "You name the fields and their widths, and they are typed from the declaration.",
        ...(several
          ? source.says
          : ["No field identifies the machine, so only one process at a time may generate IDs."]),
      ],
    };
  }
  if (numbers === "none") {
    const alone = own
      ? ["Your own fields would be fixed for each process, so each process would need its own number."]
      : [];
    return {
      format: "ulid-flake",
      code: "const id = ulidFlake.toBigInt(ulidFlake.next());",
      reasons: [
        ...alone,
        "63 bits, without any configuration.",
        "In each millisecond, only 20 random bits tell processes apart, so duplicates are possible. To exclude them, assign numbers.",
      ],
    };
  }
  return {
    format: "nanoflake",
    code: source.code(`nanoflake({ ${EPOCH} })`, `generatorId: ${numbers === "one" ? 0 : 5}`),
    reasons: [
      "63 bits fit a signed 64-bit column, for 69 years from your epoch.",
      "Up to 1,024 generators can generate 4,096 IDs per millisecond each.",
      ...source.says,
    ],
  };
}

/** Advice for IDs that are texts. */
function textAdvice(numbers: string, random: boolean, source: Source): Chosen {
  if (random && numbers === "each") {
    return {
      format: "ulid-flake-scalable",
      code: source.code("ulidFlakeScalable", 'scalability: 5, sequenceFull: "wait"'),
      reasons: [
        "13 characters that sort; 15 random bits make the next ID harder to guess than a counter does.",
        "There are 32 numbers.",
        ...source.says,
      ],
    };
  }
  if (random) {
    return {
      format: "ulid-flake",
      code: 'const ids = ulidFlake.generator({ sequenceFull: "wait" });',
      reasons: [
        "13 characters that sort; 20 random bits make the next ID harder to guess than a counter does.",
        ...(numbers === "none"
          ? [
              "Only these bits tell processes apart, so duplicates are possible. To exclude them, assign numbers.",
            ]
          : []),
      ],
    };
  }
  const reasons = [
    "16 characters that sort, a byte of your own, and a bit that keeps IDs unique when the clock goes back.",
  ];
  if (numbers === "each") {
    return {
      format: "sno",
      code: source.code("sno", "partition: 7"),
      reasons: [...reasons, "There are 65,536 partitions.", ...source.says],
    };
  }
  const drawn = `Each process draws one of 65,536 partitions: the odds that two of 10 processes draw the same one are 1 in ${chance}.`;
  return {
    format: "sno",
    code: "const id = sno.next();",
    reasons: numbers === "none" ? [...reasons, drawn] : reasons,
  };
}

/** The advice at the end of the questions; `undefined` until all of them are answered. */
export function adviceFor(answers: Answers): Advice | undefined {
  const { service, numbers = "", store = "", json, key } = answers;
  if (questionsFor(answers).some(({ key: each }) => answers[each] === undefined)) return undefined;
  const line = FOR_SERVICES[service ?? ""];
  if (service !== "none") {
    if (service === undefined || line === undefined) return undefined;
    const reasons = [
      "No other format has this layout and this epoch, so no other format reads its IDs correctly.",
    ];
    return { format: service, code: `${line};`, reasons, imports: [], isLease: false };
  }
  const source = numbers === "lease" ? leasedFrom(store) : GIVEN;
  // A lease gives each process a number of its own.
  const have = numbers === "lease" ? "each" : numbers;
  const chosen =
    json === "yes"
      ? safeAdvice(have, source)
      : key === "integer" || key === "fields"
        ? integerAdvice(have, key === "fields", source)
        : textAdvice(have, key === "random", source);
  return { ...chosen, imports: source.imports, isLease: source.isLease };
}
