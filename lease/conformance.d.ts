export * from "../dist/lease/conformance.js";
