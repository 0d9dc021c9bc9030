// Makes one trade from the engine's fills of one request: taker, makers and price, and the effects on orders, positions and market. A taker
// has one trade, with any number of makers (venue-a.md §6.3).

import { BID } from '../../core/domain/market.ts';
import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { assert, type Result } from '../../core/domain/result.ts';
import type { Random } from '../../core/runtime/random.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import { lastTradeTexts } from '../../venues/venue-a/token-books.ts';
import type { Engine } from '../engine/engine.ts';
import { type AccountId, type Fill, yesCost } from '../engine/engine-types.ts';
import type { Faults } from '../faults/faults.ts';
import { hash32, uuid } from '../ids.ts';
import { MarketRecords, type Young } from '../record-ring.ts';
import type { ClientOrder } from './client-order.ts';
import type { HouseAccounts } from './house-accounts.ts';
import type { VenueAKeeper } from './kept-records.ts';
import { sideOf, type VenueAMarket } from './market.ts';
import type { OrderLedger } from './order-ledger.ts';
import {
  type MakerFill,
  type Observers,
  type OrderRecord,
  Trade,
  type TradeRecord,
  type TradeStatus,
} from './records.ts';
import { type Match, moveCash, type Part, type Party, type Wallet } from './wallet.ts';

interface Booked {
  readonly trade: Trade;
  readonly matches: readonly Match[];
  /** The callers' orders that were makers. */
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

  /** Takes up a trade of an earlier run. `walletOf` finds the wallet of a caller by its address. */
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
    // A trade of the house with itself counts as settled at once.
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

/** Returns the changes of an order's record by a trade. Only the last trades are named. */
export function withTrade(record: OrderRecord, size: MicroShares, tradeId: string) {
  const tradeIds = [...record.tradeIds.slice(1 - limits.paperVenueATradesPerOrderMax), tradeId];
  return { matched: (record.matched + size) as MicroShares, tradeIds };
}

/** Books one party's part of a fill in its position. The first token costs the price of YES, the second the rest of a dollar. */
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

/** Sets the market's last trade: the price of the last fill, and the text of its maker's price. */
function markPrice(market: VenueAMarket, last: Fill, maker: Party): void {
  market.lastYesPrice = last.price;
  market.lastTradeText = lastTradeTexts(maker.price, market.tickSize)[0]!;
}

/** Returns the average price, rounded to the grid: down for a buyer, up for a seller. */
function averagePrice({ market, isBuy }: Party, dollars: MicroDollars, size: MicroShares): Ticks {
  const [dividend, divisor] = [BigInt(dollars) * BigInt(TICKS_PER_DOLLAR), BigInt(size) * BigInt(market.tick)];
  const steps = isBuy ? dividend / divisor : (dividend + divisor - 1n) / divisor;
  return (Number(steps) * market.tick) as Ticks;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface SettlementParts {
  readonly engine: Engine;
  readonly house: HouseAccounts;
  readonly timers: Timers;
  readonly faults: Faults;
  readonly random: Random;
  readonly observers: Observers;
  readonly keeper: VenueAKeeper;
}

/** A status, and the delay after the status before it. */
type Step = readonly [status: TradeStatus, afterMs: number];

export class Settlements {
  readonly #parts: SettlementParts;
  /** The trades that will fail, each with the function that undoes it. */
  readonly #failing = new Map<Trade, () => void>();
  readonly #stops = new Set<() => void>();

  constructor(parts: SettlementParts) {
    this.#parts = parts;
  }

  begin(trade: Trade, matches: readonly Match[]): void {
    const { faults } = this.#parts;
    const fate = faults.ofSettlement('venue_a');
    const confirmedMs = faults.settlementDelayMs('venue_a') ?? limits.paperVenueAConfirmedMs;
    const minedMs = Math.floor((confirmedMs * limits.paperVenueAMinedMs) / limits.paperVenueAConfirmedMs);
    const restMs = confirmedMs - minedMs;
    const settle = settled(minedMs, restMs);
    const retry: readonly Step[] = [
      ['RETRYING', minedMs],
      ['MATCHED', minedMs],
    ];
    if (fate === 'fails') this.#scheduleFailure(trade, matches, confirmedMs);
    else this.#follow(trade, fate === 'retries' ? [...retry, ...settle] : settle);
  }

  /** Settles a trade of an earlier run, even if that trade was to fail. */
  takeUp(trade: Trade): void {
    const { status } = trade.record;
    if (status === 'CONFIRMED' || status === 'FAILED') return;
    const { paperVenueAMinedMs: minedMs, paperVenueAConfirmedMs: confirmedMs } = limits;
    const steps = settled(minedMs, confirmedMs - minedMs);
    this.#follow(trade, status === 'MINED' ? steps.slice(1) : steps);
  }

  /** Lets trades of a market that will fail do so now, before the market pays out. */
  failAll(market: VenueAMarket): void {
    for (const [trade, fail] of this.#failing) if (trade.record.market === market) fail();
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#stops.clear();
  }

  #follow(trade: Trade, [step, ...rest]: readonly Step[]): void {
    if (step === undefined) return;
    const [status, afterMs] = step;
    this.#after(afterMs, () => {
      const isSentAgain = status === 'MATCHED';
      this.#changeAndNotify(trade, isSentAgain ? { status, transactionHash: hash32(this.#parts.random) } : { status });
      this.#follow(trade, rest);
    });
  }

  #scheduleFailure(trade: Trade, matches: readonly Match[], afterMs: number): void {
    for (const match of matches) this.#withhold(match);
    const stop = this.#after(afterMs, () => fail());
    const fail = () => {
      stop();
      this.#failing.delete(trade);
      for (const match of matches) this.#undo(match);
      this.#changeAndNotify(trade, { status: 'FAILED' });
    };
    this.#failing.set(trade, fail);
  }

  #changeAndNotify(trade: Trade, change: Partial<Pick<TradeRecord, 'status' | 'transactionHash'>>): void {
    const { timers, observers, keeper } = this.#parts;
    const record = trade.change(timers.now(), change);
    keeper.trade(record);
    keeper.commit();
    observers.emit({ type: 'trade-status', trade: record });
  }

  #withhold({ taker, maker }: Match): void {
    const { engine, house } = this.#parts;
    for (const part of [taker, maker]) {
      const { party, fee, dollars } = part;
      if (party.isBuy) this.#handShares(part, party.account, house.escrow);
      else moveCash(engine, party.account, house.escrow, (dollars - fee) as MicroDollars);
      if (!party.isBuy) addWithheld(part, dollars - fee);
    }
  }

  #undo({ taker, maker }: Match): void {
    const { engine, house } = this.#parts;
    const { size } = taker;
    moveCash(engine, house.treasury, house.escrow, (taker.fee + maker.fee) as MicroDollars);
    const isAllBuy = taker.party.isBuy && maker.party.isBuy;
    const isAllSell = !taker.party.isBuy && !maker.party.isBuy;
    if (isAllBuy) assertDone(engine.redeemPair(house.escrow, taker.party.market.id, size));
    if (isAllSell) assertDone(engine.mintPair(house.escrow, taker.party.market.id, size));
    for (const part of [taker, maker]) {
      const { party, fee, dollars, costSold } = part;
      const position = party.wallet?.position(party.market, party.token);
      if (party.isBuy) {
        moveCash(engine, house.escrow, party.account, (dollars + fee) as MicroDollars);
        position?.undoBuy(size, dollars);
      } else {
        this.#handShares(part, house.escrow, party.account);
        position?.undoSell(size, dollars, costSold);
        addWithheld(part, fee - dollars);
      }
      if (party.wallet !== null) this.#parts.keeper.shares(party.wallet, party.market);
    }
  }

  #handShares({ party, size }: Part, from: AccountId, to: AccountId): void {
    const { market, token } = party;
    assertDone(this.#parts.engine.giveShares(from, to, market.id, sideOf(token, true), size));
  }

  #after(delayMs: number, task: () => void): () => void {
    const cancel = this.#parts.timers.after(delayMs, () => {
      this.#stops.delete(stop);
      task();
    });
    const stop = () => {
      this.#stops.delete(stop);
      cancel();
    };
    this.#stops.add(stop);
    return stop;
  }
}

function settled(minedMs: number, restMs: number): readonly Step[] {
  return [
    ['MINED', minedMs],
    ['CONFIRMED', restMs],
  ];
}

function addWithheld({ party: { wallet } }: Part, more: number): void {
  if (wallet !== null) wallet.withheld = (wallet.withheld + more) as MicroDollars;
}

function assertDone(result: Result<void, string>): void {
  assert(result.ok, `what is in escrow cannot be moved: ${result.ok ? '' : result.error}`);
}
