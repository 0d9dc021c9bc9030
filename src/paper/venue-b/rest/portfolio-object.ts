// Positions and settlements as venue B shows them to their owner (venue-b.md §6): keys in alphabetical order.
// Thread of the paper exchanges.

import type { JsonObject } from '../../../domain/json.ts';
import { type MicroDollars, type MicroShares, TICKS_PER_CENT } from '../../../domain/numbers.ts';
import type { PositionRecord, SettlementRecord } from '../records.ts';
import { countText, moneyText, timeText } from '../wire-text.ts';
import { centsOf } from './money-text.ts';

export function marketPositionObject(position: PositionRecord): JsonObject {
  return {
    exchange_index: position.market.shard,
    fees_paid_dollars: moneyText(position.fees),
    last_updated_ts: timeText(position.updatedAt),
    market_exposure_dollars: moneyText(position.exposure),
    position_fp: countText(position.position),
    realized_pnl_dollars: moneyText(position.realizedPnl),
    ticker: position.market.ticker,
    total_traded_dollars: moneyText(position.traded),
  };
}

/** One object for each event of the positions, in their order. */
export function eventPositionObjects(positions: readonly PositionRecord[]): JsonObject[] {
  const byEvent = Map.groupBy(positions, ({ market }) => market.event.eventTicker);
  return [...byEvent].map(([eventTicker, ofEvent]) => {
    const dollars = (of: (position: PositionRecord) => MicroDollars) =>
      moneyText(ofEvent.reduce((sum, position) => sum + of(position), 0) as MicroDollars);
    const volume = ofEvent.reduce((sum, position) => sum + position.volume, 0) as MicroShares;
    return {
      event_exposure_dollars: dollars(position => position.exposure),
      event_ticker: eventTicker,
      fees_paid_dollars: dollars(position => position.fees),
      realized_pnl_dollars: dollars(position => position.realizedPnl),
      total_cost_dollars: dollars(position => position.traded),
      total_cost_shares_fp: countText(volume),
    };
  });
}

export function settlementObject(settlement: SettlementRecord): JsonObject {
  const { market } = settlement;
  return {
    event_ticker: market.event.eventTicker,
    exchange_index: market.shard,
    fee_cost: moneyText(settlement.fees),
    market_result: settlement.result,
    no_count_fp: countText(settlement.noCount),
    no_total_cost_dollars: moneyText(settlement.noCost),
    revenue: centsOf(settlement.revenue),
    settled_time: timeText(settlement.settledAt),
    ticker: market.ticker,
    value: Math.floor(settlement.yesValue / TICKS_PER_CENT),
    yes_count_fp: countText(settlement.yesCount),
    yes_total_cost_dollars: moneyText(settlement.yesCost),
  };
}
