// Follows the queues of one actor's working orders, and knows at which level of which book each order rests. Main thread.

import type { Fill } from '../../core/domain/fill.ts';
import { ASK, BID, type BookState, marketKey, type Side, type Venue } from '../../core/domain/market.ts';
import type { MicroShares, Ticks } from '../../core/domain/numbers.ts';
import { isTerminal, type Order, type OrderId, type Replaces } from '../../core/domain/order.ts';
import { addressOf, directionOf, priceInFrame } from '../../core/domain/order-frame.ts';
import type { OrderRequest } from '../../core/domain/order-request.ts';
import { canRest, traded } from '../../core/domain/order-sums.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { BookCopy, WHOLE_BOOK } from '../../market-data/book/reader.ts';
import type { OrderNews } from '../../orders/engine/engine-messages.ts';
import type { StreamBook } from './book.ts';
import type { StreamBooks } from './books.ts';
import type { OpenOrdersPart } from './order-feed.ts';
import { QueueBook } from './queue-book.ts';
import { type QueueLevel, QueuePlace, type QueueRange } from './queue-level.ts';
import type { VenueStream } from './venue-stream.ts';

export interface QueuesParts {
  readonly books: Pick<StreamBooks, 'acquire' | 'find' | 'release'>;
  readonly streams: Readonly<Record<Venue, Pick<VenueStream, 'copy'>>>;
  /** Whether the books display the actor's orders. In live-paper they do not, because there the books are the venues' books. */
  readonly isDisplayed: boolean;
  readonly timers: Timers;
}

/** The side and price at which an order rests, in the frame of its address. */
interface Resting {
  readonly address: string;
  readonly side: Side;
  readonly price: Ticks;
}

interface Followed extends Resting {
  readonly venue: Venue;
  readonly place: QueuePlace;
  readonly madeAt: number;
  traded: MicroShares;
  /**
   * The size with which the order leaves its place for the end of the queue once the venue has changed it. 0 means that it keeps its place.
   */
  requeuedLeaves: number;
  /** Null until the feed knows the market. */
  book: StreamBook | null;
  level: QueueLevel | null;
  /** Whether the order's book is kept subscribed for this order. */
  isKept: boolean;
  isOver: boolean;
}

export class ActorQueues {
  readonly #parts: QueuesParts;
  readonly #orders = new Map<OrderId, Followed>();
  /** The orders that ended while the open orders were being read. Null means that all open orders have been read. */
  #endedWhileReading: Set<OrderId> | null = new Set();
  /** The orders that ended within the news being heard. A replacement of such an order may follow in the same news. */
  readonly #endedInNews = new Map<OrderId, Followed>();
  readonly #copy = new BookCopy(WHOLE_BOOK);
  /** The books that have had an order. They are followed further, so that the arrival of later orders is seen. */
  readonly #books = new Set<StreamBook>();

  constructor(parts: QueuesParts) {
    this.#parts = parts;
  }

  /** Reads the orders that were working before the actor was followed. Rejects with a StoreError. */
  async begin(parts: AsyncIterator<OpenOrdersPart, undefined>): Promise<void> {
    for (let next = await parts.next(); next.value !== undefined; next = await parts.next()) {
      for (const order of next.value.orders) {
        if (this.#endedWhileReading?.has(order.orderId) !== true) this.#applyOrder(order, order.replaces, false);
      }
    }
    this.#endedWhileReading = null;
  }

  handleNews(news: readonly OrderNews[]): void {
    for (const { order, record } of news) {
      if (record !== null && record.event !== 'ACTION') {
        if (record.event === 'FILL') this.#applyTakerFill(record.order.request, record.fill!);
        this.#applyOrder(record.order, record.order.replaces, true);
      } else if (order !== null && isTerminal(order.status)) {
        this.#endedWhileReading?.add(order.orderId);
        this.#end(order.orderId);
      }
    }
    this.#endedInNews.clear();
  }

  ids(): IterableIterator<OrderId> {
    return this.#orders.keys();
  }

  venueOf(orderId: OrderId): Venue {
    return this.#orders.get(orderId)!.venue;
  }

  /** The range of an order's queue. Returns null for an order that is not working. If the book is not up to date, the lower bound is 0. */
  of(orderId: OrderId): { readonly range: QueueRange; readonly book: BookState | null } | null {
    const followed = this.#orders.get(orderId);
    if (followed === undefined) return null;
    const { level, place, book } = followed;
    const range = level === null ? place.range : level.rangeOf(place, this.#parts.timers.now());
    if (range === null) return null;
    const isCurrent = book !== null && book.state !== 'STALE' && book.state !== 'RESYNCING';
    return { range: isCurrent ? range : { ...range, low: 0 }, book: book?.state ?? null };
  }

  /** The leaves quantity of the working orders at the price of this order. */
  leavesAt(request: OrderRequest): MicroShares {
    if (!restsAtPrice(request)) return 0 as MicroShares;
    const { address, side, price } = placeOf(request);
    let sum = 0;
    for (const it of this.#orders.values())
      if (it.address === address && it.side === side && it.price === price) sum += it.place.rest;
    return sum as MicroShares;
  }

  close(): void {
    for (const orderId of this.#orders.keys()) this.#end(orderId);
    for (const book of this.#books) {
      book.queue?.users.delete(this);
      if (book.queue?.users.size === 0) book.queue = null;
    }
  }

  #applyOrder(order: Order, replaces: Replaces | null, isNews: boolean): void {
    const { orderId, status } = order;
    if (isTerminal(status)) {
      this.#fill(this.#orders.get(orderId), order);
      this.#endedWhileReading?.add(orderId);
      this.#end(orderId);
      return;
    }
    const followed = this.#orders.get(orderId) ?? this.#begin(order, replaces, isNews);
    if (followed === null) return;
    this.#fill(followed, order);
    const { place } = followed;
    if (status === 'OPEN' && followed.requeuedLeaves > 0) {
      followed.level?.moveToEnd(followed.requeuedLeaves, place);
      followed.requeuedLeaves = 0;
    }
    // The book displays an order that was read by now. The book may not yet display an order in the news.
    if (status === 'OPEN') place.markResting(isNews ? this.#parts.timers.now() : Number.NEGATIVE_INFINITY);
  }

  #fill(followed: Followed | undefined, order: Order): void {
    const { size } = traded(order);
    if (followed === undefined || size <= followed.traded) return;
    const by = size - followed.traded;
    followed.traded = size;
    if (followed.level === null) followed.place.fill(followed.place.rest - by);
    else followed.level.fill(followed.place, by);
  }

  /** Takes in a fill of an order that traded on arrival. The resting orders that it traded with may be ahead of another own order. */
  #applyTakerFill(request: OrderRequest, { liquidity, price, size }: Fill): void {
    if (this.#parts.isDisplayed || liquidity !== 'TAKER') return;
    const book = this.#parts.books.find(marketKey(request.venue, addressOf(request)));
    book?.queue?.tradeOwnOrder(directionOf(request) > 0 ? ASK : BID, priceInFrame(request, price), size);
  }

  /** Begins to follow an order. Returns null if the order never rests at a price. */
  #begin({ orderId, request, createdAt }: Order, replaces: Replaces | null, isArriving: boolean): Followed | null {
    if (!restsAtPrice(request)) return null;
    const at = placeOf(request);
    const { books, isDisplayed } = this.#parts;
    const { venue } = request;
    const { side, price } = at;
    const market = marketKey(venue, at.address);
    const book = books.find(market) ?? null;
    const oldId = venue === 'venue_b' && replaces !== null ? replaces.orderId : null;
    const old = oldId === null ? undefined : (this.#orders.get(oldId) ?? this.#endedInNews.get(oldId));
    // The venue changes an order in place. The order keeps its place only if its price does not change and its size does not grow.
    const isSamePlace = old !== undefined && old.price === price && old.side === side;
    const isUnseen = !isArriving || book?.binding == null || isSamePlace;
    const place = new QueuePlace({ rest: request.size, isDisplayed, isUnseen });
    const keeps = isSamePlace && request.size <= old.place.rest;
    if (keeps) place.takeOver(old.place);
    const leaves = isSamePlace && !keeps ? old.place.rest : 0;
    const known: Omit<Followed, 'book' | 'level' | 'isKept' | 'isOver'> = {
      venue,
      ...at,
      place,
      madeAt: createdAt,
      traded: 0 as MicroShares,
      requeuedLeaves: leaves,
    };
    const followed: Followed = { ...known, book, level: null, isKept: false, isOver: false };
    this.#orders.set(orderId, followed);
    if (book !== null) this.#attach(followed, book);
    void this.#keepSubscribed(followed, books.acquire(market));
    return followed;
  }

  /** Keeps the order's book subscribed as long as the order is followed. */
  async #keepSubscribed(followed: Followed, acquired: ReturnType<StreamBooks['acquire']>): Promise<void> {
    const outcome = await acquired;
    if ('refusal' in outcome) return;
    if (followed.isOver) this.#parts.books.release(outcome.book);
    else {
      followed.book = outcome.book;
      followed.isKept = true;
      if (followed.level === null) this.#attach(followed, outcome.book);
    }
  }

  #attach(followed: Followed, book: StreamBook): void {
    const { timers, streams } = this.#parts;
    if (book.queue === null) {
      const isKnown = book.isPublished && streams[book.venue].copy(book, this.#copy);
      book.queue = new QueueBook(isKnown ? this.#copy : null, () => timers.now());
    }
    book.queue.users.add(this);
    this.#books.add(book);
    const { place, side, price, madeAt } = followed;
    followed.level = book.queue.add(place, side, price, madeAt);
  }

  #end(orderId: OrderId): void {
    const followed = this.#orders.get(orderId);
    if (followed === undefined) return;
    this.#orders.delete(orderId);
    this.#endedInNews.set(orderId, followed);
    followed.isOver = true;
    const { book, place, side, price } = followed;
    if (book === null) return;
    book.queue?.drop(place, side, price);
    // The acquisition may still be in flight. Then `#keepSubscribed` releases the book.
    if (followed.isKept) this.#parts.books.release(book);
  }
}

type Priced = Extract<OrderRequest, { readonly price: Ticks }>;

function restsAtPrice(request: OrderRequest): request is Priced {
  return 'price' in request && canRest(request);
}

function placeOf(request: Priced): Resting {
  const price = priceInFrame(request, request.price);
  return { address: addressOf(request), side: directionOf(request) > 0 ? BID : ASK, price };
}
