// Empty on purpose: start.mjs measures the cost of importing one more file.
