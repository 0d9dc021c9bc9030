// The facts of a market that its stream needs: its two tokens, its tick, and the constants in its book hashes. They are read by REST
// (venue-a.md §4), once per subscription. Venue A's feed thread.

import { ladderStep, uniformGrid } from '../../core/domain/grid.ts';
import { decimalTextOf, isObject } from '../../core/domain/json.ts';
import { isTokenId } from '../../core/domain/market.ts';
import { parseTicks, type Ticks } from '../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { HttpGet } from '../../core/net/http.ts';
import type { FeedRefusal } from '../feed.ts';
import { getJson } from '../venue-json.ts';
import { type BookDocument, isPlainText, readBookDocument } from './book-document.ts';

export interface MarketFacts {
  readonly conditionId: string;
  /** The first token, whose frame is the frame of the book. */
  readonly primaryToken: string;
  readonly complementToken: string;
  /** The step of the ladder. */
  readonly step: Ticks;
  /** The tick size as text, as book hashes contain it. */
  readonly tickSize: string;
  readonly minOrderSize: string;
  readonly negRisk: boolean;
  /** True if the market takes no orders, because it is paused or over. */
  readonly mayBeOver?: true;
}

/** The statuses for an unknown market: 400 for "Invalid token id", and 404. */
export const UNKNOWN_MARKET_STATUSES: readonly (number | null)[] = [400, 404];

/** Returns the facts of the market that a token belongs to. Never rejects. */
export async function fetchMarketFacts(
  get: HttpGet,
  restUrl: string,
  tokenId: string,
): Promise<Result<MarketFacts, FeedRefusal>> {
  if (!isTokenId(tokenId)) return fail(unknownMarket(tokenId));
  const byToken = await fetchJson(get, `${restUrl}/markets-by-token/${tokenId}`, tokenId);
  if (!byToken.ok) return byToken;
  const conditionId = field(byToken.value, 'condition_id');
  if (!isPlainText(conditionId) || conditionId === '') return fail(unavailable('no condition_id in the answer'));
  const market = await fetchJson(get, `${restUrl}/clob-markets/${conditionId}`, tokenId);
  if (!market.ok) return market;
  const facts = readFacts(conditionId, market.value);
  if (facts === null) return fail(unavailable(`market ${conditionId} is not described as expected`));
  if (facts.primaryToken !== tokenId && facts.complementToken !== tokenId) return fail(unknownMarket(tokenId));
  return ok(facts);
}

/** Returns the whole book of a token, or null if it is unavailable. Never rejects. */
export async function fetchBook(get: HttpGet, restUrl: string, tokenId: string): Promise<BookDocument | null> {
  const answer = await fetchJson(get, `${restUrl}/book?token_id=${tokenId}`, tokenId);
  return answer.ok ? readBookDocument(answer.value) : null;
}

/** Whether the venue says that a market is over. False also if the venue does not answer. Never rejects. */
export async function fetchIsClosed(
  get: HttpGet,
  restUrl: string,
  { conditionId, primaryToken }: MarketFacts,
): Promise<boolean> {
  const market = await fetchJson(get, `${restUrl}/markets/${conditionId}`, primaryToken);
  return market.ok && field(market.value, 'closed') === true;
}

/** Returns the venue's tick as the step of a ladder, or null if the text is not a tick. */
export function stepOfTick(tickSize: string): Ticks | null {
  const tick = parseTicks(tickSize);
  const step = tick === null || tick === 0 ? 0 : ladderStep(uniformGrid(tick));
  return step === 0 ? null : (step as Ticks);
}

/**
 * Reads the short market object: `t` tokens, `mts` tick, `mos` smallest order, `nr` negative risk, `ao` accepts orders. A false field is
 * absent.
 */
function readFacts(conditionId: string, market: unknown): MarketFacts | null {
  const tokens = field(market, 't');
  if (!Array.isArray(tokens) || tokens.length !== 2) return null;
  const [primaryToken, complementToken] = (tokens as unknown[]).map(token => field(token, 't'));
  if (typeof primaryToken !== 'string' || typeof complementToken !== 'string') return null;
  const tickSize = decimalTextOf(field(market, 'mts'));
  const minOrderSize = decimalTextOf(field(market, 'mos'));
  const step = stepOfTick(tickSize);
  if (!isTokenId(primaryToken) || !isTokenId(complementToken) || primaryToken === complementToken) return null;
  if (step === null || minOrderSize === '' || !isPlainText(minOrderSize)) return null;
  return {
    conditionId,
    primaryToken,
    complementToken,
    step,
    tickSize,
    minOrderSize,
    negRisk: field(market, 'nr') === true,
    ...(field(market, 'ao') === true ? {} : { mayBeOver: true }),
  };
}

async function fetchJson(get: HttpGet, url: string, tokenId: string): Promise<Result<unknown, FeedRefusal>> {
  const answer = await getJson(get, url);
  if (answer.ok) return answer;
  const { status, message } = answer.error;
  return fail(UNKNOWN_MARKET_STATUSES.includes(status) ? unknownMarket(tokenId) : unavailable(message));
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function unknownMarket(tokenId: string): FeedRefusal {
  return { code: 'UNKNOWN_MARKET', message: `venue A has no market with token ${tokenId.slice(0, 80)}` };
}

function unavailable(detail: string): FeedRefusal {
  return { code: 'VENUE_UNAVAILABLE', message: `venue A: ${detail}` };
}
