// Reads the lists of an account at venues A and B once, with the gateway's own readers. Reports which fields no reader looks at, and which
// fields are missing. Only reads are sent. For `crossbook doctor --venues`.

import { isObject, type JsonObject } from '../core/domain/json.ts';
import type { Venue } from '../core/domain/market.ts';
import type { PodVenues, VenueAAccount, VenueBTradingAccount } from '../core/domain/pod-accounts.ts';
import type { Result } from '../core/domain/result.ts';
import { HttpOutboundPool } from '../core/net/outbound-pool.ts';
import { wallTimers } from '../core/runtime/timers.ts';
import { limits } from '../limits.ts';
import { FieldWatch } from './field-watch.ts';
import { checksumAddress } from './venue-a/address.ts';
import { approvalsTarget, missingApprovals } from './venue-a/approvals.ts';
import { addressOf } from './venue-a/secp256k1.ts';
import { readData, readHolding } from './venue-a/trading/holdings.ts';
import { readShownOrder } from './venue-a/trading/open-orders.ts';
import { orderSigner } from './venue-a/trading/order-body.ts';
import { readTrade } from './venue-a/trading/trades.ts';
import { VenueApi } from './venue-a/trading/venue-api.ts';
import { collateralOf } from './venue-a/trading/wire-numbers.ts';
import { createVenueBSigner } from './venue-b/auth.ts';
import { availableIn, positionOf, shardsIn } from './venue-b/trading/account.ts';
import { attestedUntilIn } from './venue-b/trading/attestation.ts';
import { createBudgetMemory, VenueBBudget } from './venue-b/trading/budget.ts';
import { fillRecordOf, orderRecordOf } from './venue-b/trading/reported-rows.ts';
import { VenueBRest } from './venue-b/trading/rest.ts';
import type { RestMethod } from './venue-b/trading/signatures.ts';
import type { RouteDrift } from './venue-drift.ts';

const ROWS = 100;
/** The cursor of a list's first page. */
const FIRST = 'MA==';

/**
 * A route of an account. `rows` names the field of the answer that has the rows; if it is empty, the answer itself is the row. `read` says
 * whether a reader understands a row.
 */
interface Route {
  readonly path: string;
  readonly rows: string;
  readonly read: (row: JsonObject) => boolean;
}

type Ask = (path: string) => Promise<Result<unknown, string>>;

export async function readAccountDrift({ venueA, venueB }: PodVenues): Promise<readonly RouteDrift[]> {
  const [atA, atB] = await Promise.all([venueA && driftAtA(venueA), venueB && driftAtB(venueB)]);
  return [...(atA ?? []), ...(atB ?? [])];
}

async function driftAtA(account: VenueAAccount): Promise<readonly RouteDrift[]> {
  const signer = orderSigner(account);
  // `crossbook doctor` reports elsewhere that the account cannot sign.
  if (signer === null) return [];
  const { restUrl, dataUrl, funder, signatureType } = account;
  const [outbound, data] = [poolOf(restUrl), poolOf(dataUrl)];
  const address = checksumAddress(addressOf(signer.key));
  const api = new VenueApi({ account, address, outbound, timers: wallTimers });
  const askClob: Ask = async path => {
    const answer = await api.readPrivate(path);
    return answer.ok ? answer : { ok: false, error: answer.error.message };
  };
  const now = wallTimers.now();
  const user = new URLSearchParams({ user: funder, limit: String(ROWS), filter_amount: '0', include_archived: 'true' });
  await api.askTime();
  const drift = [
    ...(await driftOf('venue_a', askClob, [
      { path: `/data/orders?next_cursor=${FIRST}`, rows: 'data', read: row => readShownOrder(row, now) !== null },
      { path: `/data/trades?next_cursor=${FIRST}`, rows: 'data', read: isReadableTrade },
      {
        path: `/balance-allowance?asset_type=COLLATERAL&signature_type=${signatureType}`,
        rows: '',
        read: ({ balance }) => collateralOf(balance) !== null,
      },
    ])),
    ...(await driftOf('venue_a', path => readData(data, path), [
      { path: `/v2/positions?${user}`, rows: 'data', read: row => readHolding(row) !== null },
      { path: approvalsTarget(funder), rows: '', read: body => missingApprovals(body) !== null },
    ])),
  ];
  await Promise.all([outbound.close(), data.close()]);
  return drift;
}

function isReadableTrade(row: JsonObject): boolean {
  const trade = readTrade(row);
  return trade.type === 'trade' && !trade.isGarbled && trade.unread.length === 0;
}

async function driftAtB({ restUrl, keyId, privateKeyPem }: VenueBTradingAccount): Promise<readonly RouteDrift[]> {
  const outbound = poolOf(restUrl);
  const now = () => wallTimers.now();
  const sign = createVenueBSigner(keyId, privateKeyPem);
  const headers = (method: RestMethod, path: string) => sign(method, restUrl + path, now());
  const signatures = { headers, signNow: headers, renew: () => {} };
  const budget = new VenueBBudget(createBudgetMemory(), now);
  const rest = new VenueBRest({ restUrl, signatures, outbound, budget, timers: wallTimers });
  const ask: Ask = async path => {
    const answer = await rest.read(path, rest.deadline());
    return answer.type === 'body' ? { ok: true, value: answer.body } : { ok: false, error: answer.message };
  };
  const drift = await driftOf('venue_b', ask, [
    { path: `/portfolio/orders?limit=${ROWS}`, rows: 'orders', read: row => orderRecordOf(row) !== null },
    { path: `/portfolio/fills?limit=${ROWS}`, rows: 'fills', read: row => fillRecordOf(row) !== null },
    { path: `/portfolio/positions?limit=${ROWS}`, rows: 'market_positions', read: row => positionOf(row) !== null },
    {
      path: '/portfolio/balance',
      rows: '',
      read: body => availableIn(body) !== null && shardsIn(body, [], []).length > 0,
    },
    { path: '/api_keys', rows: '', read: body => attestedUntilIn(body) !== null || Array.isArray(body.api_keys) },
  ]);
  await outbound.close();
  return drift;
}

async function driftOf(venue: Venue, ask: Ask, routes: readonly Route[]): Promise<readonly RouteDrift[]> {
  const drift: RouteDrift[] = [];
  for (const { path, rows: name, read } of routes) {
    const answer = await ask(path);
    const watch = new FieldWatch();
    const body = answer.ok ? answer.value : null;
    const listed = isObject(body) ? (name === '' ? [body] : body[name]) : null;
    for (const row of Array.isArray(listed) ? (listed as readonly unknown[]) : []) {
      const { value, end } = watch.watch(row);
      end(isObject(value) && read(value));
    }
    const failure = !answer.ok ? answer.error : Array.isArray(listed) ? '' : `no ${name || 'object'} in the answer`;
    const { rows, refused, unread, lacking } = watch;
    drift.push({ venue, route: path.split('?', 1)[0]!, rows, refused, unread, lacking, failure });
  }
  return drift;
}

function poolOf(url: string): HttpOutboundPool {
  const { origin } = new URL(url);
  const { orderConnectionIdleMs: idleMs, upstreamRestBodyBytesMax: answerBytesMax } = limits;
  return new HttpOutboundPool({ origin, connectionsMax: 2, idleMs, answerBytesMax });
}
