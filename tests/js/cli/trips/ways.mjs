/**
 * A table from which the largest ID is read, like the page's module; JSON that rounds; and a
 * condition that finds nothing.
 */
const table = new Set();
export default (id) => {
  table.add(id);
  return [...table].sort((a, b) => (a < b ? -1 : 1)).at(-1);
};
export const json = (id) => BigInt(JSON.parse(`[${id}]`)[0]);
export const condition = () => undefined;
