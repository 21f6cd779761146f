/** A gateway of etcd in memory, as far as the store uses it. */

interface Kept {
  readonly value: string;
  readonly mod_revision: string;
}

interface Body {
  readonly key: string;
  readonly range_end?: string;
  readonly compare: readonly { readonly key: string; readonly mod_revision: number | string }[];
  readonly success: readonly { readonly request_put: { readonly key: string; readonly value: string } }[];
}

const bytes = (base64 = "") => Buffer.from(base64, "base64");

export class Gateway {
  readonly kept = new Map<string, Kept>();
  /** Unix milliseconds. */
  now = Date.now();
  requests = 0;
  #revision = 1;

  /** What a range or a transaction answers. */
  #answer(path: string, { key, range_end, compare, success }: Body): object {
    if (path.endsWith("/range")) {
      const [first, end] = [bytes(key), bytes(range_end)];
      const isIn = (it: Buffer) =>
        range_end === undefined
          ? it.equals(first)
          : Buffer.compare(it, first) >= 0 && Buffer.compare(it, end) < 0;
      const kvs = [...this.kept].filter(([it]) => isIn(bytes(it))).map(([key, rest]) => ({ key, ...rest }));
      return kvs.length > 0 ? { kvs, count: String(kvs.length) } : {};
    }
    if (compare.some((it) => (this.kept.get(it.key)?.mod_revision ?? "0") !== String(it.mod_revision))) {
      return {};
    }
    this.#revision++;
    for (const { request_put: put } of success) {
      this.kept.set(put.key, { value: put.value, mod_revision: String(this.#revision) });
    }
    return { succeeded: true };
  }

  readonly fetch = (async (url: string, init: { body: string }) => {
    this.requests++;
    const answer = this.#answer(new URL(url).pathname, JSON.parse(init.body));
    return new Response(JSON.stringify(answer), { headers: { date: new Date(this.now).toUTCString() } });
  }) as unknown as typeof fetch;
}
