// graupel's formats as cases: every operation of each, called as a user would.

import * as graupel from "graupel";
import { facts } from "graupel/facts";
import { restlessClock, Tick } from "./tick.mjs";
import { used } from "./uses.mjs";

/** What the user declares, and the numbers of a layout of one's own. */
const DECLARED = {
  epoch: Date.UTC(2024, 0, 1),
  fields: { time: 41, region: 4, worker: 6, sequence: 12 },
};
const OWN_NUMBERS = { region: 0, worker: 1 };
/** Texts in another base than 10 reach their length only late in a format's life. */
const LATE = Date.UTC(2090, 0, 1);

/** The average step of a random byte (0 to 255). The average start is in the middle of the range. */
const PER_STEP = 128;
/** Formats whose steps are random. They borrow, so that a case never waits when its tick is used up. */
const random = {
  room: (capacity) => capacity / PER_STEP / 2,
  options: { sequenceFull: "borrow" },
  unsure: true,
};

/** Arguments of `nextMany` and `nextTyped`: few, some, and more than most formats have in a tick. */
const FEW = 10;
const SOME = 1000;
const LOTS = 65_536;
/** Some, where a tick has fewer. */
const FEWER = 200;

const required = (options, values) =>
  Object.fromEntries(options.filter((option) => option.required).map(({ name }) => [name, values(name)]));

/**
 * `result` names the floor of `next()`. `decimal`: `nextText()` is compared with `String(next())`. `many`: the number of
 * IDs in the middle case of `nextMany` and `nextTyped`. `metabyte`: `next` takes a metabyte. `fixed`: the last of the fields that a
 * lease can give, if there is one.
 */
function caseFor({ export: name, declared, declaration, options, fields, text, id }) {
  const exported = { ...graupel }[name];
  const format = declared ? exported(required(declaration, (option) => DECLARED[option])) : exported;
  const has = (role) => fields?.some((field) => field.role === role) ?? false;
  const decimal = text.base === 10;
  return {
    name,
    format,
    options:
      fields === null
        ? OWN_NUMBERS
        : { ...required(options, () => 1), ...(name === "sno" && { partition: 1 }) },
    result: id.type === "string" ? `text${text.longest}` : id.type,
    decimal,
    metabyte: has("call"),
    fixed: format.layout.fields.findLast((field) => isFixed(field, fields))?.name,
    many: format.capacity < SOME ? FEWER : SOME,
    ...(!decimal && text.shortest < text.longest && { texts: lateTexts }),
    ...(has("random") && random),
  };
}

/** Of a layout of one's own, the facts know no fields. */
const isFixed = ({ name }, facts) =>
  facts === null ? name in OWN_NUMBERS : facts.some((field) => field.name === name && field.role === "fixed");

/** Texts of full length. */
const lateTexts = (format) =>
  Array.from({ length: 16 }, (_, sequence) =>
    format.format(format.with(format.range().min, { timestamp: LATE, generatorId: 1, sequence })),
  );

/** The formats that are no layout of another one. */
export const formats = Object.values(facts)
  .filter(({ given }) => Object.keys(given).length === 0)
  .map(caseFor);

/** A flat copy of a text, like one from a file or a socket. */
const flat = (text) => Buffer.from(text).toString("latin1");

/** Calls with a metabyte: always the same one, and another one each time. */
export const METABYTES = ["next(7)", "next(i & 255)"];

/** The middle case of a format, by either call. */
export const someOf =
  (call) =>
  ({ many = SOME }) =>
    `${call}(${many})`;

/** How many IDs a tick surely holds, and the tick. */
export function tickOf({ format: { capacity, epoch, layout }, room: roomOf }) {
  const room = roomOf?.(capacity) ?? capacity;
  return { room, tick: new Tick({ tickMs: layout.tickMs, epoch, room }) };
}

function casesOf({ name, format, options = {}, result, decimal, many = SOME, ...rest }) {
  const { layout } = format;
  const generator = format.generator(options);
  const { room, tick } = tickOf({ format, ...rest });
  const ids = Array.from(generator.nextMany(16));
  const texts = (rest.texts?.(format) ?? ids.map((id) => format.format(id))).map(flat);
  const parts = ids.map((id) => {
    const { time, ticks, ...fields } = format.inspect(id);
    return fields;
  });
  const scope = { format, generator, ids, texts, parts };

  const one = (operation, code, extra = {}) => ({ subject: name, operation, code, scope, ...extra });
  const makes = (operation, code, extra = {}) => one(operation, code, { tick, ...extra });
  const batches = (call) => (n) => {
    const fits = n <= room && !rest.unsure;
    // Isolated: its clock runs ahead of the clock of the other generators.
    const restless = { clock: restlessClock(layout.tickMs), isolated: true };
    const source = fits ? generator : format.generator({ ...options, ...restless });
    return one(`${call}(${n})`, `generator.${call}(${n})`, {
      scope: { generator: source },
      each: n,
      ...(fits ? { tick } : { restless: true }),
    });
  };

  const next = makes("next", "generator.next()", { floor: result });
  const nextText = makes("nextText", "generator.nextText()");
  return [
    next,
    nextText,
    ...used(result.startsWith("text") ? next : nextText),
    ...(decimal ? [makes("String(next())", "String(generator.next())")] : []),
    ...(rest.metabyte ? METABYTES.map((call) => makes(call, `generator.${call}`)) : []),
    ...[FEW, many, LOTS].map(batches("nextMany")),
    ...(generator.nextTyped ? [FEW, many, LOTS].map(batches("nextTyped")) : []),
    one("parse", "format.parse(texts[i & 15])"),
    one("isValid", "format.isValid(texts[i & 15])"),
    one("inspect", "format.inspect(ids[i & 15])"),
    one("timestamp", "format.timestamp(ids[i & 15])"),
    one("compose", "format.compose(parts[i & 15])"),
  ];
}

export const formatCases = (chosen) => chosen.flatMap(casesOf);
