// Signals, if the compiler knows `AbortSignal` from the declarations of the DOM or Node.

import { type LeaseStore, lease } from "graupel/lease";
import { etcd } from "graupel/lease/etcd";
import { sno } from "graupel/sno";
import { mastodon } from "graupel/snowflake";

const { signal } = new AbortController();
export const plain: Promise<bigint> = mastodon.generator().nextAsync({ signal });
export const marked: Promise<string> = sno.generator().nextAsync({ signal, metabyte: 3 });
export const limited: Promise<string> = sno.generator().nextAsync({ signal: AbortSignal.timeout(5) });
export const leased = (store: LeaseStore) =>
  lease(store, { format: mastodon, namespace: "posts", signal: AbortSignal.timeout(5) });
export const perhaps = (signal: AbortSignal | undefined) => mastodon.generator().nextAsync({ signal });

export const store: LeaseStore = etcd({ url: "http://127.0.0.1:2379", fetch });

// @ts-expect-error: a controller is not a signal
mastodon.generator().nextAsync({ signal: new AbortController() });
// @ts-expect-error: an event target cannot be aborted
mastodon.generator().nextAsync({ signal: new EventTarget() });
// @ts-expect-error: only sno has metabytes
mastodon.generator().nextAsync({ signal, metabyte: 3 });
