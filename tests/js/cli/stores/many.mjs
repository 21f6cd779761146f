// A store with enough numbers for a fleet of devices.
import { memory } from "graupel/lease";

export const namespace = "fleet";

const now = Date.now();
const record = (_, number) => ({ number, held: true, from: now, mark: 2 * now, label: "a device", now });
export default { ...memory(), list: async () => Array.from({ length: 200_000 }, record) };
