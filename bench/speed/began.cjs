// Loaded before a script whose start is measured (start.mjs): notes the processor's time that Node itself has taken so
// far. That part is larger than what is measured, and varies by more.

globalThis.began = process.cpuUsage();
