// The formats and packages of the table and of the chart for users. bench.json has all of them.

export const SHOWN = [
  ["twitter", "snowflake", "nanoflake", "discord", "snowflakeSI", "ulidFlake", "sno"],
  ["nodejs-snowflake", "@sapphire/snowflake", "flake-idgen", "snowflake-id", "ulid", "uuidv7", "uuid v7"],
  ["bson ObjectId", "nanoid", "crypto.randomUUID", "hyperid"],
].flat();
