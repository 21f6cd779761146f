/**
 * The table of formats under test. A new format is a new row. Everything here comes from the format's own documents, not from the
 * package.
 */
import { nanoflake } from "graupel/nanoflake";
import { sno } from "graupel/sno";
import { discord, instagram, mastodon, sonyflake, twitter } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import { ulidFlake, ulidFlakeScalable } from "graupel/ulid-flake";
import { nanoflake24Spec, nanoflakeSpec, snowflakeSISpec } from "./reference.ts";
import type { Row } from "./row.ts";

const signed = { idType: "bigint", tickMs: 1, bytes: 8, form: 10 } as const;
/** What both forms of Ulid-Flake have in common. */
const ulid = {
  spec: { epoch: Date.UTC(2024, 0, 1), tickMs: 1, idType: "string", form: "crockford", bytes: 8 },
  row: { page: "ulid-flake", counts: "randomness" },
  specified: {
    bits: 63,
    epoch: "2024-01-01T00:00:00.000Z",
    last: "2302-09-27T15:10:22.207Z",
    tickMs: 1,
    largest: "7ZZZZZZZZZZZZ",
  },
  /** An ID of either form. */
  id: "3JS07ENW3AHRZ",
  facts: {
    integer: "4135438558942283551",
    hex: "396407757835471f",
    timestamp: 5647928740739,
    time: "2148-12-22T13:05:40.739Z",
    ticks: 3943861540739,
  },
} as const;

/** The example of Discord's own documentation. */
export const knownDiscord = "175928847299117063";

export const ROWS: readonly Row[] = [
  // https://github.com/muyo/sno: units of 4 ms since 2010.
  {
    name: "sno",
    page: "sno",
    cli: "sno",
    format: sno,
    spec: {
      name: "sno",
      fields: Object.entries({ time: 39, tickTock: 1, metabyte: 8, partition: 16, sequence: 16 }),
      epoch: Date.UTC(2010, 0, 1),
      tickMs: 4,
      idType: "string",
      form: "sno",
      bytes: 10,
    },
    fixed: { partition: 7 },
    counts: "sequence",
    specified: {
      bits: 80,
      epoch: "2010-01-01T00:00:00.000Z",
      last: "2079-09-07T15:47:35.548Z",
      tickMs: 4,
      capacity: 65_536,
      largest: "xxxxxxxxxxxxxxxx",
    },
    known: {
      id: "56789abcdefghijk",
      facts: {
        integer: "118250808578330012926514",
        hex: "190a63a12a5b1ae7c232",
        timestamp: 1477400967764,
        time: "2016-10-25T13:09:27.764Z",
        ticks: 53774241941,
        tickTock: 0,
        metabyte: 91,
        partition: 6887,
        sequence: 49714,
      },
    },
  },
  {
    name: "nanoflake",
    page: "nanoflake",
    cli: "nanoflake",
    format: (epoch) => nanoflake({ epoch }),
    spec: nanoflakeSpec,
    fixed: { generatorId: 5 },
    counts: "sequence",
    specified: { bits: 63, spanMs: 2_199_023_255_551, tickMs: 1, capacity: 4096, largest: "1y2p0ij32e8e7" },
    known: {
      id: "puz49ejoty38",
      options: "--epoch 1970-01-01",
      facts: {
        integer: "3403793969124586964",
        hex: "2f3cb494b249b5d4",
        timestamp: 811527721673,
        time: "1995-09-19T16:22:01.673Z",
        ticks: 811527721673,
        generatorId: 155,
        sequence: 1492,
      },
    },
  },
  {
    name: "nanoflake, reference-24",
    page: "nanoflake",
    cli: "nanoflake --layout reference-24",
    format: (epoch) => nanoflake({ epoch, layout: "reference-24" }),
    spec: nanoflake24Spec,
    fixed: { generatorId: 5 },
    counts: "sequence",
    specified: { bits: 63, spanMs: 549_755_813_887, tickMs: 1, capacity: 4096, largest: "1y2p0ij32e8e7" },
  },
  // https://github.com/twitter-archive/snowflake/tree/snowflake-2010.
  {
    name: "twitter",
    page: "snowflake",
    cli: "twitter",
    format: twitter,
    spec: {
      ...signed,
      name: "twitter",
      fields: Object.entries({ time: 41, datacenterId: 5, workerId: 5, sequence: 12 }),
      epoch: 1288834974657,
      form: 10,
    },
    fixed: { datacenterId: 3, workerId: 9 },
    counts: "sequence",
    specified: {
      bits: 63,
      epoch: "2010-11-04T01:42:54.657Z",
      last: "2080-07-10T17:30:30.208Z",
      tickMs: 1,
      capacity: 4096,
      largest: "9223372036854775807",
    },
    known: {
      id: "1541815603606036480",
      facts: {
        integer: "1541815603606036480",
        hex: "1565a11f6217a000",
        timestamp: 1656432460105,
        time: "2022-06-28T16:07:40.105Z",
        ticks: 367597485448,
        datacenterId: 11,
        workerId: 26,
        sequence: 0,
      },
    },
  },
  // https://discord.com/developers/docs/reference#snowflakes.
  {
    name: "discord",
    page: "snowflake",
    cli: "discord",
    format: discord,
    spec: {
      ...signed,
      name: "discord",
      fields: Object.entries({ time: 42, internalWorkerId: 5, internalProcessId: 5, increment: 12 }),
      epoch: Date.UTC(2015, 0, 1),
      unsigned: true,
    },
    fixed: { internalWorkerId: 3, internalProcessId: 9 },
    counts: "increment",
    specified: {
      bits: 64,
      epoch: "2015-01-01T00:00:00.000Z",
      last: "2154-05-15T07:35:11.103Z",
      tickMs: 1,
      capacity: 4096,
      largest: "18446744073709551615",
    },
    known: {
      id: knownDiscord,
      facts: {
        integer: knownDiscord,
        hex: "0271065ac1020007",
        timestamp: 1462015105796,
        time: "2016-04-30T11:18:25.796Z",
        ticks: 41944705796,
        internalWorkerId: 1,
        internalProcessId: 0,
        increment: 7,
      },
    },
  },
  // https://instagram-engineering.com/sharding-ids-at-instagram-1cf5a71e5a5c.
  {
    name: "instagram",
    page: "snowflake",
    cli: "instagram",
    format: instagram,
    spec: {
      ...signed,
      name: "instagram",
      fields: Object.entries({ time: 41, shardId: 13, sequence: 10 }),
      epoch: 1314220021721,
      form: 10,
    },
    fixed: { shardId: 99 },
    counts: "sequence",
    specified: {
      bits: 64,
      epoch: "2011-08-24T21:07:01.721Z",
      last: "2046-06-27T17:00:49.496Z",
      tickMs: 1,
      capacity: 1024,
      largest: "9223372036854775807",
    },
    known: {
      id: "11637205501278089",
      facts: {
        integer: "11637205501278089",
        hex: "002957fa0c14f789",
        timestamp: 1315607284721,
        time: "2011-09-09T22:28:04.721Z",
        ticks: 1387263000,
        shardId: 1341,
        sequence: 905,
      },
    },
  },
  // https://github.com/mastodon/mastodon/blob/main/lib/mastodon/snowflake.rb.
  {
    name: "mastodon",
    page: "snowflake",
    cli: "mastodon",
    format: mastodon,
    spec: {
      ...signed,
      name: "mastodon",
      fields: Object.entries({ time: 48, sequenceData: 16 }),
      epoch: 0,
      rounds: true,
    },
    fixed: {},
    counts: "sequenceData",
    specified: {
      bits: 64,
      epoch: "1970-01-01T00:00:00.000Z",
      last: "6429-10-17T02:45:55.327Z",
      tickMs: 1,
      capacity: 65_536,
      largest: "9223372036854775807",
    },
    known: {
      id: "101767036616676231",
      facts: {
        integer: "101767036616676231",
        hex: "01698c94a3619387",
        timestamp: 1552841745249,
        time: "2019-03-17T16:55:45.249Z",
        ticks: 1552841745249,
        sequenceData: 37767,
      },
    },
  },
  // https://github.com/sony/sonyflake, version 1.
  {
    name: "sonyflake",
    page: "sonyflake",
    entry: "snowflake",
    cli: "sonyflake",
    format: sonyflake,
    spec: {
      ...signed,
      name: "sonyflake",
      fields: Object.entries({ time: 39, sequence: 8, machineId: 16 }),
      epoch: Date.UTC(2014, 8, 1),
      tickMs: 10,
    },
    fixed: { machineId: 258 },
    counts: "sequence",
    specified: {
      bits: 63,
      epoch: "2014-09-01T00:00:00.000Z",
      last: "2188-11-16T03:28:58.870Z",
      tickMs: 10,
      capacity: 256,
      largest: "9223372036854775807",
    },
    known: {
      id: "545466215301579010",
      facts: {
        integer: "545466215301579010",
        hex: "0791e2a200070102",
        timestamp: 1734652800000,
        time: "2024-12-20T00:00:00.000Z",
        ticks: 32512320000,
        sequence: 7,
        machineId: 258,
      },
    },
  },
  {
    name: "snowflake-si",
    page: "snowflake-si",
    cli: "snowflake-si",
    format: (epoch) => snowflakeSI({ epoch }),
    spec: (epoch) => snowflakeSISpec(epoch, 40, 5, 8),
    fixed: { machineId: 3 },
    counts: "sequence",
    specified: { bits: 53, spanMs: 1_099_511_627_775, tickMs: 1, capacity: 256, largest: "9007199254740991" },
    known: {
      id: "9007199254740864",
      options: "--epoch 1047972019225 --machine-bits 6 --sequence-bits 7",
      facts: {
        integer: "9007199254740864",
        hex: "1fffffffffff80",
        timestamp: 2147483647000,
        time: "2038-01-19T03:14:07.000Z",
        ticks: 1099511627775,
        machineId: 63,
        sequence: 0,
      },
    },
  },
  // https://github.com/ulid-flake/spec, stand-alone.
  {
    ...ulid.row,
    name: "ulid-flake",
    cli: "ulid-flake",
    format: ulidFlake,
    spec: { ...ulid.spec, name: "ulid-flake", fields: Object.entries({ time: 43, randomness: 20 }) },
    fixed: {},
    random: 3,
    specified: { ...ulid.specified, capacity: 1_048_576 },
    known: { id: ulid.id, facts: { ...ulid.facts, randomness: 345887 } },
  },
  // https://github.com/ulid-flake/spec, scalable.
  {
    ...ulid.row,
    name: "ulid-flake-scalable",
    cli: "ulid-flake-scalable",
    format: ulidFlakeScalable,
    spec: {
      ...ulid.spec,
      name: "ulid-flake-scalable",
      fields: Object.entries({ time: 43, randomness: 15, scalability: 5 }),
    },
    fixed: { scalability: 21 },
    random: 2,
    specified: { ...ulid.specified, capacity: 32_768 },
    known: { id: ulid.id, facts: { ...ulid.facts, randomness: 10808, scalability: 31 } },
  },
];

/** The row with a name. */
export function rowOf(name: string): Row {
  const row = ROWS.find((row) => row.name === name);
  if (row === undefined) {
    throw new Error(`no format ${name}`);
  }
  return row;
}

/** The pages of www/docs/formats. */
export const PAGES = [...new Set(ROWS.map(({ page }) => page))];
