// Deposits, withdrawals and transfers as venue B lists them, from a server that gives answers that the paper exchange never gives.

import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { PodVenues } from '../../../src/core/domain/pod-accounts.ts';
import { transfersOf } from '../../../src/tools/cli/statement-transfers.ts';

const AT = 1_790_000_000;
const [FROM, TO] = [AT * 1_000, (AT + 1_000) * 1_000] as [UnixMillis, UnixMillis];
const EMPTY = {
  '/portfolio/deposits': { deposits: [], cursor: '' },
  '/portfolio/withdrawals': { withdrawals: [] },
  '/portfolio/subaccounts/transfers': { transfers: [] },
  '/portfolio/intra_exchange_instance_transfers': { transfers: [] },
};

let server: Server;
let answers: Record<string, object>;
let asked: string[];
let pods: readonly PodVenues[];

beforeEach(async () => {
  [answers, asked] = [{ ...EMPTY }, []];
  server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url!, 'http://v');
    asked.push(pathname + search);
    const answer = answers[pathname + search.replace(/^\?limit=500&?/, '?').replace(/\?$/, '')] ?? answers[pathname];
    response.statusCode = (answer as { status?: number } | undefined)?.status ?? 200;
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { privateKey } = generateKeyPairSync('ed25519');
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const restUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pods = [
    { podId: 'desk', venueA: null, venueB: { restUrl, streamUrl: 'ws://127.0.0.1:1', keyId: 'k', privateKeyPem } },
  ];
});
afterEach(() => void server.close());

const bank = (id: string, fields: object = {}) => ({
  ...{ id, status: 'applied', type: 'ach', amount_cents: 1_050, fee_cents: 0, created_ts: AT },
  ...fields,
});
const between = (id: string, from: number, to: number) => ({
  ...{
    transfer_id: id,
    from_subaccount: from,
    to_subaccount: to,
    amount_cents: 200,
    created_ts: AT,
    exchange_index: 0,
  },
});
const across = (id: string, source: string, destination: string, status = 'complete') => ({
  ...{ transfer_id: id, source, destination, amount: '3.0001', status, created_ts: AT },
  ...{ source_exchange_shard: 0, destination_exchange_shard: 3 },
});

async function shown() {
  const { rows, notes } = await transfersOf(pods, FROM, TO);
  return { rows: rows.map(({ kind, id, at, cash }) => [kind, id, at, cash]), notes };
}

it('what is done has a row with its sum, at the time at which it was done', async () => {
  answers['/portfolio/deposits'] = {
    deposits: [
      bank('in', { finalized_ts: AT + 5 }),
      bank('open', { status: 'pending', finalized_ts: null }),
      bank('lost', { status: 'failed' }),
      bank('back', { status: 'returned' }),
      bank('late', { finalized_ts: AT + 1_000 }),
    ],
  };
  answers['/portfolio/withdrawals'] = { withdrawals: [bank('out', { fee_cents: 20 })] };
  answers['/portfolio/subaccounts/transfers'] = {
    transfers: [between('to 2', 0, 2), between('from 2', 2, 0), between('others', 1, 2)],
  };
  answers['/portfolio/intra_exchange_instance_transfers'] = {
    transfers: [
      across('margin', 'event_contract', 'margined'),
      across('free', 'margined', 'event_contract'),
      across('shard', 'event_contract', 'event_contract'),
      across('soon', 'event_contract', 'margined', 'pending'),
    ],
  };
  expect(await shown()).toEqual({
    rows: [
      ['DEPOSIT', 'in', (AT + 5) * 1_000, 105_000_000_000n],
      ['WITHDRAWAL', 'out', FROM, -105_000_000_000n],
      ['TRANSFER', 'to 2', FROM, -20_000_000_000n],
      ['TRANSFER', 'from 2', FROM, 20_000_000_000n],
      ['TRANSFER', 'margin', FROM, -30_001_000_000n],
      ['TRANSFER', 'free', FROM, 30_001_000_000n],
    ],
    notes: [
      expect.stringMatching(/^desk venue_b: 2 .* pending/),
      expect.stringMatching(/^desk venue_b: 0.2 USD of fees .* does not state/),
    ],
  });
});

it('all pages are read', async () => {
  answers['/portfolio/deposits'] = { deposits: [bank('1')], cursor: 'YWI=' };
  answers['/portfolio/deposits?cursor=YWI%3D'] = { deposits: [bank('2')], cursor: '' };
  expect((await shown()).rows.map(([, id]) => id)).toEqual(['1', '2']);
  expect(asked).toContain('/portfolio/deposits?limit=500&cursor=YWI%3D');
});

it('a list that the account never had is empty', async () => {
  answers['/portfolio/withdrawals'] = { status: 404, error: { code: 'not_found', message: 'not found' } };
  expect(await shown()).toEqual({ rows: [], notes: [] });
});

it.each<[string, object, RegExp]>([
  ['/portfolio/deposits', { status: 500, error: { code: 'x', message: 'come back later' } }, /come back later/],
  ['/portfolio/deposits', { status: 404 }, /does not list \/portfolio\/deposits: HTTP 404/],
  ['/portfolio/withdrawals', {}, /does not list \/portfolio\/withdrawals/],
  ['/portfolio/deposits', { deposits: [bank('1', { status: 'held' })] }, /cannot be read: DEPOSIT/],
  ['/portfolio/deposits', { deposits: [bank('1', { amount_cents: 0.5 })] }, /cannot be read: DEPOSIT/],
  ['/portfolio/withdrawals', { withdrawals: [bank('1', { amount_cents: '10' })] }, /cannot be read: WITHDRAWAL/],
  ['/portfolio/withdrawals', { withdrawals: ['x'] }, /cannot be read: \/portfolio\/withdrawals/],
  [
    '/portfolio/subaccounts/transfers',
    { transfers: [{ ...between('1', 0, 2), to_subaccount: '2' }] },
    /cannot be read: TRANSFER/,
  ],
  [
    '/portfolio/intra_exchange_instance_transfers',
    { transfers: [across('1', 'event_contract', 'vault')] },
    /cannot be read/,
  ],
])('%s that cannot be read whole ends the statement: %j', async (path, answer, words) => {
  answers[path] = answer;
  await expect(shown()).rejects.toThrow(words);
});
