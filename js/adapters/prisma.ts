/**
 * An extension for Prisma's client that generates IDs for new rows, at any depth, and checks all
 * IDs.
 *
 * @module graupel/prisma
 */
// Prisma's client is generated in the user's project, so its types are declared here, and nothing
// is imported. The peer dependency lists the tested versions, because Prisma does not document the
// data model of a client.
import type { AnyFormat, IdOf } from "../any-format.js";
import { fail, typeError } from "../errors.js";
import { type GeneratedIds, givenIds, type IdSource } from "./column.js";
import { type Arguments, type IdField, type Model, operationArguments, rows } from "./prisma-args.js";

export type { GeneratedIds, IdSource };

/** The fields of IDs, by model and field of the schema. */
export type IdFields = Readonly<Record<string, Readonly<Record<string, AnyFormat | GeneratedIds>>>>;

/** A client whose schema has these models, and these fields in them. */
export type ClientWith<Fields extends IdFields> = object &
  (string extends keyof Fields
    ? unknown
    : {
        readonly [Model in keyof Fields as Uncapitalize<Model & string>]: {
          /** Prisma's references to the fields. */
          readonly fields: Readonly<Record<keyof Fields[Model], unknown>>;
        };
      });

/** The type of a field's IDs in rows. A field without a generator may be a reference that is null. */
export type IdInRow<Given> = Given extends AnyFormat
  ? IdOf<Given> | null
  : Given extends GeneratedIds
    ? IdOf<Given["format"]>
    : never;

/** The fields of IDs that are texts or numbers in rows, while Prisma has bigints. */
export type FieldsInRows<Fields extends IdFields> = string extends keyof Fields
  ? Record<never, never>
  : {
      [Model in keyof Fields as Uncapitalize<Model & string>]: {
        [Key in keyof Fields[Model] as IdInRow<Fields[Model][Key]> extends bigint | null
          ? never
          : Key]: () => {
          /** Exists only at compile time. */
          compute(): IdInRow<Fields[Model][Key]>;
        };
      };
    };

/**
 * The argument of `$extends`. If a format's IDs are texts or numbers, its fields have this type in
 * rows. A client whose schema lacks a model or a field is a compile error.
 */
export type IdExtension<Fields extends IdFields = IdFields> = (client: ClientWith<Fields>) => {
  /** Exists only at compile time. */
  $extends: {
    /** The additions to the client: the types of IDs in rows. */
    extArgs: Record<"model" | "query" | "client", Record<never, never>> & {
      /** The types of fields, by model. */
      result: FieldsInRows<Fields>;
    };
  };
};

/** The part of a client that is used. */
interface Client {
  /** The schema. */
  readonly _runtimeDataModel?: {
    readonly models: Readonly<Record<string, { readonly fields: readonly SchemaField[] }>>;
  };
  readonly _clientVersion?: string;
  readonly _engineConfig?: {
    /** The text of the schema. */
    readonly inlineSchema?: string;
    readonly previewFeatures?: readonly string[];
    readonly activeProvider?: string;
    /**
     * Present if queries are compiled in JavaScript. The Rust engine reads JSON without rounding.
     */
    readonly compilerWasm?: unknown;
  };
  $extends?(extension: object): never;
}

/** A field of the schema. `type`: for a relation, the other model. */
interface SchemaField {
  readonly name: string;
  readonly type: string;
}

/** The argument that Prisma passes to an extension. */
interface Query {
  readonly model: string;
  readonly operation: string;
  readonly args: Arguments;
  query(this: void, args: Arguments): unknown;
  /** `dataPath`: the relations of a call such as `findUnique(…).posts()`. */
  readonly __internalParams?: { readonly dataPath?: readonly string[] };
}

/** A field of IDs with its type in the schema. */
interface TypedIdField extends IdField {
  readonly type: "BigInt" | "String";
}

/** The check for a key or reference of integers without a known format. */
const LOOSE: Omit<TypedIdField, "name"> & ThisType<TypedIdField> = {
  type: "BigInt",
  isLoose: true,
  check(value) {
    return typeof value === "number" && !Number.isSafeInteger(value)
      ? typeError(this.name, value, "a bigint, as numbers round")
      : value;
  },
};

/** Checks the format or generator of a field. */
function fieldOf(name: string, given: unknown): TypedIdField {
  const { format, generator } = givenIds(name, given);
  const type = format.columnType === "string" ? "String" : "BigInt";
  return {
    name,
    type,
    ...(generator && { next: () => generator.next() }),
    ...(type === "BigInt" && format.valueType !== "bigint" && { read: format.fromBigInt }),
    check(value) {
      try {
        if (type === "String") return format.parse(value);
        // Prisma's types accept bigints, even if IDs are numbers or texts.
        return format.toBigInt((typeof value === "bigint" ? format.fromBigInt(value) : value) as string);
      } catch (error) {
        const { message } = error as Error;
        throw Object.assign(error as Error, { message: `${this.name}: ${message}`, field: this.name });
      }
    },
  };
}

/** Throws for a name that is not in the schema. */
const unknown = (code: "UNKNOWN_OPTION" | "UNKNOWN_FIELD", name: string, known: Iterable<string>): never =>
  fail(code, name, name, `${name}: not in the schema, which has ${[...known].join(", ")}`);

/** A model with the types of all its fields, to which fields of IDs are added. */
interface FoundModel extends Model {
  readonly name: string;
  readonly types: ReadonlyMap<string, string>;
  readonly ids: Map<string, TypedIdField>;
}

/** The names in the list after a word. */
const listed = (line: string, word: string): readonly string[] =>
  RegExp(`${word}[^[]*\\[([^\\]]*)`).exec(line)?.at(-1)?.match(/\w+/g) ?? [];

/**
 * Adds keys and references, which only the text of the schema shows, one per line. A reference gets
 * the format of its key. Integers without a format are checked for rounding.
 */
function addFound(models: ReadonlyMap<string, FoundModel>, schema: string): void {
  const found: (readonly [FoundModel | undefined, string, FoundModel | undefined, string | undefined])[] = [];
  let model: FoundModel | undefined;
  for (const [line, key = "", type = ""] of schema.matchAll(/^\s*([\w@]+)\W+(\w+).*/gm)) {
    if (line.endsWith("{")) model = models.get(type);
    const keys = / @id\b/.test(line) ? [key] : listed(line, "(@@id|@relation.*fields)");
    const to = listed(line, "references");
    for (const [i, one] of keys.entries()) found.push([model, one, models.get(type), to[i]]);
  }
  // A key may itself be a reference, so repeat this for every reference at most.
  for (let rounds = found.length; rounds >= 0; rounds--) {
    for (const [of, key, other, to = ""] of found) {
      const like = other?.ids.get(to) ?? (rounds > 0 ? undefined : LOOSE);
      if (like && of?.types.get(key) === like.type && !of.ids.has(key)) {
        of.ids.set(key, { ...like, name: `${of.name}.${key}`, next: undefined });
      }
    }
  }
}

/**
 * Versions and databases in which joins round the integers of their rows, except with the Rust
 * engine.
 */
const ROUNDING = /^(6\.(9|1\d)|7\.[0-2])\.\S+ [pmc]|^7\.3\.\S+ [mc]/;

/** The models of a client's schema, with the fields of IDs. */
function modelsOf(client: Client, fields: ReadonlyMap<string, ReadonlyMap<string, TypedIdField>>) {
  const {
    _runtimeDataModel: { models: schema } = {},
    _clientVersion: version,
    _engineConfig: { inlineSchema = "", previewFeatures, compilerWasm, activeProvider } = {},
  } = Object(client) as Client;
  if (typeof schema !== "object" || typeof client.$extends !== "function") {
    return typeError("client", client, "a client of Prisma");
  }
  if (
    compilerWasm &&
    previewFeatures?.includes("relationJoins") &&
    ROUNDING.test(`${version} ${activeProvider}`)
  ) {
    fail(
      "PEER",
      "@prisma/client",
      version,
      `relationJoins rounds IDs in Prisma ${version}: use 7.4 or later, or turn it off`,
    );
  }
  const models = new Map<string, FoundModel>();
  for (const [name, { fields: all }] of Object.entries(schema)) {
    const types = new Map(all.map((field) => [field.name, field.type]));
    models.set(name, {
      name,
      types,
      ids: new Map(fields.get(name)),
      hasField: (key) => types.has(key),
      relation: (key) => models.get(types.get(key) ?? ""),
    });
  }
  for (const [name, ids] of fields) {
    const { types } = models.get(name) ?? unknown("UNKNOWN_OPTION", name, models.keys());
    for (const [key, field] of ids) {
      const type = types.get(key) ?? unknown("UNKNOWN_FIELD", field.name, types.keys());
      if (type !== field.type) {
        typeError(field.name, type, `a field of type ${field.type}`);
      }
    }
  }
  addFound(models, inlineSchema);
  return models;
}

/**
 * An extension for `$extends` of a Prisma client. Data without an ID gets one in `create`,
 * `createMany`, `createManyAndReturn`, `upsert`, and in nested writes, at any depth. IDs in data
 * and in conditions are checked, because Prisma itself accepts a rounded number for a bigint.
 *
 * In the schema, a field of IDs is a `BigInt`, or for sno and Ulid-Flake a `String @db.Char(n)`.
 * With `@default(dbgenerated())`, the field is optional in Prisma's types. Give the column in the
 * database no default, so that the database rejects a row without an ID if you forget the
 * extension.
 *
 * References are found in the schema, and checked with the format of their key. Keys without a
 * format reject numbers above 2^53 - 1. Raw queries are not checked. Rows have IDs in the type of
 * their format, such as numbers for Snowflake-SI, or the texts of `graupel/text-format`.
 *
 * @param fields For each field, a format or `{ format, generator }`. In `$extends`, names that are
 *   not in the schema are compile errors.
 * @throws `TYPE`, `UNKNOWN_OPTION`; `$extends` also throws `UNKNOWN_FIELD`, and `PEER` for versions
 *   of Prisma that round; queries throw the errors of `parse` and of the generator.
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
export function idExtension<const Fields extends IdFields>(fields: Fields): IdExtension<Fields> {
  if (typeof fields !== "object" || fields === null) {
    typeError("fields", fields, "an object");
  }
  const given = new Map(
    Object.entries(fields).map(([model, ids]) => [
      model,
      new Map(
        Object.entries(ids ?? typeError(model, ids, "an object")).map(([key, one]) => [
          key,
          fieldOf(`${model}.${key}`, one),
        ]),
      ),
    ]),
  );
  const hasReads = [...given.values()].some((ids) => [...ids.values()].some(({ read }) => read));
  return (client) => {
    const models = modelsOf(client, given);
    const $allOperations = async ({ model, operation, args, query, __internalParams }: Query) => {
      const known = models.get(model) as FoundModel;
      const result = await query(operationArguments(known, operation, args));
      // The result of `count` has numbers under the names of fields.
      if (!hasReads || operation === "count") return result;
      const { dataPath = [] } = __internalParams ?? {};
      return rows(
        dataPath.reduce<Model>((of, key) => of.relation(key) ?? of, known),
        result,
      );
    };
    return (client as object as Required<Client>).$extends({
      name: "graupel",
      query: { $allModels: { $allOperations } },
    });
  };
}
