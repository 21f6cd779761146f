// Prints as JSON how many times a process whose system clock stands at the tick `units`, and whose platform draws the bytes of
// `drawn`, was asked for randomness, and the partitions of its generators number `n`, which have none given:
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
