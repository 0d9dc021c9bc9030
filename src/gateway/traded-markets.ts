// Keeps the markets with an open order or a position subscribed (contract §5). Each order event adds its market. In addition, rounds ask
// the engine for all such markets. A round finds markets that no event reports, after settlements and orphan fills, and markets that are
// over. Main thread.

import { type MarketKey, marketKey } from '../core/domain/market.ts';
import { isTerminal } from '../core/domain/order.ts';
import { addressOf } from '../core/domain/order-frame.ts';
import type { Log } from '../core/runtime/log.ts';
import { inTurns, type Timers } from '../core/runtime/timers.ts';
import { StoreError } from '../core/store/store-error.ts';
import { limits } from '../limits.ts';
import type { OrderNews } from '../orders/engine/engine-messages.ts';
import type { KeptMarkets } from './stream/kept-markets.ts';

interface TradedMarketsParts {
  readonly kept: Pick<KeptMarkets, 'beginRound' | 'keep' | 'endRound'>;
  /** The markets of all open orders and positions of all owners. Rejects with a StoreError if they cannot be read. */
  readonly heldMarkets: () => Promise<readonly MarketKey[]>;
  readonly timers: Timers;
  readonly log: Log;
}

export class TradedMarkets {
  readonly #parts: TradedMarketsParts;
  #isClosed = false;
  #cancelRound: () => void = () => {};

  constructor(parts: TradedMarketsParts) {
    this.#parts = parts;
  }

  start(): void {
    void this.#goRound();
  }

  /** Takes in the events of committed changes. */
  readonly handleNews = (news: readonly OrderNews[]): void => {
    const { kept } = this.#parts;
    for (let index = 0; index < news.length; index++) {
      const { order, record } = news[index]!;
      if (order === null) {
        const { tokenId, complementId } = record.action;
        for (const address of [tokenId, complementId]) kept.keep(marketKey('venue_a', address));
      } else if (!isTerminal(order.status) || order.traded > 0)
        kept.keep(marketKey(order.request.venue, addressOf(order.request)));
    }
  };

  close(): void {
    this.#isClosed = true;
    this.#cancelRound();
  }

  async #goRound(): Promise<void> {
    const { kept, heldMarkets, timers, log } = this.#parts;
    try {
      // The round begins before the engine is asked, so that an order event during the engine's answer counts in this round.
      kept.beginRound();
      for await (const market of inTurns(await heldMarkets(), limits.keptRowsPerTurnMax)) {
        if (this.#isClosed) return;
        kept.keep(market);
      }
      if (!this.#isClosed) kept.endRound();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // The markets kept so far stay subscribed, and events still add new ones.
      log.warn('the markets of orders and positions cannot be read', { error: error.message });
    }
    if (this.#isClosed) return;
    this.#cancelRound = timers.after(limits.keptMarketsRoundMs, () => void this.#goRound());
  }
}
