// A module that does not export a store.
export default {};
