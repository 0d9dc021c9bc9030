// Converts trades of venue A to fills with their fees. The market states the fee, not the trade. A taker's fills are identified by their
// makers. A trade with missing numbers is read again by its id. Parts that are still missing are listed as unread, and the other fills
// count. Any thread.

import { isFinal } from '../../../core/domain/fill.ts';
import { fail, ok } from '../../../core/domain/result.ts';
import { limits } from '../../../limits.ts';
import { unreadRow } from '../../unread-rows.ts';
import type { Listed, Reading, UnreadRow, VenueFill } from '../../venue.ts';
import { type FeeTerms, type MarketTermsCache, NO_FEES } from './market-terms.ts';
import { readPages } from './pages.ts';
import { fillsOf, isWhole, lostOf, type Party, TRADE_ROWS, type Trade, type TradeRow, type Wanted } from './trades.ts';
import type { VenueApi } from './venue-api.ts';

export class TradeFills {
  readonly #api: VenueApi;
  readonly #terms: MarketTermsCache;

  constructor(api: VenueApi, terms: MarketTermsCache) {
    this.#api = api;
    this.#terms = terms;
  }

  async of(trade: TradeRow, wanted: Wanted): Promise<Listed<VenueFill>> {
    if (!concerns(trade, wanted)) return { rows: [], unread: [] };
    const read = isWhole(trade, wanted) ? trade : await this.#byId(trade, wanted);
    if (read === null) return this.#asUnread(trade, wanted);
    const lost = lostOf(read, wanted);
    const unread = lost.length === 0 ? [] : [await this.#unreadRowOf(read, lost)];
    if (read.type === 'unread' || !partiesOf(read).some(wanted.is)) return { rows: [], unread };
    const fees = await this.#feesOf(read);
    // Without the market's fees the fills must wait.
    return fees === null ? this.#asUnread(read, wanted) : { rows: fillsOf(read, wanted, fees), unread };
  }

  /** Returns the fills of all trades. The error says why no fills are available now. */
  async ofAll(trades: readonly TradeRow[], wanted: Wanted): Reading<Listed<VenueFill>> {
    const rows: VenueFill[] = [];
    const unread: UnreadRow[] = [];
    /** Markets whose fees were unavailable. */
    const silent = new Set<string>();
    let requestsLeft: number = limits.venueATradesAskedMax;
    for (const trade of trades.filter(it => concerns(it, wanted))) {
      const isAsked = !isWhole(trade, wanted);
      const isLater = silent.has(trade.conditionId) || (isAsked && requestsLeft === 0);
      const listed = await (isLater ? this.#asUnread(trade, wanted) : this.of(trade, wanted));
      rows.push(...listed.rows);
      unread.push(...listed.unread);
      if (isAsked) requestsLeft = Math.max(0, requestsLeft - 1);
      else if (listed.unread.length > 0) silent.add(trade.conditionId);
      if (silent.size > limits.venueAMarketsUnreportedMax) return fail('/clob-markets: markets are not described now');
    }
    return ok({ rows, unread });
  }

  /**
   * Reads the trade by its id. A trade that is booked first without its makers and later with them would be booked twice. Returns null if
   * no answer comes now.
   */
  async #byId(trade: TradeRow, wanted: Wanted): Promise<TradeRow | null> {
    if (trade.tradeId === '') return trade;
    const query = { path: '/data/trades', filters: { id: trade.tradeId }, deadline: null } as const;
    const found = await readPages(this.#api, query, TRADE_ROWS);
    if (!found.ok) return null;
    const rows = found.value.rows.filter(row => row.tradeId === trade.tradeId);
    const whole = rows.find((row): row is Trade => isWhole(row, wanted));
    if (whole === undefined) return trade;
    return trade.type === 'trade' ? { ...whole, settlement: trade.settlement } : whole;
  }

  /** Returns the whole trade as unread, until its missing parts are available. */
  async #asUnread(trade: TradeRow, wanted: Wanted): Promise<Listed<VenueFill>> {
    const lost = lostOf(trade, wanted);
    const parties = lost.length > 0 ? lost : partiesOf(trade).filter(wanted.is);
    return { rows: [], unread: [await this.#unreadRowOf(trade, parties, 'later')] };
  }

  /** Returns the fees of the trade's market, or null if they are not available now. */
  async #feesOf({ conditionId }: Trade): Promise<FeeTerms | null> {
    const fees = await this.#terms.feesOf(conditionId);
    if (fees.ok) return fees.value;
    // If the venue does not know the market any more, its trades still count, without fees.
    return fees.error.type === 'unavailable' ? null : NO_FEES;
  }

  /**
   * Returns an unread trade. `parties` are the parties with missing data. `later` means that the trade was not read by its id, or its fee
   * is unknown.
   */
  async #unreadRowOf(trade: TradeRow, parties: readonly Party[], when: 'now' | 'later' = 'now'): Promise<UnreadRow> {
    const { tradeId, conditionId, executedAt, row } = trade;
    const isGarbled = parties.some(party => 'isGarbled' in party && party.isGarbled === true);
    const tokens = await this.#terms.tokensOf(conditionId);
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
