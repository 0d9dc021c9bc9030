// Trades of venue A as fills with their fees: a trade does not say what it cost, its market does. Any thread.

import { fail, ok, type Result } from '../../../domain/result.ts';
import type { VenueFill } from '../../venue.ts';
import type { MarketTermsCache } from './market-terms-cache.ts';
import { NO_FEES } from './taker-fee.ts';
import { fillsOf, type Trade, type Wanted } from './trades.ts';

export class TradeFills {
  readonly #terms: MarketTermsCache;

  constructor(terms: MarketTermsCache) {
    this.#terms = terms;
  }

  /** The message says why the market's fees cannot be had now. */
  async of(trade: Trade, isWanted: Wanted): Promise<Result<readonly VenueFill[], string>> {
    const known = this.#terms.known(trade.conditionId);
    if (known !== null) return ok(fillsOf(trade, isWanted, known.fees));
    const terms = await this.#terms.ofCondition(trade.conditionId);
    if (terms.ok) return ok(fillsOf(trade, isWanted, terms.value.fees));
    if (terms.error.type === 'unavailable') return fail(terms.error.message);
    // A market that the venue has forgotten: its trades are told all the same.
    return ok(fillsOf(trade, isWanted, NO_FEES));
  }

  async ofAll(trades: readonly Trade[], isWanted: Wanted): Promise<Result<readonly VenueFill[], string>> {
    const fills: VenueFill[] = [];
    for (const trade of trades) {
      const told = await this.of(trade, isWanted);
      if (!told.ok) return told;
      for (const fill of told.value) fills.push(fill);
    }
    return ok(fills);
  }
}
