// The end of a market: trading stops, orders are cancelled, and shares become claims. The engine pays all holders at once, but at the real
// venue each holder redeems. So the payouts go into escrow, and a wallet shows its shares until it redeems them.

import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import { yesCost } from '../engine/engine-types.ts';
import type { Floor } from './floor.ts';
import type { HouseAccounts } from './house-accounts.ts';
import type { VenueAKeeper } from './kept-records.ts';
import type { VenueAMarket } from './market.ts';
import type { Observers, TokenIndex } from './records.ts';
import type { Settlements } from './trade-booking.ts';
import { moveCash, type Wallet, type Wallets } from './wallet.ts';

const BOTH = [0, 1] as const;

interface ResolutionParts {
  readonly floor: Floor;
  readonly wallets: Wallets;
  readonly house: HouseAccounts;
  readonly settlements: Settlements;
  readonly observers: Observers;
  readonly keeper: VenueAKeeper;
}

export class Resolutions {
  readonly #parts: ResolutionParts;

  constructor(parts: ResolutionParts) {
    this.#parts = parts;
  }

  /** Resolves the market. Null means that each token pays half a dollar. */
  resolve(market: VenueAMarket, winner: TokenIndex | null): void {
    if (market.resolution !== null) return;
    const { floor, settlements, observers, keeper } = this.#parts;
    const now = floor.now();
    floor.expire(now);
    settlements.failAll(market);
    market.resolution = { winner, at: now };
    market.isAcceptingOrders = false;
    floor.engine.setState(market.id, 'CLOSED', now);
    floor.conclude(now, 'CANCELED_MARKET_RESOLVED');
    this.#payIntoEscrow(market, winner);
    keeper.market(market);
    keeper.commit();
    observers.emit({ type: 'resolved', market, at: now });
  }

  /** Pays out shares of a resolved market. `sizes` are the shares of each token; the default is all that the wallet has. */
  redeem(wallet: Wallet, market: VenueAMarket, sizes = sizesOf(wallet, market)): MicroDollars {
    const claim = wallet.claims.get(market);
    const size = (sizes[0] + sizes[1]) as MicroShares;
    if (claim === undefined || market.resolution === null || size === 0) return 0 as MicroDollars;
    const { floor, house, wallets } = this.#parts;
    const { winner } = market.resolution;
    const payout = worthOf(sizes, winner);
    moveCash(floor.engine, house.escrow, wallet.account, payout);
    wallets.remember(wallet, 'REDEEM', market, size, payout);
    for (const token of BOTH) {
      const value = yesCost(payoutOf(token, winner), sizes[token]);
      if (sizes[token] > 0) wallet.position(market, token).sell(sizes[token], value);
    }
    const left = sizesOf(wallet, market);
    if (left[0] + left[1] === 0) wallet.claims.delete(market);
    else wallet.claims.set(market, worthOf(left, winner));
    // Each payout is rounded down. The chain keeps the rest, so it goes to the treasury.
    moveCash(floor.engine, house.escrow, house.treasury, (claim - payout - worthOf(left, winner)) as MicroDollars);
    this.#parts.keeper.commit();
    return payout;
  }

  /** Cancels all orders of a market, which then trades on (venue-a.md §9.3, `clearBookOnStart`). */
  clearBook(market: VenueAMarket, now: UnixMillis): void {
    const { floor } = this.#parts;
    if (market.resolution !== null) return;
    const after = floor.engine.state(market.id) === 'PAUSED' ? 'PAUSED' : 'OPEN';
    floor.engine.setState(market.id, 'CLOSED', now);
    floor.engine.setState(market.id, after, now);
    floor.conclude(now);
  }

  #payIntoEscrow(market: VenueAMarket, winner: TokenIndex | null): void {
    const { floor, wallets, house } = this.#parts;
    const holders = [...wallets].filter(it => it.size(market, 0) + it.size(market, 1) > 0);
    const before = holders.map(it => floor.engine.account(it.account).cash);
    const settled = floor.engine.settle(market.id, payoutOf(0, winner));
    assert(settled.ok, 'a market is resolved once');
    holders.forEach((wallet, index) => {
      const payout = (floor.engine.account(wallet.account).cash - before[index]!) as MicroDollars;
      moveCash(floor.engine, wallet.account, house.escrow, payout);
      wallet.claims.set(market, payout);
    });
  }
}

type Sizes = readonly [MicroShares, MicroShares];

function sizesOf(wallet: Wallet, market: VenueAMarket): Sizes {
  return [wallet.size(market, 0), wallet.size(market, 1)];
}

function worthOf([first, second]: Sizes, winner: TokenIndex | null): MicroDollars {
  return (yesCost(payoutOf(0, winner), first) + yesCost(payoutOf(1, winner), second)) as MicroDollars;
}

/** Returns the payout of one share. */
function payoutOf(token: TokenIndex, winner: TokenIndex | null): Ticks {
  if (winner === null) return (TICKS_PER_DOLLAR / 2) as Ticks;
  return (token === winner ? TICKS_PER_DOLLAR : 0) as Ticks;
}
