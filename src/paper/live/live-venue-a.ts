// Venue A with live-paper. Its markets are known by token, and listed as its CLOB describes them (venue-a.md §4). Thread of the paper
// exchanges.

import { decimalTextOf, isObject, type JsonObject, textOf } from '../../core/domain/json.ts';
import { isTokenId } from '../../core/domain/market.ts';
import { formatMicroShares, parseTicks, type UnixMillis } from '../../core/domain/numbers.ts';
import type { MarketReadHttp } from '../../venues/market-read-http.ts';
import { readMarketDocument, type VenueAMarket } from '../../venues/venue-a/market-document.ts';
import { type MarketTerms, readMarketTerms } from '../../venues/venue-a/trading/market-terms.ts';
import type { Catalog, VenueAMarketListing } from '../catalog/listings.ts';
import { catalogOf } from '../flow/recorded-catalog.ts';
import type { VenueAExchange } from '../venue-a/exchange.ts';
import { isTickSize } from '../venue-a/market.ts';
import type { TokenIndex } from '../venue-a/records.ts';
import { bodyOf, type LiveMarket, type LiveVenue, type LiveVenueParts, readerOf } from './live-venue.ts';

const MISSING = [400, 404];
const CONDITION_ID = /^0x[0-9a-fA-F]{2,64}$/;
const UNREADABLE = 'venue A does not describe the market as expected';

interface Description {
  readonly terms: MarketTerms;
  readonly short: JsonObject;
  readonly full: JsonObject;
  readonly document: VenueAMarket;
}

export class LiveVenueA implements LiveVenue {
  readonly #parts: LiveVenueParts<VenueAExchange>;
  readonly #http: MarketReadHttp;

  constructor(parts: LiveVenueParts<VenueAExchange>) {
    this.#parts = parts;
    this.#http = readerOf('venue_a', parts.url, parts.timers);
  }

  isListed(tokenId: string): boolean {
    return this.#parts.exchange.tokens.has(tokenId);
  }

  markets(): readonly LiveMarket[] {
    const { desk, markets } = this.#parts.exchange;
    return desk.markets.map(house => ({ addresses: markets.get(house.address)!.listing.tokens, house }));
  }

  undecided(): readonly string[] {
    const all = [...this.#parts.exchange.markets.values()];
    return all.filter(({ resolution }) => resolution === null).map(({ listing }) => listing.tokens[0]);
  }

  async list(tokenId: string): Promise<string | null> {
    const { exchange, onListed } = this.#parts;
    const found = await this.#conditionOf(tokenId);
    if (found === null || !CONDITION_ID.test(found)) return found;
    const description = await this.#describe(found);
    if (description === null || typeof description === 'string') return description;
    if (!description.terms.tokens.includes(tokenId) || this.isListed(tokenId)) return null;
    const catalog = catalogFor(description, exchange.now());
    if (typeof catalog === 'string') return catalog;
    onListed(catalog);
    return exchange.list(catalog.venueA.events) ? null : 'the paper exchange has no room for another market';
  }

  async refresh(tokenId: string): Promise<boolean> {
    const { exchange } = this.#parts;
    const market = exchange.tokens.get(tokenId)?.market;
    if (market === undefined || market.resolution !== null) return false;
    const description = await this.#describe(market.conditionId);
    if (description === null || typeof description === 'string') return false;
    const { short, document } = description;
    if (document.status === 'resolved') {
      const winner = document.tokens.find(({ isWinner }) => isWinner)?.tokenId;
      const index = winner === undefined ? null : (market.listing.tokens.indexOf(winner) as TokenIndex);
      exchange.resolutions.resolve(market, index);
      return false;
    }
    const tickSize = decimalTextOf(short.mts);
    // A tick size only gets finer, and the exchange may have made it finer before the venue did.
    const isFiner = (parseTicks(tickSize) ?? market.tick) < market.tick;
    return isFiner && exchange.setTickSize(market, tickSize);
  }

  forget(since: UnixMillis): void {
    this.#parts.exchange.forgetEnded(since);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #conditionOf(tokenId: string): Promise<string | null> {
    if (!isTokenId(tokenId)) return null;
    const body = bodyOf(await this.#http.find(`/markets-by-token/${tokenId}`, this.#http.deadline(), MISSING));
    if (body === null || typeof body === 'string') return body;
    const conditionId = isObject(body) ? textOf(body.condition_id) : '';
    return CONDITION_ID.test(conditionId) ? conditionId : UNREADABLE;
  }

  async #describe(conditionId: string): Promise<Description | null | string> {
    const deadlineMs = this.#http.deadline();
    const read = (path: string) => this.#http.find(`${path}/${conditionId}`, deadlineMs, MISSING);
    const [short, full] = (await Promise.all([read('/clob-markets'), read('/markets')])).map(bodyOf);
    if (short === null || full === null) return null;
    if (typeof short === 'string' || typeof full === 'string') return typeof short === 'string' ? short : String(full);
    const terms = readMarketTerms(short, conditionId, this.#parts.timers.now());
    const document = readMarketDocument(full);
    if (!isObject(short) || !isObject(full) || terms === null || document.type !== 'market') return UNREADABLE;
    return { terms, short, full, document: document.market };
  }
}

/** Makes the listing of a market. Returns a text if the market cannot be listed. */
function catalogFor({ terms, short, full, document }: Description, now: UnixMillis): Catalog | string {
  const { conditionId, tokens, fees } = terms;
  const [tickSize, rate] = [decimalTextOf(short.mts), isObject(short.fd) ? decimalTextOf(short.fd.r) : '0'];
  if (!isTickSize(tickSize)) return `venue A has the tick size ${tickSize}, which the paper exchange does not know`;
  if (fees.exponent !== 1 && fees.exponent !== 2) return `venue A has fees of exponent ${fees.exponent}`;
  const delayS = Number(decimalTextOf(short.sd) || '0');
  const base = catalogOf([[conditionId, tokens]], [], new Set(), now);
  const [event] = base.venueA.events;
  const listing: VenueAMarketListing = {
    ...event!.markets[0]!,
    question: document.title,
    questionId: textOf(full.question_id) || event!.markets[0]!.questionId,
    outcomes: [nameOf(document, tokens[0]), nameOf(document, tokens[1])],
    tickSize,
    minOrderSize: formatMicroShares(terms.sizeMin),
    isNegRisk: terms.isNegRisk,
    takerDelayS: Number.isSafeInteger(delayS) ? delayS : 0,
    fees: { rate, exponent: fees.exponent },
    endAt: document.expiresAt ?? event!.markets[0]!.endAt,
  };
  const negRiskMarketId = terms.isNegRisk ? textOf(full.neg_risk_market_id) || null : null;
  const events = [{ ...event!, title: document.title, negRiskMarketId, markets: [listing] }];
  return { ...base, venueA: { ...base.venueA, events } };
}

function nameOf({ tokens }: VenueAMarket, tokenId: string): string {
  return tokens.find(it => it.tokenId === tokenId)?.name ?? '';
}
