// Reads rows that venue B no longer has in its live lists (venue-b.md §4.5). The venue archives an ended order some two weeks after its
// last change, a fill and a settled market months later. It states its cutoffs, and moves them at any time. So a reader asks for the live
// data first, then for the cutoffs, then for the archive. Then no row that moves meanwhile is missed; a row may be listed twice. Engine
// thread.

import { DAY_MS } from '../../../core/domain/durations.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import { fail, ok } from '../../../core/domain/result.ts';
import type { Reading } from '../../venue.ts';
import { timeOf } from './amounts.ts';
import type { ReadAnswer, VenueBRest } from './rest.ts';

export type VenueBReads = Pick<VenueBRest, 'read' | 'readList' | 'soon'>;

type ArchivedList = 'orders' | 'fills';

/** Null if the venue states no readable cutoff, so that anything may be archived. */
type Cutoffs = Readonly<Record<ArchivedList, UnixMillis | null>>;

/** A cutoff is no moment of a move, and clocks differ. */
const MARGIN_MS = DAY_MS;
async function cutoffs(rest: VenueBReads, deadline: UnixMillis): Reading<Cutoffs> {
  const answer = await rest.read('/historical/cutoff', deadline);
  if (answer.type !== 'body') return fail(answer.message);
  const { orders_updated_ts, trades_created_ts } = answer.body;
  return ok({ orders: timeOf(undefined, orders_updated_ts), fills: timeOf(undefined, trades_created_ts) });
}

interface Sought {
  readonly query: string;
  /** Nothing older is needed; null if rows of any age are. */
  readonly since: UnixMillis | null;
  /** Null if each page has the usual time of a read. */
  readonly deadline: UnixMillis | null;
}

/** The archived rows of a list, as `readList` gives them; none if the cutoff lies before all that is sought. Read the live list before. */
export async function readArchive(
  rest: VenueBReads,
  list: ArchivedList,
  { query, since, deadline }: Sought,
  isSought?: (row: unknown) => boolean,
): Reading<readonly unknown[]> {
  if (since !== null) {
    const stated = await cutoffs(rest, deadline ?? rest.soon());
    if (!stated.ok) return stated;
    const cutoff = stated.value[list];
    if (cutoff !== null && since > cutoff + MARGIN_MS) return ok([]);
  }
  return rest.readList(`/historical/${list}?${query}`, list, deadline, isSought);
}

/** The venue's description of a market, which it archives after its payout. */
export async function readMarket(rest: VenueBReads, ticker: string): Promise<ReadAnswer> {
  const path = `markets/${encodeURIComponent(ticker)}`;
  const live = await rest.read(`/${path}`, rest.soon());
  return live.type === 'missing' ? rest.read(`/historical/${path}`, rest.soon()) : live;
}
