// The market flow's desk at venue A. Its bids buy the first token and its asks the second, on accounts of the house. Minimum sizes, delays
// and modes do not apply, except that the venue must be open.

import { ASK, BID, type Level, type Side } from '../../core/domain/market.ts';
import { formatTicks, type MicroShares, type Ticks, type UnixMillis } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import type { PricedBy } from '../catalog/listings.ts';
import type { OrderId } from '../engine/engine-types.ts';
import type { Queued } from '../flow/displayed-level.ts';
import type { HouseDesk, HouseMarket } from '../flow/market-maker.ts';
import type { Floor } from './floor.ts';
import type { HouseAccounts, HouseOrder } from './house-accounts.ts';
import type { VenueAMarket } from './market.ts';

class DeskMarket implements HouseMarket {
  readonly market: VenueAMarket;
  readonly #isVenueOpen: () => boolean;

  constructor(market: VenueAMarket, isVenueOpen: () => boolean) {
    this.market = market;
    this.#isVenueOpen = isVenueOpen;
  }

  get address(): string {
    return this.market.conditionId;
  }

  get pricedBy(): PricedBy {
    return this.market.listing.pricedBy;
  }

  isOnGrid(price: Ticks): boolean {
    return this.market.isOnGrid(price);
  }

  isOpen(): boolean {
    return this.market.isOpen && this.#isVenueOpen();
  }
}

export class VenueADesk implements HouseDesk {
  readonly markets: DeskMarket[] = [];
  readonly #floor: Floor;
  readonly #house: HouseAccounts;
  readonly #isVenueOpen: () => boolean;

  constructor(floor: Floor, house: HouseAccounts, isVenueOpen: () => boolean) {
    this.#floor = floor;
    this.#house = house;
    this.#isVenueOpen = isVenueOpen;
  }

  list(market: VenueAMarket): void {
    this.markets.push(new DeskMarket(market, this.#isVenueOpen));
  }

  forget(market: VenueAMarket): void {
    const index = this.markets.findIndex(it => it.market === market);
    this.markets.splice(index, 1);
  }

  best(market: HouseMarket, side: Side): Level | null {
    const { bestBid, bestAsk } = marketOf(market);
    return side === BID ? bestBid : bestAsk;
  }

  levels(market: HouseMarket, side: Side): Iterable<Level> {
    return marketOf(market).levels(side);
  }

  place(market: HouseMarket, side: Side, price: Ticks, size: MicroShares, kind: 'rest' | 'take'): OrderId | null {
    if (!market.isOpen()) return null;
    const { engine } = this.#floor;
    const account = kind === 'rest' ? this.#house.quotes : this.#house.takes;
    const now = this.#floor.now();
    this.#floor.expire(now);
    const placed = engine.place(
      {
        account,
        market: marketOf(market).id,
        side: side === BID ? BID : ASK,
        effect: 'open',
        price,
        size,
        timeInForce: { type: kind === 'rest' ? 'GTC' : 'IOC' },
        postOnly: false,
        reduceOnly: false,
        selfTrade: 'allow',
      },
      now,
    );
    if (!placed.ok) return null;
    const { order, resting } = placed.value;
    this.#digest({ id: order, account, market: marketOf(market), side, price }, now);
    return resting > 0 ? order : null;
  }

  queue(market: HouseMarket, side: Side, price: Ticks): readonly Queued[] {
    const queue = this.#floor.engine.queue(marketOf(market).id, side, price);
    return queue.map(it => ({ ...it, isHouse: it.account === this.#house.quotes }));
  }

  resize(order: OrderId, size: MicroShares): void {
    const { engine } = this.#floor;
    const now = this.#floor.now();
    this.#floor.expire(now);
    const view = engine.order(order);
    if (view?.status !== 'resting') return;
    const { account, market, side, price, resting } = view;
    if (size < resting) engine.decrease(account, order, size, now);
    else engine.amend(account, order, price, size, now);
    this.#digest({ id: order, account, market: this.#floor.markets[market]!, side, price }, now);
  }

  fill(market: HouseMarket, order: OrderId, size: MicroShares): void {
    if (!market.isOpen()) return;
    const { engine } = this.#floor;
    const account = this.#house.takes;
    const now = this.#floor.now();
    this.#floor.expire(now);
    const hit = engine.hit({ account, order, size, effect: 'open' }, now);
    if (!hit.ok) return;
    const { side, price } = engine.order(hit.value.order)!;
    this.#digest({ id: hit.value.order, account, market: marketOf(market), side, price }, now);
  }

  refine(house: HouseMarket, step: Ticks): void {
    const market = marketOf(house);
    if (step < market.tick) this.#floor.setTickSize(market, formatTicks(step), this.#floor.now());
  }

  move(_market: HouseMarket, order: OrderId, next: OrderId | null): void {
    const now = this.#floor.now();
    this.#floor.engine.move(order, next, now);
    this.#floor.conclude(now);
  }

  setMatching(market: HouseMarket, isMatching: boolean): void {
    const now = this.#floor.now();
    this.#floor.engine.setState(marketOf(market).id, isMatching ? 'OPEN' : 'PAUSED', now);
    this.#floor.conclude(now);
  }

  cancel(order: OrderId): void {
    const now = this.#floor.now();
    this.#floor.expire(now);
    this.#floor.engine.cancel(this.#house.quotes, order, now);
    this.#floor.conclude(now);
  }

  resting(order: OrderId): MicroShares | null {
    const view = this.#floor.engine.order(order);
    return view?.status === 'resting' ? view.resting : null;
  }

  #digest(taker: HouseOrder, now: UnixMillis): void {
    this.#floor.digest(now, this.#house.party(taker));
    this.#floor.report(now);
  }
}

function marketOf(market: HouseMarket): VenueAMarket {
  assert(market instanceof DeskMarket, `market ${market.address} is not of this desk`);
  return market.market;
}
