import { snowflakeSI } from "graupel/snowflake-si";

export const format = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });
export default (id) => JSON.parse(JSON.stringify({ id })).id;
