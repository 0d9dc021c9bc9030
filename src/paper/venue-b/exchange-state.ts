// State of the whole exchange: active or not, trading or not (venue-b.md §4.1). A pause cancels the orders that asked for it.
// Thread of the paper exchanges.

import type { Engine } from '../engine/engine.ts';
import type { Bookkeeping } from './bookkeeping.ts';
import type { OrderLedger } from './order-ledger.ts';
import type { Requests } from './requests.ts';

interface ExchangeStateParts {
  readonly engine: Engine;
  readonly requests: Requests;
  readonly bookkeeping: Bookkeeping;
  readonly ledger: OrderLedger;
}

export class ExchangeState {
  readonly #parts: ExchangeStateParts;
  #isTrading = true;
  #isExchange = true;

  constructor(parts: ExchangeStateParts) {
    this.#parts = parts;
  }

  get isTradingActive(): boolean {
    return this.#isTrading;
  }

  get isExchangeActive(): boolean {
    return this.#isExchange;
  }

  /** Paused trading accepts cancels, but no orders. */
  setTradingActive(isActive: boolean): void {
    this.#isTrading = isActive;
    if (!isActive) this.#cancelOnPause();
  }

  /** A paused exchange accepts nothing. */
  setExchangeActive(isActive: boolean): void {
    this.#isExchange = isActive;
    if (!isActive) this.#cancelOnPause();
  }

  /** Why no order may be placed or amended now. */
  refusal(): 'exchange-paused' | 'trading-paused' | null {
    if (!this.#isExchange) return 'exchange-paused';
    return this.#isTrading ? null : 'trading-paused';
  }

  #cancelOnPause(): void {
    const { engine, requests, bookkeeping, ledger } = this.#parts;
    requests.run(null, now =>
      bookkeeping.halting(() => {
        for (const { isCancelledOnPause, accountId, engineId } of ledger.allOpen()) {
          if (isCancelledOnPause && engineId !== null) engine.cancel(accountId, engineId, now);
        }
      }),
    );
  }
}
