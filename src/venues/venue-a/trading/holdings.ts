// The holdings of a wallet of venue A, and their payouts. The Data API lists holdings (venue-a.md §8); it is public, and seconds to minutes
// behind. Shares of a resolved market stay in its list until they are redeemed, even worthless shares. The CLOB knows a single token's
// balance (§3.7), and a market's result (§4). Engine thread.

import { isObject, type JsonObject, objectsOf, parseJson, textOf } from '../../../core/domain/json.ts';
import { isTokenId } from '../../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../../core/domain/numbers.ts';
import { COST_PER_MICRO_DOLLAR, MICROS_PER_DOLLAR, TICKS_PER_DOLLAR } from '../../../core/domain/numbers.ts';
import { fail, ok } from '../../../core/domain/result.ts';
import { countUnknown } from '../../../core/metrics/unknown-words.ts';
import { HTTP_NOT_FOUND } from '../../../core/net/http-status.ts';
import type { OutboundPool } from '../../../core/net/outbound.ts';
import type { Log } from '../../../core/runtime/log.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import { listedOf, unreadRow } from '../../unread-rows.ts';
import type { Listed, PrivateEvent, Reading, UnreadRow } from '../../venue.ts';
import { askAgainIfLost, jsonResult, REQUEST_HEADERS } from '../../venue-json.ts';
import { roundMicrosOf, venueCursorOf } from '../../wire-values.ts';
import { readMarketDocument } from '../market-document.ts';
import { conditionIdOfPosition, outcomeOfPosition, protocolOf } from '../position-ids.ts';
import type { MarketTermsCache } from './market-terms.ts';
import type { VenueApi } from './venue-api.ts';
import { collateralOf, nearestTicksOf } from './wire-numbers.ts';

interface Holding {
  readonly tokenId: string;
  readonly size: MicroShares;
  /** The payout per share. Null until the market is resolved. */
  readonly paid: Ticks | null;
}

/** The Data API's words for all shares of a wallet. `RESOLVED` are its words for shares of resolved markets, worthless shares last. */
const ALL = ['OPEN'] as const;
const RESOLVED = ['REDEEMABLE', 'REDEEMABLE_LOST'] as const;

/**
 * Returns all holdings of a wallet, or only those in resolved markets. Worthless holdings in resolved markets pile up, because they are
 * never redeemed. They are left out if the list exceeds its bound.
 */
export async function readHoldings(
  outbound: OutboundPool,
  wallet: string,
  isResolvedOnly: boolean,
): Reading<Listed<Holding>> {
  /** The holdings by token, so that each counts once: a sale between two pages may shift the rows. */
  const holdings = new Map<string, Holding>();
  const unread: UnreadRow[] = [];
  let pages = 0;
  for (const status of isResolvedOnly ? RESOLVED : ALL) {
    // Dust and archived positions count, too, but the venue lists them only if it is asked for them.
    const filters = { user: wallet, status, filter_amount: '0', include_archived: 'true' };
    const seen = new Set<string>();
    for (let cursor = ''; ; ) {
      if (pages === limits.venueADataPagesMax) {
        if (status === 'REDEEMABLE_LOST') return ok({ rows: [...holdings.values()], unread });
        return fail(`v2/positions: more than ${limits.venueADataPagesMax} pages (venueADataPagesMax)`);
      }
      pages += 1;
      // A cursor is sent together with the filters of its first page.
      const place = { limit: String(limits.venueADataRowsPerPage), ...(cursor === '' ? {} : { cursor }) };
      const page = await readPage(outbound, `/v2/positions?${new URLSearchParams({ ...filters, ...place })}`);
      if (!page.ok) return page;
      const part = listedOf(page.value.rows, readHolding, unreadHolding);
      for (const holding of part.rows) if (holding.size > 0) holdings.set(holding.tokenId, holding);
      unread.push(...part.unread);
      cursor = page.value.next;
      if (cursor === '') break;
      if (seen.has(cursor)) return fail('v2/positions: a page leads back to one before it');
      seen.add(cursor);
    }
  }
  return ok({ rows: [...holdings.values()], unread });
}

/** Returns the proceeds of a redemption, rounded down. */
export function claimOf({ size, paid }: Holding): MicroDollars {
  if (paid === null) return 0 as MicroDollars;
  return Number((BigInt(size) * BigInt(paid)) / COST_PER_MICRO_DOLLAR) as MicroDollars;
}

/** Reads an answer of the Data API as JSON. The error names the route. */
export async function readData(outbound: OutboundPool, target: string): Reading<unknown> {
  const route = target.slice(1).split('?', 1)[0];
  const ask = () =>
    outbound.request({ method: 'GET', target, headers: REQUEST_HEADERS, body: '' }, limits.upstreamRestTimeoutMs);
  const outcome = await askAgainIfLost(ask);
  if (outcome.type !== 'answer') return fail(`${route}: ${outcome.message}`);
  const answer = jsonResult(outcome.status, parseJson(outcome.body));
  return answer.ok ? answer : fail(`${route}: ${answer.error.message}`);
}

/** Reads a page. `next` is empty at the end of the list. */
async function readPage(
  outbound: OutboundPool,
  target: string,
): Reading<{ readonly rows: readonly unknown[]; readonly next: string }> {
  const answer = await readData(outbound, target);
  if (!answer.ok) return answer;
  const { data, pagination } = isObject(answer.value) ? answer.value : {};
  if (!Array.isArray(data) || !isObject(pagination)) return fail('v2/positions: an answer that is not a page');
  const next = venueCursorOf(pagination.next_cursor);
  return next === null ? fail('v2/positions: a cursor that cannot be read') : ok({ rows: data, next });
}

/** Reads a holding. `redeemable` is true for every share of a resolved market, even for a worthless one. */
export function readHolding(row: JsonObject): Holding | null {
  const tokenId = textOf(row.token_id);
  const size = roundMicrosOf(row.current_size);
  if (!isTokenId(tokenId) || size === null) return null;
  if (row.redeemable !== true) return { tokenId, size, paid: null };
  // A value that is not final may lie between two ticks. 0 and 1 are final.
  const paid = nearestTicksOf(row.current_price);
  return paid === null ? null : { tokenId, size, paid };
}

function unreadHolding(row: JsonObject): UnreadRow {
  const tokenId = textOf(row.token_id);
  const addresses = isTokenId(tokenId) ? [tokenId] : [];
  return unreadRow('position', addresses[0] ?? '', row, { addresses });
}

/** Returns the query by which the CLOB's balances name a token. It depends on the token's protocol. */
export function assetQuery(tokenId: string): string {
  return `asset_type=${protocolOf(tokenId) === 'V2' ? 'CONDITIONAL-V2' : 'CONDITIONAL'}&token_id=${tokenId}`;
}

/**
 * Returns how much of a token the wallet holds, by the CLOB itself. The lists of the Data API lag, and may lack a row. `isFreshOnly` means
 * that an older balance does not count as an answer.
 */
export async function balanceOf(
  api: VenueApi,
  tokenId: string,
  signatureType: number,
  isFreshOnly = false,
): Reading<MicroShares> {
  const query = `${assetQuery(tokenId)}&signature_type=${signatureType}`;
  // Without this update the CLOB shows its last known balance.
  const updated = await api.readPrivate(`/balance-allowance/update?${query}`);
  if (isFreshOnly && !updated.ok) return fail(`/balance-allowance/update: ${updated.error.message}`);
  const answer = await api.readPrivate(`/balance-allowance?${query}`);
  if (!answer.ok) return fail(`/balance-allowance: ${answer.error.message}`);
  const balance = isObject(answer.value) ? collateralOf(answer.value.balance) : null;
  return balance === null
    ? fail('/balance-allowance: a balance that cannot be read')
    : ok(Number(balance) as MicroShares);
}

const WON = TICKS_PER_DOLLAR as Ticks;
const LOST = 0 as Ticks;
const HALF = (TICKS_PER_DOLLAR / 2) as Ticks;

interface PayoutParts {
  readonly api: VenueApi;
  readonly terms: MarketTermsCache;
  readonly outboundData: OutboundPool;
}

/**
 * Returns the payout of a share of a token, by the token's market. The payout remains after the shares are redeemed, and changes with the
 * result. Returns null if the market is unresolved, unknown, or described in an unknown form.
 */
export function payoutOf(parts: PayoutParts, tokenId: string): Reading<Ticks | null> {
  return protocolOf(tokenId) === 'V2' ? payoutOfPosition(parts, tokenId) : payoutOfToken(parts, tokenId);
}

/** Returns the payout at Protocol V1, by the market's winner. Without a winner, both tokens pay a half. */
async function payoutOfToken({ api, terms }: PayoutParts, tokenId: string): Reading<Ticks | null> {
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

/** Returns the payout at Protocol V2, by the resolution alone. A closed market says nothing about its result. */
async function payoutOfPosition({ outboundData }: PayoutParts, tokenId: string): Reading<Ticks | null> {
  const payouts = await resolutionOf(outboundData, conditionIdOfPosition(tokenId));
  if (!payouts.ok) return payouts;
  const micros = payouts.value?.[outcomeOfPosition(tokenId)] ?? null;
  return ok(micros === null || micros % MICROS_PER_TICK > 0 ? null : ((micros / MICROS_PER_TICK) as Ticks));
}

/**
 * Returns the payout of a share of each outcome, by a `resolved` row of the venue's resolutions (venue-a.md §0.1), or null without such a
 * row.
 */
export async function resolutionOf(
  outboundData: OutboundPool,
  condition: string,
): Reading<readonly [MicroDollars, MicroDollars] | null> {
  const rows = await readData(outboundData, `/v2/resolutions?condition=${condition}`);
  if (!rows.ok) return rows;
  const body = isObject(rows.value) ? rows.value.data : undefined;
  const [row] = objectsOf(body);
  if (!RESOLUTION_STATUSES.includes(row?.status)) countUnknown('venue_a', 'resolution_status', row?.status);
  if (row?.status !== 'resolved' || !Array.isArray(row.payouts)) return ok(null);
  const [first, second] = row.payouts.map(microsOf);
  return ok(first == null || second == null || first + second !== MICROS_PER_DOLLAR ? null : [first, second]);
}

const RESOLUTION_STATUSES: readonly unknown[] = ['posed', 'proposed', 'challenged', 'disputed', 'resolved'];
const MICROS_PER_TICK = MICROS_PER_DOLLAR / TICKS_PER_DOLLAR;

function microsOf(value: unknown): MicroDollars | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? (value as MicroDollars) : null;
}

interface SettlementWatchParts {
  /** Reads the holdings in resolved markets. */
  readonly resolved: () => Reading<Listed<Holding>>;
  /** Reads the payout from the market itself; null until the market is resolved. */
  readonly payoutOf: (tokenId: string) => Reading<Ticks | null>;
  readonly timers: Timers;
  readonly log: Log;
  onEvent(event: PrivateEvent): void;
}

/** A price between the final prices 0 and 1, so that the market is asked for the payout. */
const UNSAID = 1 as Ticks;

/** Finds markets that have paid out. The stream reports payouts unreliably (venue-a.md §5.2), so the wallet's holdings are polled. */
export class SettlementWatch {
  readonly #parts: SettlementWatchParts;
  #cancelTimer: () => void = () => {};
  #isClosed = false;
  /** The values that were reported at the last poll, so that an equal value is not reported again. */
  #reported: ReadonlyMap<string, Ticks> = new Map();

  constructor(parts: SettlementWatchParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { resolved, timers, log, onEvent } = this.#parts;
    const holdings = await resolved();
    const values = holdings.ok ? await this.#valuesOf(holdings.value) : new Map<string, Ticks>();
    if (this.#isClosed) return;
    if (holdings.ok) {
      const { rows, unread } = holdings.value;
      for (const row of unread) onEvent({ type: 'unread', row });
      for (const [tokenId, value] of values) {
        if (this.#reported.get(tokenId) === value) continue;
        onEvent({ type: 'settled', address: tokenId, value, at: timers.now() });
      }
      const named = unread.flatMap(({ addresses }) => addresses);
      // An unreadable row without a token may be of any token. Then no token can count as missing from the list.
      if (unread.every(({ addresses }) => addresses.length > 0))
        onEvent({ type: 'redeemable', addresses: [...rows.map(({ tokenId }) => tokenId), ...named] });
      this.#reported = values;
    } else log.warn('resolved markets cannot be read', { venue: 'venue_a', message: holdings.error });
    this.#cancelTimer = timers.after(limits.venueASettlementPollMs, () => void this.start());
  }

  /** Returns the final values by token. A price other than 0 and 1 is not final, so the market is asked. */
  async #valuesOf({ rows, unread }: Listed<Holding>): Promise<ReadonlyMap<string, Ticks>> {
    const values = new Map<string, Ticks>();
    let requestsLeft: number = limits.venueAPayoutsAskedMax;
    const named = unread.flatMap(({ addresses }) => addresses).map(tokenId => ({ tokenId, paid: UNSAID }));
    for (const { tokenId, paid } of [...rows, ...named]) {
      if (paid === null) continue;
      const isFinal = paid === WON || paid === LOST;
      const known = isFinal ? paid : (this.#reported.get(tokenId) ?? null);
      const isAsked = known === null && requestsLeft-- > 0;
      const payout = isAsked ? await this.#parts.payoutOf(tokenId) : ok(known);
      const value = payout.ok ? payout.value : null;
      if (value !== null) values.set(tokenId, value);
    }
    return values;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
  }
}
