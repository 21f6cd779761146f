/** A table whose largest ID is read, as the page's module does; JSON that rounds; a condition that finds nothing. */
const table = new Set();
export default (id) => {
  table.add(id);
  return [...table].sort((a, b) => (a < b ? -1 : 1)).at(-1);
};
export const json = (id) => BigInt(JSON.parse(`[${id}]`)[0]);
export const condition = () => undefined;
