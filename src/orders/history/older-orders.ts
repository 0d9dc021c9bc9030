// The list of the older family (interface §4.3, contract §7): an actor's orders at both venues, newest first, in the older statuses and
// types. Statuses are ranges of the store, which are merged. Other filters (with or without fills, type) are tested order by order, up to a
// bound for each page. Such a page may be short, and the next page goes on from there. History thread.

import { VENUES, type Venue } from '../../core/domain/market.ts';
import type { OlderOrdersOperation, OperationReply } from '../../core/domain/operation.ts';
import type { Order } from '../../core/domain/order.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { HistoryReads, MergedQuery, OrderList } from '../../core/store/order-records.ts';
import {
  OLDER_STATUSES,
  OLDER_TYPES,
  type OlderStatus,
  type OlderType,
  olderOrderView,
  olderStatus,
  olderType,
  STATUSES_OF_OLDER,
} from '../../core/wire/older-views.ts';
import { type PageScope, pageToken, readPage } from '../../core/wire/page-token.ts';
import { errorReply, replyOf } from '../../core/wire/replies.ts';
import { limits } from '../../limits.ts';
import { placeText, readPlace } from './order-lists.ts';

export function listOlderOrders(
  reads: Pick<HistoryReads, 'mergedOrders'>,
  scope: PageScope,
  { caller, query }: OlderOrdersOperation,
): OperationReply {
  const page = readPage(scope, query, ['status', 'type']);
  if (!page.ok) return errorReply('invalid', page.error);
  const { rows, filters } = page.value;
  const wanted = filterOf(filters.status, filters.type);
  if (!wanted.ok) return errorReply('invalid', wanted.error);
  const after = page.value.after === null ? null : readPlace(page.value.after);
  const { orders, stoppedAt } = reads.mergedOrders({
    actorId: caller.actorId,
    ...wanted.value,
    after,
    // The read asks for one row more than the page shows, to find out whether another page follows.
    rowsMax: rows + 1,
    looksMax: limits.olderOrdersLookedMax,
  });
  const shown = orders.slice(0, rows);
  const last = orders.length > rows ? shown.at(-1)! : stoppedAt;
  const nextPageToken = last === null ? null : pageToken(scope, { rows, filters, after: placeText(last) });
  return replyOf(200, { orders: shown.map(olderOrderView), nextPageToken });
}

/** Returns the lists of the store that hold the requested orders, and the test for each order. */
function filterOf(
  statusText: string | undefined,
  typeText: string | undefined,
): Result<Pick<MergedQuery, 'lists' | 'isWanted'>, string> {
  const statuses = readWords('status', statusText, OLDER_STATUSES);
  if (!statuses.ok) return statuses;
  const types = readWords('type', typeText, OLDER_TYPES);
  if (!types.ok) return types;
  const isWanted = (it: Order) => statuses.value.has(olderStatus(it)) && types.value.has(olderType(it.request));
  return ok({ lists: listsOf(statuses.value, venuesOf(types.value)), isWanted });
}

/** Returns the words that the caller names, and all words if it names none. */
function readWords<Word extends string>(
  name: string,
  text: string | undefined,
  words: readonly Word[],
): Result<ReadonlySet<Word>, string> {
  if (text === undefined) return ok(new Set(words));
  const given = text.split(',').map(it => words.find(word => word === it));
  const known = new Set(given.filter(it => it !== undefined));
  return known.size === given.length
    ? ok(known)
    : fail(`${name}: must be of ${words.join(', ')}, each once, separated by commas`);
}

function venuesOf(types: ReadonlySet<OlderType>): readonly Venue[] {
  if (types.has('limit')) return VENUES;
  return types.has('market') ? ['venue_a'] : [];
}

function listsOf(wanted: ReadonlySet<OlderStatus>, venues: readonly Venue[]): readonly OrderList[] {
  const isAll = wanted.size === OLDER_STATUSES.length;
  const statuses = isAll ? [null] : new Set([...wanted].flatMap(it => STATUSES_OF_OLDER[it]));
  return [...statuses].flatMap(status => venues.map(venue => ({ venue, status })));
}
