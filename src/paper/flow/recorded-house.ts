// Plays a recording that the gateway has made as the house's liquidity, on the clock by which the feeds play it. Nothing matches in a book
// that the recording does not know. An order starts the clock as a subscription does, and waits for the first book of its market. Thread of
// the paper exchanges.

import { ASK, BID, TAKER_BUY, TAKER_SELL } from '../../core/domain/market.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { QueueModel } from '../../core/runtime/paper-terms.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { RecordedEvent } from '../../market-data/recording/format.ts';
import type { Recording } from '../../market-data/recording/open-recording.ts';
import {
  openGate,
  Player,
  type RecordedSource,
  setClock,
  type TimedEvent,
  timeline,
  whenGateOpens,
} from '../../market-data/recording/timeline.ts';
import type { Catalog } from '../catalog/listings.ts';
import { otherSide } from '../engine/matching.ts';
import { HouseBook } from './house-book.ts';
import type { HouseDesk, HouseMarket } from './market-maker.ts';

interface RecordedHouseParts extends Omit<RecordedSource, 'folder'> {
  readonly recording: Recording;
  readonly catalog: Catalog;
  readonly desks: { readonly venueA: HouseDesk; readonly venueB: HouseDesk };
  readonly queue: QueueModel;
  readonly timers: Timers;
}

export class RecordedHouse {
  readonly #gate: SharedArrayBuffer;
  readonly #books: ReadonlyMap<string, HouseBook>;
  readonly #player: Player<TimedEvent>;
  /** For each token, the token of its market that was recorded. */
  readonly #firsts: ReadonlyMap<string, string>;
  /** The markets for which callers have sent requests. */
  readonly #traded = new Set<string>();
  /** The orders that wait for the first book of their market. A market has no entry once its book has come. */
  readonly #waiting: Map<string, Set<() => void>>;
  readonly #timers: Timers;

  constructor(parts: RecordedHouseParts) {
    const { recording, speed, loop, gate, timers } = parts;
    this.#gate = gate;
    this.#timers = timers;
    this.#books = booksOf(parts);
    this.#waiting = new Map([...this.#books.keys()].map(address => [address, new Set()]));
    const listings = parts.catalog.venueA.events.flatMap(({ markets }) => markets);
    this.#firsts = new Map(listings.flatMap(({ tokens }) => tokens.map(token => [token, tokens[0]])));
    this.#player = new Player<TimedEvent>({
      // The feeds report the faults of the files, so this reader does not.
      open: () => timeline(recording, parts, () => {}),
      deliver: timed => {
        setClock(timed);
        this.#apply(timed.event, timed.exactMs);
      },
      isAwaited: ({ event, opensPart }, afterOthers) =>
        opensPart || (this.#traded.has(event.market.address) && (afterOthers || this.#mayFill(event))),
      isCongested: () => false,
      speed,
      rewind: loop ? () => this.#markAllUnknown() : null,
    });
  }

  /** Resolves after the first round. */
  get finished(): Promise<void> {
    return this.#player.finished;
  }

  /** Starts the house. The clock runs from the first subscription to a market on. */
  start(): void {
    this.#markAllUnknown();
    void whenGateOpens(this.#gate).then(() => this.#player.start());
  }

  stop(): void {
    this.#player.stop();
  }

  /**
   * Prepares the books of these markets, which may be named by any of their addresses, for a read or for orders. Returns null if the
   * request does not have to wait.
   */
  prepare(addresses: readonly string[], isOrder: boolean): Promise<null> | null {
    const markets = addresses.map(it => this.#firsts.get(it) ?? it);
    for (const market of markets) this.#traded.add(market);
    this.catchUp();
    const waits = isOrder ? markets.flatMap(it => this.#waiting.get(it) ?? []) : [];
    if (waits.length === 0) return null;
    openGate(this.#gate);
    return Promise.all(waits.map(it => this.#wait(it))).then(() => {
      this.catchUp();
      return null;
    });
  }

  /** Brings the books to the present time. Call this when the exchanges are about to do something by themselves. */
  catchUp(): void {
    this.#player.catchUp();
  }

  /** Whether the event may fill callers' orders as they are now. All other events can be applied later, when somebody looks at the book. */
  #mayFill(event: RecordedEvent): boolean {
    const book = this.#books.get(event.market.address);
    if (book === undefined) return false;
    switch (event.kind) {
      case 'changes':
        return event.changes.some(({ side, price }) => book.wouldFillCaller(otherSide(side), price));
      case 'trade':
        return book.wouldFillCaller(BID, event.price) || book.wouldFillCaller(ASK, event.price);
      default:
        return true;
    }
  }

  #wait(waiting: Set<() => void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    const cancel = this.#timers.after(limits.paperFirstBookMs, resolve);
    return promise.then(cancel);
  }

  #markAllUnknown(): void {
    for (const book of this.#books.values()) book.markUnknown();
  }

  #apply(event: RecordedEvent, atMs: number): void {
    const book = this.#books.get(event.market.address);
    if (book === undefined) return;
    switch (event.kind) {
      case 'book':
        // A recording has no grids, so its levels must say how fine they are.
        book.refineGridFor([...event.bids, ...event.asks]);
        if (event.state === 'RESYNCING') book.markUnknown();
        else if (event.state !== 'LIVE') {
          book.stateHalted(event.bids, event.asks);
          book.halt();
        } else {
          book.state(event.bids, event.asks, atMs);
          this.#come(event.market.address);
        }
        return;
      case 'changes':
        book.refineGridFor(event.changes);
        book.change(event.changes, atMs);
        return;
      case 'state':
        if (event.state === 'RESYNCING') book.markUnknown();
        else if (event.state !== 'LIVE') book.halt();
        else {
          book.resume();
          if (!book.isLost) this.#come(event.market.address);
        }
        return;
      case 'trade':
        // The venue may not say who was the taker.
        if (event.takerSide === TAKER_BUY) book.trade(ASK, event.price, event.size, atMs);
        else if (event.takerSide === TAKER_SELL) book.trade(BID, event.price, event.size, atMs);
        return;
      case 'gap':
      case 'end':
        book.markUnknown();
        return;
      case 'tradesMissed':
        return;
      default:
        unreachable(event);
    }
  }

  /** Lets the orders go on that wait for the market's first book. */
  #come(address: string): void {
    for (const goOn of this.#waiting.get(address) ?? []) goOn();
    this.#waiting.delete(address);
  }
}

/** Returns the books by ticker and by first token. The second token of a market has the same book. */
function booksOf({ catalog, desks, queue: model }: RecordedHouseParts): Map<string, HouseBook> {
  const firsts = new Map(
    catalog.venueA.events.flatMap(({ markets }) => markets.map(({ conditionId, tokens }) => [conditionId, tokens[0]])),
  );
  const bookOf = (desk: HouseDesk) => (market: HouseMarket) =>
    [firsts.get(market.address) ?? market.address, new HouseBook({ desk, market, model })] as const;
  return new Map([
    ...desks.venueA.markets.map(bookOf(desks.venueA)),
    ...desks.venueB.markets.map(bookOf(desks.venueB)),
  ]);
}
