// Listeners by API key, and the exchange's events about their orders and trades. No replay: earlier events are available by
// REST only (venue-a.md §6.1). Thread of the paper exchanges.

import { unreachable } from '../../../domain/result.ts';
import type { Timers } from '../../../runtime/timers.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { TradeRecord, VenueAEvent } from '../records.ts';
import { orderFrame, tradeFrame } from './user-frames.ts';

/** One client of the user channel. */
export interface UserListener {
  /** `operation`: the event's type. */
  hear(market: VenueAMarket, frame: string, operation: string): void;
}

export class UserChannel {
  readonly #exchange: VenueAExchange;
  readonly #timers: Timers;
  /** By API key. */
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

  /** Its taker and each of its makers get it; a key that is both gets the taker's. */
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
