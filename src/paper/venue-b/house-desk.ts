// The house's own accounts on venue B, with which the market flow quotes and takes. There are several, which are used in turn and may trade
// with each other: to the engine, house orders are those of a crowd. Thread of the paper exchanges.

import { ladderStep } from '../../core/domain/grid.ts';
import type { Level, Side } from '../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import type { PricedBy } from '../catalog/listings.ts';
import { CENTI_CENT, DECI_CENT } from '../catalog/venue-b-listings.ts';
import type { Engine } from '../engine/engine.ts';
import type { AccountId, OrderId, TimeInForce } from '../engine/engine-types.ts';
import type { Queued } from '../flow/displayed-level.ts';
import type { HouseDesk, HouseMarket } from '../flow/market-maker.ts';
import type { Requests } from './journal.ts';
import { openStateOf, type VenueBMarket } from './market.ts';
import type { ExchangeState, MarketLife } from './market-life.ts';

const ACCOUNTS = 8;
/** The cash of each account: $100 million. The flow never comes close to it, and the sum of all money stays exact. */
const CASH = 100_000_000_000_000 as MicroDollars;
const RESTING: TimeInForce = { type: 'GTC' };
const TAKING: TimeInForce = { type: 'IOC' };

interface HouseDeskParts {
  readonly engine: Engine;
  readonly requests: Requests;
  readonly state: ExchangeState;
  readonly life: MarketLife;
}

export class VenueBHouseDesk implements HouseDesk {
  readonly markets: DeskMarket[] = [];
  readonly #parts: HouseDeskParts;
  readonly #accounts: readonly AccountId[];
  #turn = 0;

  constructor(parts: HouseDeskParts) {
    this.#parts = parts;
    this.#accounts = Array.from({ length: ACCOUNTS }, () => parts.engine.addAccount(CASH));
  }

  list(market: VenueBMarket): void {
    this.markets.push(new DeskMarket(market, this.#parts));
  }

  forget(market: VenueBMarket): void {
    const index = this.markets.findIndex(it => it.market === market);
    this.markets.splice(index, 1);
  }

  best(market: HouseMarket, side: Side): Level | null {
    return this.#parts.engine.best(venueMarket(market).id, side);
  }

  levels(market: HouseMarket, side: Side): Iterable<Level> {
    return venueMarket(market).levels(side);
  }

  place(house: HouseMarket, side: Side, price: Ticks, size: MicroShares, kind: 'rest' | 'take'): OrderId | null {
    const { engine, requests } = this.#parts;
    if (!house.isOpen()) return null;
    const market = venueMarket(house).id;
    const account = this.#accounts[this.#turn]!;
    this.#turn = (this.#turn + 1) % ACCOUNTS;
    const placed = requests.run(null, now =>
      engine.place(
        {
          account,
          market,
          side,
          price,
          size,
          effect: 'net',
          timeInForce: kind === 'rest' ? RESTING : TAKING,
          postOnly: false,
          reduceOnly: false,
          selfTrade: 'allow',
        },
        now,
      ),
    );
    return placed.ok && placed.value.resting > 0 ? placed.value.order : null;
  }

  queue(market: HouseMarket, side: Side, price: Ticks): readonly Queued[] {
    const queue = this.#parts.engine.queue(venueMarket(market).id, side, price);
    return queue.map(it => ({ ...it, isHouse: this.#accounts.includes(it.account) }));
  }

  resize(order: OrderId, size: MicroShares): void {
    const { engine, requests } = this.#parts;
    const view = engine.order(order);
    if (view?.status !== 'resting') return;
    const { account, price, resting } = view;
    if (size < resting) requests.run(null, now => engine.decrease(account, order, size, now));
    else requests.run(null, now => engine.amend(account, order, price, size, now));
  }

  fill(market: HouseMarket, order: OrderId, size: MicroShares): void {
    const { engine, requests } = this.#parts;
    if (!market.isOpen()) return;
    const account = this.#accounts[this.#turn]!;
    requests.run(null, now => engine.hit({ account, order, size, effect: 'net' }, now));
  }

  move(_market: HouseMarket, order: OrderId, next: OrderId | null): void {
    const { engine, requests } = this.#parts;
    requests.run(null, now => engine.move(order, next, now));
  }

  refine(house: HouseMarket, step: Ticks): void {
    const market = venueMarket(house);
    if (step >= ladderStep(market.bands)) return;
    this.#parts.life.setGrid(market, step === 1 ? CENTI_CENT : DECI_CENT);
  }

  setMatching(market: HouseMarket, isMatching: boolean): void {
    const { engine, requests } = this.#parts;
    const its = venueMarket(market);
    its.isMatching = isMatching;
    if (its.status === 'active') requests.run(null, now => engine.setState(its.id, openStateOf(its), now));
  }

  cancel(order: OrderId): void {
    const { engine, requests } = this.#parts;
    const view = engine.order(order);
    if (view?.status !== 'resting') return;
    requests.run(null, now => engine.cancel(view.account, order, now));
  }

  resting(order: OrderId): MicroShares | null {
    const view = this.#parts.engine.order(order);
    return view?.status === 'resting' ? view.resting : null;
  }
}

class DeskMarket implements HouseMarket {
  readonly market: VenueBMarket;
  readonly #parts: HouseDeskParts;

  constructor(market: VenueBMarket, parts: HouseDeskParts) {
    this.market = market;
    this.#parts = parts;
  }

  get address(): string {
    return this.market.ticker;
  }

  get pricedBy(): PricedBy {
    return this.market.listing.pricedBy;
  }

  isOnGrid(price: Ticks): boolean {
    return this.market.isOnGrid(price);
  }

  isOpen(): boolean {
    const { life, state } = this.#parts;
    life.advance(this.market);
    return this.market.status === 'active' && state.refusal() === null;
  }
}

function venueMarket(house: HouseMarket): VenueBMarket {
  assert(house instanceof DeskMarket, 'a market of another desk');
  return house.market;
}
