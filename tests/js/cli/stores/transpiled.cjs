// As a compiler writes a module with an `export default`.
Object.defineProperty(exports, "__esModule", { value: true });
const { twitter } = require("graupel");
const { memory } = require("graupel/lease");
exports.default = memory();
exports.format = twitter;
exports.namespace = "orders";
