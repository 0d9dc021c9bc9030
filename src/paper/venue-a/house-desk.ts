// The market flow's desk at venue A: bids buy the first token, asks the second, on accounts of the house. It ignores minimum
// sizes, delays and modes, except that the venue must be open.

import type { Level, Side } from '../../core/domain/market.ts';
import { ASK, BID } from '../../core/domain/market.ts';
import type { MicroShares, Ticks } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import type { PricedBy } from '../catalog/listings.ts';
import type { OrderId } from '../engine/engine-types.ts';
import type { HouseDesk, HouseMarket } from '../flow/house-desk.ts';
import type { Floor } from './floor.ts';
import type { HouseAccounts } from './house-accounts.ts';
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
    const { order, filled, resting } = placed.value;
    const taker = { id: order, account, market: marketOf(market), side, price };
    this.#floor.digest(now, filled > 0 ? this.#house.party(taker) : null);
    this.#floor.report(now);
    return resting > 0 ? order : null;
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
}

function marketOf(market: HouseMarket): VenueAMarket {
  assert(market instanceof DeskMarket, `market ${market.address} is not of this desk`);
  return market.market;
}
