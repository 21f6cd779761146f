// Branded IDs: what must compile, and what must not.

import { type Branded, branded, type IdType } from "graupel/branded";
import { sno } from "graupel/sno";
import { snowflake, twitter } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";

const users = branded(twitter, "User");
const posts = branded(twitter, "Post");
type UserId = IdType<typeof users>;
type PostId = IdType<typeof posts>;

const ids = users.generator({ datacenterId: 1, workerId: 2 });
export const user: UserId = ids.next();
export const same: Branded<bigint, "User"> = user;
export const many: UserId[] = ids.nextMany(3);
export const later: Promise<UserId> = ids.nextAsync();
export const old: UserId = ids.at(0);
export const plain: bigint = user;
export const read: UserId = users.parse("1585841080431321088");
export const bounds: { readonly min: UserId; readonly max: UserId } = users.range();
export const worker: number = users.inspect(user).workerId;
export const changed: UserId = users.with(user, { workerId: 3 });
export const written: string = users.format(user);
export const texts: Branded<string, "User"> = users.text.parse("1585841080431321088");
export const fromText: Branded<string, "User"> = users.text
  .generator({ datacenterId: 1, workerId: 2 })
  .next();
export const ownNext: Branded<string, "Log"> = branded(sno, "Log").next(3);
export const numbered: Branded<number, "Order"> = branded(snowflakeSI({ epoch: 0 }), "Order").parse(1);
const mine = branded(snowflake({ epoch: 0, fields: { time: 41, region: 10, sequence: 12 } }), "Mine");
export const region: number = mine.inspect(mine.generator({ region: 1 }).next()).region;
export const validated: { readonly value?: UserId } = users["~standard"].validate("1") as never;

// @ts-expect-error: a post's ID is not a user's
export const wrong: PostId = user;
// @ts-expect-error: methods reject it too
users.inspect(posts.parse("1"));
// @ts-expect-error: a plain integer has no brand
users.format(1n);
// @ts-expect-error: plain text must be parsed first
users.timestamp("1");
// @ts-expect-error: the IDs have different brands
users.compare(user, posts.parse("1"));
// @ts-expect-error: the generator has another brand
export const mixed: UserId = posts.generator({ datacenterId: 1, workerId: 2 }).next();
// @ts-expect-error: texts are branded too
users.text.format(posts.text.parse("1"));
// @ts-expect-error: the options are those of the format
users.generator({ workerId: 2 });
// @ts-expect-error: the fields are those of the format
users.with(user, { shardId: 1 });
