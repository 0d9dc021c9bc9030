// A market in the full description of venue A's CLOB (venue-a.md §4): two outcomes, each a token with a book of its own.
// Pure.

import { isoDayMillisOf } from '../../core/domain/iso-time.ts';
import { isObject, type JsonObject, objectsOf, textOf } from '../../core/domain/json.ts';
import { isTokenId } from '../../core/domain/market.ts';
import type { MarketStatus } from '../../core/domain/market-summary.ts';
import { type UnixMillis, unixMillisOf } from '../../core/domain/numbers.ts';
import { isoTimeOf, labelOf } from '../wire-values.ts';

export interface VenueAMarket {
  readonly conditionId: string;
  readonly title: string;
  readonly status: MarketStatus;
  readonly tokens: readonly [VenueAToken, VenueAToken];
  /** Whether the market has books. A closed market has none. */
  readonly hasBooks: boolean;
  readonly expiresAt: UnixMillis | null;
}

export interface VenueAToken {
  readonly tokenId: string;
  readonly name: string;
  readonly isWinner: boolean;
}

type VenueADocument =
  | { readonly type: 'market'; readonly market: VenueAMarket }
  /** The market is known, but has no tokens: it is not tradable yet, or will never be again. */
  | { readonly type: 'tokenless' }
  /** The description cannot be read. `problem` names the field. */
  | { readonly type: 'unreadable'; readonly problem: string };

export function readMarketDocument(body: unknown): VenueADocument {
  if (!isObject(body)) return unreadable('body');
  const conditionId = textOf(body.condition_id);
  if (conditionId === '') return unreadable('condition_id');
  if (objectsOf(body.tokens).every(token => token.token_id === '')) return { type: 'tokenless' };
  const tokens = tokensOf(body);
  if (tokens === null) return unreadable('tokens');
  const [title, status, expiresAt] = [labelOf(body.question), statusOf(body, tokens), timeOf(body.end_date_iso)];
  const hasBooks = body.closed !== true;
  return { type: 'market', market: { conditionId, title, status, tokens, hasBooks, expiresAt } };
}

function tokensOf({ tokens }: JsonObject): VenueAMarket['tokens'] | null {
  if (!Array.isArray(tokens) || tokens.length !== 2) return null;
  const [first, second] = (tokens as unknown[]).map(tokenOf);
  return first == null || second == null || first.tokenId === second.tokenId ? null : [first, second];
}

function tokenOf(token: unknown): VenueAToken | null {
  if (!isObject(token)) return null;
  const [tokenId, name] = [textOf(token.token_id), labelOf(token.outcome)];
  return isTokenId(tokenId) && name !== '' ? { tokenId, name, isWinner: token.winner === true } : null;
}

function statusOf(market: JsonObject, tokens: VenueAMarket['tokens']): MarketStatus {
  const { closed, active, archived, accepting_orders, is_50_50_outcome } = market;
  const isDecided = is_50_50_outcome === true || tokens.some(({ isWinner }) => isWinner);
  if (closed === true) return isDecided ? 'resolved' : 'closed';
  if (archived === true) return 'closed';
  return active === true && accepting_orders === true ? 'open' : 'paused';
}

/** Reads a time, or a date alone. Returns null if not stated. */
function timeOf(value: unknown): UnixMillis | null {
  const text = textOf(value);
  return isoTimeOf(text) ?? unixMillisOf(isoDayMillisOf(text) ?? 0);
}

function unreadable(problem: string): VenueADocument {
  return { type: 'unreadable', problem };
}
