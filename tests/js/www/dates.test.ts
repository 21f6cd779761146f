/** Dates as in the page's inputs. */
import { equal } from "node:assert/strict";
import { test } from "node:test";
import * as values from "../../../www/src/lib/values.ts";
import { readDate, showDate } from "../../../www/src/range/dates.ts";
import { periods } from "../../../www/src/range/periods.ts";

// A zone with summer time and an offset that is not a whole number of hours.
process.env.TZ = "America/St_Johns";

test("a date is read in UTC and in local time, and shown again", () => {
  equal(readDate("2025-01-31T12:00", "utc"), Date.UTC(2025, 0, 31, 12));
  equal(readDate("2025-01-31T12:00", "local"), Date.UTC(2025, 0, 31, 15, 30));
  equal(readDate("2025-07-31 12:00:05.25", "local"), Date.UTC(2025, 6, 31, 14, 30, 5, 250));
  for (const zone of ["utc", "local"] as const) {
    // Around both clock changes, and far away.
    for (const time of [0, Date.UTC(2025, 2, 9, 5), Date.UTC(2025, 10, 2, 12), 3_461_500_055_548])
      equal(readDate(showDate(time, zone), zone), time, `${time} ${zone}`);
  }
  equal(showDate(undefined, "utc"), "");
  equal(showDate(8.64e15, "utc"), "");
});

test("what is no date is none", () => {
  const none = ", x, 2025-01-31, 2025-02-30T00:00, 2025-13-01T00:00, 2025-01-01T24:00, 2025-01-01T00:60";
  for (const text of none.split(", ")) equal(readDate(text, "utc"), undefined, text);
});

test("periods begin and end where the zone's days do", () => {
  const now = Date.UTC(2025, 2, 10, 1, 30);
  const of = (zone: "utc" | "local", name: string) =>
    periods(now, zone).find((period) => period.name === name);
  equal(of("utc", "Today")?.from, Date.UTC(2025, 2, 10));
  // In local time it is the evening before, and that day has 23 hours.
  equal(of("local", "Today")?.from, Date.UTC(2025, 2, 9, 3, 30));
  equal(of("local", "Today")?.to, Date.UTC(2025, 2, 10, 2, 30));
  equal(of("utc", "Last month")?.from, Date.UTC(2025, 1, 1));
  equal(of("utc", "Last hour")?.to, now);
});

test("a time in a link or an input is read back as it was written", () => {
  const noon = Date.UTC(2025, 0, 1, 12, 30);
  for (const time of [0, Date.UTC(2025, 0, 1), noon, 1_735_689_600_123, -62_200_000_000_000]) {
    equal(values.time(values.timeText(time)), time);
    equal(new Function(`return ${values.timeCode(time)}`)(), time);
  }
  equal(values.timeText(Date.UTC(2025, 0, 1)), "2025-01-01");
  equal(values.timeCode(Date.UTC(2025, 0, 1)), "Date.UTC(2025, 0, 1)");
  equal(values.time("2025-02-30"), "2025-02-30");
  equal(values.time("tomorrow"), "tomorrow");
});
