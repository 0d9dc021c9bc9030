// What markets ask of orders, kept so that no order of a market in use waits for it: read once, read again in the background
// when it has aged, dropped when the venue contradicts it. Only what would refuse an order is read again before it does (contract
// §4.3). By token and by condition, bounded. Any thread.

import { isObject, textOf } from '../../../domain/json.ts';
import { isTokenId } from '../../../domain/market-address.ts';
import type { UnixMillis } from '../../../domain/numbers.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import type { FactsRefusal } from '../../venue.ts';
import type { JsonFailure } from '../../venue-json.ts';
import { type MarketTerms, readMarketTerms } from './market-terms.ts';
import type { VenueApi } from './venue-api.ts';

export type TermsResult = Result<MarketTerms, FactsRefusal>;
/** Whether an order passes them. */
export type Passes = (terms: MarketTerms) => boolean;

const CONDITION_ID = /^0x[0-9a-fA-F]{2,64}$/;
const ANYTHING_PASSES: Passes = () => true;
const UNKNOWN_STATUSES: readonly (number | null)[] = [400, 404];

export class MarketTermsCache {
  readonly #api: VenueApi;
  readonly #now: () => UnixMillis;
  /** Condition ids by token: they never change. */
  readonly #conditions = new Map<string, string>();
  readonly #terms = new Map<string, MarketTerms>();
  /** By condition id: one request at a time. */
  readonly #reading = new Map<string, Promise<TermsResult>>();

  constructor(api: VenueApi, now: () => UnixMillis) {
    this.#api = api;
    this.#now = now;
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
    return known === undefined ? this.#askCondition(tokenId) : ok(known);
  }

  async ofCondition(conditionId: string, passes: Passes = ANYTHING_PASSES): Promise<TermsResult> {
    const terms = this.#terms.get(conditionId);
    const ageMs = terms === undefined ? Number.POSITIVE_INFINITY : this.#now() - terms.readAt;
    // Of a time to come, by a clock that was set back, is of an unknown age.
    if (terms === undefined || ageMs < 0 || ageMs > limits.venueATermsAgeMs) return this.#read(conditionId);
    if (ageMs > limits.venueARefusingTermsAgeMs && !passes(terms)) return this.#read(conditionId);
    if (ageMs > limits.venueATermsFreshMs) void this.#read(conditionId);
    return ok(terms);
  }

  /** What is known now, whatever its age: fees do not change under a trade. */
  known(conditionId: string): MarketTerms | null {
    return this.#terms.get(conditionId) ?? null;
  }

  knownOfToken(tokenId: string): MarketTerms | null {
    return this.known(this.#conditions.get(tokenId) ?? '');
  }

  /** The venue does not agree with what we know. */
  drop(tokenId: string): void {
    const conditionId = this.#conditions.get(tokenId);
    if (conditionId !== undefined) this.#terms.delete(conditionId);
  }

  async #askCondition(tokenId: string): Promise<Result<string, FactsRefusal>> {
    const answer = await this.#api.readPublic(`/markets-by-token/${tokenId}`);
    if (!answer.ok) return fail(refusalOf(answer.error));
    const conditionId = isObject(answer.value) ? textOf(answer.value.condition_id) : '';
    if (!CONDITION_ID.test(conditionId)) return fail(unavailable('no condition_id in the answer'));
    return ok(conditionId);
  }

  #read(conditionId: string): Promise<TermsResult> {
    const reading = this.#reading.get(conditionId);
    if (reading !== undefined) return reading;
    const asked = this.#ask(conditionId).finally(() => this.#reading.delete(conditionId));
    this.#reading.set(conditionId, asked);
    return asked;
  }

  async #ask(conditionId: string): Promise<TermsResult> {
    if (!CONDITION_ID.test(conditionId)) return fail({ type: 'unknown-market' });
    const answer = await this.#api.readPublic(`/clob-markets/${conditionId}`);
    if (!answer.ok) return fail(refusalOf(answer.error));
    const terms = readMarketTerms(answer.value, conditionId, this.#now());
    if (terms === null) return fail(unavailable(`market ${conditionId} is not described as expected`));
    this.#keep(terms);
    return ok(terms);
  }

  #keep(terms: MarketTerms): void {
    const { conditionId, tokens } = terms;
    this.#terms.delete(conditionId);
    this.#terms.set(conditionId, terms);
    for (const token of tokens) this.#conditions.set(token, conditionId);
    if (this.#conditions.size <= limits.venueATermsMax) return;
    const [oldest] = this.#terms.values();
    if (oldest === undefined) return;
    this.#terms.delete(oldest.conditionId);
    for (const token of oldest.tokens) this.#conditions.delete(token);
  }
}

function refusalOf({ status, message }: JsonFailure): FactsRefusal {
  return UNKNOWN_STATUSES.includes(status) ? { type: 'unknown-market' } : unavailable(message);
}

function unavailable(detail: string): FactsRefusal {
  return { type: 'unavailable', message: `venue A: ${detail}` };
}
