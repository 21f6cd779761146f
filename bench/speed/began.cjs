// Loaded before a script whose start start.mjs measures. Records the processor time that Node
// itself has used so far, which is larger than the start and varies more.

globalThis.began = process.cpuUsage();
