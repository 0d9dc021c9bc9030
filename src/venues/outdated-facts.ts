// Tells every trading thread that a market's instrument spec has changed, as the venue's stream says. Trading threads cache specs. All
// gateways of the process share the channel; a message of another gateway only causes a needless read at the venue. Any thread.

import { BroadcastChannel } from 'node:worker_threads';
import type { Venue } from '../core/domain/market.ts';

/** A token id or ticker. */
interface OutdatedFacts {
  readonly venue: Venue;
  readonly address: string;
}

const NAME = 'crossbook outdated facts';

/** For feed threads, which do not hear each other's news. When the function returns, all listeners have the message. */
export function tellOutdatedFacts(news: OutdatedFacts): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(news);
  channel.close();
}

/** Calls `listener` for each message until the returned function is called. Does not keep the thread alive. */
export function onOutdatedFacts(listener: (news: OutdatedFacts) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = event => listener((event as { readonly data: OutdatedFacts }).data);
  channel.unref();
  // Node loads the class of these events at its first use, and its WebSocket client with the class. That takes 70 ms, and is done here so
  // that no order has to wait for it.
  void globalThis.MessageEvent;
  return () => channel.close();
}
