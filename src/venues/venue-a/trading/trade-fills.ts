// Trades of venue A as fills with their fees: a trade does not say what it cost, its market does; and a taker's fills are told apart by
// the makers, so that a trade without them is read once more by its id before it is any fill. Any thread.

import { isFinal } from '../../../domain/fill.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { VenueFill } from '../../venue.ts';
import type { MarketTermsCache } from './market-terms-cache.ts';
import { readPages } from './pages.ts';
import { NO_FEES } from './taker-fee.ts';
import { fillsOf, TRADE_ROWS, type Trade, tellsMakers, type Wanted } from './trades.ts';
import type { VenueApi } from './venue-api.ts';

export interface TradeFillsParts {
  readonly api: VenueApi;
  readonly terms: MarketTermsCache;
  readonly now: () => number;
}

export class TradeFills {
  readonly #parts: TradeFillsParts;

  constructor(parts: TradeFillsParts) {
    this.#parts = parts;
  }

  /** The message says why the market's fees or the trade's makers cannot be had now. */
  async of(trade: Trade, isWanted: Wanted): Promise<Result<readonly VenueFill[], string>> {
    const { terms } = this.#parts;
    const told = isWanted(trade) && !tellsMakers(trade) ? await this.#withMakers(trade) : ok(trade);
    if (!told.ok) return told;
    const fees = await terms.feesOf(trade.conditionId);
    if (fees.ok) return ok(fillsOf(told.value, isWanted, fees.value));
    if (fees.error.type === 'unavailable') return fail(fees.error.message);
    // A market that the venue has forgotten: its trades are told all the same.
    return ok(fillsOf(told.value, isWanted, NO_FEES));
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

  /** Booked first without its makers and later with them, a trade would be booked twice; one that is not final may still name them. */
  async #withMakers(trade: Trade): Promise<Result<Trade, string>> {
    const { api, now } = this.#parts;
    const query = { path: '/data/trades', filters: { id: trade.tradeId }, deadline: null } as const;
    const rows = await readPages(api, now, query, TRADE_ROWS);
    if (!rows.ok) return rows;
    const whole = rows.value.find(row => row.tradeId === trade.tradeId && tellsMakers(row));
    if (whole !== undefined) return ok({ ...whole, settlement: trade.settlement });
    if (!isFinal(trade.settlement)) return fail(`trade ${trade.tradeId}: its makers are not told yet`);
    return trade.price === null ? fail(`trade ${trade.tradeId}: neither makers nor a price`) : ok(trade);
  }
}
