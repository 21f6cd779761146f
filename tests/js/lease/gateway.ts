/** An in-memory etcd gateway with the features that the store uses. */

interface Body {
  readonly key: string;
  readonly range_end?: string;
  readonly compare: readonly { readonly key: string; readonly mod_revision: number | string }[];
  readonly success: readonly { readonly request_put: { readonly key: string; readonly value: string } }[];
}

export type Fetch = (url: string, init: { readonly body: string }) => Promise<Response>;

const bytes = (base64: string) => Buffer.from(base64, "base64");

export class Gateway {
  readonly kept = new Map<string, { readonly value: string; readonly mod_revision: string }>();
  /** Unix milliseconds. */
  now = Date.now();
  #revision = 1;

  /** The response to a range or a transaction. */
  #answer(path: string, { key, range_end: end, compare, success }: Body): object {
    if (path.endsWith("/range")) {
      const isIn = (it: string) =>
        end === undefined
          ? it === key
          : Buffer.compare(bytes(it), bytes(key)) >= 0 && Buffer.compare(bytes(it), bytes(end)) < 0;
      const kvs = [...this.kept].filter(([it]) => isIn(it)).map(([key, rest]) => ({ key, ...rest }));
      return kvs.length > 0 ? { kvs, count: String(kvs.length) } : {};
    }
    if (compare.some((it) => (this.kept.get(it.key)?.mod_revision ?? "0") !== String(it.mod_revision))) {
      return {};
    }
    const mod_revision = String(++this.#revision);
    for (const { request_put: put } of success) this.kept.set(put.key, { value: put.value, mod_revision });
    return { succeeded: true };
  }

  readonly fetch: Fetch = async (url, { body }) => {
    const answer = this.#answer(new URL(url).pathname, JSON.parse(body));
    return new Response(JSON.stringify(answer), { headers: { date: new Date(this.now).toUTCString() } });
  };
}
