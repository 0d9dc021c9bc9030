// Plays a recording back in the place of a venue's feed: the same books from the same batches, with their checksums, states and trades.
// Epochs start from 1. The time of arrival is the time of the replay, or in a backtest the time of recording. A feed's thread.

import { ASK, BID, type BookId, type Level, PRIMARY, type Venue } from '../../core/domain/market.ts';
import type { Ticks } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import { playedTimers } from '../../core/runtime/played-clock.ts';
import type { FeedAnswer, FeedParts, MarketFeed } from '../../venues/feed.ts';
import type { RecordedBook, RecordedChanges, RecordedEvent } from './format.ts';
import { openRecording, type Recording } from './open-recording.ts';
import type { FileFault } from './recorded-file.ts';
import {
  openGate,
  Player,
  type RecordedSource,
  setClock,
  type TimedEvent,
  timeline,
  whenGateOpens,
} from './timeline.ts';

type RecordedFeedParts = Pick<FeedParts, 'sink' | 'timers' | 'counters' | 'log'>;

interface PlayedMarket {
  readonly book: BookId;
  step: Ticks;
  /** Whether the market's levels are known. They are unknown before the market's first book, and after a gap. */
  isKnown: boolean;
}

/** The steps of the grids, from the coarsest. A book moves to a finer grid if a price needs it. */
const STEPS = [100, 10, 1] as const;

export class RecordedFeed implements MarketFeed {
  readonly #venue: Venue;
  readonly #source: RecordedSource;
  readonly #parts: RecordedFeedParts;
  readonly #recording: Recording;
  readonly #gate: SharedArrayBuffer;
  readonly #player: Player<TimedEvent>;
  readonly #markets = new Map<string, PlayedMarket>();
  readonly #subscribed = new Set<string>();

  /** Throws a RecordingFault or a StoreError if the recording cannot be read. */
  constructor(venue: Venue, source: RecordedSource, parts: RecordedFeedParts) {
    const { folder, speed, loop, gate } = source;
    this.#venue = venue;
    this.#source = source;
    this.#parts = parts;
    this.#recording = openRecording(folder);
    this.#gate = gate;
    this.#player = new Player<TimedEvent>({
      open: () => this.#timeline(),
      deliver: timed => {
        setClock(timed);
        this.#apply(timed.event);
      },
      isAwaited: ({ event, opensPart }) => opensPart || this.#subscribed.has(event.market.address),
      isCongested: () => false,
      speed,
      rewind: loop ? () => this.#rewind() : null,
    });
  }

  /** Resolves when the recording has been played once. */
  get finished(): Promise<void> {
    return this.#player.finished;
  }

  start(): void {
    const { sink, counters, log } = this.#parts;
    for (const { venue, address } of this.#recording.markets()) {
      if (venue !== this.#venue) continue;
      const step = STEPS[0] as Ticks;
      const book = sink.openBook(step);
      if (book === null) {
        log.warn('no room for a market of the recording', { address });
        continue;
      }
      sink.setViews(book, true, false);
      this.#markets.set(address, { book, step, isKnown: false });
    }
    counters.link = 'up';
    void whenGateOpens(this.#gate).then(() => this.#player.start());
  }

  async subscribe(address: string): Promise<FeedAnswer> {
    const market = this.#markets.get(address);
    if (market === undefined) return { code: 'UNKNOWN_MARKET', message: 'the recording does not have this market' };
    openGate(this.#gate);
    if (!this.#subscribed.has(address)) {
      this.#subscribed.add(address);
      this.#player.catchUp();
    }
    return { book: market.book, view: PRIMARY };
  }

  /** Ends a subscription. The book is still played, so that a later subscriber finds its state at that time. */
  unsubscribe(address: string): void {
    this.#subscribed.delete(address);
  }

  close(): void {
    this.#player.stop();
  }

  *#timeline(): Generator<TimedEvent> {
    const warn = ({ words }: FileFault): void =>
      this.#parts.log.warn('a file of the recording is not whole', { file: words });
    for (const timed of timeline(this.#recording, this.#source, warn))
      if (timed.event.market.venue === this.#venue) yield timed;
  }

  #rewind(): void {
    for (const market of this.#markets.values()) this.#markUnknown(market);
  }

  #apply(event: RecordedEvent): void {
    const market = this.#markets.get(event.market.address);
    if (market === undefined) return;
    const { sink, timers } = this.#parts;
    // In a backtest an event may be delivered later than it is due, so its time of recording counts.
    sink.receivedAt = playedTimers === null ? timers.now() : event.at;
    switch (event.kind) {
      case 'book':
        // A whole book without a gap before it equals the present book, and changes nothing.
        if (!market.isKnown) this.#replace(market, event);
        return;
      case 'changes':
        if (market.isKnown) this.#change(market, event);
        return;
      case 'state':
        sink.setState(market.book, event.state, event.reason);
        return;
      case 'trade': {
        const { price, size, takerSide, venueTime, tradeId } = event;
        sink.trade(market.book, PRIMARY, price, size, takerSide, venueTime, tradeId);
        return;
      }
      case 'tradesMissed':
        sink.tradesMissed(market.book);
        return;
      case 'gap':
        // The snapshot of the new epoch follows at once, so the present levels may stay until then.
        if (event.why === 'EPOCH') market.isKnown = false;
        else this.#markUnknown(market);
        return;
      case 'end':
        // The last levels stay as a STALE book, even after the end of the recording.
        market.isKnown = false;
        if (sink.stateOf(market.book) === 'LIVE') sink.setState(market.book, 'STALE', 'UNSUBSCRIBED');
        return;
      default:
        unreachable(event);
    }
  }

  #replace(market: PlayedMarket, { state, reason, bids, asks, lastTrade, venueTime }: RecordedBook): void {
    const { sink } = this.#parts;
    const { book } = market;
    market.isKnown = true;
    if (lastTrade !== 0) sink.setLastTrade(book, lastTrade);
    // The state comes before the levels, so that no reader sees the new levels under the old state.
    if (state !== 'LIVE') sink.setState(book, state, reason);
    if (state === 'RESYNCING' || !this.#makeGrid(market, [...bids, ...asks])) return;
    sink.begin(book);
    sink.clear(book);
    for (const { price, size } of bids) sink.set(book, BID, price, size);
    for (const { price, size } of asks) sink.set(book, ASK, price, size);
    if (state !== 'LIVE') sink.commit(book, venueTime);
    else if (sink.commitSnapshot(book, venueTime)) sink.setState(book, state, reason);
  }

  #change(market: PlayedMarket, { changes, venueTime }: RecordedChanges): void {
    const { sink } = this.#parts;
    const { book } = market;
    if (!this.#makeGrid(market, changes)) return;
    sink.begin(book);
    for (const { side, price, size } of changes) sink.set(book, side, price, size);
    sink.commit(book, venueTime);
  }

  /** Moves the book to a grid that has these prices. Returns false if no memory is left for the grid; the book is lost then. */
  #makeGrid(market: PlayedMarket, levels: readonly Pick<Level, 'price'>[]): boolean {
    const step = STEPS.find(it => it <= market.step && levels.every(({ price }) => price % it === 0))! as Ticks;
    if (step === market.step) return true;
    if (this.#parts.sink.regrid(market.book, step)) {
      market.step = step;
      return true;
    }
    this.#parts.log.warn('no room for the grid of a recorded book', { step });
    this.#markUnknown(market);
    return false;
  }

  #markUnknown(market: PlayedMarket): void {
    const { sink } = this.#parts;
    market.isKnown = false;
    if (sink.stateOf(market.book) !== 'RESYNCING') sink.setState(market.book, 'RESYNCING', 'SEQUENCE_GAP');
  }
}
