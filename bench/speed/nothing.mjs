// Empty on purpose: start.mjs measures what importing one more file costs.
