// The exported suite, in the Node that a store needs: `node checked.mjs <server, connection and ttlMs, as JSON>`.

import { importBuilt } from "./places.mjs";

const { server, connection, ttlMs } = JSON.parse(process.argv[2]);
const [{ open }, { checks }] = await Promise.all([
  import(`../servers/${server}.mjs`),
  importBuilt("lease/conformance"),
]);
const { store, close } = await open(connection);
const all = checks(store, { ttlMs });
await Promise.all(
  all.map(({ name, run }) =>
    run().catch(({ message }) => {
      throw new Error(`${name}: ${message}`);
    }),
  ),
);
await close();
console.log(all.length);
