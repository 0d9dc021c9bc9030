// What a market asks of orders has changed, by its venue's stream: the feed says so to every thread that trades, which keep such facts.
// A channel that all threads of the process share; news of another gateway in it costs a look at the venue. Any thread.

import { BroadcastChannel } from 'node:worker_threads';
import type { Venue } from '../domain/market.ts';

/** Token id or ticker. */
export interface OutdatedFacts {
  readonly venue: Venue;
  readonly address: string;
}

const NAME = 'crossbook outdated facts';

/** Feed threads. Nothing that it sends keeps the thread alive. */
export function openOutdatedFacts(): { readonly tell: (news: OutdatedFacts) => void; readonly close: () => void } {
  const channel = new BroadcastChannel(NAME);
  channel.unref();
  return { tell: news => channel.postMessage(news), close: () => channel.close() };
}

/** Hears until the returned function is called; keeps no thread alive. */
export function hearOutdatedFacts(hear: (news: OutdatedFacts) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = event => hear((event as { readonly data: OutdatedFacts }).data);
  channel.unref();
  return () => channel.close();
}
