/** Cases for calls that not every format has: `identify`, `GraupelError.is`, and those of sno or Ulid-Flake only. */
import { GraupelError, identify } from "graupel";
import { sno } from "graupel/sno";
import { ulidFlake, ulidFlakeScalable } from "graupel/ulid-flake";
import type { AnyFormat } from "../../support/any-format.ts";
import { snoUUID } from "../../support/reference.ts";
import type { Subject } from "../../support/subjects.ts";
import { mark } from "./marked.ts";
import { epochOf, idFaults, integerOf } from "./oracle.ts";
import { type Context, faultSet, NO_FAULTS } from "./verbs.ts";

/** `identify`: never throws, and finds exactly the formats whose reference accepts the value. */
export function identified({ outcomes, junk }: Context, subjects: readonly Subject[], si: Subject): void {
  const x = junk.id(junk.random.pick(subjects).reference);
  outcomes.begin("identify", x);
  const expected = [...subjects, si]
    .filter(({ label }) => !/reference|epoch/.test(label))
    .filter(({ reference }) => idFaults(reference, x, true).size === 0)
    .map(({ reference }) => `${reference.spec.name} ${integerOf(reference, x)}`)
    .sort();
  outcomes.verdict(
    outcomes.run(() => identify(x)),
    NO_FAULTS,
    (seen) => {
      const found = (seen as ReturnType<typeof identify>).map(({ name, integer }) => `${name} ${integer}`);
      outcomes.expect(found.sort().join() === expected.join(), () => `found ${found}; expected ${expected}`);
    },
  );
}

/** The calls that only sno has. */
export function snoOnly({ outcomes, junk }: Context, { reference: r }: Subject): void {
  const { random } = junk;
  const id = junk.id(r);
  const faults = idFaults(r, id, true);
  switch (random.below(3)) {
    case 0:
      outcomes.begin("metabyte", id);
      outcomes.verdict(
        outcomes.run(() => sno.metabyte(id as string)),
        faults,
        (seen) => outcomes.expect(seen === Number(r.unpack(integerOf(r, id))[2]), () => `said ${seen}`),
      );
      return;
    case 1:
      outcomes.begin("toUUID", id);
      outcomes.verdict(
        outcomes.run(() => sno.toUUID(id as string)),
        faults,
        (seen) => outcomes.expect(seen === snoUUID(id as string), () => `said ${seen}`),
      );
      return;
    default: {
      const text = r.text(random.bits(80));
      const uuid = random.oneIn(2) ? snoUUID(text) : snoUUID(text).toUpperCase();
      const at = random.below(37);
      const wrong = uuid.slice(0, at) + junk.character() + uuid.slice(at + random.below(2));
      const x = random.pick([uuid, wrong, uuid.replaceAll("-", ""), junk.any()]);
      outcomes.begin("fromUUID", x);
      // A valid UUID prints as itself.
      const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
      const hex = typeof x === "string" && shape.test(x) ? (x.replaceAll("-", "").match(/../g) ?? []) : [];
      const read = hex.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join("");
      const fault =
        typeof x !== "string"
          ? "TYPE"
          : x.length !== 36
            ? "LENGTH"
            : hex.length === 0 || r.faults(read).size > 0
              ? "CHARACTER"
              : undefined;
      outcomes.verdict(
        outcomes.run(() => sno.fromUUID(x as string)),
        faultSet(fault),
        (seen) => outcomes.expect(seen === read, () => `said ${seen}`),
      );
    }
  }
}

export function withEpoch({ outcomes, junk }: Context): void {
  const x = junk.random.oneIn(3) ? junk.any() : junk.time();
  const format = junk.random.pick([ulidFlake, ulidFlakeScalable]);
  outcomes.begin("withEpoch", format.name, x);
  const epoch = epochOf(x, 2n ** 43n - 1n);
  outcomes.verdict(
    outcomes.run(() => format.withEpoch(x as number)),
    faultSet(typeof epoch === "string" ? epoch : undefined),
    (seen) => {
      const made = seen as AnyFormat;
      const first = made.compose({
        ticks: 0,
        randomness: 0,
        ...(format.name === ulidFlake.name ? {} : { scalability: 0 }),
      });
      outcomes.expect(made.inspect(first).timestamp === (epoch as number) + 0, () => "another epoch");
    },
  );
}

/** `GraupelError.is`: true exactly for errors with the package's mark; it never throws. */
export function isOurs({ outcomes, junk }: Context): void {
  const whole = () => junk.random.pick([undefined, junk.number(), junk.bigint()]);
  const made = junk.random.oneIn(4)
    ? new GraupelError("TYPE", "the field is made by hand", "field", junk.any(), whole(), whole())
    : undefined;
  const look = made ?? (junk.random.oneIn(4) ? mark("callback") : undefined);
  const x = look ?? junk.any();
  outcomes.begin("GraupelError.is", x);
  if (made !== undefined) {
    // A log can show any value.
    outcomes.judge(made);
    made.name = "renamed";
  }
  const expected = look !== undefined && typeof look === "object" && "code" in look;
  outcomes.verdict(
    outcomes.run(() => GraupelError.is(x)),
    NO_FAULTS,
    (seen) => outcomes.expect(seen === expected, () => `said ${seen}`),
  );
}
