// One connection to the market channel, with its markets. Subscriptions are sent once per turn of the event loop. A market whose book is
// late is subscribed again. Nothing is sent before the first subscription, because the venue closes a connection that pings first
// (venue-a.md §5.1). The connection is up only while it has markets, and reconnects when its stream is frozen. Venue A's feed thread.

import { COUNTER } from '../../core/metrics/feed-counters.ts';
import { KeptConnection } from '../../core/net/kept-connection.ts';
import { limits } from '../../limits.ts';
import type { FeedParts } from '../feed.ts';
import { REQUEST_HEADERS } from '../venue-json.ts';
import { FreezeProbe } from './freeze-probe.ts';
import type { MarketBook } from './market-book.ts';

const TOKENS_PER_MARKET = 2;
const MARKETS_MAX = Math.floor(limits.venueATokensPerConnectionMax / TOKENS_PER_MARKET);

/** The state of one market's subscription. */
interface Subscription {
  /** Whether the market is subscribed on the present connection. */
  isSubscribed: boolean;
  /** The time of the last renewal, by the monotonic clock. There is at most one renewal per `upstreamSnapshotMs`. */
  renewedAt: number;
  cancelTimer: () => void;
}

interface ConnectionOptions {
  readonly parts: FeedParts;
  readonly restUrl: string;
  readonly url: string;
  /** `data` is borrowed until the handler returns. */
  onFrame(connection: MarketConnection, data: Uint8Array): void;
  /** Called when the venue has no book of the market, or an empty one, or sends none. */
  onNoBook(market: MarketBook): void;
}

export class MarketConnection {
  readonly #options: ConnectionOptions;
  readonly #markets = new Map<MarketBook, Subscription>();
  /** Markets to unsubscribe at the venue: markets that were dropped, and markets that are to be subscribed again. */
  readonly #leaving = new Set<MarketBook>();
  readonly #probe: FreezeProbe;
  #session: KeptConnection | null = null;
  #isFlushing = false;
  /** Whether the opening subscription was sent on this connection. */
  #isOpeningSent = false;
  #cancelFlush: () => void = () => {};

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { parts, restUrl, onNoBook } = options;
    this.#probe = new FreezeProbe({
      parts,
      restUrl,
      markets: this.#markets,
      onFrozen: market => this.#reconnectFrozen(market),
      onStalled: market => this.#renewSubscription(market),
      onNoBook,
    });
  }

  get hasRoom(): boolean {
    return this.#markets.size < MARKETS_MAX;
  }

  get markets(): Iterable<MarketBook> {
    return this.#markets.keys();
  }

  add(market: MarketBook): void {
    this.#markets.set(market, { isSubscribed: false, renewedAt: Number.NEGATIVE_INFINITY, cancelTimer: () => {} });
    this.#flushSoon();
  }

  remove(market: MarketBook): void {
    const subscription = this.#markets.get(market);
    if (subscription === undefined) return;
    subscription.cancelTimer();
    this.#markets.delete(market);
    if (subscription.isSubscribed) this.#leaving.add(market);
    this.#flushSoon();
  }

  /**
   * Subscribes to a market again, so that the venue sends its book. This happens now, or as soon as the last renewal is long enough ago.
   */
  renew(market: MarketBook): void {
    const subscription = this.#markets.get(market);
    if (subscription === undefined || !subscription.isSubscribed) return;
    subscription.cancelTimer();
    const { timers } = this.#options.parts;
    const waitMs = Math.max(0, subscription.renewedAt + limits.upstreamSnapshotMs - timers.elapsed());
    subscription.cancelTimer = timers.after(waitMs, () => {
      if (!market.isAwaitingBook) return;
      subscription.renewedAt = timers.elapsed();
      subscription.isSubscribed = false;
      this.#leaving.add(market);
      this.#flushSoon();
    });
  }

  close(): void {
    this.#cancelFlush();
    for (const subscription of this.#markets.values()) subscription.cancelTimer();
    this.#markets.clear();
    this.#leaving.clear();
    this.#endSession();
  }

  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    this.#cancelFlush = this.#options.parts.timers.after(0, () => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (![...this.#markets.keys()].some(market => !market.hasEnded)) {
      this.#endSession();
      return;
    }
    if (this.#session === null) {
      this.#startSession();
      return;
    }
    if (!this.#session.isUp) return;
    const leaving = tokensOf(this.#leaving);
    this.#leaving.clear();
    if (leaving.length > 0) this.#session.send(JSON.stringify({ operation: 'unsubscribe', assets_ids: leaving }));
    const joining = [...this.#markets].filter(([market, { isSubscribed }]) => !isSubscribed && !market.hasEnded);
    if (joining.length === 0) return;
    const tokens = tokensOf(joining.map(([market]) => market));
    const verb = this.#isOpeningSent ? { operation: 'subscribe' } : { type: 'market' };
    this.#isOpeningSent = true;
    this.#session.send(JSON.stringify({ ...verb, assets_ids: tokens, custom_feature_enabled: true }));
    for (const [market, subscription] of joining) {
      subscription.isSubscribed = true;
      this.#expectBook(market, subscription);
    }
  }

  #expectBook(market: MarketBook, subscription: Subscription): void {
    subscription.cancelTimer();
    subscription.cancelTimer = this.#options.parts.timers.after(limits.upstreamSnapshotMs, () => {
      if (!market.isAwaitingBook) return;
      this.#options.onNoBook(market);
      this.renew(market);
    });
  }

  #startSession(): void {
    const { parts, url, onFrame } = this.#options;
    const { counters, log } = parts;
    const session: KeptConnection = new KeptConnection(
      { ...parts, url, headers: () => REQUEST_HEADERS, keepAlive: 'PING' },
      {
        onUp: () => {
          counters.count(COUNTER.connects);
          counters.link = 'up';
          log.info('venue connected');
          this.#probe.start();
          this.#flush();
        },
        onFrame: data => {
          if (this.#session === session) onFrame(this, data);
        },
        onSilence: () => {
          counters.count(COUNTER.silences);
          this.#markStale();
        },
        onDown: detail => {
          // A connection that we closed does not count as lost.
          if (this.#session !== session) return;
          counters.count(COUNTER.disconnects);
          counters.link = 'down';
          log.warn('venue connection lost', { message: detail });
          this.#handleDisconnect();
        },
      },
    );
    this.#session = session;
    session.start();
  }

  /** Reconnects a frozen stream. A new connection brings every book whole, and so everything that the frozen stream omitted. */
  #reconnectFrozen(market: MarketBook): void {
    const { counters, log } = this.#options.parts;
    counters.count(COUNTER.freezes);
    log.warn('venue stream frozen', { market: market.facts.conditionId });
    this.#markStale();
    this.#session?.restart();
  }

  /** Renews a market whose subscription the venue has lost: subscribing again brings the book. */
  #renewSubscription(market: MarketBook): void {
    const { counters, log } = this.#options.parts;
    counters.count(COUNTER.stalls);
    log.warn('venue stream lost a market', { market: market.facts.conditionId });
    market.resync('SILENCE');
  }

  #markStale(): void {
    for (const market of this.#markets.keys()) market.markStale();
  }

  #handleDisconnect(): void {
    this.#probe.stop();
    this.#isOpeningSent = false;
    this.#leaving.clear();
    for (const [market, subscription] of this.#markets) {
      subscription.cancelTimer();
      subscription.isSubscribed = false;
      market.disconnect();
    }
  }

  #endSession(): void {
    this.#probe.stop();
    const session = this.#session;
    this.#options.parts.counters.link = 'idle';
    this.#session = null;
    this.#isOpeningSent = false;
    this.#leaving.clear();
    session?.close();
  }
}

function tokensOf(markets: Iterable<MarketBook>): string[] {
  return [...markets].flatMap(({ facts }) => [facts.primaryToken, facts.complementToken]);
}
