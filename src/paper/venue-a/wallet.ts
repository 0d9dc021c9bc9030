// A wallet of venue A: an account of the engine, the cost of its shares, and property that it cannot spend yet. Money moves in
// the engine only; this file keeps what the engine does not know.

import type { MicroDollars, MicroShares } from '../../domain/numbers.ts';
import { assert } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { Random } from '../../runtime/random.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { Engine } from '../engine/engine.ts';
import type { AccountId } from '../engine/engine-types.ts';
import { hash32 } from '../ids.ts';
import { RecordRing, type Young } from '../record-ring.ts';
import type { VenueAMarket } from './market.ts';
import { Position } from './position.ts';
import type { ConversionRecord, TokenIndex, Trade } from './records.ts';

export class Wallet {
  /** In the case of its first use. */
  readonly address: string;
  readonly account: AccountId;
  readonly trades: RecordRing<Trade>;
  /** Proceeds of sales that will fail: in escrow, but shown as its own (settlements.ts). */
  withheld = 0 as MicroDollars;
  /** Value of its shares of resolved markets: in escrow until redeemed (resolution.ts). */
  readonly claims = new Map<VenueAMarket, MicroDollars>();
  readonly conversions = new RecordRing<ConversionRecord>(limits.paperVenueAConversionsPerWalletMax);
  /** Markets that are no longer listed, whose positions are still shown. */
  readonly #past = new RecordRing<VenueAMarket>(limits.paperVenueAPastMarketsPerWalletMax);
  readonly #positions = new Map<VenueAMarket, readonly [Position, Position]>();

  constructor(address: string, account: AccountId, young: Young) {
    this.address = address;
    this.account = account;
    this.trades = new RecordRing(limits.paperVenueATradesPerCallerMax, young);
  }

  position(market: VenueAMarket, token: TokenIndex): Position {
    let both = this.#positions.get(market);
    if (both === undefined) {
      both = [new Position(), new Position()];
      this.#positions.set(market, both);
    }
    return both[token];
  }

  /** Position in a market; empty if it never held shares. */
  size(market: VenueAMarket, token: TokenIndex): MicroShares {
    return this.#positions.get(market)?.[token].size ?? (0 as MicroShares);
  }

  /** Call when the market is no longer listed. Positions in the last such markets remain visible. */
  leave(market: VenueAMarket): void {
    if (!this.#positions.has(market)) return;
    for (const forgotten of this.#past.push(market)) this.#positions.delete(forgotten);
  }

  *positions(): Generator<{ readonly market: VenueAMarket; readonly token: TokenIndex; readonly position: Position }> {
    for (const [market, [first, second]] of this.#positions) {
      yield { market, token: 0, position: first };
      yield { market, token: 1, position: second };
    }
  }
}

/** All wallets, by address without case. */
export class Wallets {
  readonly #engine: Engine;
  readonly #timers: Timers;
  readonly #random: Random;
  readonly #young: Young;
  readonly #byAddress = new Map<string, Wallet>();
  /** Σ deposits less withdrawals. */
  deposited = 0 as MicroDollars;

  constructor(engine: Engine, timers: Timers, random: Random, young: Young) {
    this.#engine = engine;
    this.#timers = timers;
    this.#random = random;
    this.#young = young;
  }

  find(address: string): Wallet | undefined {
    return this.#byAddress.get(address.toLowerCase());
  }

  /** Makes the wallet if absent; negative withdraws. False with too many wallets, or too little money. */
  deposit(address: string, amount: MicroDollars): boolean {
    const known = this.find(address);
    if (known === undefined && (this.#byAddress.size >= limits.paperWalletsMax || amount < 0)) return false;
    const wallet = known ?? new Wallet(address, this.#engine.addAccount(0 as MicroDollars), this.#young);
    this.#byAddress.set(address.toLowerCase(), wallet);
    if (!this.#engine.deposit(wallet.account, amount)) return false;
    this.deposited = (this.deposited + amount) as MicroDollars;
    return true;
  }

  /** Free and reserved, and the part in escrow that is still shown. */
  collateral({ account, withheld }: Wallet): MicroDollars {
    const { cash, reserved } = this.#engine.account(account);
    return (cash + reserved + withheld) as MicroDollars;
  }

  split(wallet: Wallet, market: VenueAMarket, size: MicroShares): boolean {
    if (!this.#engine.mintPair(wallet.account, market.id, size).ok) return false;
    const [first, second] = halvesOf(size);
    wallet.position(market, 0).buy(size, first);
    wallet.position(market, 1).buy(size, second);
    this.remember(wallet, 'SPLIT', market, size, dollarsOf(size));
    return true;
  }

  merge(wallet: Wallet, market: VenueAMarket, size: MicroShares): boolean {
    if (!this.#engine.redeemPair(wallet.account, market.id, size).ok) return false;
    const [first, second] = halvesOf(size);
    wallet.position(market, 0).sell(size, first);
    wallet.position(market, 1).sell(size, second);
    this.remember(wallet, 'MERGE', market, size, dollarsOf(size));
    return true;
  }

  remember(
    wallet: Wallet,
    type: ConversionRecord['type'],
    market: VenueAMarket,
    size: MicroShares,
    dollars: MicroDollars,
  ): void {
    const at = this.#timers.now();
    wallet.conversions.push({ type, market, size, dollars, at, transactionHash: hash32(this.#random) });
  }

  [Symbol.iterator](): IterableIterator<Wallet> {
    return this.#byAddress.values();
  }
}

/** Moves free cash; asserts that there is enough. */
export function moveCash(engine: Engine, from: AccountId, to: AccountId, amount: MicroDollars): void {
  const isMoved = engine.deposit(from, -amount as MicroDollars) && engine.deposit(to, amount);
  assert(isMoved, `account ${from} has not ${amount} to hand to ${to}`);
}

/** Of pairs. */
function dollarsOf(size: MicroShares): MicroDollars {
  return size as number as MicroDollars;
}

/** A pair costs a dollar, half of it for each token. */
export function halvesOf(size: MicroShares): [MicroDollars, MicroDollars] {
  const first = Math.floor(size / 2);
  return [first as MicroDollars, (size - first) as MicroDollars];
}
