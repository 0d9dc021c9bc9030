// Listeners by API key, and the exchange's events about their orders and trades as text (venue-a.md §6). No replay: earlier events are
// available by REST only. Thread of the paper exchanges.

import { formatMicroShares, formatTicks, type UnixMillis } from '../../../core/domain/numbers.ts';
import { unreachable } from '../../../core/domain/result.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { MakerFill, OrderRecord, TradeRecord, VenueAEvent } from '../records.ts';
import { secondsText } from '../rest/decimal-text.ts';
import { makerCommon, sideText } from '../rest/order-views.ts';

/** One client of the user channel. */
export interface UserListener {
  /** `operation` is the event's type. */
  hear(market: VenueAMarket, frame: string, operation: string): void;
}

export class UserChannel {
  readonly #exchange: VenueAExchange;
  readonly #timers: Timers;
  /** Listeners by API key. */
  readonly #listeners = new Map<string, Set<UserListener>>();

  constructor(exchange: VenueAExchange, timers: Timers) {
    this.#exchange = exchange;
    this.#timers = timers;
    exchange.observe(event => this.#on(event));
  }

  knows(conditionId: string): boolean {
    return this.#exchange.markets.has(conditionId);
  }

  join(listener: UserListener, apiKey: string): void {
    const listeners = this.#listeners.get(apiKey);
    if (listeners === undefined) this.#listeners.set(apiKey, new Set([listener]));
    else listeners.add(listener);
  }

  leave(listener: UserListener, apiKey: string): void {
    const listeners = this.#listeners.get(apiKey);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#listeners.delete(apiKey);
  }

  #on(event: VenueAEvent): void {
    switch (event.type) {
      case 'order': {
        const { order, change } = event;
        this.#tell(order.owner, order.market, 'order', () => orderFrame(order, change));
        return;
      }
      case 'trade':
      case 'trade-status':
        this.#trade(event.trade);
        return;
      case 'level':
      case 'tick-size':
      case 'created':
      case 'forgotten':
      case 'resolved':
        return;
      default:
        unreachable(event);
    }
  }

  /** The taker and each of the makers get the trade; a key that is both gets the taker's. */
  #trade(trade: TradeRecord): void {
    const at = this.#timers.now();
    this.#tell(trade.owner, trade.market, 'trade', () => tradeFrame(trade, 'TAKER', at));
    const makers = new Set(trade.makers.map(maker => maker.owner));
    makers.delete(trade.owner);
    for (const maker of makers) this.#tell(maker, trade.market, 'trade', () => tradeFrame(trade, 'MAKER', at));
  }

  /** A message without listeners is not written. */
  #tell(apiKey: string, market: VenueAMarket, operation: string, write: () => string): void {
    const listeners = this.#listeners.get(apiKey);
    if (listeners === undefined) return;
    const frame = write();
    for (const listener of listeners) listener.hear(market, frame, operation);
  }
}

type OrderChange = 'PLACEMENT' | 'UPDATE' | 'CANCELLATION';

export function orderFrame(order: OrderRecord, change: OrderChange): string {
  const { market, token, reason } = order;
  const { listing } = market;
  // An order that was refused at once was never open; those fields do not apply.
  const isRefused = change === 'CANCELLATION' && reason !== '' && order.status !== 'INVALID';
  return JSON.stringify({
    id: order.orderId,
    owner: order.owner,
    market: listing.conditionId,
    asset_id: listing.tokens[token],
    side: sideText(order.isBuy),
    order_owner: order.owner,
    original_size: formatMicroShares(order.size),
    size_matched: isRefused ? '' : formatMicroShares(order.matched),
    price: formatTicks(order.price),
    associate_trades: order.tradeIds,
    outcome: isRefused ? '' : listing.outcomes[token],
    type: change,
    created_at: isRefused ? '' : secondsText(order.createdAt),
    expiration: String(order.expirationS),
    order_type: order.type,
    status: reason === '' ? order.status : `${order.status}_${reason}`,
    maker_address: order.makerAddress,
    timestamp: String(order.updatedAt),
    event_type: 'order',
  });
}

/** The taker's trade, for all its listeners: a maker finds its part in `maker_orders`. */
export function tradeFrame(trade: TradeRecord, role: 'TAKER' | 'MAKER', at: UnixMillis): string {
  const { market, token } = trade;
  const { listing } = market;
  return JSON.stringify({
    type: 'TRADE',
    id: trade.tradeId,
    taker_order_id: trade.takerOrderId,
    market: listing.conditionId,
    asset_id: listing.tokens[token],
    side: sideText(trade.isBuy),
    size: formatMicroShares(trade.size),
    price: formatTicks(trade.price),
    fee_rate_bps: '0',
    status: trade.status,
    match_time: secondsText(trade.matchedAt),
    last_update: secondsText(trade.updatedAt),
    outcome: listing.outcomes[token],
    owner: trade.owner,
    trade_owner: trade.owner,
    maker_address: trade.makerAddress,
    transaction_hash: trade.transactionHash,
    bucket_index: 0,
    maker_orders: trade.makers.map(maker => makerOrder(maker, market)),
    trader_side: role,
    timestamp: String(at),
    event_type: 'trade',
  });
}

function makerOrder(maker: MakerFill, market: VenueAMarket): object {
  return { ...makerCommon(maker, market), outcome_index: maker.token, side: sideText(maker.isBuy) };
}
