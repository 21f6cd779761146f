// A store with a client that stays open. With KIND "silent", it never answers.
import { memory } from "graupel/lease";

setInterval(() => {}, 1000);
const store = memory();
export default process.env.KIND === "silent" ? { ...store, list: () => new Promise(() => {}) } : store;
