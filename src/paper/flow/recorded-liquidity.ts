// Plays a recording as the house's liquidity. The house displays the recorded books, and recorded trades reach callers' orders
// (displayed-level.ts). Paper thread.

import { ASK, BID, type Level, type Side } from '../../core/domain/market.ts';
import { complementTicks, type MicroShares, type Ticks } from '../../core/domain/numbers.ts';
import type { QueueModel } from '../../core/runtime/paper-terms.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { Catalog } from '../catalog/listings.ts';
import { otherSide } from '../engine/matching.ts';
import type { PlayedFrames } from '../replay/played-frames.ts';
import { HouseBook } from './house-book.ts';
import type { HouseDesk, HouseMarket } from './market-maker.ts';
import { mirrored, type RecordedFrame, type RecordedStep, stepsOf } from './recorded-frames.ts';

interface RecordedLiquidityParts {
  /** The frames in the order of their times. */
  readonly frames: readonly RecordedFrame[];
  /** The catalog that `recordedCatalog` made from these frames. */
  readonly catalog: Catalog;
  readonly desks: { readonly venueA: HouseDesk; readonly venueB: HouseDesk };
  readonly timers: Timers;
  /** The speed: 2 means twice the recorded speed. */
  readonly speed?: number;
  /** Whether the recording restarts at its end, with the initial books. */
  readonly loop?: boolean;
  /** Counts the played frames. */
  readonly played?: PlayedFrames | undefined;
  /** The model that says which cancels are ahead of callers' orders. The default is `proportional`. */
  readonly queue?: QueueModel | undefined;
}

/** A book. `isSecond` means that the address is that of its other outcome. */
interface Address {
  readonly book: HouseBook;
  readonly isSecond: boolean;
}

export class RecordedLiquidity {
  readonly #frames: readonly RecordedFrame[];
  readonly #timers: Timers;
  readonly #speed: number;
  readonly #isLooped: boolean;
  readonly #played: PlayedFrames | undefined;
  readonly #books: ReadonlyMap<string, Address>;
  /** The frames that state a book before its first change. They are played at the start. */
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

  /** Starts the recording. When it returns, every book has its recorded depth. */
  start(): void {
    this.#played?.add(-this.#next);
    this.#next = 0;
    this.#startedAtMs = this.#timers.now();
    for (const frame of this.#opening) this.#play(frame);
    this.#sleep();
  }

  /** Stops the recording. The books stay as they are. */
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

  /** Starts again from the beginning. This restores liquidity that callers have taken. Callers' own orders stay. */
  #startOver(): void {
    for (const book of new Set([...this.#books.values()].map(address => address.book))) book.withdraw();
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

  /** Plays a frame. Levels that shrink go first, so that the house's own orders do not match. */
  #play(frame: RecordedFrame): void {
    const lost = frame.lost ?? [];
    for (const address of lost) this.#books.get(address)?.book.markUnknown();
    const steps = stepsOf(frame).filter(({ address }) => !lost.includes(address));
    for (const step of steps) if (step.type === 'book') restate(step, this.#books.get(step.address), frame.atMs);
    const changes = steps.flatMap(step =>
      step.type === 'trade' ? [] : changesOf(step, this.#books.get(step.address)),
    );
    for (const { book, side, price, size } of changes.toSorted((a, b) => growthOf(a) - growthOf(b))) {
      book.show(side, price, size, frame.atMs);
    }
    for (const step of steps) if (step.type === 'trade') this.#trade(step, frame.atMs);
  }

  #trade(step: Extract<RecordedStep, { type: 'trade' }>, atMs: number): void {
    const address = this.#books.get(step.address);
    if (address === undefined) return;
    const { side, price } = inFirst(step, address.isSecond);
    address.book.trade(otherSide(side), price, step.size, atMs);
  }
}

interface Change {
  readonly book: HouseBook;
  readonly side: Side;
  readonly price: Ticks;
  /** The displayed size that the level gets. */
  readonly size: MicroShares;
}

function growthOf({ book, side, price, size }: Change): number {
  return size - book.shown(side, price);
}

/** Sets the whole book again, if the book was lost. */
function restate(step: BookStep, address: Address | undefined, atMs: number): void {
  if (address?.book.isLost !== true) return;
  const [bids, asks] = sidesOf(step, address.isSecond);
  address.book.state(bids, asks, atMs);
}

type BookStep = Extract<RecordedStep, { type: 'book' }>;

function sidesOf(
  { bids, asks }: BookStep,
  isSecond: boolean,
): readonly [bids: readonly Level[], asks: readonly Level[]] {
  return isSecond ? [asks.map(mirrored), bids.map(mirrored)] : [bids, asks];
}

function changesOf(step: Exclude<RecordedStep, { type: 'trade' }>, address: Address | undefined): Change[] {
  if (address === undefined) return [];
  const { book, isSecond } = address;
  if (step.type === 'book') {
    const [bids, asks] = sidesOf(step, isSecond);
    return [...bookChanges(book, BID, bids), ...bookChanges(book, ASK, asks)];
  }
  if (book.isLost) return [];
  const { side, price } = inFirst(step, isSecond);
  const size = Math.max(0, step.type === 'level' ? step.size : book.shown(side, price) + step.by) as MicroShares;
  return [{ book, side, price, size }];
}

/** Returns side and price in terms of the first token. */
function inFirst({ side, price }: { readonly side: Side; readonly price: Ticks }, isSecond: boolean) {
  return isSecond ? { side: otherSide(side), price: complementTicks(price) } : { side, price };
}

/** Returns the changes that replace a whole side. Prices that the new side does not name are removed. */
function bookChanges(book: HouseBook, side: Side, levels: readonly Level[]): Change[] {
  const named = new Set(levels.map(({ price }) => price));
  const gone = book.prices(side).filter(price => !named.has(price));
  return [
    ...gone.map(price => ({ book, side, price, size: 0 as MicroShares })),
    ...levels.map(({ price, size }) => ({ book, side, price, size })),
  ];
}

function addressesOf({ catalog, desks, queue: model = 'proportional' }: RecordedLiquidityParts): Map<string, Address> {
  const addresses = new Map<string, Address>();
  const bookOf = (desk: HouseDesk, market: HouseMarket) => new HouseBook({ desk, market, model });
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

function openingOf(frames: readonly RecordedFrame[]): Set<RecordedFrame> {
  const touched = new Set<string>();
  return new Set(
    frames.filter(frame => {
      const steps = stepsOf(frame).filter(({ type }) => type !== 'trade');
      const isOpening =
        steps.length > 0 && steps.every(({ type, address }) => type === 'book' && !touched.has(address));
      for (const { address } of steps) touched.add(address);
      return isOpening;
    }),
  );
}
