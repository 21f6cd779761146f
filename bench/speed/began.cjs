// Loaded before a script whose start is measured (start.mjs). Notes the processor time that Node itself has used so far:
// it is larger than what is measured, and varies more.

globalThis.began = process.cpuUsage();
