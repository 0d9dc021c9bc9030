// Tells every trading thread that a market's instrument spec has changed, by the venue's stream. Trading threads cache specs. All threads
// of the process share the channel. A message of another gateway in it costs a look at the venue. Any thread.

import { BroadcastChannel } from 'node:worker_threads';
import type { Venue } from '../core/domain/market.ts';

/** A token id or ticker. */
interface OutdatedFacts {
  readonly venue: Venue;
  readonly address: string;
}

const NAME = 'crossbook outdated facts';

/** For feed threads, which hear nothing of each other. The news is with all that listen when the function returns. */
export function tellOutdatedFacts(news: OutdatedFacts): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(news);
  channel.close();
}

/** Listens until the returned function is called; keeps no thread alive. */
export function hearOutdatedFacts(hear: (news: OutdatedFacts) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = event => hear((event as { readonly data: OutdatedFacts }).data);
  channel.unref();
  // Node loads the class of these events at its first use, and its WebSocket client with it. That takes 70 ms, for which no order waits here.
  void globalThis.MessageEvent;
  return () => channel.close();
}
