/**
 * The servers of a store. One answers. In a forgetful store, replicas also lag behind, take over,
 * and answer beside the old server for a while. Each server follows the rules of the package
 * (js/lease/store-rules.ts) and has its own clock.
 */
import * as rules from "../../../../js/lease/store-rules.ts";
import type { AcquireRequest, ReleaseRequest, RenewRequest } from "../../../../js/lease/types.ts";

export class Server {
  #namespace: rules.NamespaceRecord | undefined;
  #numbers = new Map<number, rules.NumberRecord>();
  /** How far its clock is ahead of the world's, in milliseconds. */
  offset = 0;
  renewals = 0;
  readonly durable: boolean;
  readonly #time: () => number;

  constructor(durable: boolean, time: () => number) {
    this.durable = durable;
    this.#time = time;
  }

  get #now(): number {
    return Math.floor(this.#time() + this.offset);
  }

  /** The tokens that hold numbers. */
  get tokens(): readonly string[] {
    return [...this.#numbers.values()].map(({ token }) => token).filter(Boolean);
  }

  /** Copies the current records of another server. Copying a new server deletes everything. */
  follow(other: Server): void {
    this.#namespace = other.#namespace;
    this.#numbers = new Map(other.#numbers);
  }

  acquire(request: AcquireRequest) {
    const now = this.#now;
    this.#namespace ??= { layout: request.layout, born: now };
    const { write, answer } = rules.acquire(this.#namespace, this.#numbers, request, now, this.durable);
    if (write) this.#numbers.set(...write);
    return answer;
  }

  renew(request: RenewRequest) {
    this.renewals++;
    const { number } = request;
    const now = this.#now;
    const after = rules.renew(this.#numbers.get(number), request, now, this.durable);
    if (after) this.#numbers.set(number, after);
    return after ? rules.grantOf(number, after, now) : null;
  }

  release(request: ReleaseRequest): void {
    const after = rules.release(this.#numbers.get(request.number), request);
    if (after) this.#numbers.set(request.number, after);
  }

  /**
   * Takes a number away from its holder, like an operator's mistake or another program: the mark
   * stays, the token changes.
   */
  steal(number: number, token: string): void {
    const record = this.#numbers.get(number);
    if (record) this.#numbers.set(number, { ...record, from: record.mark, token });
  }
}
