// A market of venue E (venues-c-d-e.md §3): alone, as a group of markets, or as a member of a group. A member has a bare title and no date
// of its own. No document states a price. Answers are `{errno, errmsg, result}` on the wire, but `{code, msg, result}` in the venue's
// documents. A failure may have HTTP status 200. Pure.

import { SECOND_MS } from '../../core/domain/durations.ts';
import { countOf, decimalTextOf, isObject, type JsonObject, objectsOf, textOf } from '../../core/domain/json.ts';
import { isPlainTokenId } from '../../core/domain/market.ts';
import type { MarketStatus } from '../../core/domain/market-summary.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { plainText } from '../../core/domain/plain-text.ts';
import { HTTP_OK } from '../../core/net/http-status.ts';
import { limits } from '../../limits.ts';
import type { JsonAnswer } from '../market-read-http.ts';
import { labelOf, unixTimeOf } from '../wire-values.ts';

export interface VenueEMarket {
  readonly marketId: string;
  readonly title: string;
  /** The status. `deleted` means that the market counts as one that never existed. */
  readonly status: MarketStatus | 'deleted';
  /** The YES outcome comes first. */
  readonly outcomes: readonly [VenueEOutcome, VenueEOutcome];
  readonly expiresAt: UnixMillis | null;
}

interface VenueEOutcome {
  readonly name: string;
  readonly outcomeId: string;
}

/** The facts that markets take from their group. */
export interface VenueEGroup {
  readonly groupId: string;
  readonly title: string;
  readonly expiresAt: UnixMillis | null;
}

type VenueEDocument =
  | { readonly type: 'market'; readonly market: VenueEMarket; readonly isMember: boolean }
  | { readonly type: 'group'; readonly group: VenueEGroup; readonly members: readonly JsonObject[] }
  /** The description cannot be read. `problem` names the field. */
  | { readonly type: 'unreadable'; readonly problem: string };

const CATEGORICAL = 1;
const STATUSES: Readonly<Record<number, VenueEMarket['status']>> = {
  // The market is created, and does not trade yet.
  1: 'paused',
  2: 'open',
  3: 'closed',
  4: 'resolved',
  5: 'cancelled',
  6: 'deleted',
};

export function readMarketDocument(data: unknown): VenueEDocument {
  if (!isObject(data)) return unreadable('market');
  const marketId = idOf(data);
  if (marketId === null) return unreadable('marketId');
  const [title, expiresAt] = [labelOf(data.marketTitle), unixTimeOf(data.cutoffAt, SECOND_MS)];
  const members = objectsOf(data.childMarkets);
  if (data.marketType === CATEGORICAL || members.length > 0) {
    return { type: 'group', group: { groupId: marketId, title, expiresAt }, members };
  }
  const status = STATUSES[countOf(data.status) ?? 0];
  if (status === undefined) return unreadable('status');
  const [yesToken, noToken] = [textOf(data.yesTokenId), textOf(data.noTokenId)];
  if (!isPlainTokenId(yesToken) || !isPlainTokenId(noToken) || yesToken === noToken) return unreadable('token ids');
  const outcomes = [
    { name: labelOf(data.yesLabel) || 'Yes', outcomeId: yesToken },
    { name: labelOf(data.noLabel) || 'No', outcomeId: noToken },
  ] as const;
  // Only members of a group have no type.
  const isMember = data.marketType === undefined;
  return { type: 'market', market: { marketId, title, status, outcomes, expiresAt }, isMember };
}

/** Returns the id as text, or null if it is not an id. */
export function idOf({ marketId }: JsonObject): string | null {
  const id = countOf(marketId) ?? 0;
  return id > 0 ? String(id) : null;
}

/** Returns the market with the facts that it takes from its group. */
export function asMember(market: VenueEMarket, { title, expiresAt }: VenueEGroup): VenueEMarket {
  return { ...market, title: `${title} - ${market.title}`, expiresAt: market.expiresAt ?? expiresAt };
}

function unreadable(problem: string): VenueEDocument {
  return { type: 'unreadable', problem };
}

type Unwrapped =
  | { readonly type: 'result'; readonly result: JsonObject }
  /** The market was not found. */
  | { readonly type: 'missing' }
  /** Any other failure, in words. */
  | { readonly type: 'odd'; readonly words: string };

/** The statuses for an unknown market. 400 means that the id is of the wrong kind. */
const MISSING_STATUSES = [400, 404];
/** The words for an unknown market, because the error numbers are undocumented. */
const MISSING_WORDS = /not.?(found|exist)|no such|invalid market/i;

export function unwrap({ status, body }: JsonAnswer): Unwrapped {
  if (MISSING_STATUSES.includes(status)) return { type: 'missing' };
  if (!isObject(body)) return odd(`HTTP ${status} and nothing that can be read`);
  const number = body.errno ?? body.code;
  const words = plainText(textOf(body.errmsg) || textOf(body.msg), limits.venueWordsMax);
  if (number !== 0 && MISSING_WORDS.test(words)) return { type: 'missing' };
  if (status !== HTTP_OK || number !== 0)
    return odd(`HTTP ${status}, errno ${decimalTextOf(number).slice(0, 16) || 'none'}: ${words}`);
  return isObject(body.result) ? { type: 'result', result: body.result } : { type: 'missing' };
}

function odd(words: string): Unwrapped {
  return { type: 'odd', words };
}
