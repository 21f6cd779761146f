// graupel's formats as cases: every operation of each format, called as users call it.

import { facts } from "graupel/facts";
import { flat, roomOf, used } from "./floors.mjs";

/** What a user declares, and the fields of a custom layout. */
const DECLARED = {
  epoch: Date.UTC(2024, 0, 1),
  fields: { time: 41, region: 4, worker: 6, sequence: 12 },
};
const OWN_NUMBERS = { region: 0, worker: 1 };
/**
 * A late time, because texts in bases other than 10 reach their full length only late in a format's
 * life.
 */
const LATE = Date.UTC(2090, 0, 1);

/**
 * The average step of a random byte (0 to 255). The average start is in the middle of the tick's
 * range.
 */
const PER_STEP = 128;

/**
 * The arguments of `nextMany` and `nextTyped`: few, some, and more than a tick of most formats
 * holds.
 */
const FEW = 10;
const SOME = 1000;
const LOTS = 65_536;
/** The middle argument for formats with small ticks. */
const FEWER = 200;

const required = (options, values) =>
  Object.fromEntries(options.filter((option) => option.required).map(({ name }) => [name, values(name)]));

/**
 * A format, without its module. `result` names the floor of `next()`. `decimal`: `nextText()` is
 * compared with `String(next())`. `many`: the middle argument of `nextMany` and `nextTyped`.
 * `metabyte`: `next` accepts a metabyte. `fixed`: the last of the fields that a lease can assign,
 * if there is one. `unsure`: its steps are random; it then borrows, so that a case never waits when
 * its tick is full.
 */
function formatFor({ export: name, entry, declared, declaration, options, fields, capacity, text, id }) {
  const of = (role) => fields?.filter((field) => field.role === role).map((field) => field.name) ?? [];
  // The facts do not include the fields of a custom layout.
  const numbers = fields === null ? OWN_NUMBERS : required(options, () => 1);
  const unsure = of("random").length > 0;
  return {
    ...{ name, entry, unsure, decimal: text.base === 10, metabyte: of("call").length > 0 },
    settings: declared ? required(declaration, (option) => DECLARED[option]) : undefined,
    options: {
      ...numbers,
      ...(name === "sno" && { partition: 1 }),
      ...(unsure && { sequenceFull: "borrow" }),
    },
    fixed: (fields === null ? Object.keys(OWN_NUMBERS) : of("fixed")).at(-1),
    result: id.type === "string" ? `text${text.longest}` : id.type,
    many: capacity !== null && capacity < SOME ? FEWER : SOME,
    late: text.base !== 10 && text.shortest < text.longest,
  };
}

/** All formats except alternative layouts. */
export const formats = Object.values(facts)
  .filter(({ given }) => Object.keys(given).length === 0)
  .map(formatFor);

/** Creates a format from the module of its entry. */
export const made = ({ name, settings }, module) => (settings ? module[name](settings) : module[name]);

/** The guaranteed number of IDs in a tick. */
const sureOf = ({ capacity }, unsure) => (unsure ? capacity / PER_STEP / 2 : capacity);

/** Calls with a metabyte: always the same one, or a different one each time. */
const METABYTES = ["next(7)", "next(i & 255)"];

/**
 * The system clock, except that each reading advances by at least a tick, so that generators never
 * wait.
 */
function restlessClock(tickMs) {
  let last = 0;
  return () => {
    last = Math.max(Date.now(), last + tickMs);
    return last;
  };
}

/** The cases of a format. `module`: the module of the format's entry. */
export function formatCases(one, module) {
  const { options, result, many, unsure } = one;
  const format = made(one, module);
  const { layout } = format;
  const generator = format.generator(options);
  const sure = sureOf(format, unsure);
  const room = roomOf({ tickMs: layout.tickMs, epoch: format.epoch, sure });
  const ids = Array.from(generator.nextMany(16));
  const late = (_, sequence) =>
    format.with(format.range().min, { timestamp: LATE, generatorId: 1, sequence });
  const texts = (one.late ? Array.from({ length: 16 }, late) : ids).map((id) => flat(format.format(id)));
  const parts = ids.map((id) => {
    const { time, ticks, ...fields } = format.inspect(id);
    return fields;
  });
  const scope = { format, generator, ids, texts, parts };

  const reads = (operation, code) => ({ operation, code, scope });
  const makes = (operation, code, more) => ({ ...reads(operation, code), room, ...more });
  const batches = (call) => (n) => {
    const fits = n <= sure && !unsure;
    // The generator is isolated, because its clock runs ahead of the other generators' clock.
    const restless = () =>
      format.generator({ ...options, clock: restlessClock(layout.tickMs), isolated: true });
    return {
      ...{ operation: `${call}(${n})`, code: `generator.${call}(${n})`, each: n },
      scope: { generator: fits ? generator : restless() },
      ...(fits ? { room } : { restless: true }),
    };
  };
  const next = makes("next", "generator.next()", { floor: result });
  const nextText = makes("nextText", "generator.nextText()");
  return [
    ...[next, nextText],
    ...used(result.startsWith("text") ? next : nextText),
    ...(one.decimal ? [makes("String(next())", "String(generator.next())")] : []),
    ...(one.metabyte ? METABYTES.map((call) => makes(call, `generator.${call}`)) : []),
    ...[FEW, many, LOTS].map(batches("nextMany")),
    ...(generator.nextTyped ? [FEW, many, LOTS].map(batches("nextTyped")) : []),
    reads("parse", "format.parse(texts[i & 15])"),
    reads("isValid", "format.isValid(texts[i & 15])"),
    reads("inspect", "format.inspect(ids[i & 15])"),
    ...(format.timestamp ? [reads("timestamp", "format.timestamp(ids[i & 15])")] : []),
    ...(format.timestamp ? [reads("timestamp of text", "format.timestamp(texts[i & 15])")] : []),
    reads("compose", "format.compose(parts[i & 15])"),
  ];
}

/**
 * The name of an operation under a lease. `without`: the name of the same operation without a
 * lease.
 */
export const leased = (operation) => `${operation}, under a lease`;

/**
 * The same calls under a lease from a store in memory. Checking the lease's interval must add no
 * cost.
 */
export async function leasedCases(one, module) {
  const { fixed, many, unsure, options } = one;
  if (fixed === undefined) return [];
  const { lease, memory } = await import("graupel/lease");
  const format = made(one, module);
  const { acquire, ...store } = memory();
  // Longer than any run, because otherwise a renewal would run between the calls.
  const [ttlMs, quarantineMs] = [24 * 3600 * 1000, 24 * 3600 * 1000];
  const worker = await lease(
    { ...store, acquire: (request) => acquire({ ...request, quarantineMs: 0 }) },
    // A number that the other cases do not use.
    { format, namespace: "bench", fixed: { [fixed]: 2 }, ttlMs, quarantineMs },
  );
  const generator = format.generator({ lease: worker, ...(unsure && options) });
  const { tickMs } = format.layout;
  const room = roomOf({ tickMs, epoch: format.epoch, sure: sureOf(format, unsure) });
  const call = `nextMany(${many})`;
  return [
    { operation: leased("next"), without: "next", code: "generator.next()" },
    // A tick with random steps may fill up in the middle of a batch.
    ...(unsure ? [] : [{ operation: leased(call), without: call, code: `generator.${call}`, each: many }]),
  ].map((more) => ({ scope: { generator }, room, ...more }));
}

/** The name of an operation of `graupel/read`. */
export const alone = (operation) => `${operation}, of graupel/read`;

/** The operations that read IDs without a core. `read`: the module of `graupel/read`. */
export function readCases(one, module, read) {
  const format = made(one, module);
  const ids = Array.from(format.generator({ ...one.options, isolated: true }).nextMany(16));
  const texts = ids.map((id) => flat(format.format(id)));
  const scope = { ...read, format: made(one, read), ids, texts };
  return [
    ["timestamp", "timestamp(format, ids[i & 15])"],
    ["timestamp of text", "timestamp(format, texts[i & 15])"],
    ["inspect", "inspect(format, ids[i & 15])"],
    ["parse", "parse(format, texts[i & 15])"],
  ].map(([operation, code]) => ({ operation: alone(operation), code, scope }));
}
