// What markets of venue A ask of orders (terms-cache.ts), by condition and by token: an order names a token, and its market is asked for
// by the condition that the token belongs to, which never changes. Bounded. Any thread.

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
import { type MarketTerms, readMarketTerms } from './market-terms.ts';
import type { VenueApi } from './venue-api.ts';

export type TermsResult = Result<MarketTerms, FactsRefusal>;
/** Whether an order passes them. */
export type Passes = (terms: MarketTerms) => boolean;

const CONDITION_ID = /^0x[0-9a-fA-F]{2,64}$/;
const ANYTHING_PASSES: Passes = () => true;
const TOKENS_PER_MARKET = 2;
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

  constructor(api: VenueApi, now: () => UnixMillis) {
    this.#api = api;
    this.#now = now;
    const marketsMax = limits.venueATermsMax / TOKENS_PER_MARKET;
    this.#terms = new TermsCache({ read: conditionId => this.#read(conditionId), now, ages: AGES, marketsMax });
  }

  /** Terms that an order does not pass are as good as new. */
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

  /** What is known now, whatever its age: fees do not change under a trade. */
  known(conditionId: string): MarketTerms | null {
    return this.#terms.known(conditionId) ?? null;
  }

  knownOfToken(tokenId: string): MarketTerms | null {
    return this.known(this.#conditions.get(tokenId) ?? '');
  }

  /** The venue does not agree with what we know. */
  forget(tokenId: string): void {
    this.#terms.forget(this.#conditions.get(tokenId) ?? '');
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
    if (terms === null) return fail(unavailable(`market ${conditionId} is not described as expected`));
    for (const token of terms.tokens) {
      // As the youngest, as its market.
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
