// A wallet's holdings, by venue A's Data API (venue-a.md §8): public, and seconds to minutes behind. Shares of a resolved market stay
// there until they are redeemed, worthless ones too. Any thread.

import { type JsonObject, textOf } from '../../../domain/json.ts';
import { isTokenId } from '../../../domain/market-address.ts';
import { COST_PER_MICRO_DOLLAR, type MicroDollars, type MicroShares, type Ticks } from '../../../domain/numbers.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import type { OutboundPool } from '../../../net/outbound.ts';
import { askAgainIfLost } from '../../ask-again.ts';
import { listedOf, unreadRow } from '../../listed.ts';
import type { Listed, UnreadRow } from '../../venue.ts';
import { jsonResult, parseJsonBytes, REQUEST_HEADERS } from '../../venue-json.ts';
import { nearestTicksOf, roundSharesOf } from './wire-numbers.ts';

export interface Holding {
  readonly tokenId: string;
  readonly size: MicroShares;
  /** Payout per share; null until its market is resolved. */
  readonly paid: Ticks | null;
}

/** Worthless shares last. */
const RESOLVED_BY_VALUE = { redeemable: 'true', sortBy: 'CURRENT', sortDirection: 'DESC' };

/**
 * All holdings of a wallet, or only those in resolved markets. Among these the worthless pile up, as nobody redeems them. They are left
 * out if the list exceeds its bound.
 */
export async function readHoldings(
  outbound: OutboundPool,
  wallet: string,
  isResolvedOnly: boolean,
): Promise<Result<Listed<Holding>, string>> {
  const rowsMax = limits.venueADataRowsPerPage;
  /** By token, so that a row counts once: pages use offsets, and sales in between shift them. */
  const holdings = new Map<string, Holding>();
  const unread: UnreadRow[] = [];
  let last: Holding | null = null;
  for (let page = 0; page < limits.venueADataPagesMax; page += 1) {
    const place = { limit: String(rowsMax), offset: String(page * rowsMax) };
    const which = isResolvedOnly ? RESOLVED_BY_VALUE : {};
    const query = new URLSearchParams({ user: wallet, sizeThreshold: '0', ...place, ...which });
    const rows = await readRows(outbound, `/positions?${query}`);
    if (!rows.ok) return rows;
    const part = listedOf(rows.value, readHolding, unreadHolding);
    for (const holding of part.rows) if (holding.size > 0) holdings.set(holding.tokenId, holding);
    unread.push(...part.unread);
    last = part.rows.at(-1) ?? last;
    if (rows.value.length < rowsMax) return ok({ rows: [...holdings.values()], unread });
  }
  if (isResolvedOnly && last?.paid === 0) return ok({ rows: [...holdings.values()], unread });
  return fail(`positions: more than ${limits.venueADataPagesMax} pages (venueADataPagesMax)`);
}

/** Proceeds of a redemption, rounded down. */
export function claimOf({ size, paid }: Holding): MicroDollars {
  if (paid === null) return 0 as MicroDollars;
  return Number((BigInt(size) * BigInt(paid)) / COST_PER_MICRO_DOLLAR) as MicroDollars;
}

async function readRows(outbound: OutboundPool, target: string): Promise<Result<readonly unknown[], string>> {
  const ask = () =>
    outbound.request({ method: 'GET', target, headers: REQUEST_HEADERS, body: '' }, limits.upstreamRestTimeoutMs);
  const outcome = await askAgainIfLost(ask);
  if (outcome.type !== 'answer') return fail(`positions: ${outcome.message}`);
  const rows = jsonResult(outcome.status, parseJsonBytes(outcome.body));
  if (!rows.ok) return fail(`positions: ${rows.error.message}`);
  return Array.isArray(rows.value)
    ? ok(rows.value as readonly unknown[])
    : fail('positions: an answer that is no list');
}

/** `redeemable` is true for every share of a resolved market, also at a value of 0. */
function readHolding(row: JsonObject): Holding | null {
  const tokenId = textOf(row.asset);
  const size = roundSharesOf(row.size);
  if (!isTokenId(tokenId) || size === null) return null;
  if (row.redeemable !== true) return { tokenId, size, paid: null };
  // A value that is not final may lie between two ticks; 0 and 1 are final.
  const paid = nearestTicksOf(row.curPrice);
  return paid === null ? null : { tokenId, size, paid };
}

function unreadHolding(row: JsonObject): UnreadRow {
  const tokenId = textOf(row.asset);
  const addresses = isTokenId(tokenId) ? [tokenId] : [];
  return unreadRow('position', addresses[0] ?? '', row, { addresses });
}
