/** Tables for every format with every kind of relation. */
import { type AnyFormat, nanoflake, sno, snowflakeSI } from "graupel";
import { prefixed } from "graupel/prefixed";
import { textFormat } from "graupel/text-format";
import { idColumn } from "graupel/typeorm";
import {
  ChildEntity,
  Column,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  RelationId,
  TableInheritance,
  Tree,
  TreeChildren,
  TreeParent,
} from "typeorm";
import { ODD, orders } from "../support/rows.ts";

// biome-ignore lint/suspicious/noExplicitAny: the rows of any table and format
export type Any = any;
export type Table = new () => Any;

const epoch = Date.UTC(2024, 0, 1);
export const FORMATS: Readonly<Record<string, AnyFormat>> = {
  text: orders.text,
  bigint: orders,
  base36: nanoflake({ epoch }),
  number: snowflakeSI({ epoch }),
  prefixed: textFormat(orders, prefixed(orders, "usr_")),
  sno,
};
const TREES = ["closure-table", "materialized-path", "nested-set"] as const;

/**
 * Defines a table. Decorators are called here as functions, because the test runner only knows
 * standard decorators.
 */
function table(
  name: string,
  properties: Readonly<Record<string, PropertyDecorator | readonly PropertyDecorator[]>>,
  decorator: ClassDecorator = Entity(name),
  parent: Table = Object as Table,
): Table {
  const made = { [name]: class extends parent {} }[name] as Table;
  for (const [property, decorators] of Object.entries(properties)) {
    for (const decorate of [decorators].flat() as PropertyDecorator[]) decorate(made.prototype, property);
  }
  decorator(made);
  return made;
}

/** The tables of a format. */
export function tablesOf(key: string, format: AnyFormat) {
  let last = format.name === "snowflake-si" ? 5_000_000_001n : ODD;
  const next = () => {
    last += 2n;
    return format === sno ? sno.next() : format.fromBigInt(last);
  };
  const id = () => PrimaryColumn(idColumn(format, { next } as never));
  const text = () => Column({ type: "varchar", length: 40, nullable: true });
  const one = (type: () => Table, inverse?: string, more = {}) =>
    ManyToOne(type, inverse as never, { nullable: true, ...more });

  const users: Table = table(`users_${key}`, {
    id: id(),
    name: text(),
    email: Column({ type: "varchar", length: 40, nullable: true, unique: true }),
    publicId: Column({ ...idColumn(format), nullable: true, unique: true }),
    size: Column({ type: "double precision", nullable: true }),
    deletedAt: DeleteDateColumn(),
    posts: OneToMany(() => posts, "author", { cascade: true }),
    manager: one(() => users),
    liked: ManyToMany(() => posts, "likes"),
  });
  // Embedded in posts: it has no table of its own.
  const meta = table(`meta_${key}`, { note: text(), owner: one(() => users) }, () => {});
  const posts: Table = table(`posts_${key}`, {
    id: id(),
    title: text(),
    author: one(() => users, "posts"),
    authorId: RelationId((post: Any) => post.author),
    editorId: Column({ type: "bigint", nullable: true }),
    editor: [one(() => users), JoinColumn({ name: "editorId" })],
    // To this column, a generator was added by mistake.
    replyToId: Column({ ...idColumn(format, { next } as never), nullable: true }),
    replyTo: [one(() => posts), JoinColumn({ name: "replyToId" })],
    agent: [one(() => users), JoinColumn({ name: "agent", referencedColumnName: "publicId" })],
    lazy: one(() => users, undefined, { lazy: true }),
    eager: one(() => users, undefined, { eager: true }),
    meta: Column(() => meta),
    likes: [ManyToMany(() => users, "liked", { cascade: true }), JoinTable()],
  });
  // A seat's key is a user's key, and a ticket refers to the seat. TypeORM reads the tables in this
  // order.
  const tickets = table(`a_tickets_${key}`, { id: id(), seat: one(() => seats) });
  const seats: Table = table(`b_seats_${key}`, {
    userId: PrimaryColumn({
      type: format === sno ? "varchar" : "bigint",
      ...(format === sno && { length: 16 }),
    }),
    room: text(),
    user: [OneToOne(() => users), JoinColumn({ name: "userId" })],
  });
  const animals = table(`animals_${key}`, { id: id(), name: text() }, (made) => {
    TableInheritance({ column: { type: "varchar", name: "kind" } })(made);
    Entity()(made);
  });
  const dogs = table(`dogs_${key}`, { keeper: one(() => users) }, ChildEntity(), animals);
  const trees = TREES.map((type) => {
    const nodes: Table = table(
      `${type.replace("-", "_")}_${key}`,
      { id: id(), name: text(), parent: TreeParent(), children: TreeChildren({ cascade: true }) },
      (made) => {
        Entity()(made);
        Tree(type)(made);
      },
    );
    // The type that TypeORM reads from TypeScript's metadata.
    Reflect.defineMetadata("design:type", nodes, nodes.prototype, "parent");
    return nodes;
  });
  return { users, posts, tickets, seats, animals, dogs, trees, format, next };
}
export type Tables = ReturnType<typeof tablesOf>;
