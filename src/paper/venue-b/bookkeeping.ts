// Converts the engine's events to venue B's records: trades, fills, orders and positions. House orders leave only trades and levels. It
// hears the engine's events within a request, and never calls the engine. Thread of the paper exchanges.

import { ASK, BID, type Side } from '../../core/domain/market.ts';
import type { MicroDollars, MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import {
  type CancelReason,
  costOfNo,
  type EngineEvent,
  type Fill,
  type MarketId,
  type OrderId,
  yesCost,
} from '../engine/engine-types.ts';
import type { Uuids } from '../ids.ts';
import { MarketRecords, type Young } from '../record-ring.ts';
import type { Journal } from './journal.ts';
import type { MarketResult, VenueBMarket } from './market.ts';
import type { OrderLedger } from './order-ledger.ts';
import { Position } from './position.ts';
import type { TradeRecord, UpdateReason } from './records.ts';
import type { OrderGroup, OwnerAccount, VenueBOrder } from './venue-b-order.ts';

interface BookkeepingParts {
  readonly journal: Journal;
  readonly ledger: OrderLedger;
  /** The markets by the engine's id. */
  readonly markets: readonly (VenueBMarket | undefined)[];
  readonly positions: PositionBook;
  readonly uuids: Uuids;
  readonly young: Young;
}

interface Execution {
  readonly role: 'taker' | 'maker';
  readonly side: Side;
  readonly fee: MicroDollars;
}

export class Bookkeeping {
  readonly #parts: BookkeepingParts;
  readonly #trades: MarketRecords<TradeRecord, VenueBMarket>;
  /** The order groups with a match in the current request. */
  readonly #matchedGroups = new Set<OrderGroup>();
  /** The order that the engine is about to accept. */
  #expected: VenueBOrder | null = null;
  #isHalting = false;

  constructor(parts: BookkeepingParts) {
    this.#parts = parts;
    this.#trades = new MarketRecords({
      max: limits.paperTradesMax,
      young: parts.young,
      marketOf: trade => trade.market,
    });
  }

  trades(market: VenueBMarket | null): Iterable<TradeRecord> {
    return market === null ? this.#trades.all() : this.#trades.of(market);
  }

  forget(market: VenueBMarket): void {
    this.#trades.forget(market);
    this.#parts.positions.forget(market);
  }

  /** Runs `place`, which passes the order to the engine. */
  expecting<T>(order: VenueBOrder, place: () => T): T {
    this.#expected = order;
    const result = place();
    this.#expected = null;
    return result;
  }

  /** Runs `work`. Orders that it cancels count as cancelled by a halt. */
  halting(work: () => void): void {
    this.#isHalting = true;
    work();
    this.#isHalting = false;
  }

  takeMatchedGroups(): readonly OrderGroup[] {
    if (this.#matchedGroups.size === 0) return [];
    const groups = [...this.#matchedGroups];
    this.#matchedGroups.clear();
    return groups;
  }

  handle(event: EngineEvent): void {
    switch (event.type) {
      case 'accepted':
        this.#accepted(event.order);
        break;
      case 'fill':
        this.#matched(event);
        break;
      case 'amended':
        this.#amended(event);
        break;
      case 'cancelled':
        this.#cancelled(event);
        break;
      case 'level':
        this.#parts.journal.touchLevel(this.#parts.markets[event.market]!, event);
        break;
      case 'market':
      case 'settled':
        break;
      default:
        unreachable(event);
    }
  }

  #accepted(id: OrderId): void {
    const order = this.#expected;
    if (order === null) return;
    this.#parts.ledger.accept(order, id);
    this.#parts.journal.touchOrder(order);
  }

  #matched(fill: Fill): void {
    const { journal, markets, uuids } = this.#parts;
    const { price, size, takerSide, takerFee, makerFee } = fill;
    const market = markets[fill.market]!;
    const trade = { tradeId: uuids.next(), market, price, size, takerSide, at: journal.now };
    market.lastPrice = price;
    market.volume = (market.volume + size) as MicroShares;
    this.#trades.push(trade);
    journal.emit({ type: 'trade', trade });
    this.#filled(fill.taker, trade, { role: 'taker', side: takerSide, fee: takerFee });
    this.#filled(fill.maker, trade, { role: 'maker', side: takerSide === BID ? ASK : BID, fee: makerFee });
  }

  #filled(id: OrderId, trade: TradeRecord, { role, side, fee }: Execution): void {
    const { journal, ledger, positions } = this.#parts;
    const order = ledger.open(id);
    if (order === undefined) return;
    const { account, market, group, orderId, clientOrderId } = order;
    const { size, price, at } = trade;
    order.addFill(role, size, side === BID ? yesCost(price, size) : costOfNo(price, size), fee);
    const position = positions.of(account, market);
    position.addFill(side, price, size, fee);
    const fill = {
      trade,
      orderId,
      clientOrderId,
      owner: account.owner,
      side,
      isTaker: role === 'taker',
      fee,
      positionAfter: position.size,
    };
    account.fills.push(fill);
    journal.emit({ type: 'fill', fill });
    journal.touchOrder(order);
    journal.touchPosition(account, position);
    if (group !== null) {
      group.addMatch(size, at);
      this.#matchedGroups.add(group);
    }
    if (order.remaining === 0) ledger.end(order, 'executed', 'Trade');
  }

  #amended({ order: id, price, resting }: Extract<EngineEvent, { type: 'amended' }>): void {
    const order = this.#parts.ledger.open(id);
    if (order === undefined) return;
    order.price = price;
    order.remaining = resting;
    order.reason = 'Amend';
    this.#parts.journal.touchOrder(order);
  }

  #cancelled({ order: id, size, reason }: Extract<EngineEvent, { type: 'cancelled' }>): void {
    const { journal, ledger } = this.#parts;
    const order = ledger.open(id);
    if (order === undefined) return;
    ledger.end(order, 'canceled', this.#updateReason(order, size, reason));
    journal.touchOrder(order);
  }

  #updateReason(order: VenueBOrder, size: MicroShares, reason: CancelReason): UpdateReason | null {
    switch (reason) {
      case 'user':
        return this.#isHalting ? 'HaltCancel' : null;
      case 'ioc':
        return order.filled + size < order.initial ? 'ReduceOnlyCancel' : order.reason;
      case 'self-trade':
        return 'SelfTradeCancel';
      case 'expiry':
        return 'ExpiryCancel';
      case 'close':
        return this.#isHalting ? 'HaltCancel' : 'CloseCancel';
      case 'decrease':
        return 'Decrease';
      default:
        return unreachable(reason);
    }
  }
}

export class PositionBook {
  readonly #holders = new Map<MarketId, OwnerAccount[]>();

  of(account: OwnerAccount, market: VenueBMarket): Position {
    let position = account.positions.get(market.id);
    if (position === undefined) {
      position = new Position(account.owner, market);
      account.positions.set(market.id, position);
      const others = this.#holders.get(market.id);
      if (others === undefined) this.#holders.set(market.id, [account]);
      else others.push(account);
    }
    return position;
  }

  /** Forgets the market. Its holders keep their positions in the last such markets. */
  forget(market: VenueBMarket): void {
    for (const account of this.holders(market)) account.leave(market.id);
    this.#holders.delete(market.id);
  }

  /** Returns the accounts with a position in the market, in the order of their first fills. */
  holders(market: VenueBMarket): readonly OwnerAccount[] {
    return this.#holders.get(market.id) ?? [];
  }
}

const NO_SHARES = 0 as MicroShares;
const NO_MONEY = 0 as MicroDollars;

interface Outcome extends MarketResult {
  readonly settledAt: UnixMillis;
}

export function settlePositions(
  positions: PositionBook,
  market: VenueBMarket,
  outcome: Outcome,
  journal: Journal,
): void {
  const { result, yesValue, settledAt } = outcome;
  for (const account of positions.holders(market)) {
    const position = positions.of(account, market);
    const { size, exposure, fees } = position;
    const revenue = position.settle(yesValue);
    journal.touchPosition(account, position);
    if (size === 0) continue;
    const isYes = size > 0;
    const settlement = {
      owner: account.owner,
      market,
      result,
      yesValue,
      yesCount: isYes ? size : NO_SHARES,
      yesCost: isYes ? exposure : NO_MONEY,
      noCount: isYes ? NO_SHARES : (-size as MicroShares),
      noCost: isYes ? NO_MONEY : exposure,
      revenue,
      fees,
      settledAt,
    };
    account.settlements.push(settlement);
    journal.settled(settlement);
  }
}
