// The payout of a token, by the CLOB's description of its market (venue-a.md §4): its winner, or no winner, which pays a half for both. It
// remains after the shares are redeemed, and changes with the result. Any thread.

import { TICKS_PER_DOLLAR, type Ticks } from '../../../domain/numbers.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { HTTP_NOT_FOUND } from '../../../net/http-status.ts';
import { readMarketDocument } from '../market-document.ts';
import type { MarketTermsCache } from './market-terms-cache.ts';
import type { VenueApi } from './venue-api.ts';

export const WON = TICKS_PER_DOLLAR as Ticks;
export const LOST = 0 as Ticks;
const HALF = (TICKS_PER_DOLLAR / 2) as Ticks;

/** Null: its market is unresolved, unknown, or described in an unknown form. */
export async function payoutOf(
  { api, terms }: { readonly api: VenueApi; readonly terms: MarketTermsCache },
  tokenId: string,
): Promise<Result<Ticks | null, string>> {
  const condition = await terms.conditionOf(tokenId);
  if (!condition.ok) return condition.error.type === 'unknown-market' ? ok(null) : fail(condition.error.message);
  const answer = await api.readPublic(`/markets/${condition.value}`);
  if (!answer.ok) return answer.error.status === HTTP_NOT_FOUND ? ok(null) : fail(`/markets: ${answer.error.message}`);
  const document = readMarketDocument(answer.value);
  if (document.type !== 'market') return ok(null);
  const { status, tokens } = document.market;
  const token = tokens.find(it => it.tokenId === tokenId);
  const winners = tokens.filter(it => it.isWinner);
  if (status !== 'resolved' || token === undefined || winners.length > 1) return ok(null);
  return ok(winners.length === 0 ? HALF : token.isWinner ? WON : LOST);
}
