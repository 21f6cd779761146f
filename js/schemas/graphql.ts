/**
 * A GraphQL.js scalar for IDs.
 *
 * @module graupel/graphql
 */
import {
  GraphQLError,
  GraphQLScalarType,
  print,
  type StringValueNode,
  type ValueNode,
  version,
} from "graphql";
import { type AnyFormat, givenFormat, type IdOf } from "../any-format.js";
import { fail } from "../errors.js";
import { idErrorOf } from "./id-error.js";

/** The HTTP status for a rejected request (https://graphql.github.io/graphql-over-http). */
const BAD_REQUEST = 400;

/**
 * A scalar for the IDs of a format. Responses contain canonical text. Variables and literals are
 * parsed with the format's `parse`, and resolvers get the ID in the format's type. A literal may
 * also be an integer, whose digits are read exactly. An invalid value is a `GraphQLError` of the
 * client, with graupel's code in `extensions.code` and the status 400 in `extensions.http.status`.
 *
 * @param format Any format.
 * @param name The scalar's name in the schema.
 * @throws `TYPE` for an invalid format; `PEER` for GraphQL.js before 16.3, which loses the code;
 *   errors of `GraphQLScalarType` for an invalid name.
 *
 * @example
 * ```js
 * import { discord } from "graupel/snowflake";
 * import { scalar } from "graupel/graphql";
 *
 * const MessageID = scalar(discord, "MessageID");
 * console.log(MessageID.parseValue("175928847299117063"));      // 175928847299117063n
 * console.log(MessageID.serialize(175928847299117063n));        // 175928847299117063
 * ```
 */
export function scalar<F extends AnyFormat>(format: F, name: string): GraphQLScalarType<IdOf<F>, string> {
  givenFormat(format);
  // Before 16.3, an error of a variable loses its extensions.
  if (/^(1[0-5]|.|16\.[0-2])\./.test(version)) {
    fail("PEER", "graphql", version, `graupel/graphql works with graphql >=16.3.0, found ${version}`);
  }
  function parse(read: () => unknown, nodes?: ValueNode): IdOf<F> {
    try {
      return format.parse(read()) as IdOf<F>;
    } catch (error) {
      const { code, message } = idErrorOf(error);
      throw new GraphQLError(message, {
        nodes: nodes as ValueNode,
        extensions: { code, http: { status: BAD_REQUEST } },
      });
    }
  }
  // GraphQL.js 17 has other names for these functions and also accepts these.
  return new GraphQLScalarType({
    name,
    description: `An ID of the format ${format.name}, as text.`,
    serialize: (id) => format.format(id as IdOf<F>),
    parseValue: (value) => parse(() => value),
    parseLiteral: (node) =>
      parse(
        () =>
          /^(Int|String)/.test(node.kind)
            ? (node as StringValueNode).value
            : fail(
                "TYPE",
                "id",
                node,
                `${format.name} id: expected a string or an integer, got ${print(node)}`,
              ),
        node,
      ),
  });
}
