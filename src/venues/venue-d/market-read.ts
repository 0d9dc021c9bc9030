// Reads venue D's markets by slug (venues-c-d-e.md §2). A market states its best prices, but 0.999 or 0.001 for an empty side. If it states
// such a price, its order book is read, too. Thread of the market reads.

import { isObject, type JsonObject, objectsOf, stringsOf, textOf } from '../../core/domain/json.ts';
import { isPlainTokenId } from '../../core/domain/market.ts';
import type { MarketStatus, MarketSummary, OutcomeSummary, Quote } from '../../core/domain/market-summary.ts';
import { isCrossed, mirroredQuote, NO_QUOTE, quoteOf } from '../../core/domain/market-summary.ts';
import { MICROS_PER_DOLLAR, type MicroDollars, TICKS_PER_DOLLAR, type Ticks } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import { HTTP_BAD_REQUEST, HTTP_NOT_FOUND } from '../../core/net/http-status.ts';
import { groupOfMarkets, type MarketReader, type MarketReading, noSuchMarket } from '../market-read.ts';
import { type MarketReadHttp, readBestPrices } from '../market-read-http.ts';
import { labelOf, roundMicrosOf, ticksOf, unixTimeOf } from '../wire-values.ts';

export class VenueDMarketReader implements MarketReader {
  readonly #http: MarketReadHttp;

  constructor(http: MarketReadHttp) {
    this.#http = http;
  }

  async read(slug: string): Promise<MarketReading> {
    if (!isSlug(slug)) return noSuchMarket(slug);
    const deadlineMs = this.#http.deadline();
    const answer = await this.#http.find(`/markets/${slug}`, deadlineMs, [HTTP_NOT_FOUND]);
    if (answer === null) return noSuchMarket(slug);
    if (answer.type !== 'json') return answer;
    const document = readMarketDocument(answer.body);
    switch (document.type) {
      case 'unreadable':
        return this.#http.unreadable(slug, document.problem);
      case 'group':
        return groupOfMarkets(document.slug, document.members);
      case 'market':
        // The venue also finds markets by their contract addresses, which are not slugs.
        if (document.market.marketId !== slug) return noSuchMarket(slug);
        if (document.isDoubtful) return this.#withBook(document.market, deadlineMs);
        return { type: 'market', market: document.market };
      default:
        return unreachable(document);
    }
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #withBook(market: VenueDMarket, deadlineMs: number): Promise<MarketReading> {
    const [yes, no] = market.outcomes;
    const path = `/markets/${market.marketId}/orderbook`;
    const answer = await this.#http.find(path, deadlineMs, [HTTP_NOT_FOUND, HTTP_BAD_REQUEST]);
    // If the book is gone, the sides with doubtful prices are empty.
    if (answer === null) return { type: 'market', market };
    if (answer.type !== 'json') return answer;
    // The book is in terms of the YES token, including NO orders.
    const quote = readBestPrices(answer.body, yes.outcomeId);
    if (quote === null) return this.#http.unreadable(market.marketId, 'orderbook');
    const outcomes = [
      { ...yes, ...quote },
      { ...no, ...mirroredQuote(quote) },
    ];
    return { type: 'market', market: { ...market, outcomes } };
  }
}

type Pair<T> = readonly [T, T];

/** The YES outcome comes first. */
type VenueDMarket = MarketSummary & { readonly outcomes: Pair<OutcomeSummary> };

type VenueDDocument =
  /** `isDoubtful` means that a price may stand for an empty side. Only the order book can say which sides are empty. */
  | { readonly type: 'market'; readonly market: VenueDMarket; readonly isDoubtful: boolean }
  /** A group of markets. `members` are the slugs of its markets. */
  | { readonly type: 'group'; readonly slug: string; readonly members: readonly string[] }
  /** The description cannot be read. `problem` names the field. */
  | { readonly type: 'unreadable'; readonly problem: string };

/** The prices that stand for an empty side. */
const NO_BID = 10 as Ticks;
const NO_ASK = (TICKS_PER_DOLLAR - NO_BID) as Ticks;
const SLUG = /^[\w-]{1,200}$/;
const ROUTES: ReadonlySet<string> = new Set(['active', 'search']);
const PERCENT = 100;

/** Whether the text may be a slug. Others are not requested, because the venue has other routes beside its slugs. */
function isSlug(text: string): boolean {
  return SLUG.test(text) && !ROUTES.has(text);
}

export function readMarketDocument(body: unknown): VenueDDocument {
  if (!isObject(body)) return unreadable('body');
  const slug = textOf(body.slug);
  if (slug === '') return unreadable('slug');
  const { tokens } = body;
  // A member of a group has the type `group` too, but a member has tokens.
  if (tokens === undefined && Array.isArray(body.markets)) {
    const members = objectsOf(body.markets).map(member => textOf(member.slug));
    return { type: 'group', slug, members: members.filter(isSlug) };
  }
  const status = statusOf(body);
  if (status === null) return unreadable(`status ${JSON.stringify(textOf(body.status).slice(0, 32))}`);
  const tokenIds = tokenIdsOf(tokens);
  if (tokenIds === null) return unreadable('tokens');
  const prices = body.tradeType === 'amm' ? pricesOfPool(body) : pricesOfBook(body);
  if (prices === null) return unreadable(body.tradeType === 'amm' ? 'prices' : 'tradePrices');
  const [yes, no] = namesOf(body);
  const outcomes = [
    { name: yes, outcomeId: tokenIds[0], ...prices.quotes[0] },
    { name: no, outcomeId: tokenIds[1], ...prices.quotes[1] },
  ] as const;
  const [title, expiresAt] = [labelOf(body.title), unixTimeOf(body.expirationTimestamp)];
  const market = { venue: 'venue_d', marketId: slug, title, status, outcomes, expiresAt } as const;
  return { type: 'market', market, isDoubtful: prices.isDoubtful };
}

/** Returns the status, or null if it is undocumented. */
function statusOf({ status, expired }: JsonObject): MarketStatus | null {
  switch (status) {
    case 'FUNDED':
    case 'FUNDED_FLAGGED':
      return expired === true ? 'closed' : 'open';
    case 'LOCKED':
      return expired === true ? 'closed' : 'paused';
    case 'RESOLVED':
      return 'resolved';
    default:
      return null;
  }
}

/** Returns the ids of both tokens, which must be text: JSON numbers would have lost digits. */
function tokenIdsOf(tokens: unknown): Pair<string> | null {
  if (!isObject(tokens)) return null;
  const [yes, no] = [textOf(tokens.yes), textOf(tokens.no)];
  return isPlainTokenId(yes) && isPlainTokenId(no) && yes !== no ? [yes, no] : null;
}

function namesOf({ outcomeTokens }: JsonObject): Pair<string> {
  const [yes = 'Yes', no = 'No', ...others] = stringsOf(outcomeTokens).map(labelOf);
  return others.length === 0 && yes !== '' && no !== '' ? [yes, no] : ['Yes', 'No'];
}

interface Prices {
  readonly quotes: Pair<Quote>;
  readonly isDoubtful: boolean;
}

/** Returns the prices of a pool, which has no quotes. Prices above a dollar are percentages, as seen in real answers. */
function pricesOfPool({ prices }: JsonObject): Prices | null {
  const [yes, no] = pairOf(prices, roundMicrosOf) ?? [null, null];
  if (yes === null || no === null) return null;
  const divisor = Math.max(yes, no) > MICROS_PER_DOLLAR ? PERCENT : 1;
  const [midOfYes, midOfNo] = [yes, no].map(price => Math.floor(price / divisor) as MicroDollars) as [
    MicroDollars,
    MicroDollars,
  ];
  if (midOfYes > MICROS_PER_DOLLAR || midOfNo > MICROS_PER_DOLLAR) return null;
  const quotes: Pair<Quote> = [
    { ...NO_QUOTE, mid: midOfYes },
    { ...NO_QUOTE, mid: midOfNo },
  ];
  return { quotes, isDoubtful: false };
}

/** Returns the prices of a book. A buyer can take at `buy.market`, so this is the ask. */
function pricesOfBook({ tradePrices }: JsonObject): Prices | null {
  if (!isObject(tradePrices)) return { quotes: [NO_QUOTE, NO_QUOTE], isDoubtful: true };
  const asks = isObject(tradePrices.buy) ? pairOf(tradePrices.buy.market, ticksOf) : null;
  const bids = isObject(tradePrices.sell) ? pairOf(tradePrices.sell.market, ticksOf) : null;
  if (asks === null || bids === null) return null;
  const quotes: Pair<Quote> = [statedQuote(bids[0], asks[0]), statedQuote(bids[1], asks[1])];
  if (quotes.some(isCrossed)) return null;
  return { quotes, isDoubtful: quotes.some(({ mid }) => mid === null) };
}

function statedQuote(bid: Ticks, ask: Ticks): Quote {
  return quoteOf(bid <= NO_BID ? null : bid, ask >= NO_ASK ? null : ask);
}

function pairOf<T>(value: unknown, read: (item: unknown) => T | null): Pair<T> | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [first, second] = value.map(read);
  return first == null || second == null ? null : [first, second];
}

function unreadable(problem: string): VenueDDocument {
  return { type: 'unreadable', problem };
}
