// Venue B's market data: subscribed markets are described by REST, carried on one WebSocket, and recovered after a loss.
// frame-handler.ts reads the stream's frames, subscription.ts keeps its subscriptions, market-life.ts handles lifecycle
// events, and facts-refresh.ts reads what was missed. Venue B's feed thread.
//
// Recovery has two sizes. A fault of one book (a size below zero, a price off the grid, a crossed or unreadable book) asks
// for that book's snapshot again. A fault of the numbered stream (a gap, an unreadable frame) drops the connection. The path
// from there is that of any reconnection: often used, so reliable, and it also repairs a lost acknowledgement. The session's
// backoff bounds the load on a venue that keeps making gaps. An immediate unsubscribe and subscribe on the same connection
// could ask for thousands of snapshots without pause.

import { PRIMARY, type StateReason } from '../../core/domain/market.ts';
import { COUNTER } from '../../core/metrics/feed-counters.ts';
import { KeptConnection } from '../../core/net/kept-connection.ts';
import { limits } from '../../limits.ts';
import type { FeedAnswer, FeedParts, FeedRefusal, MarketFeed } from '../feed.ts';
import { createVenueBSigner } from './auth.ts';
import { FactsRefresh } from './facts-refresh.ts';
import { FrameHandler } from './frame-handler.ts';
import { FreezeProbe } from './freeze-probe.ts';
import { MarketDescriptions } from './market-descriptions.ts';
import { type Market, MarketDirectory } from './market-directory.ts';
import { type MarketFacts, MarketFactsReader } from './market-facts.ts';
import { MarketLife } from './market-life.ts';
import { StreamSubscriptions } from './subscription.ts';
import { TickerTable } from './ticker-table.ts';

interface VenueBFeedConfig {
  /** An address such as `https://…/trade-api/v2`, without a trailing slash. */
  readonly restUrl: string;
  /** An address such as `wss://…/trade-api/ws/v2`. */
  readonly streamUrl: string;
  readonly keyId: string;
  /** RSA or Ed25519, PEM. Never logged. */
  readonly privateKeyPem: string;
}

/** Throws if the private key is unusable. */
export function createVenueBFeed(parts: FeedParts, config: VenueBFeedConfig): MarketFeed {
  return new VenueBFeed(parts, config);
}

interface SubscriptionRequest {
  readonly outcome: Promise<FeedAnswer>;
  /** The market; null until the venue has described it. */
  market: Market | null;
  /** Whether an event has arrived before the description, which may then be older than the event. */
  hasNews: boolean;
}

class VenueBFeed implements MarketFeed {
  readonly #parts: FeedParts;
  readonly #markets = new MarketDirectory();
  readonly #requests = new Map<string, SubscriptionRequest>();
  readonly #facts: MarketFactsReader;
  readonly #descriptions: MarketDescriptions;
  readonly #refresh: FactsRefresh;
  readonly #life: MarketLife;
  readonly #session: KeptConnection;
  readonly #frames: FrameHandler;
  readonly #probe: FreezeProbe;
  #subscriptions: StreamSubscriptions | null = null;
  /** Whether a frame has come since the last sweep. `#heardAt` is the time of the last sweep that found a frame, or no open command. */
  #hasHeard = false;
  #heardAt = 0;
  #isFlushDue = false;
  #isClosing = false;
  #cancelSweep: () => void = () => {};

  constructor(parts: FeedParts, config: VenueBFeedConfig) {
    const { sink, counters, log, connect, get, timers, random } = parts;
    const sign = createVenueBSigner(config.keyId, config.privateKeyPem);
    this.#parts = parts;
    this.#facts = new MarketFactsReader({ restUrl: config.restUrl, sign, get, timers });
    this.#descriptions = new MarketDescriptions({ facts: this.#facts, timers });
    this.#refresh = new FactsRefresh({
      markets: this.#markets,
      facts: this.#facts,
      log,
      onFacts: (market, facts) => this.#life.described(market, facts),
    });
    this.#life = new MarketLife({
      sink,
      timers,
      log,
      expireFacts: parts.expireFacts,
      stream: {
        follow: market => this.#follow(market),
        unfollow: market => this.#unfollow(market),
        recover: (market, reason) => this.#recover(market, reason),
      },
    });
    this.#frames = new FrameHandler({
      sink,
      counters,
      log,
      markets: this.#markets,
      events: {
        onDistrust: reason => this.#distrust(reason),
        onFault: (market, reason) => this.#recover(market, reason),
        onSnapshot: market => this.#recovered(market),
        onLifecycle: (market, change) => this.#life.applyChange(market, change),
        onLifecycleElsewhere: ticker => this.#noteNews(ticker),
        onBooksEnded: () => this.#resyncAll('VENUE_ERROR'),
        onLifeMissed: () => {
          this.#refresh.setLifecycleUp(false);
          this.#refresh.setLifecycleUp(true);
        },
        onAnswer: () => this.#handleAnswer(),
      },
    });
    this.#probe = new FreezeProbe({
      parts,
      restUrl: config.restUrl,
      sign,
      markets: this.#markets,
      onStalled: market => this.#stalled(market),
    });
    this.#session = new KeptConnection(
      {
        url: config.streamUrl,
        headers: () => sign('GET', config.streamUrl, timers.now()),
        keepAlive: null,
        connect,
        timers,
        random,
      },
      {
        onUp: () => this.#handleConnect(),
        onFrame: bytes => {
          this.#hasHeard = true;
          this.#frames.handle(bytes, timers.now());
        },
        onDown: detail => this.#handleDisconnect(detail),
        onSilence: () => this.#markStale(),
      },
    );
  }

  start(): void {
    this.#parts.counters.link = 'down';
    this.#session.start();
    this.#scheduleSweep();
  }

  close(): void {
    this.#isClosing = true;
    this.#cancelSweep();
    this.#session.close();
  }

  subscribe(address: string): Promise<FeedAnswer> {
    const known = this.#requests.get(address);
    if (known !== undefined) return known.outcome;
    if (!TickerTable.accepts(address)) {
      return Promise.resolve({
        code: 'UNKNOWN_MARKET',
        message: `${JSON.stringify(address)} is not a ticker of venue B`,
      });
    }
    const facts = this.#descriptions.describe(address);
    const askedSince = this.#refresh.generation;
    const request: SubscriptionRequest = {
      outcome: facts.then(answer =>
        answer.ok ? this.#open(request, answer.value, askedSince) : this.#deny(request, address, answer.error),
      ),
      market: null,
      hasNews: false,
    };
    this.#requests.set(address, request);
    return request.outcome;
  }

  unsubscribe(address: string): void {
    const market = this.#requests.get(address)?.market;
    this.#requests.delete(address);
    if (market === undefined || market === null) return;
    this.#unfollow(market);
    this.#markets.remove(market);
    this.#parts.sink.releaseBook(market.book);
  }

  #deny(request: SubscriptionRequest, address: string, refusal: FeedRefusal): FeedRefusal {
    if (this.#requests.get(address) === request) this.#requests.delete(address);
    return refusal;
  }

  #open(request: SubscriptionRequest, facts: MarketFacts, askedSince: number): FeedAnswer {
    const { sink } = this.#parts;
    if (this.#requests.get(facts.ticker) !== request) {
      return { code: 'VENUE_UNAVAILABLE', message: 'unsubscribed before venue B described the market' };
    }
    const book = sink.openBook(facts.step);
    if (book === null) {
      const message = `no room for a book: limits booksPerVenueMax ${limits.booksPerVenueMax}, ladderBytesPerVenue ${limits.ladderBytesPerVenue}`;
      return this.#deny(request, facts.ticker, { code: 'BOOK_LIMIT', message });
    }
    const market = this.#markets.add(facts, book);
    request.market = market;
    sink.setViews(book, true, false);
    if (facts.lastTrade !== null) sink.setLastTrade(book, facts.lastTrade);
    this.#life.begin(market);
    if (market.isFollowed) this.#follow(market);
    if (request.hasNews || askedSince !== this.#refresh.generation) this.#refresh.add(market);
    return { book, view: PRIMARY };
  }

  #noteNews(ticker: string): void {
    const request = this.#requests.get(ticker);
    if (request !== undefined) request.hasNews = true;
  }

  #handleConnect(): void {
    const { counters, log, timers } = this.#parts;
    counters.count(COUNTER.connects);
    counters.link = 'up';
    log.info('venue connected');
    this.#subscriptions = new StreamSubscriptions({
      send: text => this.#session.send(text),
      elapsed: () => timers.elapsed(),
      onBookDeleted: ticker => this.#handleDeletion(ticker),
      onTradesMissed: tickers => this.#missTrades(tickers),
    });
    this.#frames.attach(this.#subscriptions);
    this.#hasHeard = true;
    for (const market of this.#markets.all()) {
      if (market.isFollowed) this.#follow(market);
    }
    this.#subscriptions.flush();
  }

  #missTrades(tickers: Iterable<string>): void {
    for (const ticker of tickers) {
      const market = this.#markets.get(ticker);
      if (market !== undefined) this.#parts.sink.tradesMissed(market.book);
    }
  }

  #handleDisconnect(detail: string): void {
    if (this.#isClosing) return;
    this.#parts.counters.count(COUNTER.disconnects);
    this.#parts.counters.link = 'down';
    this.#parts.log.warn('venue connection lost', { message: detail });
    this.#subscriptions = null;
    this.#frames.attach(null);
    this.#refresh.setLifecycleUp(false);
    this.#resyncAll('DISCONNECTED');
  }

  /** Handles an answer to a command, after which the next command may go. */
  #handleAnswer(): void {
    const subscriptions = this.#subscriptions;
    if (subscriptions === null) return;
    // The refresh comes before the next commands: the end of a subscription must be known before it begins again.
    this.#refresh.setLifecycleUp(subscriptions.lifecycle.sid >= 0);
    subscriptions.flush();
  }

  #markStale(): void {
    const { counters, sink } = this.#parts;
    counters.count(COUNTER.silences);
    for (const market of this.#markets.all()) {
      if (!market.awaitsSnapshot && market.isFollowed) sink.setState(market.book, 'STALE', 'SILENCE');
    }
  }

  #distrust(reason: StateReason): void {
    this.#parts.log.warn('stream unreliable', { reason });
    this.#subscriptions = null;
    this.#resyncAll(reason);
    this.#session.restart();
  }

  #resyncAll(reason: StateReason): void {
    for (const market of this.#markets.all()) {
      if (!market.awaitsSnapshot && market.isFollowed) this.#resync(market, reason);
    }
  }

  /** Loses a deleted market's book: no deltas follow a snapshot that came just before the deletion. */
  #handleDeletion(ticker: string): void {
    const market = this.#markets.get(ticker);
    if (market?.isFollowed && !market.awaitsSnapshot) this.#resync(market, 'OPENING');
  }

  #resync(market: Market, reason: StateReason): void {
    const { counters, sink, timers } = this.#parts;
    counters.count(COUNTER.resyncs);
    sink.setState(market.book, 'RESYNCING', reason);
    market.awaitsSnapshot = true;
    market.askAt = timers.elapsed() + limits.upstreamSnapshotMs;
  }

  /** Subscribes to the market at the venue, which answers with a snapshot. */
  #follow(market: Market): void {
    market.awaitsSnapshot = true;
    market.askAt = this.#parts.timers.elapsed() + limits.upstreamSnapshotMs;
    this.#subscriptions?.addMarket(market.ticker);
    this.#flushSoon();
  }

  #unfollow(market: Market): void {
    this.#subscriptions?.removeMarket(market.ticker);
    this.#flushSoon();
  }

  /** Repairs a book that was lost while its stream is sound: one snapshot is enough. */
  #recover(market: Market, reason: StateReason): void {
    if (reason === 'CROSSED') this.#parts.counters.count(COUNTER.crossed);
    if (reason === 'OFF_GRID') market.needsFacts = true;
    this.#resync(market, reason);
    if (this.#parts.timers.elapsed() >= market.askNotBefore) this.#requestSnapshot(market, false);
    else market.askAt = market.askNotBefore;
  }

  /** Subscribes again for a stalled book, because the present subscription has brought nothing. Its levels stay, STALE, until then. */
  #stalled(market: Market): void {
    const { counters, log, sink } = this.#parts;
    counters.count(COUNTER.stalls);
    log.warn('venue stream stalled', { market: market.ticker });
    sink.setState(market.book, 'STALE', 'SILENCE');
    market.awaitsSnapshot = true;
    this.#requestSnapshot(market, true);
  }

  #recovered(market: Market): void {
    const { sink } = this.#parts;
    market.awaitsSnapshot = false;
    market.askAt = Number.POSITIVE_INFINITY;
    this.#subscriptions?.books.arrived(market.ticker);
    if (market.phase === 'PAUSED') sink.setState(market.book, 'HALTED', 'MARKET_PAUSED');
  }

  /** Asks for a snapshot. `anew` deletes and adds the market at the venue, in case an earlier snapshot never came. */
  #requestSnapshot(market: Market, anew: boolean): void {
    const now = this.#parts.timers.elapsed();
    market.askNotBefore = now + limits.venueBRecoveryPauseMs;
    market.askAt = now + limits.upstreamSnapshotMs;
    if (market.needsFacts) {
      this.#rereadGrid(market);
      return;
    }
    if (anew) this.#subscriptions?.addMarket(market.ticker);
    else this.#subscriptions?.refresh(market.ticker);
    this.#flushSoon();
  }

  /** Reads the grid again after a price off the ladder: the grid may have changed unnoticed, or the order is from an earlier grid. */
  async #rereadGrid(market: Market): Promise<void> {
    const facts = await this.#facts.read(market.ticker);
    if (!this.#markets.has(market) || !market.isFollowed) return;
    if (facts.ok) market.needsFacts = false;
    this.#life.regrid(market, facts.ok ? facts.value.grid : market.grid);
    this.#subscriptions?.refresh(market.ticker);
    this.#flushSoon();
  }

  /** Sends commands once per turn, so that all markets of the turn share them. */
  #flushSoon(): void {
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    this.#parts.timers.after(0, () => {
      this.#isFlushDue = false;
      this.#subscriptions?.flush();
    });
  }

  #scheduleSweep(): void {
    this.#cancelSweep = this.#parts.timers.after(limits.venueBSweepMs, () => {
      this.#sweep();
      this.#scheduleSweep();
    });
  }

  /** Checks everything that depends on time: closings, overdue snapshots, commands to repeat. */
  #sweep(): void {
    const now = this.#parts.timers.elapsed();
    for (const market of this.#markets.all()) {
      this.#life.followClock(market);
      if (now >= market.askAt && market.isFollowed) this.#requestSnapshot(market, true);
    }
    this.#subscriptions?.flush();
    this.#refresh.sweep();
    this.#probe.check();
    this.#listen(now);
  }

  /** Reconnects if the venue pings but does not answer a command: the stream behind the connection is then dead. */
  #listen(now: number): void {
    if (this.#hasHeard || this.#subscriptions?.isCommandInFlight !== true) this.#heardAt = now;
    this.#hasHeard = false;
    if (now - this.#heardAt < limits.upstreamSilenceMs) return;
    this.#heardAt = now;
    this.#parts.log.warn('venue does not answer commands');
    this.#markStale();
    this.#session.restart();
  }
}
