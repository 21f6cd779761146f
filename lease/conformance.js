module.exports = require("../dist/lease/conformance.cjs");
