// The rules of venue A's markets for orders, and the fees of fills, by the venue's short description (venue-a.md §4, §9.4). They are cached
// (terms-cache.ts) by condition and by token. An order names a token, and the market is read by the token's condition, which never changes.
// Any thread.

import { BoundedMap } from '../../../core/domain/bounded-map.ts';
import type { Grid } from '../../../core/domain/grid.ts';
import { decimalTextOf, isAbsent, isObject, type JsonObject, objectsOf, textOf } from '../../../core/domain/json.ts';
import { isTokenId } from '../../../core/domain/market.ts';
import {
  MICROS_PER_DOLLAR,
  MICROS_PER_SHARE,
  type MicroDollars,
  type MicroShares,
  parseMicroShares,
  parseTicks,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { type Soon, whenHere } from '../../../core/domain/soon.ts';
import { limits } from '../../../limits.ts';
import { TermsCache } from '../../terms-cache.ts';
import type { FactsRefusal, TradingFacts, TradingPhase } from '../../venue.ts';
import type { JsonFailure } from '../../venue-json.ts';
import { UNKNOWN_MARKET_STATUSES } from '../market-facts.ts';
import { type AmountRules, amountRules } from '../order-amounts.ts';
import type { VenueApi } from './venue-api.ts';

type TermsResult = Result<MarketTerms, FactsRefusal>;
/** Whether the order passes these terms. */
type Passes = (terms: MarketTerms) => boolean;

const CONDITION_ID = /^0x[0-9a-fA-F]{2,64}$/;
const ANYTHING_PASSES: Passes = () => true;
const TOKENS_PER_MARKET = 2;
const MARKETS_MAX = limits.venueATermsMax / TOKENS_PER_MARKET;
const AGES = {
  freshMs: limits.venueATermsFreshMs,
  refusingMs: limits.venueARefusingTermsAgeMs,
  usedMs: limits.venueATermsAgeMs,
};

export class MarketTermsCache {
  readonly #api: VenueApi;
  /** The condition id of each token. */
  readonly #conditions = new BoundedMap<string, string>(limits.venueATermsMax);
  readonly #terms: TermsCache<MarketTerms>;
  /** The fees by condition, for markets whose other terms are unreadable, so that no order to them is possible. */
  readonly #feesOnly = new BoundedMap<string, FeeTerms>(MARKETS_MAX);

  constructor(api: VenueApi) {
    this.#api = api;
    const now = () => api.now();
    const read = (conditionId: string) => this.#read(conditionId);
    this.#terms = new TermsCache({ read, now, ages: AGES, marketsMax: MARKETS_MAX });
  }

  /** Returns the terms of a token's market. Terms that fail `passes` are fresh or have just been read. */
  ofToken(tokenId: string, passes: Passes = ANYTHING_PASSES): Soon<TermsResult> {
    return whenHere(this.conditionOf(tokenId), condition =>
      condition.ok
        ? whenHere(this.ofCondition(condition.value, passes), terms =>
            terms.ok && !terms.value.tokens.includes(tokenId) ? fail({ type: 'unknown-market' }) : terms,
          )
        : condition,
    );
  }

  conditionOf(tokenId: string): Soon<Result<string, FactsRefusal>> {
    const known = this.#conditions.get(tokenId);
    if (known !== undefined) return ok(known);
    return isTokenId(tokenId) ? this.#readCondition(tokenId) : fail({ type: 'unknown-market' });
  }

  ofCondition(conditionId: string, passes: Passes = ANYTHING_PASSES): Soon<TermsResult> {
    return this.#terms.of(conditionId, passes);
  }

  /** Returns the fees of the market's trades, at any age, because they do not change for a trade. */
  async feesOf(conditionId: string): Promise<Result<FeeTerms, FactsRefusal>> {
    const known = this.#knownFees(conditionId);
    if (known !== null) return ok(known);
    const read = await this.ofCondition(conditionId);
    if (read.ok) return ok(read.value.fees);
    const fees = this.#knownFees(conditionId);
    return fees === null ? read : ok(fees);
  }

  /** Returns both tokens of a market, or none if the market is not described now. */
  async tokensOf(conditionId: string): Promise<readonly string[]> {
    const known = this.#terms.known(conditionId);
    if (known !== undefined) return known.tokens;
    const read = await this.ofCondition(conditionId);
    return read.ok ? read.value.tokens : [];
  }

  /** Returns the fees of a token's market, or null if they have not been read yet. */
  knownFeesOfToken(tokenId: string): FeeTerms | null {
    return this.#knownFees(this.#conditions.get(tokenId) ?? '');
  }

  /** Marks the cached terms as outdated, because the venue contradicts them. */
  expire(tokenId: string): void {
    this.#terms.expire(this.#conditions.get(tokenId) ?? '');
  }

  #knownFees(conditionId: string): FeeTerms | null {
    return this.#terms.known(conditionId)?.fees ?? this.#feesOnly.get(conditionId) ?? null;
  }

  /** Whether a market that takes no orders is over. Without an answer it counts as paused, which refuses no order for good. */
  async #isOver(conditionId: string): Promise<boolean> {
    const answer = await this.#api.readPublic(`/markets/${conditionId}`);
    return answer.ok && isObject(answer.value) && (answer.value.closed === true || answer.value.archived === true);
  }

  async #readCondition(tokenId: string): Promise<Result<string, FactsRefusal>> {
    const answer = await this.#api.readPublic(`/markets-by-token/${tokenId}`);
    if (!answer.ok) return fail(refusalOf(answer.error));
    const conditionId = isObject(answer.value) ? textOf(answer.value.condition_id) : '';
    if (!CONDITION_ID.test(conditionId)) return fail(unavailable('no condition_id in the answer'));
    return ok(conditionId);
  }

  async #read(conditionId: string): Promise<TermsResult> {
    if (!CONDITION_ID.test(conditionId)) return fail({ type: 'unknown-market' });
    const answer = await this.#api.readPublic(`/clob-markets/${conditionId}`);
    if (!answer.ok) return fail(refusalOf(answer.error));
    const isOver = !takesOrders(answer.value) && (await this.#isOver(conditionId));
    const terms = readMarketTerms(answer.value, conditionId, this.#api.now(), isOver);
    if (terms === null) {
      const fees = readMarketFees(answer.value);
      if (fees !== null) this.#feesOnly.set(conditionId, fees);
      return fail(unavailable(`market ${conditionId} is not described as expected`));
    }
    for (const token of terms.tokens) {
      // Insert the token anew, as the one that was read last, like its market.
      this.#conditions.delete(token);
      this.#conditions.set(token, conditionId);
    }
    return ok(terms);
  }
}

/** Whether the market takes orders now. The short description does not say whether it ever will again. */
function takesOrders(value: unknown): boolean {
  return isObject(value) && value.ao === true;
}

function refusalOf({ status, message }: JsonFailure): FactsRefusal {
  return UNKNOWN_MARKET_STATUSES.includes(status) ? { type: 'unknown-market' } : unavailable(message);
}

function unavailable(detail: string): FactsRefusal {
  return { type: 'unavailable', message: `venue A: ${detail}` };
}

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

/**
 * Reads a market's terms. Returns null if the value is not a description of that market in the known form. `isOver` means that a market
 * that takes no orders will take none again.
 */
export function readMarketTerms(
  value: unknown,
  conditionId: string,
  readAt: UnixMillis,
  isOver = false,
): MarketTerms | null {
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
    phase: takesOrders(value) ? 'OPEN' : isOver ? 'CLOSED' : 'PAUSED',
    fees,
    readAt,
  };
}

/**
 * Reads the fees of trades. They are read separately, because booking a trade needs no other terms of the market. Returns null as
 * `readMarketTerms` does.
 */
function readMarketFees(value: unknown): FeeTerms | null {
  return isObject(value) && tokensOf(value) !== null ? readFees(value.fd) : null;
}

function tokensOf(market: JsonObject): MarketTerms['tokens'] | null {
  const [first, second] = objectsOf(market.t).map(token => textOf(token.t));
  if (first === undefined || second === undefined || first === second) return null;
  return isTokenId(first) && isTokenId(second) ? [first, second] : null;
}

export function tradingFacts({ rules, sizeMin, phase, readAt }: MarketTerms): TradingFacts {
  const expiryLeadMs = GIVEN_EXPIRY_LEAD_MS - EXPIRY_MARGIN_MS;
  return { grid: gridOf(rules.tick), sizeMin, sizeStep: HUNDREDTH_OF_SHARE, phase, expiryLeadMs, readAt };
}

/** The time by which the venue ends a good-till-time order before the time that it was given, approximately (venue-a.md §2.3). */
export const EXPIRY_MARGIN_MS = 60_000;
/** The least time from now to the time that the venue is given. The venue documents three minutes; it has accepted less. */
const GIVEN_EXPIRY_LEAD_MS = 180_000;

/** Returns the grid from one tick to a dollar less a tick (venue-a.md §2.2). */
function gridOf(tick: Ticks): Grid {
  const known = grids.get(tick);
  if (known !== undefined) return known;
  const grid = [{ start: tick, end: (TICKS_PER_DOLLAR - tick) as Ticks, step: tick }];
  grids.set(tick, grid);
  return grid;
}

/** The grids by tick. The venue has six ticks. */
const grids = new Map<Ticks, Grid>();

/** Reads fees such as `{r: 0.05, e: 1, to: true}`. They are absent if a market is free. */
function readFees(value: unknown): FeeTerms | null {
  if (isAbsent(value)) return NO_FEES;
  if (!isObject(value)) return null;
  const rate = RATE.exec(decimalTextOf(value.r));
  const exponent = isAbsent(value.e) ? '1' : decimalTextOf(value.e);
  if (rate === null || !EXPONENT.test(exponent)) return null;
  const decimals = rate[2] ?? '';
  return {
    numerator: Number(`${rate[1]}${decimals}`),
    denominator: 10 ** decimals.length,
    exponent: Number(exponent),
    isTakerOnly: value.to !== false,
  };
}

/** Fees as a market's `fd` states them. */
export interface FeeTerms {
  /** The numerator of the rate, which is numerator ÷ denominator. 0 if a market is free. */
  readonly numerator: number;
  readonly denominator: number;
  readonly exponent: number;
  /** Whether only takers pay. False means that makers pay as much. */
  readonly isTakerOnly: boolean;
}

export const NO_FEES: FeeTerms = { numerator: 0, denominator: 1, exponent: 1, isTakerOnly: true };

/** The unit of fees in micro-dollars: the last of five decimals. */
const UNIT = 10n;

/**
 * Returns the fee of one fill: shares × rate × (p × (1 − p))^exponent, to five decimals, halves rounded up. Smaller fees are 0. Computes
 * with whole numbers only.
 */
export function takerFee(terms: FeeTerms, price: Ticks, size: MicroShares): MicroDollars {
  if (terms.numerator === 0) return 0 as MicroDollars;
  const exponent = BigInt(terms.exponent);
  const variance = BigInt(price) * BigInt(TICKS_PER_DOLLAR - price);
  const dividend = BigInt(size) * BigInt(terms.numerator) * BigInt(MICROS_PER_DOLLAR) * variance ** exponent;
  const divisor = BigInt(terms.denominator) * BigInt(MICROS_PER_SHARE) * BigInt(TICKS_PER_DOLLAR) ** (2n * exponent);
  const unit = divisor * UNIT;
  if (dividend < unit) return 0 as MicroDollars;
  return Number(((2n * dividend + unit) / (2n * unit)) * UNIT) as MicroDollars;
}
