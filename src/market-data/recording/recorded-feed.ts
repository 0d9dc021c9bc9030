// Plays a recording back in the place of a venue's feed: the same books by the same batches, with their checksums, states and trades.
// Epochs start from 1, and the time of arrival is that of the replay. A feed's thread.

import { ASK, BID, type BookId, type Level, PRIMARY, type Venue } from '../../core/domain/market.ts';
import type { Ticks } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { FeedAnswer, FeedParts, MarketFeed } from '../../venues/feed.ts';
import type { RecordedBook, RecordedChanges, RecordedEvent } from './format.ts';
import { openRecording, type Recording } from './open-recording.ts';
import { Player, type TimedFrame } from './player.ts';

export interface RecordedSource {
  readonly folder: string;
  readonly speed: number;
  readonly loop: boolean;
  /** i32 0 counts the subscriptions to markets of either venue. Once it is above 0, the clock of both runs. */
  readonly gate: SharedArrayBuffer;
}

type RecordedFeedParts = Pick<FeedParts, 'sink' | 'timers' | 'counters' | 'log'>;

interface TimedEvent extends TimedFrame {
  readonly event: RecordedEvent;
}

interface PlayedMarket {
  readonly book: BookId;
  step: Ticks;
  /** Whether its levels are known: not before its first book, and not after a gap. */
  isKnown: boolean;
}

/** The time from the first subscription to the first event, at any speed, in which others can subscribe. */
const LEAD_MS = 500;
/** The played length of a pause in which nothing was recorded. */
const PAUSE_MS = 1_000;
/** Grids, from the coarsest: a book moves to the next if a price needs it. */
const STEPS = [100, 10, 1] as const;

export class RecordedFeed implements MarketFeed {
  readonly #venue: Venue;
  readonly #speed: number;
  readonly #parts: RecordedFeedParts;
  readonly #recording: Recording;
  readonly #gate: Int32Array;
  readonly #player: Player<TimedEvent>;
  readonly #markets = new Map<string, PlayedMarket>();

  /** Throws a RecordingFault or a StoreError if the recording cannot be read. */
  constructor(venue: Venue, { folder, speed, loop, gate }: RecordedSource, parts: RecordedFeedParts) {
    this.#venue = venue;
    this.#speed = speed;
    this.#parts = parts;
    this.#recording = openRecording(folder);
    this.#gate = new Int32Array(gate);
    this.#player = new Player<TimedEvent>({
      open: () => this.#timeline(),
      deliver: ({ event }) => this.#apply(event),
      isCongested: () => false,
      speed,
      rewind: loop ? () => this.#rewind() : null,
    });
  }

  /** Resolves after the first round. */
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
    void this.#startWhenOpen();
  }

  async subscribe(address: string): Promise<FeedAnswer> {
    const market = this.#markets.get(address);
    if (market === undefined) return { code: 'UNKNOWN_MARKET', message: 'the recording does not have this market' };
    Atomics.add(this.#gate, 0, 1);
    Atomics.notify(this.#gate, 0);
    return { book: market.book, view: PRIMARY };
  }

  /** The book goes on: a later subscriber finds its state at that time. */
  unsubscribe(): void {}

  close(): void {
    this.#player.stop();
  }

  async #startWhenOpen(): Promise<void> {
    for (;;) {
      const count = Atomics.load(this.#gate, 0);
      if (count > 0) break;
      await Atomics.waitAsync(this.#gate, 0, count).value;
    }
    this.#player.start();
  }

  /** Both venues' events make the clock, so that it is the same on the threads of both. */
  *#timeline(): Generator<TimedEvent> {
    let zero: number | null = null;
    let atMs = LEAD_MS * this.#speed;
    const events = this.#recording.events(
      ({ words }) => this.#parts.log.warn('a file of the recording is not whole', { file: words }),
      () => {
        zero = null;
        atMs += PAUSE_MS;
      },
    );
    for (const event of events) {
      zero ??= event.at - atMs;
      atMs = Math.max(atMs, event.at - zero);
      if (event.market.venue === this.#venue) yield { atMs, event };
    }
  }

  #rewind(): void {
    for (const market of this.#markets.values()) this.#lose(market);
  }

  #apply(event: RecordedEvent): void {
    const market = this.#markets.get(event.market.address);
    if (market === undefined) return;
    const { sink, timers } = this.#parts;
    sink.receivedAt = timers.now();
    switch (event.kind) {
      case 'book':
        // A whole book without a gap before it is the book that is there.
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
        // The snapshot of a new epoch follows at once.
        if (event.why === 'EPOCH') market.isKnown = false;
        else this.#lose(market);
        return;
      case 'end':
        // The last levels stay, also behind the end of the recording.
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
    // First, so that no reader sees the levels under the old state.
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

  /** Moves the book to a grid that has these prices. False: there is no memory for it, and the book is lost. */
  #makeGrid(market: PlayedMarket, levels: readonly Pick<Level, 'price'>[]): boolean {
    const step = STEPS.find(it => it <= market.step && levels.every(({ price }) => price % it === 0))! as Ticks;
    if (step === market.step) return true;
    if (this.#parts.sink.regrid(market.book, step)) {
      market.step = step;
      return true;
    }
    this.#parts.log.warn('no room for the grid of a recorded book', { step });
    this.#lose(market);
    return false;
  }

  #lose(market: PlayedMarket): void {
    const { sink } = this.#parts;
    market.isKnown = false;
    if (sink.stateOf(market.book) !== 'RESYNCING') sink.setState(market.book, 'RESYNCING', 'SEQUENCE_GAP');
  }
}
