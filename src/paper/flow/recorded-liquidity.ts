// Plays a recording as the house's liquidity: where a recorded level grows, the house rests the difference; where it shrinks, the house
// cancels. Callers that trade with it take real orders from it. Paper thread.

import { ASK, BID, type Level, type Side } from '../../core/domain/market.ts';
import { MICROS_PER_SHARE, type MicroShares, type Ticks } from '../../core/domain/numbers.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { Catalog } from '../catalog/listings.ts';
import type { OrderId } from '../engine/engine-types.ts';
import type { PlayedFrames } from '../replay/played-frames.ts';
import type { HouseDesk, HouseMarket } from './house-desk.ts';
import { mirrored, type RecordedFrame, type RecordedStep, stepsOf } from './recorded-frames.ts';

interface RecordedLiquidityParts {
  /** Frames in the order of their times. */
  readonly frames: readonly RecordedFrame[];
  /** The catalog that `recordedCatalog` made from these frames. */
  readonly catalog: Catalog;
  readonly desks: { readonly venueA: HouseDesk; readonly venueB: HouseDesk };
  readonly timers: Timers;
  /** 2: twice the recorded speed. */
  readonly speed?: number;
  /** Whether it restarts at the end, with the initial books. */
  readonly loop?: boolean;
  /** Counts the played frames. */
  readonly played?: PlayedFrames | undefined;
}

/** The recorded size of a level, and the house's orders for it. */
interface HouseLevel {
  recorded: MicroShares;
  readonly orders: OrderId[];
}

interface HouseBook {
  readonly desk: HouseDesk;
  readonly market: HouseMarket;
  readonly levels: readonly [bids: Map<Ticks, HouseLevel>, asks: Map<Ticks, HouseLevel>];
  /** Nobody knows the recorded book: the house has no orders there until its next whole book. */
  isLost: boolean;
}

/** A book, and whether the address means its other outcome. */
interface Address {
  readonly book: HouseBook;
  readonly isSecond: boolean;
}

const SIZE_STEP = MICROS_PER_SHARE / 100;

export class RecordedLiquidity {
  readonly #frames: readonly RecordedFrame[];
  readonly #timers: Timers;
  readonly #speed: number;
  readonly #isLooped: boolean;
  readonly #played: PlayedFrames | undefined;
  readonly #books: ReadonlyMap<string, Address>;
  /** Frames that state a book before its first change; played at the start. */
  readonly #opening: ReadonlySet<RecordedFrame>;
  #next = 0;
  #startedAtMs = 0;
  #cancelTimer: () => void = () => {};

  constructor(parts: RecordedLiquidityParts) {
    this.#frames = parts.frames;
    this.#timers = parts.timers;
    this.#speed = parts.speed ?? 1;
    this.#isLooped = parts.loop ?? false;
    this.#played = parts.played;
    parts.played?.expect(parts.frames.length);
    this.#books = addressesOf(parts);
    this.#opening = openingOf(parts.frames);
  }

  /** When it returns, every book has its recorded depth. */
  start(): void {
    this.#played?.add(-this.#next);
    this.#next = 0;
    this.#startedAtMs = this.#timers.now();
    for (const frame of this.#opening) this.#play(frame);
    this.#sleep();
  }

  /** Leaves the books as they are. */
  stop(): void {
    this.#cancelTimer();
  }

  /** Whether all frames have been played. */
  get isOver(): boolean {
    return this.#next >= this.#frames.length;
  }

  #sleep(): void {
    const frame = this.#frames[this.#next];
    if (frame === undefined) {
      if (this.#isLooped) this.#cancelTimer = this.#timers.after(limits.replayLoopPauseMs, () => this.#startOver());
      return;
    }
    const dueAt = this.#startedAtMs + frame.atMs / this.#speed;
    this.#cancelTimer = this.#timers.after(Math.max(0, Math.ceil(dueAt - this.#timers.now())), () => this.#turn());
  }

  /** Restores liquidity that callers have taken; their own orders stay. */
  #startOver(): void {
    for (const book of new Set([...this.#books.values()].map(address => address.book))) withdraw(book);
    this.start();
  }

  #turn(): void {
    const playedMs = (this.#timers.now() - this.#startedAtMs) * this.#speed;
    for (let played = 0; played < limits.paperFlowTasksPerTurnMax; played += 1) {
      const frame = this.#frames[this.#next];
      if (frame === undefined || frame.atMs > playedMs) break;
      this.#next += 1;
      this.#played?.add(1);
      if (!this.#opening.has(frame)) this.#play(frame);
    }
    this.#sleep();
  }

  /** Shrinking levels go first, so that the house's own orders do not match. */
  #play(frame: RecordedFrame): void {
    const lost = frame.lost ?? [];
    for (const address of lost) this.#lose(this.#books.get(address)?.book);
    const steps = stepsOf(frame).filter(({ address }) => !lost.includes(address));
    const changes = steps.flatMap(step => changesOf(step, this.#books.get(step.address)));
    for (const { book, side, price, size } of changes.toSorted((a, b) => growthOf(a) - growthOf(b))) {
      setLevel(book, side, price, size);
    }
  }

  #lose(book: HouseBook | undefined): void {
    if (book === undefined) return;
    withdraw(book);
    book.isLost = true;
  }
}

interface Change {
  readonly book: HouseBook;
  readonly side: Side;
  readonly price: Ticks;
  /** Sets the target size of a level. */
  readonly size: MicroShares;
}

function growthOf({ book, side, price, size }: Change): number {
  return size - (book.levels[side].get(price)?.recorded ?? 0);
}

function changesOf(step: RecordedStep, address: Address | undefined): Change[] {
  if (address === undefined) return [];
  const { book, isSecond } = address;
  if (step.type === 'book') {
    book.isLost = false;
    const [bids, asks] = isSecond ? [step.asks.map(mirrored), step.bids.map(mirrored)] : [step.bids, step.asks];
    return [...bookChanges(book, BID, bids), ...bookChanges(book, ASK, asks)];
  }
  if (book.isLost) return [];
  const own = { price: step.price, size: 0 as MicroShares };
  const { price } = isSecond ? mirrored(own) : own;
  const side = isSecond ? (step.side === BID ? ASK : BID) : step.side;
  const before = book.levels[side].get(price)?.recorded ?? 0;
  const size = Math.max(0, step.type === 'level' ? step.size : before + step.by) as MicroShares;
  return [{ book, side, price, size }];
}

/** Replaces a whole side: prices that it does not name are removed. */
function bookChanges(book: HouseBook, side: Side, levels: readonly Level[]): Change[] {
  const named = new Set(levels.map(({ price }) => price));
  const gone = [...book.levels[side].keys()].filter(price => !named.has(price));
  return [
    ...gone.map(price => ({ book, side, price, size: 0 as MicroShares })),
    ...levels.map(({ price, size }) => ({ book, side, price, size })),
  ];
}

function setLevel(book: HouseBook, side: Side, price: Ticks, size: MicroShares): void {
  const levels = book.levels[side];
  const level = levels.get(price) ?? { recorded: 0 as MicroShares, orders: [] };
  const wanted = (Math.floor(size / SIZE_STEP) * SIZE_STEP) as MicroShares;
  const growth = wanted - level.recorded;
  level.recorded = wanted;
  levels.set(price, level);
  if (growth > 0) grow(book, side, price, level, growth as MicroShares);
  else if (wanted > 0) shrink(book, side, price, level, -growth as MicroShares);
  else {
    for (const order of level.orders) book.desk.cancel(order);
    levels.delete(price);
  }
}

function withdraw({ desk, levels }: HouseBook): void {
  for (const side of levels) {
    for (const { orders } of side.values()) for (const order of orders) desk.cancel(order);
    side.clear();
  }
}

/** Merges many small orders into one at the end of the queue. */
function grow({ desk, market }: HouseBook, side: Side, price: Ticks, { orders }: HouseLevel, by: MicroShares): void {
  let size = by;
  while (orders.length >= limits.paperRecordedOrdersPerLevelMax) {
    const order = orders.pop()!;
    size = (size + (desk.resting(order) ?? 0)) as MicroShares;
    desk.cancel(order);
  }
  const order = desk.place(market, side, price, size, 'rest');
  if (order !== null) orders.push(order);
}

/** Cancels the latest first. Liquidity that callers have taken is not cancelled a second time. */
function shrink({ desk, market }: HouseBook, side: Side, price: Ticks, { orders }: HouseLevel, by: MicroShares): void {
  let left: number = by;
  while (left > 0) {
    const order = orders.pop();
    if (order === undefined) return;
    const resting = desk.resting(order) ?? 0;
    desk.cancel(order);
    if (resting > left) {
      const rest = desk.place(market, side, price, (resting - left) as MicroShares, 'rest');
      if (rest !== null) orders.push(rest);
    }
    left -= resting;
  }
}

function addressesOf({ catalog, desks }: RecordedLiquidityParts): Map<string, Address> {
  const addresses = new Map<string, Address>();
  for (const market of desks.venueB.markets) {
    addresses.set(market.address, { book: bookOf(desks.venueB, market), isSecond: false });
  }
  const listings = new Map(
    catalog.venueA.events.flatMap(({ markets }) => markets.map(listing => [listing.conditionId, listing])),
  );
  for (const market of desks.venueA.markets) {
    const book = bookOf(desks.venueA, market);
    for (const [index, token] of listings.get(market.address)?.tokens.entries() ?? []) {
      addresses.set(token, { book, isSecond: index === 1 });
    }
  }
  return addresses;
}

function bookOf(desk: HouseDesk, market: HouseMarket): HouseBook {
  return { desk, market, levels: [new Map(), new Map()], isLost: false };
}

function openingOf(frames: readonly RecordedFrame[]): Set<RecordedFrame> {
  const touched = new Set<string>();
  return new Set(
    frames.filter(frame => {
      const steps = stepsOf(frame);
      const isOpening =
        steps.length > 0 && steps.every(({ type, address }) => type === 'book' && !touched.has(address));
      for (const { address } of steps) touched.add(address);
      return isOpening;
    }),
  );
}
