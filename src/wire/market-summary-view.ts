// The older family's view of a market (interface §2.4): prices are JSON numbers in dollars, made from the decimal text of integers.
// Any thread.

import type { MarketSummary, OutcomeSummary } from '../domain/market-summary.ts';
import { formatMicroDollars, formatTicks, type MicroDollars, type Ticks } from '../domain/numbers.ts';
import { formatTime } from './time-text.ts';

export function marketSummaryView(market: MarketSummary): object {
  const { venue, marketId, title, status, outcomes, expiresAt } = market;
  const expirationDate = expiresAt === null ? null : formatTime(expiresAt);
  return { venue, marketId, title, status, outcomes: outcomes.map(outcomeView), expirationDate };
}

function outcomeView({ name, outcomeId, mid, bid, ask }: OutcomeSummary): object {
  return { name, outcomeId, mid: middleNumber(mid), bid: priceNumber(bid), ask: priceNumber(ask) };
}

function priceNumber(price: Ticks | null): number | null {
  return price === null ? null : Number(formatTicks(price));
}

function middleNumber(mid: MicroDollars | null): number | null {
  return mid === null ? null : Number(formatMicroDollars(mid));
}
