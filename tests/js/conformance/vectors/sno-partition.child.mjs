// Replaces the system clock by the tick `units`, and the platform's randomness by the bytes of `drawn`. Prints as JSON how often
// randomness was requested, and the automatic partitions of the generators with the numbers `n`:
// `node sno-partition.child.mjs <units> <drawn> <n...>`.
const [units, drawn, ...wanted] = process.argv.slice(2).map(Number);
const EPOCH = Date.UTC(2010, 0);
Date.now = () => EPOCH + units * 4;
let draws = 0;
crypto.getRandomValues = (bytes) => {
  draws++;
  bytes.set([drawn >> 8, drawn & 255]);
  return bytes;
};

const { sno } = await import("graupel/sno");
const partitions = [];
for (let n = 0; n <= Math.max(...wanted); n++) {
  const { partition } = sno.generator();
  if (wanted.includes(n)) {
    partitions.push(partition);
  }
}
console.log(JSON.stringify({ draws, partitions }));
