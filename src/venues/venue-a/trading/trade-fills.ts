// Trades of venue A as fills with their fees. A trade does not say its fee, its market does; a taker's fills are told apart by the makers.
// A trade whose numbers are missing is read again by its id. What is missing then is listed as unread, and the other fills count. Any
// thread.

import { isFinal } from '../../../domain/fill.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import { unreadRow } from '../../listed.ts';
import type { Listed, UnreadRow, VenueFill } from '../../venue.ts';
import type { MarketTermsCache } from './market-terms-cache.ts';
import { readPages } from './pages.ts';
import { type FeeTerms, NO_FEES } from './taker-fee.ts';
import { fillsOf, isWhole, lostOf, type Party, TRADE_ROWS, type Trade, type TradeRow, type Wanted } from './trades.ts';
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

  async of(trade: TradeRow, wanted: Wanted): Promise<Listed<VenueFill>> {
    if (!concerns(trade, wanted)) return { rows: [], unread: [] };
    const told = isWhole(trade, wanted) ? trade : await this.#byId(trade, wanted);
    if (told === null) return this.#later(trade, wanted);
    const lost = lostOf(told, wanted);
    const unread = lost.length === 0 ? [] : [await this.#unread(told, lost)];
    if (told.type === 'unread' || !partiesOf(told).some(wanted.is)) return { rows: [], unread };
    const fees = await this.#feesOf(told);
    // Only its market says its fee.
    return fees === null ? this.#later(told, wanted) : { rows: fillsOf(told, wanted, fees), unread };
  }

  /** The message says why nothing can be told now. */
  async ofAll(trades: readonly TradeRow[], wanted: Wanted): Promise<Result<Listed<VenueFill>, string>> {
    const rows: VenueFill[] = [];
    const unread: UnreadRow[] = [];
    /** Markets whose fees could not be had. */
    const silent = new Set<string>();
    let asksLeft: number = limits.venueATradesAskedMax;
    for (const trade of trades.filter(it => concerns(it, wanted))) {
      const isAsked = !isWhole(trade, wanted);
      const isLater = silent.has(trade.conditionId) || (isAsked && asksLeft === 0);
      const told = await (isLater ? this.#later(trade, wanted) : this.of(trade, wanted));
      rows.push(...told.rows);
      unread.push(...told.unread);
      if (isAsked) asksLeft = Math.max(0, asksLeft - 1);
      else if (told.unread.length > 0) silent.add(trade.conditionId);
      if (silent.size > limits.venueAMarketsUnreportedMax) return fail('/clob-markets: markets are not described now');
    }
    return ok({ rows, unread });
  }

  /**
   * The trade as its own answer has it: booked first without its makers and later with them, it would be booked twice. Null: no answer now.
   */
  async #byId(trade: TradeRow, wanted: Wanted): Promise<TradeRow | null> {
    const { api, now } = this.#parts;
    if (trade.tradeId === '') return trade;
    const query = { path: '/data/trades', filters: { id: trade.tradeId }, deadline: null } as const;
    const found = await readPages(api, now, query, TRADE_ROWS);
    if (!found.ok) return null;
    const rows = found.value.rows.filter(row => row.tradeId === trade.tradeId);
    const whole = rows.find((row): row is Trade => isWhole(row, wanted));
    if (whole === undefined) return trade;
    return trade.type === 'trade' ? { ...whole, settlement: trade.settlement } : whole;
  }

  /** Unread as a whole, until what it lacks can be had. */
  async #later(trade: TradeRow, wanted: Wanted): Promise<Listed<VenueFill>> {
    const lost = lostOf(trade, wanted);
    const parties = lost.length > 0 ? lost : partiesOf(trade).filter(wanted.is);
    return { rows: [], unread: [await this.#unread(trade, parties, 'later')] };
  }

  /** Null: they cannot be had now. */
  async #feesOf({ conditionId }: Trade): Promise<FeeTerms | null> {
    const fees = await this.#parts.terms.feesOf(conditionId);
    if (fees.ok) return fees.value;
    // A market that the venue has forgotten: its trades are told all the same.
    return fees.error.type === 'unavailable' ? null : NO_FEES;
  }

  /** `parties`: of whom it does not say enough. `later`: it was not asked for by itself, or not what it has cost. */
  async #unread(trade: TradeRow, parties: readonly Party[], when: 'now' | 'later' = 'now'): Promise<UnreadRow> {
    const { tradeId, conditionId, executedAt, row } = trade;
    const isGarbled = parties.some(party => 'isGarbled' in party && party.isGarbled === true);
    const tokens = await this.#parts.terms.tokensOf(conditionId);
    const addresses = new Set([...parties.map(({ tokenId }) => tokenId), ...tokens]);
    addresses.delete('');
    return unreadRow('fill', tradeId, row, {
      tradeId,
      orders: parties.map(({ orderId }) => ({ venueOrderId: orderId, clientOrderId: null })),
      addresses: [...addresses],
      at: executedAt === 0 ? null : executedAt,
      isUnreported: trade.type === 'trade' && !isGarbled && (when === 'later' || !isFinal(trade.settlement)),
    });
  }
}

function partiesOf(trade: TradeRow): readonly Party[] {
  return trade.type === 'unread' ? trade.parties : [trade, ...trade.makers, ...trade.unread];
}

function concerns(trade: TradeRow, wanted: Wanted): boolean {
  return partiesOf(trade).some(wanted.is) || lostOf(trade, wanted).length > 0;
}
