// The other packages in the duel, each used as its own documentation shows.
//
// make          takes the module's namespace and a worker ID; returns the function that makes one ID, or a promise of one
// unconfigured  the same, with only what the package demands; missing if the package demands a worker ID
// sortable      turns an ID into a bigint, if it is neither a bigint nor a text that sorts as the IDs do
// how           how the worker ID is given, for the output
// chance        the stories in which only chance tells the generators apart

/** A CommonJS package is the default export of its namespace. */
const common = (module) => module.default;

/** For packages that take an epoch. */
const EPOCH = Date.UTC(2024, 0, 1);

export const peers = [
  {
    name: "nodejs-snowflake",
    how: "instance_id; else one at random",
    chance: ["threads and forks, unconfigured"],
    make(module, worker) {
      const { Snowflake } = common(module);
      const generator = new Snowflake({ custom_epoch: EPOCH, instance_id: worker });
      return () => generator.getUniqueID();
    },
    unconfigured(module) {
      const { Snowflake } = common(module);
      const generator = new Snowflake();
      return () => generator.getUniqueID();
    },
  },
  {
    name: "@sapphire/snowflake",
    how: "the property workerId",
    make({ Snowflake }, worker) {
      const generator = new Snowflake(EPOCH);
      generator.workerId = worker;
      return () => generator.generate();
    },
    unconfigured({ Snowflake }) {
      const generator = new Snowflake(EPOCH);
      return () => generator.generate();
    },
  },
  {
    name: "flake-idgen",
    how: "id",
    make(module, worker) {
      const FlakeId = common(module);
      const generator = new FlakeId({ id: worker, epoch: EPOCH });
      return () => generator.next();
    },
    unconfigured(module) {
      const FlakeId = common(module);
      const generator = new FlakeId();
      return () => generator.next();
    },
    sortable: (id) => id.readBigUInt64BE(),
  },
  {
    name: "snowflake-id",
    how: "mid",
    make(module, worker) {
      const Snowflake = common(module).default;
      const generator = new Snowflake({ mid: worker, offset: EPOCH });
      return () => generator.generate();
    },
    unconfigured(module) {
      const Snowflake = common(module).default;
      const generator = new Snowflake();
      return () => generator.generate();
    },
    sortable: BigInt,
  },
  {
    name: "@skorotkiewicz/snowflake-id",
    how: "the constructor's argument",
    make({ Snowflake }, worker) {
      const generator = new Snowflake(worker);
      return () => generator.generate();
    },
    sortable: BigInt,
  },
  {
    name: "snowflakify",
    how: "new WorkerFragment(5, number) in an otherwise default fragmentArray",
    make({ default: Snowflakify, ...fragments }, worker) {
      const { TimestampFragment, WorkerFragment, ProcessFragment, SequenceFragment } = fragments;
      const generator = new Snowflakify({
        fragmentArray: [
          new TimestampFragment(42, EPOCH),
          new WorkerFragment(5, worker),
          new ProcessFragment(5),
          new SequenceFragment(12),
        ],
      });
      return () => generator.nextId();
    },
    unconfigured({ default: Snowflakify }) {
      const generator = new Snowflakify();
      return () => generator.nextId();
    },
  },
  {
    name: "snowflake-uuid",
    how: "the constructor's first argument, with datacenter 0",
    make({ Worker }, worker) {
      const generator = new Worker(worker, 0, { epoch: EPOCH });
      return () => generator.nextId();
    },
    unconfigured({ Worker }) {
      const generator = new Worker();
      return () => generator.nextId();
    },
  },
  {
    name: "xid-js",
    how: "none: a hash of the host's name, the process ID, and a counter with a random start",
    chance: ["two copies", "four threads", "threads and forks, unconfigured", "killed and restarted"],
    make(module) {
      const { next } = common(module);
      return () => next();
    },
  },
  {
    name: "ulid",
    how: "none: 80 random bits",
    make({ monotonicFactory }) {
      const next = monotonicFactory();
      return () => next();
    },
  },
  {
    name: "uuidv7",
    how: "none: 74 random bits, of which 42 begin a counter",
    make({ V7Generator }) {
      const generator = new V7Generator();
      return () => generator.generate().toString();
    },
  },
].map((peer) => ({
  package: peer.name,
  specifier: peer.name,
  ours: false,
  // A package without worker IDs needs no configuration.
  ...(peer.how.startsWith("none") && { unconfigured: peer.make }),
  ...peer,
}));
