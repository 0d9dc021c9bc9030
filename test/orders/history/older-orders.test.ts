// The older family's list, page by page on the history's tables, against a full scan of the orders.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MicroDollars, MicroShares } from '../../../src/core/domain/numbers.ts';
import type { OperationReply } from '../../../src/core/domain/operation.ts';
import { ORDER_STATUSES, type Order } from '../../../src/core/domain/order.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import { NOTHING_FILLED } from '../../../src/core/domain/order-sums.ts';
import { OLDER_STATUSES, OLDER_TYPES } from '../../../src/core/wire/older-views.ts';
import type { PageScope } from '../../../src/core/wire/page-token.ts';
import { limits } from '../../../src/limits.ts';
import { listOlderOrders } from '../../../src/orders/history/older-orders.ts';
import { at, OrderTables, orderIdOf, storedOrder } from '../../core/store/orders/order-rig.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

interface OlderPage {
  readonly orders: readonly { readonly orderId: string }[];
  readonly nextPageToken: string | null;
}

const MARKET: OrderRequest = {
  venue: 'venue_a',
  tokenId: '123',
  type: 'MARKET',
  side: 'BUY',
  dollars: 5_000_000 as MicroDollars,
  worstPrice: null,
  timeInForce: 'FAK',
};
const KINDS = ['venue_a limit', 'venue_a market', 'venue_b limit'] as const;

interface Made {
  readonly kind: (typeof KINDS)[number];
  readonly status: Order['status'];
  readonly isTraded: boolean;
  readonly actorId: string;
  readonly createdAt: number;
}

const made: fc.Arbitrary<Made> = fc.record({
  kind: fc.constantFrom(...KINDS),
  status: fc.constantFrom(...ORDER_STATUSES),
  isTraded: fc.boolean(),
  actorId: fc.constantFrom('p/alice', 'p/bob'),
  createdAt: fc.nat(4),
});

let folder: string;
let store: OrderTables;
beforeEach(() => {
  folder = temporaryFolder();
  store = new OrderTables(folder);
});
afterEach(async () => {
  await store.close();
  removeFolder(folder);
});

function put(number: number, { kind, status, isTraded, actorId, createdAt }: Made): Order {
  const venue = kind === 'venue_b limit' ? 'venue_b' : 'venue_a';
  const traded = { size: 1_000_000 as MicroShares, cost: 5_000_000_000n, fees: 0 as MicroDollars };
  const stored = storedOrder(
    { number, venue, actorId, createdAt },
    { status, filled: isTraded ? traded : NOTHING_FILLED, ...(kind === 'venue_a market' && { request: MARKET }) },
  );
  store.change(transaction => transaction.putOrder(stored));
  return stored.order;
}

const SCOPE: PageScope = { secret: Buffer.alloc(32, 7), actorId: 'p/alice', path: '/v1/orders' };
const caller = { podId: 'p', actorId: 'p/alice', keyId: 'apikey' };

function list(query: Readonly<Record<string, string>>, scope: PageScope = SCOPE): OperationReply {
  const asked = { ...caller, actorId: scope.actorId };
  return listOlderOrders(store, scope, {
    name: 'older-orders',
    caller: asked,
    path: scope.path,
    query: new Map(Object.entries(query)),
  });
}

const pageOf = ({ body }: OperationReply): OlderPage => JSON.parse(body);
const errorOf = ({ status, body }: OperationReply) => [status, JSON.parse(body).error.message];

describe('every page together', () => {
  const filters = fc.record(
    {
      status: fc.uniqueArray(fc.constantFrom(...OLDER_STATUSES), { minLength: 1 }).map(String),
      type: fc.uniqueArray(fc.constantFrom(...OLDER_TYPES), { minLength: 1 }).map(String),
    },
    { requiredKeys: [] },
  );

  /** Returns whether an order is wanted: contract §7 in its simplest form. */
  function isWanted(one: Made, { status, type }: { readonly status?: string; readonly type?: string }): boolean {
    const statuses = {
      PENDING: 'pending',
      SUBMITTED: 'pending',
      OPEN: one.isTraded ? 'partial' : 'open',
      FILLED: 'filled',
      CANCELLED: 'cancelled',
      REJECTED: 'failed',
    };
    const isOfStatus = status === undefined || status.split(',').includes(statuses[one.status]);
    return isOfStatus && (type === undefined || type.split(',').includes(one.kind.split(' ')[1]!));
  }

  it('hold what is wanted, once, newest first, beside new orders', () => {
    let number = 0;
    fc.assert(
      fc.property(
        fc.array(made, { maxLength: 12 }),
        filters,
        fc.integer({ min: 1, max: 5 }),
        (all, query, pageSize) => {
          // The tables also have the orders of earlier runs. In this run they belong to other actors.
          const run = `run-${++number}`;
          const scope = { ...SCOPE, actorId: `${run}/p/alice` };
          const ours = all.map(one => ({ ...one, actorId: `${run}/${one.actorId}` }));
          const orders = ours.map(one => ({ one, order: put(++number, one) }));
          const wanted = orders
            .filter(({ one }) => one.actorId === scope.actorId && isWanted(one, query))
            .map(({ order }) => order)
            .sort((a, b) => b.createdAt - a.createdAt || (a.orderId < b.orderId ? 1 : -1))
            .map(({ orderId }) => orderId);

          const seen: string[] = [];
          let reply = list({ ...query, pageSize: String(pageSize) }, scope);
          for (;;) {
            const page = pageOf(reply);
            expect(page.orders.length).toBeLessThanOrEqual(pageSize);
            seen.push(...page.orders.map(({ orderId }) => orderId));
            if (page.nextPageToken === null) break;
            expect(page.orders.length).toBe(pageSize);
            put(++number, {
              kind: 'venue_b limit',
              status: 'OPEN',
              isTraded: false,
              actorId: scope.actorId,
              createdAt: 9,
            });
            reply = list({ pageToken: page.nextPageToken }, scope);
          }
          expect(seen).toEqual(wanted);
        },
      ),
    );
  });

  it('look through a bounded number of orders to find few among many, and say where to go on', () => {
    const one = { kind: 'venue_b limit', status: 'OPEN', isTraded: false, actorId: 'p/alice', createdAt: 5 } as const;
    store.change(transaction => {
      for (let number = 2; number < limits.olderOrdersLookedMax + 52; number++) {
        transaction.putOrder(storedOrder({ number, actorId: one.actorId, createdAt: 5 }, { status: 'OPEN' }));
      }
    });
    put(1, { ...one, isTraded: true });
    const first = pageOf(list({ status: 'partial' }));
    expect([first.orders, first.nextPageToken]).toEqual([[], expect.any(String)]);
    const second = pageOf(list({ pageToken: first.nextPageToken! }));
    expect([second.orders.map(({ orderId }) => orderId), second.nextPageToken]).toEqual([[orderIdOf(1)], null]);
  });
});

describe('what is refused', () => {
  const rule = 'each once, separated by commas';
  it.each<[Readonly<Record<string, string>>, string]>([
    [{ status: '' }, 'status: must not be empty'],
    [{ status: 'OPEN' }, `status: must be of ${OLDER_STATUSES.join(', ')}, ${rule}`],
    [{ status: 'open,' }, `status: must be of ${OLDER_STATUSES.join(', ')}, ${rule}`],
    [{ status: 'open, partial' }, `status: must be of ${OLDER_STATUSES.join(', ')}, ${rule}`],
    [{ status: 'open,open' }, `status: must be of ${OLDER_STATUSES.join(', ')}, ${rule}`],
    [{ type: 'market,fok' }, `type: must be of ${OLDER_TYPES.join(', ')}, ${rule}`],
    [{ pageSize: '0' }, 'pageSize: must be an integer from 1 to 100 (pageRowsMax)'],
    [{ pageSize: '101' }, 'pageSize: must be an integer from 1 to 100 (pageRowsMax)'],
    [{ pageToken: 'x' }, 'pageToken: was not issued for this list and this caller'],
  ])('%j', (query, message) => {
    expect(errorOf(list(query))).toEqual([400, message]);
  });

  it('a token of another actor, of another list, or with other filters', () => {
    for (const number of [1, 2]) {
      put(number, { kind: 'venue_b limit', status: 'OPEN', isTraded: false, actorId: 'p/alice', createdAt: at(1) });
    }
    const { nextPageToken } = pageOf(list({ pageSize: '1', status: 'open,partial' }));
    const pageToken = nextPageToken!;
    const foreign = 'pageToken: was not issued for this list and this caller';
    expect(errorOf(list({ pageToken }, { ...SCOPE, actorId: 'p/bob' }))).toEqual([400, foreign]);
    expect(errorOf(list({ pageToken }, { ...SCOPE, path: '/v1/venue-b/orders' }))).toEqual([400, foreign]);
    const changed = 'status: must be as on the first page, or be left out';
    expect(errorOf(list({ pageToken, status: 'open' }))).toEqual([400, changed]);
    expect(pageOf(list({ pageToken, status: 'open,partial', pageSize: '7' })).orders).toHaveLength(1);
  });
});
