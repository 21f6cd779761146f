// Prints the partitions of automatically numbered generators, as JSON: `node sno-partition.child.mjs <units> <n...>`.
const [units, ...wanted] = process.argv.slice(2).map(Number);
const EPOCH = Date.UTC(2010, 0);
Date.now = () => EPOCH + units * 4;

const { sno } = await import("graupel/sno");
const partitions = [];
for (let n = 0; n <= Math.max(...wanted); n++) {
  let partition;
  try {
    partition = sno.generator().partition;
  } catch (error) {
    partition = error.code ?? String(error);
  }
  if (wanted.includes(n)) {
    partitions.push(partition);
  }
}
console.log(JSON.stringify(partitions));
