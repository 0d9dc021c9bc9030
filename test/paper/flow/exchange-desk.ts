// A house desk over the bare engine, on which the market flow is tested without a venue. It has a maker account, a taker account and a third account
// for the test itself.

import { isOnGrid, uniformGrid } from '../../../src/core/domain/grid.ts';
import type { Level, Side } from '../../../src/core/domain/market.ts';
import { type MicroDollars, type MicroShares, parseTicks, type Ticks } from '../../../src/core/domain/numbers.ts';
import type { Timers } from '../../../src/core/runtime/timers.ts';
import type { Catalog, PricedBy, PriceGrid } from '../../../src/paper/catalog/listings.ts';
import { Engine } from '../../../src/paper/engine/engine.ts';
import type { AccountId, EngineEvent, Fill, MarketId, OrderId } from '../../../src/paper/engine/engine-types.ts';
import type { HouseDesk, HouseMarket } from '../../../src/paper/flow/market-maker.ts';
import { noFees } from '../engine/desk.ts';

const RICH = (2 ** 50) as MicroDollars;

interface DeskMarket extends HouseMarket {
  readonly id: MarketId;
}

interface LevelChange {
  readonly at: number;
  readonly market: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly before: number;
  readonly after: number;
}

export class ExchangeDesk implements HouseDesk {
  readonly markets: DeskMarket[] = [];
  /** The requests of the flow, in order. */
  readonly calls: string[] = [];
  readonly events: EngineEvent[] = [];
  readonly #placed: { readonly order: OrderId; readonly market: HouseMarket; readonly side: Side }[] = [];
  /** Each change of a level with its time and the size before. */
  readonly changes: LevelChange[] = [];
  readonly trades: (Fill & { readonly at: number })[] = [];
  readonly engine: Engine;
  readonly #timers: Timers;
  readonly #maker: AccountId;
  readonly #taker: AccountId;
  readonly #client: AccountId;
  readonly #sizes = new Map<string, number>();
  /** The steps of refined grids, by address. */
  readonly #steps = new Map<string, Ticks>();

  constructor(timers: Timers) {
    this.#timers = timers;
    this.engine = new Engine({ emit: event => this.#record(event) });
    [this.#maker, this.#taker, this.#client] = [1, 2, 3].map(() => this.engine.addAccount(RICH)) as [
      AccountId,
      AccountId,
      AccountId,
    ];
  }

  static ofVenueA(catalog: Catalog, timers: Timers): ExchangeDesk {
    const desk = new ExchangeDesk(timers);
    for (const { markets } of catalog.venueA.events) {
      for (const { conditionId, pricedBy, tickSize } of markets) {
        const grid = uniformGrid(parseTicks(tickSize)!);
        desk.list(conditionId, pricedBy, price => isOnGrid(grid, price));
      }
    }
    return desk;
  }

  static ofVenueB(catalog: Catalog, timers: Timers): ExchangeDesk {
    const desk = new ExchangeDesk(timers);
    for (const { markets } of catalog.venueB.events) {
      for (const { ticker, pricedBy, grid } of markets) {
        const bands = gridOf(grid);
        desk.list(ticker, pricedBy, price => isOnGrid(bands, price));
      }
    }
    return desk;
  }

  list(address: string, pricedBy: PricedBy, isOnGridHere: (price: Ticks) => boolean): void {
    const isAllowed = (price: Ticks): boolean => isOnGridHere(price) || price % this.#stepOf(address) === 0;
    const id = this.engine.addMarket({ isOnGrid: isAllowed, sizeStep: 10_000 as MicroShares, fees: noFees });
    const isOpen = () => this.engine.state(id) === 'OPEN';
    this.markets.push({ address, pricedBy, isOnGrid: isAllowed, isOpen, id });
  }

  refine({ address }: HouseMarket, step: Ticks): void {
    this.#steps.set(address, step);
  }

  #stepOf(address: string): number {
    return this.#steps.get(address) ?? Number.POSITIVE_INFINITY;
  }

  market(address: string): DeskMarket {
    return this.markets.find(market => market.address === address)!;
  }

  best(market: HouseMarket, side: Side): Level | null {
    return this.engine.best((market as DeskMarket).id, side);
  }

  levels(market: HouseMarket, side: Side): Iterable<Level> {
    return this.engine.levels((market as DeskMarket).id, side);
  }

  place(market: HouseMarket, side: Side, price: Ticks, size: MicroShares, kind: 'rest' | 'take'): OrderId | null {
    this.calls.push(`${this.#timers.now()} ${kind} ${market.address} ${side} ${price} ${size}`);
    const order = this.#place(kind === 'rest' ? this.#maker : this.#taker, market, side, price, size, kind);
    if (order !== null) this.#placed.push({ order, market, side });
    return order;
  }

  cancel(order: OrderId): void {
    this.calls.push(`${this.#timers.now()} cancel ${order}`);
    this.engine.cancel(this.#maker, order, this.#timers.now());
  }

  resting(order: OrderId): MicroShares | null {
    const view = this.engine.order(order);
    return view === undefined || view.resting === 0 ? null : view.resting;
  }

  queue(market: HouseMarket, side: Side, price: Ticks) {
    const queue = this.engine.queue((market as DeskMarket).id, side, price);
    return queue.map(it => ({ ...it, isHouse: it.account === this.#maker }));
  }

  resize(order: OrderId, size: MicroShares): void {
    const { price, resting } = this.engine.order(order)!;
    if (size < resting) this.engine.decrease(this.#maker, order, size, this.#timers.now());
    else this.engine.amend(this.#maker, order, price, size, this.#timers.now());
  }

  fill(_market: HouseMarket, order: OrderId, size: MicroShares): void {
    this.engine.hit({ account: this.#taker, order, size, effect: 'net' }, this.#timers.now());
  }

  move(_market: HouseMarket, order: OrderId, next: OrderId | null): void {
    this.engine.move(order, next, this.#timers.now());
  }

  setMatching(market: HouseMarket, isMatching: boolean): void {
    this.pause(market, !isMatching);
  }

  /** The number of the flow's resting orders, by market and side. */
  restingCounts(): number[] {
    const resting = this.#placed.filter(({ order }) => this.resting(order) !== null);
    const sides = Map.groupBy(resting, ({ market, side }) => `${market.address} ${side}`);
    return Array.from(sides.values(), orders => orders.length);
  }

  /** Places an order of a client that is not the house; the part that is not filled rests. Returns the size that was filled at once. */
  trade(market: HouseMarket, side: Side, price: Ticks, size: MicroShares): MicroShares {
    const before = this.events.length;
    this.#place(this.#client, market, side, price, size, 'rest');
    const fills = this.events.slice(before).filter(event => event.type === 'fill');
    return fills.reduce((sum, fill) => sum + fill.size, 0) as MicroShares;
  }

  /** Cancels all orders of that client. */
  leave(market: HouseMarket): void {
    this.engine.cancelAll(this.#client, (market as DeskMarket).id, this.#timers.now());
  }

  /** Cancels all orders of the maker, as venue A does at the start of a game. */
  clear(market: HouseMarket): void {
    this.engine.cancelAll(this.#maker, (market as DeskMarket).id, this.#timers.now());
  }

  pause(market: HouseMarket, isPaused: boolean): void {
    this.engine.setState((market as DeskMarket).id, isPaused ? 'PAUSED' : 'OPEN', this.#timers.now());
  }

  #record(event: EngineEvent): void {
    this.events.push(event);
    if (event.type === 'fill') this.trades.push({ ...event, at: this.#timers.now() });
    if (event.type !== 'level') return;
    const { market, side, price, size: after } = event;
    const level = `${market} ${side} ${price}`;
    this.changes.push({ at: this.#timers.now(), market, side, price, before: this.#sizes.get(level) ?? 0, after });
    this.#sizes.set(level, after);
  }

  #place(
    account: AccountId,
    market: HouseMarket,
    side: Side,
    price: Ticks,
    size: MicroShares,
    kind: 'rest' | 'take',
  ): OrderId | null {
    const placed = this.engine.place(
      {
        account,
        market: (market as DeskMarket).id,
        side,
        effect: 'net',
        price,
        size,
        timeInForce: { type: kind === 'rest' ? 'GTC' : 'IOC' },
        postOnly: false,
        reduceOnly: false,
        selfTrade: 'taker',
      },
      this.#timers.now(),
    );
    return placed.ok && placed.value.resting > 0 && kind === 'rest' ? placed.value.order : null;
  }
}

function gridOf({ ranges }: PriceGrid) {
  return ranges.map(({ start, end, step }) => ({
    start: parseTicks(start)!,
    end: parseTicks(end)!,
    step: parseTicks(step)!,
  }));
}
