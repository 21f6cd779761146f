// No store.
export default {};
