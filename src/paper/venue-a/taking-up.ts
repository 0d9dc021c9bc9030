// Takes up venue A's rows that were kept from its last run: wallets, shares, orders, trades, conversions and results. Thread of the paper
// exchanges.

import type { MicroDollars } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import { giveKeptShares } from '../engine/engine.ts';
import type { KeptRows } from '../kept-rows.ts';
import type { Floor } from './floor.ts';
import type { HouseAccounts } from './house-accounts.ts';
import type { KeptConversion, KeptMarket, KeptOrder, KeptPosition, KeptTrade, KeptWallet } from './kept-records.ts';
import type { VenueAMarket } from './market.ts';
import type { Placement } from './placement.ts';
import type { Resolutions } from './resolution.ts';
import type { Settlements, TradeBooking } from './trade-booking.ts';
import type { Wallet, Wallets } from './wallet.ts';

export interface TakenUpParts {
  readonly floor: Floor;
  readonly wallets: Wallets;
  readonly house: HouseAccounts;
  readonly placement: Placement;
  readonly booking: TradeBooking;
  readonly settlements: Settlements;
  readonly resolutions: Resolutions;
  /** The markets by condition id. */
  readonly markets: ReadonlyMap<string, VenueAMarket>;
}

/** Call this once, after the exchange has listed its markets and opened its wallets, and before anybody trades. */
export function takeUp(parts: TakenUpParts, rows: KeptRows): void {
  new TakingUp(parts, rows).run();
}

class TakingUp {
  readonly #parts: TakenUpParts;
  readonly #rows: KeptRows;

  constructor(parts: TakenUpParts, rows: KeptRows) {
    this.#parts = parts;
    this.#rows = rows;
  }

  run(): void {
    const { placement, booking, settlements, wallets } = this.#parts;
    for (const [, row] of this.#rows.rows('venue_a wallet')) this.#wallet(row as KeptWallet);
    this.#each<KeptPosition>('venue_a position', (row, market) => this.#position(row, market));
    const orders: [KeptOrder, VenueAMarket][] = [];
    for (const kind of ['venue_a ended', 'venue_a order'] as const) {
      this.#each<KeptOrder>(kind, (row, market) => orders.push([row, market]));
    }
    orders.sort(([a], [b]) => a.number - b.number);
    for (const [row, market] of orders)
      placement.takeUp({ ...row, market }, this.#walletOf(row.makerAddress), row.held);
    this.#each<KeptTrade>('venue_a trade', (row, market) => {
      settlements.takeUp(booking.takeUp({ ...row, market }, address => wallets.find(address)));
    });
    this.#each<KeptConversion>('venue_a conversion', ({ address, ...row }, market) => {
      this.#walletOf(address).conversions.push({ ...row, market });
    });
    for (const [condition, row] of [...this.#rows.rows('venue_a market')]) {
      const market = this.#parts.markets.get(condition);
      if (market === undefined) this.#rows.drop('venue_a market', condition);
      else this.#market(market, row as KeptMarket);
    }
  }

  /** Calls `take` for each row of a kind. Rows of markets that are no longer listed are dropped. */
  #each<T extends { readonly market: string }>(
    kind: 'venue_a position' | 'venue_a order' | 'venue_a ended' | 'venue_a trade' | 'venue_a conversion',
    take: (row: T, market: VenueAMarket) => void,
  ): void {
    for (const [id, row] of [...this.#rows.rows(kind)]) {
      const market = this.#parts.markets.get((row as T).market);
      if (market === undefined) this.#rows.drop(kind, id);
      else take(row as T, market);
    }
  }

  #wallet({ address, collateral, brought, nonce = 0 }: KeptWallet): void {
    const { wallets } = this.#parts;
    const found = wallets.find(address);
    const present = found === undefined ? 0 : wallets.collateral(found);
    assert(
      wallets.deposit(address, (collateral - present) as MicroDollars),
      `wallet ${address} cannot have ${collateral}`,
    );
    const wallet = this.#walletOf(address);
    wallet.brought = brought;
    wallet.nonce = nonce;
  }

  #position({ address, tokens }: KeptPosition, market: VenueAMarket): void {
    const { floor, house } = this.#parts;
    const wallet = this.#walletOf(address);
    wallet.position(market, 0).takeUp(tokens[0]);
    wallet.position(market, 1).takeUp(tokens[1]);
    const held = { yes: tokens[0].size, no: tokens[1].size };
    giveKeptShares(floor.engine, [house.treasury, wallet.account], market.id, held);
  }

  #market(market: VenueAMarket, { tickSize, resolution }: KeptMarket): void {
    market.tickSize = tickSize;
    if (resolution === null) return;
    this.#parts.resolutions.resolve(market, resolution.winner);
    market.resolution = resolution;
  }

  #walletOf(address: string): Wallet {
    const wallet = this.#parts.wallets.find(address);
    assert(wallet !== undefined, `wallet ${address} was not kept`);
    return wallet;
  }
}
