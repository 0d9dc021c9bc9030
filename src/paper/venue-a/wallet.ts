// A wallet of venue A: an account of the engine, the cost of its shares, and property that it cannot spend yet. Money moves only in the
// engine; this file keeps the facts that the engine lacks.

import type { MicroDollars, MicroShares } from '../../core/domain/numbers.ts';
import { assert } from '../../core/domain/result.ts';
import type { Random } from '../../core/runtime/random.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { Engine } from '../engine/engine.ts';
import type { AccountId } from '../engine/engine-types.ts';
import { hash32 } from '../ids.ts';
import { RecordRing, type Young } from '../record-ring.ts';
import type { VenueAMarket } from './market.ts';
import type { ConversionRecord, OrderRecord, TokenIndex, Trade } from './records.ts';

type Known = 'orderId' | 'owner' | 'makerAddress' | 'market' | 'token' | 'isBuy' | 'price' | 'builderCode';

/** The facts about an order that a trade needs. */
export interface Party extends Pick<OrderRecord, Known> {
  readonly account: AccountId;
  /** The wallet of the order. Null for the house. */
  readonly wallet: Wallet | null;
}

/** The result of one fill for one of its two parties. */
export interface Part {
  readonly party: Party;
  readonly size: MicroShares;
  /** The party's payment or proceeds for the shares. */
  readonly dollars: MicroDollars;
  readonly fee: MicroDollars;
  /** The cost of the shares that a sale gives away. */
  readonly costSold: MicroDollars;
}

export interface Match {
  readonly taker: Part;
  readonly maker: Part;
}

export class Wallet {
  /** The address, in the case of letters at its first use. */
  readonly address: string;
  readonly account: AccountId;
  readonly trades: RecordRing<Trade>;
  /** The proceeds of sales that will fail. They are in escrow, but shown as the wallet's own (trade-booking.ts). */
  withheld = 0 as MicroDollars;
  /** The net dollars that came on chain, by deposits and conversions. The CLOB does not hear of them as it hears of trades. */
  brought = 0 as MicroDollars;
  /** The value of shares of resolved markets, which is in escrow until the wallet redeems the shares (resolution.ts). */
  readonly claims = new Map<VenueAMarket, MicroDollars>();
  /** The nonce of the wallet's next transaction on the chain. */
  nonce = 0;
  /** The approvals that the wallet has taken back. A new wallet has given all of them. */
  readonly revoked = new Set<ApprovalId>();
  readonly conversions = new RecordRing<ConversionRecord>(limits.paperVenueAConversionsPerWalletMax);
  /** The markets that are no longer listed, in which the wallet's positions are still shown. */
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

  /** Returns the size of a position. It is 0 if the wallet never held such shares. */
  size(market: VenueAMarket, token: TokenIndex): MicroShares {
    return this.#positions.get(market)?.[token].size ?? (0 as MicroShares);
  }

  /** Notes that the market is no longer listed. Positions in the last such markets are still shown. */
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

interface WalletsParts {
  readonly engine: Engine;
  readonly timers: Timers;
  readonly random: Random;
  readonly young: Young;
  readonly keeper: WalletKeeper;
}

/** Keeps changed wallets for the next start. */
interface WalletKeeper {
  wallet(wallet: Wallet): void;
  conversion(wallet: Wallet, conversion: ConversionRecord): void;
  commit(): void;
}

type KeptShares = Pick<Position, 'size' | 'bought' | 'cost' | 'realizedPnl'>;

/** All wallets, by address in lower case. */
export class Wallets {
  readonly #engine: Engine;
  readonly #timers: Timers;
  readonly #random: Random;
  readonly #young: Young;
  readonly #keeper: WalletKeeper;
  readonly #byAddress = new Map<string, Wallet>();
  /** The sum of all deposits less all withdrawals. */
  deposited = 0 as MicroDollars;

  constructor({ engine, timers, random, young, keeper }: WalletsParts) {
    this.#engine = engine;
    this.#timers = timers;
    this.#random = random;
    this.#young = young;
    this.#keeper = keeper;
  }

  find(address: string): Wallet | undefined {
    return this.#byAddress.get(address.toLowerCase());
  }

  /**
   * Makes the wallet if it does not exist, and adds to its money. A negative amount withdraws. Returns false with too many wallets, or too
   * little money.
   */
  deposit(address: string, amount: MicroDollars): boolean {
    const known = this.find(address);
    if (known === undefined && (this.#byAddress.size >= limits.paperWalletsMax || amount < 0)) return false;
    const wallet = known ?? new Wallet(address, this.#engine.addAccount(0 as MicroDollars), this.#young);
    this.#byAddress.set(address.toLowerCase(), wallet);
    if (!this.#engine.deposit(wallet.account, amount)) return false;
    this.deposited = (this.deposited + amount) as MicroDollars;
    wallet.brought = (wallet.brought + amount) as MicroDollars;
    this.#keeper.wallet(wallet);
    this.#keeper.commit();
    return true;
  }

  /** Returns the free and reserved dollars, and those in escrow that are still shown. */
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
    this.#keeper.commit();
    return true;
  }

  merge(wallet: Wallet, market: VenueAMarket, size: MicroShares): boolean {
    if (!this.#engine.redeemPair(wallet.account, market.id, size).ok) return false;
    const [first, second] = halvesOf(size);
    wallet.position(market, 0).sell(size, first);
    wallet.position(market, 1).sell(size, second);
    this.remember(wallet, 'MERGE', market, size, dollarsOf(size));
    this.#keeper.commit();
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
    wallet.brought = (wallet.brought + (type === 'SPLIT' ? -dollars : dollars)) as MicroDollars;
    const conversion = { type, market, size, dollars, at, transactionHash: hash32(this.#random) };
    wallet.conversions.push(conversion);
    this.#keeper.conversion(wallet, conversion);
  }

  [Symbol.iterator](): IterableIterator<Wallet> {
    return this.#byAddress.values();
  }
}

/** Moves free cash between accounts. Asserts that there is enough. */
export function moveCash(engine: Engine, from: AccountId, to: AccountId, amount: MicroDollars): void {
  const isMoved = engine.deposit(from, -amount as MicroDollars) && engine.deposit(to, amount);
  assert(isMoved, `account ${from} has not ${amount} to hand to ${to}`);
}

/** Returns the dollars that pairs are worth: one for each pair. */
function dollarsOf(size: MicroShares): MicroDollars {
  return size as number as MicroDollars;
}

/** Returns the dollars of pairs for each token. A pair costs a dollar, half for each token. */
function halvesOf(size: MicroShares): [MicroDollars, MicroDollars] {
  const first = Math.floor(size / 2);
  return [first as MicroDollars, (size - first) as MicroDollars];
}

/** A wallet's shares of one token: size, average cost, and realised profit of sales (venue-a.md §8), without fees. */
export class Position {
  size = 0 as MicroShares;
  /** The number of shares in all purchases. */
  bought = 0 as MicroShares;
  /** The cost of the present size. */
  cost = 0 as MicroDollars;
  realizedPnl = 0 as MicroDollars;

  kept(): KeptShares {
    const { size, bought, cost, realizedPnl } = this;
    return { size, bought, cost, realizedPnl };
  }

  /** Sets the state that an earlier run has kept. */
  takeUp({ size, bought, cost, realizedPnl }: KeptShares): void {
    this.size = size;
    this.bought = bought;
    this.cost = cost;
    this.realizedPnl = realizedPnl;
  }

  buy(size: MicroShares, paid: MicroDollars): void {
    this.#add(size, paid, 0);
    this.bought = (this.bought + size) as MicroShares;
  }

  /** Returns the cost of the sold shares. */
  sell(size: MicroShares, proceeds: MicroDollars): MicroDollars {
    const cost = partOf(this.cost, size, this.size);
    this.#add(-size, -cost, proceeds - cost);
    return cost;
  }

  /** Reverts a purchase that failed. */
  undoBuy(size: MicroShares, paid: MicroDollars): void {
    this.#add(-size, -paid, 0);
    this.bought = (this.bought - size) as MicroShares;
  }

  /** Reverts a sale that failed. `cost` is what `sell` returned. */
  undoSell(size: MicroShares, proceeds: MicroDollars, cost: MicroDollars): void {
    this.#add(size, cost, cost - proceeds);
  }

  /**
   * Changes size, cost and profit. A sale between a purchase and its reversal used an average that is no longer valid. Without shares there
   * must be no cost, and no cost may be negative. The difference counts as profit or loss.
   */
  #add(moreShares: number, moreCost: number, pnl: number): void {
    const [sizeNow, costNow] = [this.size + moreShares, this.cost + moreCost];
    const excess = sizeNow === 0 ? costNow : Math.min(costNow, 0);
    this.size = sizeNow as MicroShares;
    this.cost = (costNow - excess) as MicroDollars;
    this.realizedPnl = (this.realizedPnl + pnl - excess) as MicroDollars;
  }
}

/** Returns ⌊whole × part ÷ of⌋ exactly, with bigints, because the product exceeds 2^53. */
function partOf(whole: MicroDollars, part: MicroShares, of: MicroShares): MicroDollars {
  return Number((BigInt(whole) * BigInt(part)) / BigInt(of)) as MicroDollars;
}

/** The approvals in the words of the Data API. */
export const APPROVALS = [
  { id: 'PusdV2Exchange', feature: 'trading', standard: 'ERC20' },
  { id: 'PusdV2Router', feature: 'positions', standard: 'ERC20' },
  { id: 'V2PositionManagerExchangeIsApprovedForAll', feature: 'trading', standard: 'ERC1155' },
  { id: 'V2PositionManagerRouterIsApprovedForAll', feature: 'positions', standard: 'ERC1155' },
] as const;

/** An approval. The Data API does not list the adapters of Protocol V1, so their names are the simulator's. */
export type ApprovalId = (typeof APPROVALS)[number]['id'] | 'PusdAdapter' | 'CtfAdapterIsApprovedForAll';

/** Returns the approval that an order needs: for dollars to buy, for shares to sell. */
export function approvalFor(isBuy: boolean): ApprovalId {
  return isBuy ? 'PusdV2Exchange' : 'V2PositionManagerExchangeIsApprovedForAll';
}
