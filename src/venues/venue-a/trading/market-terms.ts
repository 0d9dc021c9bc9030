// What a market asks of orders and charges for fills: venue A's short market description (venue-a.md §4) as our types. Pure.

import type { Grid } from '../../../domain/grid.ts';
import { decimalTextOf, isObject, isUnsaid, type JsonObject, objectsOf, textOf } from '../../../domain/json.ts';
import { isTokenId } from '../../../domain/market-address.ts';
import {
  type MicroShares,
  parseMicroShares,
  parseTicks,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../../domain/numbers.ts';
import type { TradingFacts, TradingPhase } from '../../venue.ts';
import { type AmountRules, amountRules } from '../order-amounts.ts';
import { type FeeTerms, NO_FEES } from './taker-fee.ts';

export interface MarketTerms {
  readonly conditionId: string;
  readonly tokens: readonly [string, string];
  readonly rules: AmountRules;
  readonly sizeMin: MicroShares;
  readonly isNegRisk: boolean;
  readonly phase: TradingPhase;
  readonly fees: FeeTerms;
  readonly readAt: UnixMillis;
}

const HUNDREDTH_OF_SHARE = 10_000 as MicroShares;
const EXPONENT = /^[0-4]$/;
const RATE = /^(\d)(?:\.(\d{1,8}))?$/;

/** Null if it is no description of that market in the known form. */
export function readMarketTerms(value: unknown, conditionId: string, readAt: UnixMillis): MarketTerms | null {
  if (!isObject(value)) return null;
  const tokens = tokensOf(value);
  const tick = parseTicks(decimalTextOf(value.mts));
  const rules = tick === null ? null : amountRules(tick);
  const sizeMin = parseMicroShares(decimalTextOf(value.mos));
  const fees = readMarketFees(value);
  if (tokens === null || rules === null || sizeMin === null || fees === null) return null;
  return {
    conditionId,
    tokens,
    rules,
    sizeMin,
    isNegRisk: value.nr === true,
    phase: value.ao === true ? 'OPEN' : 'CLOSED',
    fees,
    readAt,
  };
}

/** The fees of trades, read separately: booking a trade needs nothing else of the market. Null as above. */
export function readMarketFees(value: unknown): FeeTerms | null {
  return isObject(value) && tokensOf(value) !== null ? readFees(value.fd) : null;
}

function tokensOf(market: JsonObject): MarketTerms['tokens'] | null {
  const [first, second] = objectsOf(market.t).map(token => textOf(token.t));
  if (first === undefined || second === undefined || first === second) return null;
  return isTokenId(first) && isTokenId(second) ? [first, second] : null;
}

export function tradingFacts({ rules, sizeMin, phase, readAt }: MarketTerms): TradingFacts {
  return { grid: gridOf(rules.tick), sizeMin, sizeStep: HUNDREDTH_OF_SHARE, phase, readAt };
}

/** From one tick to a dollar less a tick (venue-a.md §2.2). */
function gridOf(tick: Ticks): Grid {
  return [{ start: tick, end: (TICKS_PER_DOLLAR - tick) as Ticks, step: tick }];
}

/** `{r: 0.05, e: 1, to: true}`; absent if a market is free. */
function readFees(value: unknown): FeeTerms | null {
  if (isUnsaid(value)) return NO_FEES;
  if (!isObject(value)) return null;
  const rate = RATE.exec(decimalTextOf(value.r));
  const exponent = isUnsaid(value.e) ? '1' : decimalTextOf(value.e);
  if (rate === null || !EXPONENT.test(exponent)) return null;
  const decimals = rate[2] ?? '';
  return {
    numerator: Number(`${rate[1]}${decimals}`),
    denominator: 10 ** decimals.length,
    exponent: Number(exponent),
    isTakerOnly: value.to !== false,
  };
}
