/** What Cloudflare's runtime is to a Durable Object, as far as the recipe in www/docs/workers/serverless.md uses it. */

interface Storage {
  get(key: string): Promise<unknown>;
  put(key: string | Readonly<Record<string, unknown>>, value?: unknown): Promise<void>;
  list(options: { readonly prefix: string }): Promise<Map<string, unknown>>;
}

interface DurableObject {
  fetch(request: Request): Promise<Response>;
}

interface Namespace {
  idFromName(name: string): string;
  get(id: string): DurableObject;
}

/** A module of a Worker. */
export interface Module {
  readonly Numbers: new (context: { readonly storage: Storage }) => DurableObject;
  readonly default: { fetch(request: Request, env: { readonly NUMBERS: Namespace }): Promise<Response> };
}

/** Storage that gives out copies, as values are serialised there. */
function storage(): Storage {
  const values = new Map<string, unknown>();
  return {
    get: async (key) => structuredClone(values.get(key)),
    async put(key, value) {
      const pairs = typeof key === "string" ? { [key]: value } : key;
      for (const [name, one] of Object.entries(pairs)) values.set(name, structuredClone(one));
    },
    list: async ({ prefix }) =>
      new Map(
        [...values]
          .filter(([key]) => key.startsWith(prefix))
          .map(([key, value]) => [key, structuredClone(value)]),
      ),
  };
}

/** One event at a time, as the runtime holds back others while an object waits for its storage. */
function inTurn(object: DurableObject): DurableObject {
  let last: Promise<unknown> = Promise.resolve();
  return {
    fetch(request) {
      const turn = last.then(() => object.fetch(request));
      last = turn.catch(() => {});
      return turn;
    },
  };
}

/** Gives what answers a request: the module, with an object for each name. */
export function objectsOf({ Numbers, default: worker }: Module): (request: Request) => Promise<Response> {
  const objects = new Map<string, DurableObject>();
  const NUMBERS: Namespace = {
    idFromName: (name) => name,
    get(id) {
      const object = objects.get(id) ?? inTurn(new Numbers({ storage: storage() }));
      objects.set(id, object);
      return object;
    },
  };
  return (request) => worker.fetch(request, { NUMBERS });
}
