// A market of venue E (venues-c-d-e.md §3): alone, as a group of markets, or as a member of one. A member has a bare title and no
// date of its own. No document states a price. Pure.

import { countOf, isObject, type JsonObject, objectsOf, textOf } from '../../domain/json.ts';
import { isPlainTokenId } from '../../domain/market-address.ts';
import type { MarketStatus } from '../../domain/market-summary.ts';
import type { UnixMillis } from '../../domain/numbers.ts';
import { labelOf } from '../market-read-label.ts';
import { secondsOf } from '../market-read-numbers.ts';

export interface VenueEMarket {
  readonly marketId: string;
  readonly title: string;
  /** `deleted`: as if it had never existed. */
  readonly status: MarketStatus | 'deleted';
  /** YES first. */
  readonly outcomes: readonly [VenueEOutcome, VenueEOutcome];
  readonly expiresAt: UnixMillis | null;
}

export interface VenueEOutcome {
  readonly name: string;
  readonly outcomeId: string;
}

/** What markets take from their group. */
export interface VenueEGroup {
  readonly groupId: string;
  readonly title: string;
  readonly expiresAt: UnixMillis | null;
}

export type VenueEDocument =
  | { readonly type: 'market'; readonly market: VenueEMarket; readonly isMember: boolean }
  | { readonly type: 'group'; readonly group: VenueEGroup; readonly members: readonly JsonObject[] }
  /** Names the field. */
  | { readonly type: 'unreadable'; readonly problem: string };

const CATEGORICAL = 1;
const STATUSES: Readonly<Record<number, VenueEMarket['status']>> = {
  // Created, and not yet trading.
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
  const [title, expiresAt] = [labelOf(data.marketTitle), secondsOf(data.cutoffAt)];
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
  // Members have no type.
  const isMember = data.marketType === undefined;
  return { type: 'market', market: { marketId, title, status, outcomes, expiresAt }, isMember };
}

/** The id as text; null if it is none. */
export function idOf({ marketId }: JsonObject): string | null {
  const id = countOf(marketId) ?? 0;
  return id > 0 ? String(id) : null;
}

/** The market, completed from its group. */
export function asMember(market: VenueEMarket, { title, expiresAt }: VenueEGroup): VenueEMarket {
  return { ...market, title: `${title} - ${market.title}`, expiresAt: market.expiresAt ?? expiresAt };
}

function unreadable(problem: string): VenueEDocument {
  return { type: 'unreadable', problem };
}
