// Caches what venue A's markets ask of orders (terms-cache.ts), by condition and by token. An order names a token. Its market is read by
// the token's condition, which never changes. Bounded. Any thread.

import { BoundedMap } from '../../../domain/bounded-map.ts';
import { isObject, textOf } from '../../../domain/json.ts';
import { isTokenId } from '../../../domain/market-address.ts';
import type { UnixMillis } from '../../../domain/numbers.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import { TermsCache } from '../../terms-cache.ts';
import type { FactsRefusal } from '../../venue.ts';
import type { JsonFailure } from '../../venue-json.ts';
import { UNKNOWN_MARKET_STATUSES } from '../market-facts.ts';
import { type MarketTerms, readMarketFees, readMarketTerms } from './market-terms.ts';
import type { FeeTerms } from './taker-fee.ts';
import type { VenueApi } from './venue-api.ts';

export type TermsResult = Result<MarketTerms, FactsRefusal>;
/** Whether the order passes these terms. */
export type Passes = (terms: MarketTerms) => boolean;

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
  readonly #now: () => UnixMillis;
  /** Condition ids by token. */
  readonly #conditions = new BoundedMap<string, string>(limits.venueATermsMax);
  readonly #terms: TermsCache<MarketTerms>;
  /** Fees by condition, for markets whose other terms are unreadable, so that no order to them is possible. */
  readonly #feesOnly = new BoundedMap<string, FeeTerms>(MARKETS_MAX);

  constructor(api: VenueApi, now: () => UnixMillis) {
    this.#api = api;
    this.#now = now;
    const read = (conditionId: string) => this.#read(conditionId);
    this.#terms = new TermsCache({ read, now, ages: AGES, marketsMax: MARKETS_MAX });
  }

  /** Terms that fail `passes` are fresh or have just been read. */
  async ofToken(tokenId: string, passes: Passes = ANYTHING_PASSES): Promise<TermsResult> {
    const condition = await this.conditionOf(tokenId);
    if (!condition.ok) return condition;
    const terms = await this.ofCondition(condition.value, passes);
    return terms.ok && !terms.value.tokens.includes(tokenId) ? fail({ type: 'unknown-market' }) : terms;
  }

  async conditionOf(tokenId: string): Promise<Result<string, FactsRefusal>> {
    if (!isTokenId(tokenId)) return fail({ type: 'unknown-market' });
    const known = this.#conditions.get(tokenId);
    return known === undefined ? this.#readCondition(tokenId) : ok(known);
  }

  ofCondition(conditionId: string, passes: Passes = ANYTHING_PASSES): Promise<TermsResult> {
    return this.#terms.of(conditionId, passes);
  }

  /** Fees of the market's trades, at any age: they do not change under a trade. */
  async feesOf(conditionId: string): Promise<Result<FeeTerms, FactsRefusal>> {
    const known = this.#knownFees(conditionId);
    if (known !== null) return ok(known);
    const read = await this.ofCondition(conditionId);
    if (read.ok) return ok(read.value.fees);
    const fees = this.#knownFees(conditionId);
    return fees === null ? read : ok(fees);
  }

  /** Both tokens of a market; empty if it is not described now. */
  async tokensOf(conditionId: string): Promise<readonly string[]> {
    const known = this.#terms.known(conditionId);
    if (known !== undefined) return known.tokens;
    const read = await this.ofCondition(conditionId);
    return read.ok ? read.value.tokens : [];
  }

  /** Null: not read yet. */
  knownFeesOfToken(tokenId: string): FeeTerms | null {
    return this.#knownFees(this.#conditions.get(tokenId) ?? '');
  }

  /** The venue contradicts the cached terms. */
  outdate(tokenId: string): void {
    this.#terms.outdate(this.#conditions.get(tokenId) ?? '');
  }

  #knownFees(conditionId: string): FeeTerms | null {
    return this.#terms.known(conditionId)?.fees ?? this.#feesOnly.get(conditionId) ?? null;
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
    const terms = readMarketTerms(answer.value, conditionId, this.#now());
    if (terms === null) {
      const fees = readMarketFees(answer.value);
      if (fees !== null) this.#feesOnly.set(conditionId, fees);
      return fail(unavailable(`market ${conditionId} is not described as expected`));
    }
    for (const token of terms.tokens) {
      // Reinsert it as the youngest, like its market.
      this.#conditions.delete(token);
      this.#conditions.set(token, conditionId);
    }
    return ok(terms);
  }
}

function refusalOf({ status, message }: JsonFailure): FactsRefusal {
  return UNKNOWN_MARKET_STATUSES.includes(status) ? { type: 'unknown-market' } : unavailable(message);
}

function unavailable(detail: string): FactsRefusal {
  return { type: 'unavailable', message: `venue A: ${detail}` };
}
