// Names of IDs: what must compile, and what must not.

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

// @ts-expect-error: a post is no user
export const wrong: PostId = user;
// @ts-expect-error: nor for a method
users.inspect(posts.parse("1"));
// @ts-expect-error: a bare integer has no name
users.format(1n);
// @ts-expect-error: a bare text is not read yet
users.timestamp("1");
// @ts-expect-error: of two things
users.compare(user, posts.parse("1"));
// @ts-expect-error: the generator of another thing
export const mixed: UserId = posts.generator({ datacenterId: 1, workerId: 2 }).next();
// @ts-expect-error: texts have a name, too
users.text.format(posts.text.parse("1"));
// @ts-expect-error: options are those of the format
users.generator({ workerId: 2 });
// @ts-expect-error: a field of the format
users.with(user, { shardId: 1 });
