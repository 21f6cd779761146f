// A module with an `export default`, as a compiler writes it.
Object.defineProperty(exports, "__esModule", { value: true });
const { twitter } = require("graupel");
const { memory } = require("graupel/lease");
exports.default = memory();
exports.format = twitter;
exports.namespace = "orders";
