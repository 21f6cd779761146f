// Every public item of sno's reference (muyo/sno v1.2.1), with its counterpart here. The page's table is written from this list,
// and the test evaluates each counterpart: an expression that is undefined, or throws, fails.
import { sno } from "graupel/sno";
import { run } from "../cli/run.ts";
import { emptyRegistry } from "../support/other-process.ts";

/** An item, its counterparts, and a note if they differ a little. */
type Item = readonly [reference: string, counterparts: readonly string[], note?: string];

/** Expressions of JavaScript, in the scope below. */
const ITEMS: Readonly<Record<string, readonly Item[]>> = {
  Constants: [
    ["`SizeBinary`", ["sno.layout.bits"], "in bits"],
    ["`SizeEncoded`", ["sno.zero.length"]],
    ["`Epoch`", ["sno.epoch"], "in milliseconds"],
    ["`TimeUnit`", ["sno.layout.tickMs"], "in milliseconds"],
    ["`MaxTimestamp`", ["sno.endOfLife"], "as a time, in Unix milliseconds"],
    ["`MaxPartition`", ["sno.layout.fields[3].bits"], "as a width"],
    ["`MaxSequence`", ["sno.capacity"], "how many, which is one more"],
  ],
  Package: [
    ["`New(meta)`", ["sno.next(meta)"]],
    [
      "`NewWithTime(meta, time)`",
      ["generator.at(time, meta)"],
      "on a generator; refused where it could repeat",
    ],
    ["`FromBinaryBytes`", ["sno.fromBytes(bytes)"]],
    ["`FromEncodedBytes`", ["sno.parse(text)"], "of the text"],
    ["`FromEncodedString`", ["sno.parse(text)"], "checks every character"],
    ["`Sort`", ["ids.sort()", "ids.sort(sno.compare)"], "the texts sort as the IDs do"],
    ["`Zero()`", ["sno.zero"]],
    ["`NewGenerator(snapshot, channel)`", ["sno.generator({ snapshot, onOverflow })"]],
  ],
  "`ID`": [
    ["`Time()`", ["sno.inspect(id).time"]],
    ["`Timestamp()`", ["sno.inspect(id).timestamp"], "in milliseconds, not nanoseconds"],
    ["`Meta()`", ["sno.metabyte(id)", "sno.inspect(id).metabyte"]],
    ["`Partition()`", ["sno.inspect(id).partition"]],
    ["`Sequence()`", ["sno.inspect(id).sequence"]],
    ["`id[4] & 1`", ["sno.inspect(id).tickTock"], "the tick-tock bit, which has no accessor there"],
    ["`IsZero()`", ["id === sno.zero"]],
    ["`String()`", ["sno.format(id)"], "the ID is its text"],
    ["`Bytes()`", ["sno.toBytes(id)"]],
    ["`Compare()`, `==`, as a map's key", ["sno.compare(a, b)", "a === b", "new Map([[id, 1]])"]],
    ["`MarshalBinary`, `UnmarshalBinary`", ["sno.toBytes(id)", "sno.fromBytes(bytes)"]],
    ["`MarshalText`, `UnmarshalText`", ["sno.format(id)", "sno.parse(text)"]],
    [
      "`MarshalJSON`, `UnmarshalJSON`",
      ["JSON.stringify(id)", "sno.parse(JSON.parse(json))"],
      "the zero ID is its text, not null",
    ],
    ["`Value()`, `Scan()`", ["sno.toBytes(id)", "sno.fromBytes(bytes)"], "or the text, with `sno.parse`"],
    ["its bytes, changed in place", ["sno.with(id, { partition: 9 })"], "a new ID"],
  ],
  "`Partition`": [
    ["`[2]byte`", ["sno.generator({ partition: [1, 2] })"]],
    ["`AsUint16()`", ["generator.partition"], "is a number"],
    ["`PutUint16()`", ["sno.generator({ partition: 258 })"]],
  ],
  "`Generator`": [
    ["`New(meta)`", ["generator.next(meta)"]],
    ["`NewWithTime(meta, time)`", ["generator.at(time, meta)"]],
    ["`Partition()`", ["generator.partition"]],
    ["`Sequence()`", ["generator.sequence()"]],
    ["`SequenceMin()`, `SequenceMax()`", ["generator.sequenceMin", "generator.sequenceMax"]],
    ["`Len()`", ["generator.len()"]],
    ["`Cap()`", ["generator.capacity"]],
    ["`Snapshot()`", ["generator.snapshot()"]],
  ],
  "`GeneratorSnapshot`": [
    ["`partition`", ["snapshot.partition"], "a number; its two bytes are read as well"],
    ...["sequenceMin", "sequenceMax", "sequence", "now", "wallHi", "wallSafe", "drifts"].map(
      (name): Item => [`\`${name}\``, [`snapshot.${name}`]],
    ),
  ],
  "`SequenceOverflowNotification`": [
    ["`Now`", ["overflow.time"], "in Unix milliseconds"],
    ["`Count`", ["overflow.count"]],
    ["`Ticks`", ["overflow.ticks"]],
  ],
  Errors: [
    [
      "`InvalidDataSizeError{Size}`",
      ['refusal(() => sno.parse("x")).code', 'refusal(() => sno.parse("x")).value'],
    ],
    ["`InvalidTypeError{Value}`", ["refusal(() => sno.parse(5)).code", "refusal(() => sno.parse(5)).value"]],
    [
      "`InvalidSequenceBoundsError{Cur, Min, Max, Msg}`",
      [
        "refusal(() => sno.generator({ sequenceMin: 5, sequenceMax: 7 })).range",
        "refusal(() => sno.generator({ sequenceMin: 5, sequenceMax: 5 })).message",
      ],
    ],
    ["`PartitionPoolExhaustedError`", ["exhausted().code"]],
  ],
};

/** The commands of the reference, and those here. */
const COMMANDS: readonly (readonly [reference: string, here: string, note?: string])[] = [
  ["`sno`", "graupel generate sno"],
  ["`sno generate N`", "graupel generate sno -n 3"],
  ["`--meta`", "graupel generate sno --metabyte 255"],
  ["`--partition`", "graupel generate sno --partition 65535"],
  ["`sno inspect ID`", "graupel inspect --format sno brpk4q72xwf2m63l"],
  ["`sno version`", "graupel version"],
  ["`sno help`", "graupel help"],
];

const sections = (): [string, [string, string, string][]][] => [
  ...Object.entries(ITEMS).map(([section, items]): [string, [string, string, string][]] => [
    section,
    items.map(([reference, here, note = ""]) => [
      reference,
      here.map((code) => `\`${shown(code)}\``).join(", "),
      note,
    ]),
  ]),
  ["Command line", COMMANDS.map(([reference, here, note = ""]) => [reference, `\`${here}\``, note])],
];

/** An expression as the page shows it: errors by their code. */
function shown(code: string): string {
  const { what, part } =
    /^(?:refusal\(\(\) => (?<what>.*)\)|exhausted\(\))\.(?<part>\w+)$/.exec(code)?.groups ?? {};
  if (part === undefined) {
    return code;
  }
  return part === "code"
    ? `error.code === "${what === undefined ? "PARTITIONS_EXHAUSTED" : evaluate(code)}"`
    : `error.${part}`;
}

/** The page's table. */
export function surfaceTable(): string {
  const rows = sections().flatMap(([section, items]) => [
    `| **${section}** | | |`,
    ...items.map((cells) => `| ${cells.join(" | ")} |`),
  ]);
  return ["| muyo/sno | here | |", "| --- | --- | --- |", ...rows].join("\n");
}

/** What a call throws. */
function refusal(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The names that an expression may use. */
function scope(): Record<string, unknown> {
  emptyRegistry();
  const events: unknown[] = [];
  const time = Date.UTC(2030, 0, 1);
  const clock = () => time + 4_000;
  const options = { partition: 7, sequenceMin: 0, sequenceMax: 3, sequenceFull: "throw", clock } as const;
  const generator = sno.generator({ ...options, onOverflow: (event) => events.push(event) });
  const id = generator.at(time, 200);
  refusal(() => Array.from({ length: 5 }, () => generator.next()));
  const snapshot = generator.snapshot();
  // A later clock, so that there is room again.
  const another = sno.generator({ ...options, clock: () => time + 8_000 });
  return {
    sno,
    generator: another,
    snapshot,
    overflow: events[0],
    onOverflow: () => undefined,
    refusal,
    exhausted,
    id,
    text: id,
    json: JSON.stringify(id),
    bytes: sno.toBytes(id),
    ids: [id, sno.zero],
    a: id,
    b: sno.zero,
    meta: 200,
    time,
  };
}

/**
 * The error where no partition is left: the registry finds the same generator on each of them. (To take them all lasts seconds, and is
 * tested in identity/partitions.test.ts.)
 */
function exhausted(): unknown {
  emptyRegistry();
  sno.generator({ sequenceMax: 3 }).next();
  const { states } = Reflect.get(globalThis, Symbol.for("graupel.registry")) as {
    states: Map<string, unknown>;
  };
  const [taken] = states.values();
  states.get = () => taken;
  const error = refusal(() => sno.generator().next());
  emptyRegistry();
  return error;
}

function evaluate(code: string): unknown {
  const names = scope();
  return new Function(...Object.keys(names), `return (${code});`)(...Object.values(names));
}

/** The counterparts that do not exist, and how many do. */
export async function missing(): Promise<{ readonly missing: readonly string[]; readonly found: number }> {
  const bad: string[] = [];
  let found = 0;
  for (const [reference, counterparts] of Object.values(ITEMS).flat()) {
    for (const code of counterparts) {
      try {
        if (evaluate(code) === undefined) {
          bad.push(`${reference}: ${code} is undefined`);
        }
        found++;
      } catch (error) {
        bad.push(`${reference}: ${code}: ${error}`);
      }
    }
  }
  for (const [reference, command] of COMMANDS) {
    const { code, out, err } = await run(command.split(" ").slice(1));
    if (code !== 0 || out === "") {
      bad.push(`${reference}: ${command} ends with ${code} and prints "${out}", "${err}"`);
    }
    found++;
  }
  return { missing: bad, found };
}
