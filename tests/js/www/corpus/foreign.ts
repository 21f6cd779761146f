/** Texts with IDs of other families. */
import type { Entry } from "./entry.ts";
import { NOW, times } from "./family.ts";
import type { Random } from "./random.ts";
import type { Made } from "./services.ts";
import * as services from "./services.ts";

type Form = (id: string) => string | readonly [text: string, id: string];

const bare: Form = (id) => id;
const after =
  (start: string, end = ""): Form =>
  (id) =>
    `${start}${id}${end}`;
const changed =
  (change: (id: string) => string): Form =>
  (id) => [change(id), change(id)];

const UUIDS: readonly Form[] = [
  bare,
  after('{"request_id":"', '"}'),
  changed((id) => id.replaceAll("-", "")),
  changed((id) => id.toUpperCase()),
  after("urn:uuid:"),
  after("{", "}"),
  after("GET /v1/orders/", "/items 200"),
];
const ULIDS: readonly Form[] = [
  bare,
  after("ulid="),
  changed((id) => id.toLowerCase()),
  after("/users/", "/avatar"),
];
const OBJECT_IDS: readonly Form[] = [
  bare,
  after('ObjectId("', '")'),
  after('{"_id":{"$oid":"', '"}}'),
  after("/posts/"),
];
const TOKENS: readonly Form[] = [bare, after("id=", " ok"), after('"', '",')];

/** From the specifications, and from the documents of the packages. */
const DOCUMENTED: readonly Entry[] = [
  { text: "c232ab00-9414-11ec-b3c8-9f6bdeced846", answer: "uuid-v1", timestamp: 1_645_557_742_000 },
  { text: "5df41881-3aed-3515-88a7-2f4a814cf09e", answer: "uuid-v3" },
  { text: "919108f7-52d1-4320-9bac-f847db4148a8", answer: "uuid-v4" },
  { text: "2ed6657d-e927-568b-95e1-2665a8aea6a2", answer: "uuid-v5" },
  { text: "1ec9414c-232a-6b00-b3c8-9f6bdeced846", answer: "uuid-v6", timestamp: 1_645_557_742_000 },
  { text: "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", answer: "uuid-v7", timestamp: 1_645_557_742_000 },
  { text: "2489e9ad-2ee2-8e00-8ec9-32d5f69181c0", answer: "uuid-v8" },
  { text: "00000000-0000-0000-0000-000000000000", answer: "uuid-nil" },
  { text: "ffffffff-ffff-ffff-ffff-ffffffffffff", answer: "uuid-max" },
  { text: "01ARZ3NDEKTSV4RRFFQ69G5FAV", answer: "ulid", timestamp: 1_469_922_850_259 },
  { text: "507f1f77bcf86cd799439011", answer: "objectid", timestamp: 1_350_508_407_000 },
  { text: "0ujtsYcgvSTl8PAuAdqWYSMnLOv", answer: "ksuid", timestamp: 1_507_608_047_000 },
  { text: "9m4e2mr0ui3e8a215n4g", answer: "xid", timestamp: 1_300_816_219_000 },
].map((entry) => ({ ...entry, id: entry.text }));

function lines(answer: string, made: readonly Made[], forms: readonly Form[], timed = true): Entry[] {
  return made.map(({ id, timestamp }, index) => {
    const text = (forms[index % forms.length] as Form)(id);
    const [whole, within] = typeof text === "string" ? [text, id] : text;
    return { text: whole, id: within, answer, ...(timed && { timestamp }) };
  });
}

export function foreign(random: Random): Entry[] {
  const since = (year: number, count: number) => times(random, count, Date.UTC(year, 0, 1), NOW);
  const uuids = (version: number, year: number, count: number, timed = true) => {
    const made = since(year, count).map((time) => services.uuid(random, version, time));
    return lines(`uuid-v${version}`, made, UUIDS, timed);
  };
  return [
    ...DOCUMENTED,
    ...uuids(1, 2008, 7),
    ...uuids(4, 2010, 14, false),
    ...uuids(6, 2021, 4),
    ...uuids(7, 2022, 14),
    ...lines(
      "ulid",
      since(2017, 9).map((time) => services.ulid(random, time)),
      ULIDS,
    ),
    ...lines(
      "objectid",
      since(2011, 9).map((time) => services.objectId(random, time)),
      OBJECT_IDS,
    ),
    ...lines(
      "ksuid",
      since(2017, 7).map((time) => services.ksuid(random, time)),
      TOKENS,
    ),
    ...lines(
      "xid",
      since(2016, 7).map((time) => services.xid(random, time)),
      TOKENS,
    ),
  ];
}
