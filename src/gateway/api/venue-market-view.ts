// Shows a venue market as the API returns it: its trading terms, and the best levels of its book. Main thread.

import { type FeeModel, formatRate } from '../../core/domain/fees.ts';
import type { GridBand } from '../../core/domain/grid.ts';
import type { MarketKey } from '../../core/domain/market.ts';
import type { MarketStatus } from '../../core/domain/market-summary.ts';
import {
  formatMicroDollars,
  formatMicroShares,
  formatTicks,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { formatTime } from '../../core/wire/time-text.ts';
import { type BookCopy, levelsOf, type SideCopy } from '../../market-data/book/reader.ts';
import type { TradingTerms } from '../../venues/trading-terms.ts';

export function venueMarketView({ venue, ...address }: MarketKey, terms: TradingTerms, book: BookCopy): object {
  const { title, grid, sizeMin, sizeStep, fees, closesAt, shard, settlementFloor } = terms;
  return {
    ...address,
    title,
    status: statusOf(terms.status, book).toUpperCase(),
    closesAt: closesAt === null ? null : formatTime(closesAt),
    priceRanges: grid.map(bandView),
    minimumSize: formatMicroShares(sizeMin),
    sizeStep: formatMicroShares(sizeStep),
    fees: fees === null ? null : feesView(fees),
    ...(venue === 'venue_b'
      ? { shard, settlementFloor: settlementFloor === null ? null : formatTicks(settlementFloor) }
      : {}),
    book: bookView(book),
    lastTradePrice: book.lastTrade === 0 ? null : formatTicks(book.lastTrade as Ticks),
  };
}

/** The market's status, corrected by the stream: the reading may be older than a pause, or its end, that the stream reported. */
function statusOf(status: MarketStatus, { state }: BookCopy): MarketStatus {
  if (state === 'HALTED' && status === 'open') return 'paused';
  return state === 'LIVE' && status === 'paused' ? 'open' : status;
}

function bandView({ start, end, step }: GridBand): object {
  return { start: formatTicks(start), end: formatTicks(end), step: formatTicks(step) };
}

function feesView({ takerRate, makerRate, exponent, step, rounding, waivedUntil }: FeeModel): object {
  return {
    takerRate: formatRate(takerRate),
    makerRate: formatRate(makerRate),
    exponent,
    roundedTo: formatMicroDollars(step),
    rounding,
    waivedUntil: waivedUntil === null ? null : formatTime(waivedUntil),
  };
}

function bookView({ epoch, seq, state, bids, asks, venueTime, receivedAt }: BookCopy): object {
  return {
    epoch,
    seq,
    state,
    bids: sideView(bids),
    asks: sideView(asks),
    venueTime: timeOrNull(venueTime),
    receivedAt: timeOrNull(receivedAt),
  };
}

function sideView(side: SideCopy): readonly (readonly string[])[] {
  return levelsOf(side).map(({ price, size }) => [formatTicks(price), formatMicroShares(size)]);
}

function timeOrNull(millis: number): string | null {
  return millis === 0 ? null : formatTime(millis as UnixMillis);
}
