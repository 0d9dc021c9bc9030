// Events and series as venue B shows them (venue-b.md §4.5), their keys in alphabetical order. Thread of the paper exchanges.

import type { JsonObject } from '../../../domain/json.ts';
import type { UnixMillis } from '../../../domain/numbers.ts';
import type { VenueBEventListing, VenueBSeries } from '../../catalog/listings.ts';
import { timeText } from '../wire-text.ts';

/** A simulation has no settlement source: the name says so, and the domain of the address does not exist. */
export const SETTLEMENT_SOURCES = [{ name: 'Paper exchange', url: 'https://results.invalid' }] as const;

/** In an event's metadata: the scope that its sport's filters call `Games` (recorded). */
const SCOPE_NAMES: Readonly<Record<string, string>> = { Games: 'Game', Spreads: 'Spread', Totals: 'Point Total' };

export function scopeOf({ scope }: VenueBEventListing): string {
  return SCOPE_NAMES[scope] ?? scope;
}

/** `markets`: nested, if requested. */
export function eventObject(
  event: VenueBEventListing,
  updatedAt: UnixMillis,
  markets: readonly JsonObject[] | null,
): JsonObject {
  return {
    available_on_brokers: false,
    category: event.series.category,
    collateral_return_type: event.isMutuallyExclusive ? 'MECNET' : '',
    event_ticker: event.eventTicker,
    exchange_index: event.series.shard ?? 0,
    last_updated_ts: timeText(updatedAt),
    ...(markets === null ? {} : { markets }),
    mutually_exclusive: event.isMutuallyExclusive,
    product_metadata: { competition: event.competition, competition_scope: scopeOf(event) },
    series_ticker: event.series.ticker,
    settlement_sources: SETTLEMENT_SOURCES,
    strike_period: '',
    sub_title: event.subTitle,
    title: event.title,
  };
}

/** `more`: fields shown on request. */
export function seriesObject(
  series: VenueBSeries,
  updatedAt: UnixMillis,
  more: { readonly scope?: string; readonly volume?: string },
): JsonObject {
  const name = series.ticker.replace(/^KX/, '');
  return {
    additional_prohibitions: [],
    categories: [series.category],
    category: series.category,
    contract_terms_url: `https://contracts.invalid/terms/${name}.pdf`,
    contract_url: `https://contracts.invalid/certifications/${name}.pdf`,
    exchange_index: series.shard ?? 0,
    fee_multiplier: Number(series.feeMultiplier),
    fee_type: series.feeType,
    frequency: series.frequency,
    last_updated_ts: timeText(updatedAt),
    ...(more.scope === undefined ? {} : { product_metadata: { scope: more.scope } }),
    settlement_sources: SETTLEMENT_SOURCES,
    tags: series.tags,
    ticker: series.ticker,
    title: series.title,
    ...(more.volume === undefined ? {} : { volume_fp: more.volume }),
  };
}
