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
import { outcome } from "../support/scripted-clock.ts";
import { ask, CALLS, MIDDLE, Stage } from "./stage.ts";
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

test("a clock's reading that is no time is refused, and named", () => {
  for (const subject of SUBJECTS) {
    const { generator, clock } = new Stage(subject, "roomy");
    clock.stand(Number.NaN);
    assert.throws(
      () => generator.next(),
      (error) => {
        assert.ok(GraupelError.is(error));
        const { code, field, value, range } = error;
        assert.deepEqual(
          [code, field, value, range],
          ["CLOCK_INVALID", "clock", Number.NaN, { min: -8.64e15, max: 8.64e15 }],
        );
        return true;
      },
    );
  }
});

test("the first and the last millisecond of a format, for the clock and for given times", async () => {
  for (const subject of SUBJECTS) {
    const { epoch, endOfLife, layout } = subject.format;
    const rows = [
      [epoch - 1, "BEFORE_EPOCH"],
      [epoch, undefined],
      [endOfLife + layout.tickMs - 1, undefined],
      [endOfLife + layout.tickMs, "END_OF_LIFE"],
    ] as const;
    for (const [time, code] of rows) {
      const stage = new Stage(subject, "roomy");
      stage.clock.stand(time);
      const given = outcome(() => new Stage(subject, "roomy").generator.at(time));
      assert.equal(subject.format.isValid(given) ? undefined : given, code, `${subject.name}: at ${time}`);
      for (const call of CALLS) {
        const found = await ask(stage, call);
        assert.equal(GraupelError.is(found) ? found.code : undefined, code, `${subject.name}: ${time}`);
      }
    }
  }
});

test("a clock that moves, but not far enough: the wait ends by the other clock", async () => {
  for (const subject of SUBJECTS) {
    const maxWaitMs = subject.format.layout.tickMs + 3;
    for (const call of CALLS) {
      const stage = new Stage(subject, "scarce", { sequenceFull: "wait", maxWaitMs });
      stage.fill();
      stage.clock.script([stage.high, stage.high, stage.at(0.25)]);
      const { code, field } = (await ask(stage, call)) as GraupelError;
      assert.deepEqual([code, field], ["SEQUENCE_FULL", "maxWaitMs"], `${subject.name}, ${call}`);
    }
  }
});

test("a wait on a clock of one's own ends by what was slept, where the other clock stands still as well", () => {
  const restore = replace([performance, "now", () => 1000]);
  try {
    for (const subject of SUBJECTS) {
      const options = { sequenceFull: "wait", maxWaitMs: subject.format.layout.tickMs + 3 };
      const stage = new Stage(subject, "scarce", options);
      stage.fill();
      const end = () => outcome(() => stage.generator.next());
      stage.clock.stand(stage.high);
      assert.equal(end(), "CLOCK_STUCK", subject.name);
      stage.clock.script([stage.high, stage.high, stage.at(0.25)]);
      assert.equal(end(), "SEQUENCE_FULL", subject.name);
      stage.clock.stand(stage.at(1));
      assert.ok(subject.format.isValid(end()));
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
    let readings = 0;
    const wanted = 10_100_000;
    const clock = () => (++readings < wanted ? stage.high : stage.at(1));
    const stage = new Stage(subject, "scarce", { sequenceFull: "wait", maxWaitMs: 60_000, clock });
    stage.generator.nextMany(subject.perTick);
    readings = 0;
    assert.equal(subject.format.inspect(stage.generator.next()).ticks, MIDDLE + 1);
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
