// Readings: the system clock is checked like any other, a wait is bounded by the monotonic clock or by the time slept, and of objects
// only own properties count.
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError } from "graupel";
import { nanoflake } from "graupel/nanoflake";
import { sno } from "graupel/sno";
import { twitter } from "graupel/snowflake";
import { ulidFlake } from "graupel/ulid-flake";
import { replace } from "../support/replace.ts";
import { outcome, Stage } from "./scripted-clock.ts";
import { SUBJECTS } from "./subjects.ts";

const isolated = true;

test("the system clock's readings are checked, whatever stands in its place", () => {
  for (const subject of SUBJECTS) {
    const { format, fixed } = subject;
    const generator = format.generator({ ...fixed, ...subject.room("roomy"), isolated });
    for (const reading of [5n, "1750000000000", Number.NaN, undefined, 8.64e15 + 1, new Date(0)]) {
      const restore = replace([Date, "now", () => reading]);
      try {
        for (const call of [() => generator.next(), () => generator.nextMany(2)]) {
          assert.equal(outcome(call), "CLOCK_INVALID", `${subject.name}: ${String(reading)}`);
        }
      } finally {
        restore();
      }
    }
    assert.ok(format.isValid(generator.next()), subject.name);
  }
});

test("a wait on a clock of one's own ends by what was slept, where the other clock stands still as well", () => {
  const restore = replace([performance, "now", () => 1000]);
  try {
    for (const subject of SUBJECTS) {
      const { epoch, layout } = subject.format;
      const options = { sequenceFull: "wait", maxWaitMs: layout.tickMs + 3 };
      const stage = new Stage(subject, epoch + 1_000_000 * layout.tickMs, "scarce", options);
      stage.fill();
      stage.clock.stand(stage.high);
      assert.equal(
        outcome(() => stage.generator.next()),
        "CLOCK_STUCK",
        subject.name,
      );
      // A clock that moves, but not far enough.
      stage.clock.script([stage.high, stage.high, stage.at(0.25)]);
      assert.equal(
        outcome(() => stage.generator.next()),
        "SEQUENCE_FULL",
        subject.name,
      );
      stage.clock.stand(stage.at(1));
      assert.ok(subject.format.isValid(stage.generator.next()));
    }
  } finally {
    restore();
  }
});

test("a wait on a clock of one's own may take as many readings as it needs within its bound", () => {
  // Naps that end at once, because this many readings would take half a minute.
  let naps = 0;
  const restore = replace([Atomics, "wait", () => ++naps]);
  try {
    const [subject] = SUBJECTS as [(typeof SUBJECTS)[0]];
    const { epoch, layout } = subject.format;
    let readings = 0;
    const wanted = 10_100_000;
    const high = epoch + 1_000_000 * layout.tickMs;
    const clock = () => (++readings < wanted ? high : high + layout.tickMs);
    const options = { sequenceFull: "wait", maxWaitMs: 60_000, clock };
    const stage = new Stage(subject, high, "scarce", options);
    stage.generator.nextMany(subject.perTick);
    readings = 0;
    assert.equal(subject.format.inspect(stage.generator.next()).ticks, 1_000_001);
    assert.equal(readings, wanted);
    assert.ok(naps > 100_000);
  } finally {
    restore();
  }
});

test("calls refuse arguments that they do not have where an index could be taken for one", () => {
  const generator = sno.generator({ isolated, partition: 7 });
  const flakes = nanoflake({ epoch: 1.6e12 });
  const id = flakes.compose({ timestamp: 1.7e12, generatorId: 1, sequence: 1 });
  const text = ulidFlake.next();
  const loose = <T>(call: T) => call as unknown as (...args: unknown[]) => unknown;
  const rows: [call: (...args: unknown[]) => unknown, args: readonly unknown[]][] = [
    [loose(sno.next), [1]],
    [loose(generator.next), [1]],
    [loose(generator.nextText), [1]],
    [loose(generator.nextMany), [2, 1]],
    [loose(generator.nextManyText), [2, 1]],
    [loose(generator.at), [1_600_000_000_000, 1]],
    [loose(flakes.parse), [flakes.format(id), 36]],
    [loose(flakes.format), [id, 36]],
    [loose(ulidFlake.format), [text, 32]],
  ];
  for (const [call, args] of rows) {
    call(...args);
    const before = generator.stats().issued;
    assert.throws(
      () => call(...args, undefined),
      (error) => {
        assert.ok(GraupelError.is(error));
        assert.deepEqual([error.code, error.field, error.value], ["TYPE", "arguments", 1]);
        return true;
      },
      String(call),
    );
    assert.equal(generator.stats().issued, before, String(call));
  }
  assert.throws(() => ["a", "b"].map(loose(generator.next)), { code: "TYPE", field: "arguments" });
  assert.throws(() => [flakes.format(id)].map(loose(flakes.parse)), { code: "TYPE", field: "arguments" });
  // Where no mistake is possible, they are ignored.
  const others = twitter.generator({ datacenterId: 1, workerId: 1, isolated });
  const ids = [0, 1, 2].map(loose(others.next));
  assert.equal(new Set(ids).size, 3);
  assert.deepEqual(ids.map(loose(twitter.format)), ids.map(String));
});

test("of options, only what is their own counts", () => {
  const inherited = Object.create({ datacenterId: 1, workerId: 2, clock: () => 5 });
  assert.equal(
    outcome(() => twitter.generator(inherited)),
    "TYPE",
  );
  const own = Object.assign(inherited, { datacenterId: 3, workerId: 4, isolated });
  assert.equal(
    outcome(() => twitter.generator(own)),
    "TYPE",
    "what it inherits would be ignored",
  );
  const polluted = Object.prototype as Record<string, unknown>;
  polluted.isolated = true;
  try {
    const [one, two] = [1, 2].map(() => twitter.generator({ datacenterId: 30, workerId: 30 }));
    assert.notEqual(one?.next(), two?.next());
    assert.equal(two?.stats().issued, 2, "they do not share");
  } finally {
    delete polluted.isolated;
  }
});

test("an error as JSON says what a log wants to know", () => {
  const error = (call: () => unknown): GraupelError => {
    try {
      call();
    } catch (thrown) {
      if (GraupelError.is(thrown)) {
        return thrown;
      }
      throw thrown;
    }
    return assert.fail("was accepted");
  };
  const large = error(() => twitter.format(1n << 63n));
  const said = JSON.parse(JSON.stringify({ large })).large;
  assert.deepEqual(
    [said.name, said.code, said.field, said.value],
    ["GraupelError", "OVERFLOW", "id", "9223372036854775808"],
  );
  assert.equal(said.message, large.message);
  const far = error(() => nanoflake({ epoch: 1.6e12 }).generator({ generatorId: 1024 }));
  assert.deepEqual(JSON.parse(JSON.stringify(far)).range, { min: 0, max: 1023 });
  const object = error(() => twitter.format({} as never));
  assert.equal(JSON.parse(JSON.stringify(object)).value, "an object");
  // The name is inherited, and a program may give one error another name.
  assert.ok(!Object.hasOwn(far, "name"));
  far.name = "Mine";
  assert.deepEqual([far.name, large.name], ["Mine", "GraupelError"]);
});
