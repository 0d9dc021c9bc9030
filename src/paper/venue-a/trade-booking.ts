// Makes one trade of the engine's fills of one request: taker, makers and price, and the effects on orders, positions and
// market. A taker has one trade, with any number of makers (venue-a.md §6.3).

import { BID } from '../../core/domain/market.ts';
import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import type { Random } from '../../core/runtime/random.ts';
import { limits } from '../../limits.ts';
import { lastTradeTexts } from '../../venues/venue-a/token-books.ts';
import type { Fill } from '../engine/engine-types.ts';
import { yesCost } from '../engine/money.ts';
import { hash32, uuid } from '../ids.ts';
import { MarketRecords, type Young } from '../record-ring.ts';
import type { ClientOrder } from './client-order.ts';
import type { HouseAccounts } from './house-accounts.ts';
import type { VenueAMarket } from './market.ts';
import type { Match, Part, Party } from './match.ts';
import type { OrderLedger } from './order-ledger.ts';
import { type MakerFill, type OrderRecord, Trade, type TradeRecord } from './records.ts';
import type { Wallet } from './wallet.ts';

interface Booked {
  readonly trade: Trade;
  readonly matches: readonly Match[];
  /** Callers' orders that were makers. */
  readonly makers: readonly ClientOrder[];
  /** Whether only the house traded. */
  readonly isAmongHouse: boolean;
}

export class TradeBooking {
  readonly #ledger: OrderLedger;
  readonly #house: HouseAccounts;
  readonly #random: Random;
  readonly #trades: MarketRecords<Trade, VenueAMarket>;

  constructor(ledger: OrderLedger, house: HouseAccounts, random: Random, young: Young) {
    this.#ledger = ledger;
    this.#house = house;
    this.#random = random;
    this.#trades = new MarketRecords({
      max: limits.paperVenueATradesMax,
      young,
      marketOf: trade => trade.record.market,
    });
  }

  /** All trades, newest first. */
  get trades(): Iterable<Trade> {
    return this.#trades.all();
  }

  tradesOf(market: VenueAMarket): Iterable<Trade> {
    return this.#trades.of(market);
  }

  forget(market: VenueAMarket): void {
    this.#trades.forget(market);
  }

  /** A trade of an earlier run. `walletOf`: of callers, by address. */
  takeUp(record: TradeRecord, walletOf: (address: string) => Wallet | undefined): Trade {
    const trade = new Trade(record);
    this.#trades.push(trade);
    const parties = [record, ...record.makers].filter(it => walletOf(it.makerAddress) !== undefined);
    for (const wallet of new Set(parties.map(it => walletOf(it.makerAddress)!))) wallet.trades.push(trade);
    for (const owner of new Set(parties.map(it => it.owner))) this.#ledger.addTrade(owner, trade);
    return trade;
  }

  book(taker: Party, fills: readonly Fill[], at: UnixMillis): Booked {
    const tradeId = uuid(this.#random);
    const matches: Match[] = [];
    const makers: ClientOrder[] = [];
    for (const fill of fills) {
      const side = fill.takerSide === BID ? 1 : 0;
      const order = this.#ledger.resting(fill.maker);
      const maker = order ?? this.#house.quoting({ id: fill.maker, market: taker.market, side, price: fill.price });
      matches.push({
        taker: bookPart(taker, fill, fill.takerFee),
        maker: bookPart(maker, fill, fill.makerFee),
      });
      if (order === undefined) continue;
      this.#fillMaker(order, fill.size, tradeId, at);
      makers.push(order);
    }
    const isAmongHouse = taker.wallet === null && makers.length === 0;
    const dollars = sum(matches.map(it => it.taker.dollars)) as MicroDollars;
    const names = { tradeId, transactionHash: hash32(this.#random) };
    // Trades of the house with itself settle without a wait.
    const status = isAmongHouse ? 'CONFIRMED' : 'MATCHED';
    const trade = new Trade(recordOf(taker, matches, dollars, { ...names, status }, at));
    this.#keep(trade, taker, matches);
    markPrice(taker.market, fills.at(-1)!, matches.at(-1)!.maker.party);
    for (const fill of fills) taker.market.volume = (taker.market.volume + fill.size) as MicroShares;
    return { trade, matches, makers, isAmongHouse };
  }

  #fillMaker(order: ClientOrder, size: MicroShares, tradeId: string, at: UnixMillis): void {
    const change = withTrade(order.record, size, tradeId);
    const isDone = change.matched === order.record.size;
    order.change(at, { ...change, status: isDone ? 'MATCHED' : 'LIVE' });
    if (isDone) this.#ledger.end(order);
  }

  #keep(trade: Trade, taker: Party, matches: readonly Match[]): void {
    this.#trades.push(trade);
    const clients = [taker, ...matches.map(it => it.maker.party)].filter(it => it.wallet !== null);
    for (const wallet of new Set(clients.map(it => it.wallet!))) wallet.trades.push(trade);
    for (const owner of new Set(clients.map(it => it.owner))) this.#ledger.addTrade(owner, trade);
  }
}

/** Adds a trade to an order's record; only the last trades are named. */
export function withTrade(record: OrderRecord, size: MicroShares, tradeId: string) {
  const tradeIds = [...record.tradeIds.slice(1 - limits.paperVenueATradesPerOrderMax), tradeId];
  return { matched: (record.matched + size) as MicroShares, tradeIds };
}

/** One side of a fill, entered into its position. Bids pay the price of YES, asks the rest of a dollar. */
function bookPart(party: Party, { price, size }: Fill, fee: MicroDollars): Part {
  const yesDollars = yesCost(price, size);
  const dollars = (party.token === 0 ? yesDollars : size - yesDollars) as MicroDollars;
  const position = party.wallet?.position(party.market, party.token);
  if (party.isBuy) position?.buy(size, dollars);
  const costSold = party.isBuy ? undefined : position?.sell(size, dollars);
  return { party, size, dollars, fee, costSold: costSold ?? (0 as MicroDollars) };
}

function recordOf(
  taker: Party,
  matches: readonly Match[],
  dollars: MicroDollars,
  { tradeId, transactionHash, status }: Pick<TradeRecord, 'tradeId' | 'transactionHash' | 'status'>,
  at: UnixMillis,
): TradeRecord {
  const size = sum(matches.map(it => it.taker.size)) as MicroShares;
  return {
    tradeId,
    status,
    market: taker.market,
    takerOrderId: taker.orderId,
    owner: taker.owner,
    makerAddress: taker.makerAddress,
    token: taker.token,
    isBuy: taker.isBuy,
    price: averagePrice(taker, dollars, size),
    size,
    dollars,
    takerFee: sum(matches.map(it => it.taker.fee)) as MicroDollars,
    builderCode: taker.builderCode,
    makers: matches.map(it => makerFill(it.maker)),
    matchedAt: at,
    updatedAt: at,
    transactionHash,
  };
}

function makerFill({ party, size }: Part): MakerFill {
  const { orderId, owner, makerAddress, token, isBuy, price, builderCode } = party;
  return { orderId, owner, makerAddress, token, isBuy, price, size, builderCode };
}

/** The last trade has the price of its last fill's maker. */
function markPrice(market: VenueAMarket, last: Fill, maker: Party): void {
  market.lastYesPrice = last.price;
  market.lastTradeText = lastTradeTexts(maker.price, market.tickSize)[0]!;
}

/** Rounds to the grid: down for a buyer, up for a seller. */
function averagePrice({ market, isBuy }: Party, dollars: MicroDollars, size: MicroShares): Ticks {
  const [dividend, divisor] = [BigInt(dollars) * BigInt(TICKS_PER_DOLLAR), BigInt(size) * BigInt(market.tick)];
  const steps = isBuy ? dividend / divisor : (dividend + divisor - 1n) / divisor;
  return (Number(steps) * market.tick) as Ticks;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
