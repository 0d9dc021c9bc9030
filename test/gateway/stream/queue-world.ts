// A simulated market with an exchange that knows each queue, its feed into real shared memory, and a caller whose queues are followed. News
// of orders, the book and trades reach the caller late and in any sequence. `Others` says who else trades there.

import type { Fill } from '../../../src/core/domain/fill.ts';
import { ASK, BID, type Side } from '../../../src/core/domain/market.ts';
import { complementTicks, type MicroDollars, type MicroShares, type Ticks } from '../../../src/core/domain/numbers.ts';
import { createOrder, type Order, type OrderId, type OrderStatus } from '../../../src/core/domain/order.ts';
import { priceInFrame } from '../../../src/core/domain/order-frame.ts';
import type { VenueBOrderRequest } from '../../../src/core/domain/order-request.ts';
import type { QueueModel } from '../../../src/core/runtime/paper-terms.ts';
import type { Random } from '../../../src/core/runtime/random.ts';
import type { OrderEventRecord } from '../../../src/core/store/order-records.ts';
import { ActorQueues } from '../../../src/gateway/stream/queues.ts';
import { newsOf } from '../../../src/orders/engine/engine-messages.ts';
import type { AccountId, EngineEvent, OrderId as EngineId } from '../../../src/paper/engine/engine-types.ts';
import { HouseBook } from '../../../src/paper/flow/house-book.ts';
import { ExchangeDesk } from '../../paper/flow/exchange-desk.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { AT, LATE_MS, QueueFeed, TICKER } from './queue-feed.ts';

const SHARE = 1_000_000;

/** Who else trades: a crowd of accounts, the paper house in the exchange's book, or that house where books are those of the venue. */
export type Others = 'crowd' | 'shown' | 'venue';

export interface Own {
  readonly id: OrderId;
  readonly engineId: EngineId;
  order: Order;
  readonly kind: string;
  isOver: boolean;
  /** Whether every range so far contained the true value. */
  isRight: boolean;
  /** Whether the sum of the caller's orders at this order's price was exact each time. Counts only where no book displays these orders. */
  isSummed: boolean;
  samples: number;
  width: number;
}

export class World {
  readonly timers = new VirtualTimers();
  readonly desk = new ExchangeDesk(this.timers);
  readonly random: Random;
  readonly own: Own[] = [];
  readonly #others: Others;
  readonly #account: AccountId;
  readonly #makers: readonly AccountId[];
  readonly #house: HouseBook;
  readonly #feed: QueueFeed;
  #queues: ActorQueues;
  #events = 0;
  #cursor = 0;
  #made = 0;

  constructor(random: Random, others: Others, model: QueueModel) {
    this.random = random;
    this.#others = others;
    this.desk.list(TICKER, { question: 'M', isComplement: false }, price => price % 100 === 0);
    const add = () => this.desk.engine.addAccount((2 ** 50) as MicroDollars);
    this.#account = add();
    this.#makers = [add(), add(), add()];
    this.#house = new HouseBook({ desk: this.desk, market: this.#market, model });
    this.#feed = new QueueFeed({
      ...{ timers: this.timers, random, isShared: others === 'venue' },
      levels: side =>
        others === 'venue'
          ? this.#house.prices(side).map(price => ({ price, size: this.#house.shown(side, price) }))
          : this.desk.levels(this.#market, side),
    });
    this.#queues = this.#newQueues();
  }

  get #market() {
    return this.desk.market(TICKER);
  }

  /** Subscribes to the book, which becomes LIVE. */
  async open(): Promise<void> {
    for (let price = 1; price <= 5; price++) {
      this.#setShown(BID, price, 10 + this.random.below(40));
      this.#setShown(ASK, price, 10 + this.random.below(40));
    }
    this.#events = this.desk.events.length;
    this.#feed.open();
    await Promise.resolve();
  }

  close(): void {
    this.#queues.close();
    this.#feed.close();
  }

  /** Does one random step, and lets time pass. */
  step(): void {
    const { random } = this;
    const dice = random.below(100);
    if (dice < 12) this.#place();
    else if (dice < 16) this.#cancel();
    else if (dice < 19) this.#amend();
    else if (dice === 19 && random.below(20) === 0) this.#feed.gap();
    else if (this.#others === 'crowd') this.#crowd();
    else this.#show();
    this.#send();
    this.#feed.pass(random.below(150));
  }

  /** Delivers all messages, and compares each range with the truth. */
  compare(): void {
    while (!this.#feed.isIdle) this.#feed.pass(LATE_MS);
    for (const own of this.own) {
      if (own.isOver) continue;
      if (this.#others === 'venue') own.isSummed &&= this.#queues.leavesAt(own.order.request) === this.#restBeside(own);
      const found = this.#queues.of(own.id);
      if (found === null || found.range.high === null) continue;
      const { low, high } = found.range;
      const truth = this.desk.engine.queueAhead(own.engineId);
      own.samples += 1;
      own.width += (high - low) / SHARE;
      if (low > truth || truth > high) own.isRight = false;
    }
  }

  /** Returns the size of own orders at the price of this order, including this order. */
  #restBeside({ engineId }: Own): number {
    const { engine } = this.desk;
    const { side, price } = engine.order(engineId)!;
    const open = this.own.filter(it => !it.isOver).map(it => engine.order(it.engineId)!);
    return open.reduce((sum, it) => sum + (it.side === side && it.price === price ? it.resting : 0), 0);
  }

  #newQueues(): ActorQueues {
    return new ActorQueues({
      books: this.#feed.books,
      streams: { venue_a: this.#feed.stream, venue_b: this.#feed.stream },
      isDisplayed: this.#others !== 'venue',
      timers: this.timers,
    });
  }

  // The caller.

  #place(): void {
    const side: Side = this.random.below(2) === 0 ? BID : ASK;
    const isNo = this.random.below(2) === 0;
    // Now and then the caller takes a part of the other side.
    const level = this.random.below(15) === 0 ? -1 : this.random.below(5) + 1;
    const price = this.#priceOf(side, level === -1 ? 0 : level);
    if (price === null) return;
    const size = ((1 + this.random.below(12)) * SHARE) as MicroShares;
    this.#submit({ side, price, size, isNo });
  }

  #submit({ side, price, size, isNo }: { side: Side; price: Ticks; size: MicroShares; isNo: boolean }): void {
    const isYesBuy = side === BID;
    const request: VenueBOrderRequest = {
      venue: 'venue_b',
      ticker: TICKER,
      side: isNo ? 'NO' : 'YES',
      action: isYesBuy === isNo ? 'SELL' : 'BUY',
      size,
      price: isNo ? complementTicks(price) : price,
      timeInForce: 'GTC',
    };
    const sent = this.#newOrder(request);
    this.#feed.later('request', () => {
      const placed = this.desk.engine.place(
        {
          ...{ account: this.#account, market: this.#market.id, side, effect: 'net', price, size },
          ...{ timeInForce: { type: 'GTC' }, postOnly: false, reduceOnly: false, selfTrade: 'taker' },
        },
        this.timers.now(),
      );
      if (!placed.ok) return this.#say({ ...sent, status: 'REJECTED' });
      const own: Own = {
        ...{
          id: sent.orderId,
          engineId: placed.value.order,
          order: sent,
          isOver: false,
          isRight: true,
          isSummed: true,
        },
        kind: isNo ? 'NO' : 'YES',
        samples: 0,
        width: 0,
      };
      this.own.push(own);
      this.#hearEngine(own, 'OPEN');
      this.#send();
    });
  }

  #cancel(): void {
    const own = this.#any();
    if (own === null) return;
    this.#feed.later('request', () => {
      this.desk.engine.cancel(this.#account, own.engineId, this.timers.now());
      this.#hearEngine(own, 'OPEN');
      this.#send();
    });
  }

  /** Replaces an order in place. The order keeps its place in the queue if it becomes smaller at the same price. */
  #amend(): void {
    const own = this.#any();
    if (own === null) return;
    const { request, orderId, filled } = own.order as Order & { readonly request: VenueBOrderRequest };
    const view = this.desk.engine.order(own.engineId)!;
    if (view.resting <= SHARE) return;
    const dice = this.random.below(3);
    const size = (dice === 0 ? SHARE * Math.ceil(view.resting / SHARE / 2) : view.resting + SHARE) as MicroShares;
    const price = dice === 2 ? (this.#priceOf(view.side, 1 + this.random.below(5)) ?? view.price) : view.price;
    const framed = request.side === 'NO' ? complementTicks(price) : price;
    const made = this.#newOrder({ ...request, price: framed, size });
    const replaces = { orderId, total: size, venueTotal: size, before: filled };
    const sent: Order = { ...made, replaces };
    this.#feed.later('request', () => {
      const { status, resting } = this.desk.engine.order(own.engineId)!;
      // The order was filled, partly filled or cancelled meanwhile.
      const isDone =
        status === 'resting' &&
        resting === view.resting &&
        this.desk.engine.amend(this.#account, own.engineId, price, size, this.timers.now()).ok;
      if (!isDone) return this.#say({ ...sent, status: 'REJECTED' });
      own.isOver = true;
      const next: Own = {
        ...own,
        id: sent.orderId,
        order: sent,
        isOver: false,
        samples: 0,
        width: 0,
        kind: 'replaced',
      };
      this.own.push(next);
      this.#hearEngine(next, 'OPEN', { ...own.order, status: 'CANCELLED' });
      this.#send();
    });
  }

  #any(): Own | null {
    const open = this.own.filter(own => !own.isOver);
    return open[this.random.below(Math.max(1, open.length))] ?? null;
  }

  #newOrder(request: VenueBOrderRequest): Order {
    this.#made += 1;
    const orderId = `${this.#made}` as OrderId;
    const ids = { orderId, podId: 'pod', actorId: 'actor', keyId: 'key', idempotencyKey: orderId };
    return { ...createOrder({ ...ids, request, at: this.timers.now() }), status: 'SUBMITTED' };
  }

  /** Tells the news of an order's present state at the exchange. */
  #hearEngine(own: Own, open: OrderStatus, ...before: readonly Order[]): void {
    const view = this.desk.engine.order(own.engineId)!;
    const size = (own.order.request as VenueBOrderRequest).size - view.resting;
    const isOpen = view.status === 'resting';
    const isFilled = view.status === 'filled';
    const filledNow = isOpen || isFilled ? Math.max(0, size) : own.order.filled.size;
    const filled = { ...own.order.filled, size: filledNow as MicroShares };
    own.order = { ...own.order, filled, status: isOpen ? open : isFilled ? 'FILLED' : 'CANCELLED' };
    if (!isOpen) own.isOver = true;
    if (own.kind !== 'replaced' && filled.size > 0) Object.assign(own, { kind: 'part filled' });
    this.#say(...before, own.order);
  }

  /** Tells the news of orders that one turn of the engine changed. */
  #say(...orders: readonly Order[]): void {
    this.#sayEvents(orders.map(order => ({ event: 'STATUS', order, fill: null })));
  }

  #sayEvents(events: readonly Pick<OrderEventRecord, 'event' | 'order' | 'fill'>[]): void {
    const news = events.map(event => {
      this.#cursor += 1;
      return newsOf({ cursor: this.#cursor, actorId: 'actor', at: AT, ...event }, true);
    });
    this.#feed.later('news', () => this.#queues.handleNews(news));
  }

  /** Tells the news of a trade that an own order made with resting orders. */
  #sayTaken({ taker, price: framed, size }: Extract<EngineEvent, { readonly type: 'fill' }>): void {
    const order = this.own.findLast(({ engineId }) => engineId === taker)?.order;
    if (order === undefined) return;
    const price = priceInFrame(order.request, framed);
    const fill: Fill = {
      ...{ fillId: `${this.#cursor}`, venueTradeId: '', price, size, fee: 0 as MicroDollars, executedAt: AT },
      ...{ liquidity: 'TAKER', settlement: 'CONFIRMED' },
    };
    this.#sayEvents([{ event: 'FILL', order, fill }]);
  }

  // The others.

  /** Returns the price at this distance from the middle. At 0, returns the best price of the other side. */
  #priceOf(side: Side, distance: number): Ticks | null {
    if (distance === 0) return this.desk.engine.best(this.#market.id, side === BID ? ASK : BID)?.price ?? null;
    return (side === BID ? 5_000 - distance * 100 : 5_000 + distance * 100) as Ticks;
  }

  #crowd(): void {
    const { engine } = this.desk;
    const market = this.#market.id;
    const side: Side = this.random.below(2) === 0 ? BID : ASK;
    const account = this.#makers[this.random.below(this.#makers.length)]!;
    const price = this.#priceOf(side, 1 + this.random.below(5))!;
    const terms = { account, market, effect: 'net', postOnly: false, reduceOnly: false, selfTrade: 'allow' } as const;
    const size = ((1 + this.random.below(20)) * SHARE) as MicroShares;
    const now = this.timers.now();
    const dice = this.random.below(10);
    if (dice < 5) engine.place({ ...terms, side, price, size, timeInForce: { type: 'GTC' } }, now);
    else if (dice < 8) {
      const resting = engine.queue(market, side, price).filter(it => this.#makers.includes(it.account));
      const picked = resting[this.random.below(Math.max(1, resting.length))];
      if (picked !== undefined) engine.cancel(picked.account, picked.order, now);
    } else {
      const best = engine.best(market, side)?.price;
      if (best === undefined) return;
      const other = side === BID ? ASK : BID;
      engine.place({ ...terms, side: other, price: best, size, timeInForce: { type: 'IOC' } }, now);
    }
  }

  /** Makes the paper house show the levels that a venue displays, and pass the venue's trades on. */
  #show(): void {
    const side: Side = this.random.below(2) === 0 ? BID : ASK;
    const distance = 1 + this.random.below(5);
    const price = this.#priceOf(side, distance)!;
    const shown = this.#house.shown(side, price);
    const size = (1 + this.random.below(20)) * SHARE;
    const best = this.desk.engine.best(this.#market.id, side);
    if (this.random.below(4) === 0 && best !== null && shown > 0) {
      const top = best.price;
      const part = Math.min(size, this.#house.shown(side, top)) as MicroShares;
      const trade = () => this.#traded(side, top, part);
      const change = () => this.#setSize(side, top, (this.#house.shown(side, top) - part) as MicroShares);
      // The trade and the change may come in either sequence.
      const both = this.random.below(2) === 0 ? [trade, change] : [change, trade];
      for (const happens of both) happens();
    } else this.#setSize(side, price, Math.max(0, shown + (this.random.below(2) === 0 ? size : -size)) as MicroShares);
  }

  #traded(side: Side, price: Ticks, size: MicroShares): void {
    if (size === 0) return;
    this.#house.trade(side, price, size, this.timers.now());
    this.#send();
    this.#feed.tradeMessage(side, price, size);
  }

  #setSize(side: Side, price: Ticks, size: MicroShares): void {
    this.#house.show(side, price, size, this.timers.now());
    if (this.#others === 'venue') this.#feed.levelMessage(side, price, size);
    this.#send();
  }

  #setShown(side: Side, distance: number, count: number): void {
    const price = this.#priceOf(side, distance)!;
    const size = (count * SHARE) as MicroShares;
    if (this.#others !== 'crowd') this.#house.show(side, price, size, this.timers.now());
    else {
      const account = this.#makers[0]!;
      const terms = { account, market: this.#market.id, effect: 'net', postOnly: false, reduceOnly: false } as const;
      const order = { ...terms, side, price, size, timeInForce: { type: 'GTC' }, selfTrade: 'allow' } as const;
      this.desk.engine.place(order, this.timers.now());
    }
  }

  // The feed.

  /** Sends messages for everything that the exchange has done since the last call. */
  #send(): void {
    const events = this.desk.events.slice(this.#events);
    this.#events = this.desk.events.length;
    for (const event of events) this.#sendEvent(event);
    for (const own of this.own) {
      if (own.isOver) continue;
      const view = this.desk.engine.order(own.engineId)!;
      const left = (own.order.request as VenueBOrderRequest).size - own.order.filled.size;
      if (view.status !== 'resting' || view.resting < left) this.#hearEngine(own, 'OPEN');
    }
  }

  #sendEvent(event: EngineEvent): void {
    if (event.type === 'level' && this.#others !== 'venue')
      this.#feed.levelMessage(event.side, event.price, event.size);
    if (event.type === 'fill') this.#sayTaken(event);
    // The house's own matches are the venue's trades, which have messages of their own.
    if (event.type !== 'fill' || this.#others !== 'crowd') return;
    this.#feed.tradeMessage(event.takerSide === BID ? ASK : BID, event.price, event.size);
  }
}
