/**
 * An extension for the client of Prisma: IDs for new rows, at any depth, and checks of all IDs.
 *
 * @module graupel/prisma
 */
// Prisma's client is generated in the user's project, so what is needed of it has types here, and nothing is imported. The peer dependency says
// which versions are known to work: Prisma does not document the data model of a client.
import type { AnyFormat } from "../any-format.js";
import { refused, revived, wrong } from "../refusals.js";
import { refusalOf } from "../schemas/refusal.js";
import { columnOf, type GeneratedIds, givenIds, type IdSource } from "./column.js";
import { type Arguments, type IdField, type Model, operationArguments } from "./prisma-args.js";

export type { GeneratedIds, IdSource };

/** The fields of IDs, by the names of models and fields in the schema. */
export type IdFields = Readonly<Record<string, Readonly<Record<string, AnyFormat | GeneratedIds>>>>;

/** What `$extends` takes, and what it reads of the result: the types of the client stay as they are. */
export type IdExtension = (client: object) => {
  /** Only for the compiler. */
  $extends: {
    /** What the extension adds to the client: nothing. */
    extArgs: Record<"result" | "model" | "query" | "client", Record<never, never>>;
  };
};

/** A client, as far as it is needed. */
interface Client {
  /** Its schema. */
  readonly _runtimeDataModel?: {
    readonly models: Readonly<Record<string, { readonly fields: readonly SchemaField[] }>>;
  };
  $extends?(extension: object): ReturnType<IdExtension>;
}

/** A field of the schema. `type`: of a relation, the other model. */
interface SchemaField {
  readonly name: string;
  readonly type: string;
}

/** What Prisma passes to an extension. */
interface Query {
  readonly model: string;
  readonly operation: string;
  readonly args: Arguments;
  query(this: void, args: Arguments): unknown;
}

/** A field of IDs, with the type that it has in the schema. */
interface TypedIdField extends IdField {
  readonly type: "BigInt" | "String";
}

/** Checks what is given for a field. */
function fieldOf(name: string, given: unknown): TypedIdField {
  const { format, generator } = givenIds(name, given);
  const { width, write } = columnOf(format, "");
  const field: TypedIdField = {
    name,
    type: width > 0 ? "String" : "BigInt",
    check(value) {
      try {
        const id = write(value);
        // Its fields of integers are BigInt alone.
        return typeof id === "number" ? BigInt(id) : id;
      } catch (error) {
        const refusal = refusalOf(error);
        const named = { ...refusal, message: `${name}: ${refusal.message}`, field: name };
        throw revived(named);
      }
    },
  };
  if (generator === undefined) {
    return field;
  }
  return { ...field, next: () => generator.next() };
}

/** Refuses a name that the schema does not have. */
const unknown = (code: "UNKNOWN_OPTION" | "UNKNOWN_FIELD", name: string, known: Iterable<string>): never =>
  refused(code, name, name, `${name}: not in the schema, which has ${[...known].join(", ")}`);

/** The models of a client's schema, with the fields of IDs. */
function modelsOf(client: Client, fields: ReadonlyMap<string, ReadonlyMap<string, TypedIdField>>) {
  const schema = (Object(client) as Client)._runtimeDataModel?.models;
  if (typeof schema !== "object" || typeof client.$extends !== "function") {
    return wrong("client", client, "a client of Prisma, with the data model of its schema");
  }
  const types = new Map(
    Object.entries(schema).map(([name, model]) => [
      name,
      new Map(model.fields.map((field) => [field.name, field.type])),
    ]),
  );
  for (const [name, ids] of fields) {
    const known = types.get(name) ?? unknown("UNKNOWN_OPTION", name, types.keys());
    for (const [key, field] of ids) {
      const type = known.get(key) ?? unknown("UNKNOWN_FIELD", field.name, known.keys());
      if (type !== field.type) {
        wrong(field.name, type, `a field of type ${field.type}, got ${type}`);
      }
    }
  }
  const models: ReadonlyMap<string, Model> = new Map(
    [...types].map(([name, known]) => [
      name,
      {
        ids: fields.get(name) ?? new Map(),
        hasField: (key: string) => known.has(key),
        relation: (key: string) => models.get(known.get(key) ?? ""),
      },
    ]),
  );
  return models;
}

/**
 * An extension for `$extends` of a client of Prisma. Data without an ID gets one in `create`, `createMany`, `createManyAndReturn`, `upsert`, and in
 * writes into relations, at any depth. IDs in data and in conditions are checked: Prisma itself takes a number, which is rounded, for a bigint.
 *
 * In the schema, a field of IDs is a `BigInt`, or, for sno and Ulid-Flake, a `String @db.Char(n)`. With `@default(dbgenerated())` the types do not
 * demand it. The column in the database has no default, so that a row without an ID is refused there if the extension is forgotten.
 *
 * Raw queries are not checked. Prisma gives IDs as bigints, also those of Snowflake-SI, which are `Number(id)`.
 *
 * @param fields For each field a format, which checks, or `{ format, generator }`.
 * @throws `TYPE`, `UNKNOWN_OPTION`; `$extends` also `UNKNOWN_FIELD`, and queries the errors of `parse` and of the generator.
 *
 * @example
 * ```js
 * import { idExtension } from "graupel/prisma";
 * import { twitter } from "graupel/snowflake";
 * const ids = twitter.generator({ datacenterId: 0, workerId: 7 });
 * const extension = idExtension({
 *   User: { id: { format: twitter, generator: ids }, invitedBy: twitter },
 * });
 * // In a program: const prisma = new PrismaClient({ adapter }).$extends(extension);
 * // Here, a client without a database shows what Prisma is given.
 * const fields = [{ name: "id", type: "BigInt" }, { name: "invitedBy", type: "BigInt" }, { name: "name", type: "String" }];
 * const client = { _runtimeDataModel: { models: { User: { fields } } }, $extends: ({ query }) => query.$allModels };
 * const { $allOperations } = extension(client);
 * const create = (data) => $allOperations({ model: "User", operation: "create", args: { data }, query: (args) => args });
 *
 * const { data } = await create({ name: "Ada" });
 * console.log(typeof data.id, twitter.inspect(data.id).workerId);            // bigint 7
 * await create({ name: "Ben", invitedBy: Number(data.id) }).catch(({ code, field }) => {
 *   console.log(code, field);                                                // TYPE User.invitedBy
 * });
 * ```
 */
export function idExtension(fields: IdFields): IdExtension {
  if (typeof fields !== "object" || fields === null) {
    wrong("fields", fields, "an object with the fields of each model");
  }
  const given = new Map(
    Object.entries(fields).map(([model, ids]) => [
      model,
      new Map(
        Object.entries(ids ?? wrong(model, ids, "an object with its fields of IDs")).map(([key, one]) => [
          key,
          fieldOf(`${model}.${key}`, one),
        ]),
      ),
    ]),
  );
  return (client) => {
    const models = modelsOf(client, given);
    const $allOperations = async ({ model, operation, args, query }: Query) => {
      const known = models.get(model) ?? unknown("UNKNOWN_OPTION", model, models.keys());
      return query(operationArguments(known, operation, args));
    };
    return (client as Required<Client>).$extends({
      name: "graupel",
      query: { $allModels: { $allOperations } },
    });
  };
}
