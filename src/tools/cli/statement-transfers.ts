// The money that an account at venue B received or paid other than by trading, as the venue lists it (venue-b.md §6.1). Banks bring and
// take money. Transfers move money to other subaccounts and to the margined instance. Transfers between shards do not change the sum.

import { isObject, type JsonObject, textOf } from '../../core/domain/json.ts';
import {
  COST_PER_MICRO_DOLLAR,
  formatMicroDollars,
  type MicroDollars,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import type { PodVenues, VenueBTradingAccount } from '../../core/domain/pod-accounts.ts';
import { moneyOf, timeOf } from '../../venues/venue-b/trading/amounts.ts';
import { wordsIn } from '../../venues/venue-b/trading/refusals.ts';
import { venueCursorOf } from '../../venues/wire-values.ts';
import type { StatementRow } from './statement-rows.ts';
import { askVenueB } from './venue-b-account.ts';

export interface Transfers {
  readonly rows: readonly StatementRow[];
  /** Notes for a person, about facts that the rows cannot express. */
  readonly notes: readonly string[];
}

/** Reads a row of a list. Null means that the row does not change the account's balance. */
type ReadRow = (row: JsonObject) => Moved | null;

interface Moved {
  readonly kind: 'DEPOSIT' | 'WITHDRAWAL' | 'TRANSFER';
  readonly id: string;
  readonly at: UnixMillis;
  /** The amount. Negative means that the money left the account. */
  readonly amount: MicroDollars;
  /** The venue’s fee. It is not known whether the amount includes the fee. */
  readonly fee: MicroDollars;
  readonly isPending: boolean;
}

interface List {
  readonly path: string;
  /** The field of the answer that has the rows. */
  readonly name: string;
  readonly read: ReadRow;
}

const LISTS: readonly List[] = [
  { path: '/portfolio/deposits', name: 'deposits', read: row => bankMovement('DEPOSIT', row) },
  { path: '/portfolio/withdrawals', name: 'withdrawals', read: row => bankMovement('WITHDRAWAL', row) },
  { path: '/portfolio/subaccounts/transfers', name: 'transfers', read: subaccountTransfer },
  { path: '/portfolio/intra_exchange_instance_transfers', name: 'transfers', read: instanceTransfer },
];

/** The largest page that all of these lists allow. */
const ROWS_PER_PAGE = 500;
const PAGES_MAX = 200;
const OK = 200;
const NOT_FOUND = 404;
const MICROS_PER_CENT = 10_000;
const STATUSES = ['pending', 'applied', 'failed', 'returned'];
const PRIMARY = 0;
const NOTHING = 0 as MicroDollars;

/**
 * The transfers from `from` until before `to`. Rejects with a message if a list cannot be read, because a part must not pass for the whole.
 */
export async function transfersOf(pods: readonly PodVenues[], from: UnixMillis, to: UnixMillis): Promise<Transfers> {
  const [rows, notes]: [StatementRow[], string[]] = [[], []];
  for (const { podId, venueA, venueB } of pods) {
    if (venueA !== null) notes.push(`${podId} venue_a: ${ON_CHAIN}`);
    if (venueB === null) continue;
    const lists = await Promise.all(LISTS.map(list => readList(venueB, list)));
    const moved = lists.flat().filter(({ at }) => from <= at && at < to);
    const done = moved.filter(({ isPending }) => !isPending);
    rows.push(...done.map(it => rowOf(podId, it)));
    if (done.length < moved.length) notes.push(`${podId} venue_b: ${moved.length - done.length} ${PENDING}`);
    const fees = done.reduce((sum, { fee }) => sum + fee, 0);
    if (fees > 0) notes.push(`${podId} venue_b: ${formatMicroDollars(fees as MicroDollars)} ${FEES}`);
  }
  return { rows, notes };
}

const ON_CHAIN =
  'deposits, withdrawals and transfers happen on the chain, and the venue does not list them: they change the balance, too';
const PENDING = 'deposits, withdrawals or transfers are pending, and have no row';
const FEES =
  'USD of fees for deposits and withdrawals have no row: the venue does not state whether the amounts include them';

function rowOf(podId: string, { kind, id, at, amount }: Moved): StatementRow {
  const nothing = { address: '', orderId: '', action: '', side: '', units: null, price: null, fee: 0n, lot: null };
  return {
    ...nothing,
    at,
    owner: `${podId}/`,
    venue: 'venue_b',
    kind,
    id,
    cash: BigInt(amount) * COST_PER_MICRO_DOLLAR,
  };
}

async function readList(account: VenueBTradingAccount, { path, name, read }: List): Promise<readonly Moved[]> {
  const moved: Moved[] = [];
  let cursor = '';
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await askVenueB(account, `${path}?limit=${ROWS_PER_PAGE}${query}`);
    // The venue may have no such list for an account that never had such rows.
    if (status === NOT_FOUND && wordsIn(body) !== null) return moved;
    const rows = isObject(body) ? body[name] : undefined;
    if (status !== OK || !isObject(body) || !Array.isArray(rows))
      throw new Error(`venue B does not list ${path}: ${wordsIn(body)?.text ?? `HTTP ${status}`}`);
    for (const row of rows as readonly unknown[]) {
      const it = isObject(row) ? read(row) : unread(path);
      if (it !== null) moved.push(it);
    }
    const next = venueCursorOf(body.cursor);
    if (next === null) throw new Error(`venue B lists ${path} with a cursor that cannot be read`);
    if (next === '' || rows.length === 0) return moved;
    cursor = next;
  }
  throw new Error(`venue B lists more than ${PAGES_MAX} pages of ${path}`);
}

function bankMovement(kind: 'DEPOSIT' | 'WITHDRAWAL', row: JsonObject): Moved | null {
  const { amount_cents, fee_cents, created_ts, finalized_ts } = row;
  const [id, status] = [textOf(row.id), textOf(row.status)];
  const [amount, fee] = [microsOf(amount_cents), microsOf(fee_cents)];
  const at = timeOf(undefined, finalized_ts ?? created_ts);
  if (id === '' || !STATUSES.includes(status) || amount === null || fee === null || at === null) return unread(kind);
  if (status === 'failed' || status === 'returned') return null;
  const isPending = status === 'pending';
  return { kind, id, at, amount: kind === 'DEPOSIT' ? amount : (-amount as MicroDollars), fee, isPending };
}

function subaccountTransfer(row: JsonObject): Moved | null {
  const { from_subaccount: from, to_subaccount: to } = row;
  const [id, amount, at] = [textOf(row.transfer_id), microsOf(row.amount_cents), timeOf(undefined, row.created_ts)];
  if (id === '' || amount === null || at === null || typeof from !== 'number' || typeof to !== 'number')
    return unread('TRANSFER');
  return transfer(id, at, from === PRIMARY, to === PRIMARY, amount, false);
}

function instanceTransfer(row: JsonObject): Moved | null {
  const [source, destination, status] = [textOf(row.source), textOf(row.destination), textOf(row.status)];
  const [id, amount, at] = [textOf(row.transfer_id), moneyOf(row.amount), timeOf(undefined, row.created_ts)];
  const isKnown = [source, destination].every(it => INSTANCES.includes(it)) && INSTANCE_STATUSES.includes(status);
  if (id === '' || amount === null || at === null || !isKnown) return unread('TRANSFER');
  return transfer(id, at, source === TRADING, destination === TRADING, amount, status === 'pending');
}

const TRADING = 'event_contract';
const INSTANCES = [TRADING, 'margined'];
const INSTANCE_STATUSES = ['pending', 'complete'];

function transfer(
  id: string,
  at: UnixMillis,
  isFromHere: boolean,
  isToHere: boolean,
  amount: MicroDollars,
  isPending: boolean,
): Moved | null {
  if (isFromHere === isToHere) return null;
  return { kind: 'TRANSFER', id, at, amount: isFromHere ? (-amount as MicroDollars) : amount, fee: NOTHING, isPending };
}

/** Turns whole cents into micro-dollars. Returns null if the value is no whole number. */
function microsOf(cents: unknown): MicroDollars | null {
  if (typeof cents !== 'number' || cents < 0) return null;
  const micros = cents * MICROS_PER_CENT;
  return Number.isSafeInteger(micros) && Number.isSafeInteger(cents) ? (micros as MicroDollars) : null;
}

function unread(what: string): never {
  throw new Error(`venue B lists a row that cannot be read: ${what}`);
}
