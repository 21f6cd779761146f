/**
 * The servers of a store: one that answers, and for a forgetful store replicas that are behind, take over, and answer beside it for a
 * while. Each decides by the rules of the package (js/lease/store-rules.ts) and by a clock of its own.
 */
import {
  acquire,
  type NamespaceRecord,
  type NumberRecord,
  release,
  renew,
} from "../../../../js/lease/store-rules.ts";
import type {
  AcquireRequest,
  Foreign,
  Grant,
  Refused,
  ReleaseRequest,
  RenewRequest,
} from "../../../../js/lease/types.ts";

/** What a server keeps. */
interface Data {
  namespace: NamespaceRecord | undefined;
  numbers: Map<number, NumberRecord>;
}

/** One server. */
export class Server {
  #data: Data = { namespace: undefined, numbers: new Map() };
  /** How far its clock is from the world's, in milliseconds. */
  #offset = 0;
  readonly durable: boolean;
  readonly #time: () => number;

  constructor(durable: boolean, time: () => number) {
    this.durable = durable;
    this.#time = time;
  }

  get now(): number {
    return Math.floor(this.#time() + this.#offset);
  }

  /** Sets its clock, so far from the world's. */
  set(offset: number): void {
    this.#offset = offset;
  }

  /** Copies what another server has now. */
  follow(other: Server): void {
    this.#data = { namespace: other.#data.namespace, numbers: new Map(other.#data.numbers) };
  }

  /** Loses everything. */
  flush(): void {
    this.#data = { namespace: undefined, numbers: new Map() };
  }

  acquire(request: AcquireRequest): Grant | Refused | Foreign {
    const { now } = this;
    const data = this.#data;
    data.namespace ??= { layout: request.layout, born: now };
    const { write, answer } = acquire(data.namespace, data.numbers, request, now, this.durable);
    if (write) data.numbers.set(...write);
    return answer;
  }

  renew(request: RenewRequest): Grant | null {
    const { now } = this;
    const { number } = request;
    const after = renew(this.#data.numbers.get(number), request, now, this.durable);
    if (after === undefined) return null;
    this.#data.numbers.set(number, after);
    return { number, from: after.from, until: after.mark, now };
  }

  release(request: ReleaseRequest): void {
    const after = release(this.#data.numbers.get(request.number), request);
    if (after) this.#data.numbers.set(request.number, after);
  }

  /** Gives a number to nobody, as an operator's mistake or another program may: a mark stays, a token goes. */
  steal(number: number, token: string): void {
    const record = this.#data.numbers.get(number);
    if (record) this.#data.numbers.set(number, { ...record, from: record.mark, mark: record.mark, token });
  }
}
