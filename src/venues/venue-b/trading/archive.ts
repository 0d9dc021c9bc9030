// Reads rows that venue B no longer has in its live lists (venue-b.md §4.5). The venue archives an ended order some two weeks after its
// last change, fills and settled markets months later. It states its cutoffs, and may move them at any time. So the live data is read
// first, then the cutoffs, then the archive. A row that moves meanwhile is then never missed, but may be listed twice. Engine thread.

import { DAY_MS } from '../../../core/domain/durations.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import { fail, ok } from '../../../core/domain/result.ts';
import type { Reading } from '../../venue.ts';
import { timeOf } from './amounts.ts';
import type { ReadAnswer, VenueBRest } from './rest.ts';

export type VenueBReads = Pick<VenueBRest, 'read' | 'readList' | 'deadline'>;

type ArchivedList = 'orders' | 'fills';

/**
 * The time of each list before which rows are archived. Null means that the venue states no readable cutoff, so that any row may be
 * archived.
 */
type Cutoffs = Readonly<Record<ArchivedList, UnixMillis | null>>;

/** The margin around a cutoff: rows do not move exactly at the cutoff, and clocks differ. */
const MARGIN_MS = DAY_MS;
async function readCutoffs(rest: VenueBReads, deadline: UnixMillis): Reading<Cutoffs> {
  const answer = await rest.read('/historical/cutoff', deadline);
  if (answer.type !== 'body') return fail(answer.message);
  const { orders_updated_ts, trades_created_ts } = answer.body;
  return ok({ orders: timeOf(undefined, orders_updated_ts), fills: timeOf(undefined, trades_created_ts) });
}

interface Sought {
  readonly query: string;
  /** The time before which no rows are needed. Null means that rows of any age are needed. */
  readonly since: UnixMillis | null;
  /** The deadline of the whole read. Null means that each page has the usual time of a read. */
  readonly deadline: UnixMillis | null;
}

/**
 * Returns the archived rows of a list, in the form of `readList`. Returns no rows if the cutoff lies before everything that is sought. Read
 * the live list before this.
 */
export async function readArchive(
  rest: VenueBReads,
  list: ArchivedList,
  { query, since, deadline }: Sought,
  isSought?: (row: unknown) => boolean,
): Reading<readonly unknown[]> {
  if (since !== null) {
    const stated = await readCutoffs(rest, deadline ?? rest.deadline());
    if (!stated.ok) return stated;
    const cutoff = stated.value[list];
    if (cutoff !== null && since > cutoff + MARGIN_MS) return ok([]);
  }
  return rest.readList(`/historical/${list}?${query}`, list, deadline, isSought);
}

/** Reads the venue's description of a market, from the archive if it is there: the venue archives a market after its payout. */
export async function readMarket(rest: VenueBReads, ticker: string): Promise<ReadAnswer> {
  const path = `markets/${encodeURIComponent(ticker)}`;
  const live = await rest.read(`/${path}`, rest.deadline());
  return live.type === 'missing' ? rest.read(`/historical/${path}`, rest.deadline()) : live;
}
