// A store with a client that stays open, and, as the variable KIND says, never answers.
import { memory } from "graupel/lease";

setInterval(() => {}, 1000);
const store = memory();
export default process.env.KIND === "silent" ? { ...store, list: () => new Promise(() => {}) } : store;
