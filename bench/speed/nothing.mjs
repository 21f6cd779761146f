// Nothing: what importing one more file costs by itself (start.mjs).
