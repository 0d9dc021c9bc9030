// Reads the terms of venue A's markets by token (venue-a.md §4, §9.4). The short description of a market has grid, minimum and fees; the
// full description has title, status and end. Thread of the market reads.

import type { FeeModel } from '../../core/domain/fees.ts';
import { fraction } from '../../core/domain/fraction.ts';
import { isObject, textOf } from '../../core/domain/json.ts';
import { isTokenId } from '../../core/domain/market.ts';
import type { MicroDollars } from '../../core/domain/numbers.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { noSuchMarket } from '../market-read.ts';
import type { TermsHttp } from '../market-read-http.ts';
import type { TermsReader, TermsReading } from '../trading-terms.ts';
import { readMarketDocument } from './market-document.ts';
import { type FeeTerms, readMarketTerms, tradingFacts } from './trading/market-terms.ts';

const MISSING = [400, 404];
/** Fees have five decimals. */
const FEE_STEP = 10 as MicroDollars;

export class VenueATermsReader implements TermsReader {
  readonly #http: TermsHttp;
  readonly #timers: Timers;

  constructor(http: TermsHttp, timers: Timers) {
    this.#http = http;
    this.#timers = timers;
  }

  async readTerms(tokenId: string): Promise<TermsReading> {
    if (!isTokenId(tokenId)) return noSuchMarket(tokenId);
    const deadlineMs = this.#http.deadline();
    const byToken = await this.#http.find(`/markets-by-token/${tokenId}`, deadlineMs, MISSING);
    if (byToken === null) return noSuchMarket(tokenId);
    if (byToken.type !== 'json') return byToken;
    const conditionId = isObject(byToken.body) ? textOf(byToken.body.condition_id) : '';
    if (!/^0x[0-9a-fA-F]{2,64}$/.test(conditionId)) return this.#http.unreadable(tokenId, 'condition_id');
    const [short, full] = await Promise.all([
      this.#http.find(`/clob-markets/${conditionId}`, deadlineMs, MISSING),
      this.#http.find(`/markets/${conditionId}`, deadlineMs, MISSING),
    ]);
    if (short === null || full === null) return noSuchMarket(tokenId);
    if (short.type !== 'json') return short;
    if (full.type !== 'json') return full;
    return this.#read(tokenId, conditionId, short.body, full.body);
  }

  #read(tokenId: string, conditionId: string, short: unknown, full: unknown): TermsReading {
    const terms = readMarketTerms(short, conditionId, this.#timers.now());
    if (terms === null) return this.#http.unreadable(tokenId, 'description');
    if (!terms.tokens.includes(tokenId)) return noSuchMarket(tokenId);
    const document = readMarketDocument(full);
    if (document.type !== 'market') return this.#http.unreadable(conditionId, 'description');
    const { title, status, expiresAt } = document.market;
    const { grid, sizeMin, sizeStep, readAt } = tradingFacts(terms);
    const fees = feeModelOf(terms.fees);
    const ofVenueB = { shard: null, settlementFloor: null };
    const market = { title, status, grid, sizeMin, sizeStep, fees, ...ofVenueB, closesAt: expiresAt };
    return { type: 'terms', terms: { ...market, addresses: terms.tokens, readAt } };
  }
}

function feeModelOf({ numerator, denominator, exponent, isTakerOnly }: FeeTerms): FeeModel {
  const takerRate = fraction(BigInt(numerator), BigInt(denominator));
  const makerRate = isTakerOnly ? fraction(0n) : takerRate;
  return { takerRate, makerRate, exponent, step: FEE_STEP, rounding: 'HALF_UP', waivedUntil: null };
}
