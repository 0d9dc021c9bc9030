// Money at the paper venue B (venue-b.md §6): subaccounts, transfers between subaccounts and between shards, and the limits of order groups. The
// venue refuses invalid requests, and no dollar is made or lost.

import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { newOrder, type RigUser, VenueBRig } from '../venue-b-rig.ts';

const rigs: VenueBRig[] = [];
let user: RigUser;

beforeEach(async () => {
  const rig = await VenueBRig.start();
  rigs.push(rig);
  user = rig.user({ cents: 10_000 });
});
afterAll(() => {
  for (const rig of rigs) rig.close();
});

const errorCode = (body: unknown): unknown => (body as { error?: { code: string } }).error?.code;

describe('subaccounts', () => {
  it('are for the Advanced tier and above', async () => {
    const rig = rigs.at(-1)!;
    const basic = rig.user({ tier: 'basic' });
    expect((await basic.send('POST', '/portfolio/subaccounts')).status).toBe(403);
    expect((await basic.send('POST', '/account/api_usage_level/upgrade')).status).toBe(204);
    expect((await basic.send('POST', '/portfolio/subaccounts')).body).toEqual({ subaccount_number: 1 });
  });

  it('are numbered up to 63', async () => {
    for (let number = 1; number <= 63; number += 1) {
      expect((await user.send('POST', '/portfolio/subaccounts', {})).body).toEqual({ subaccount_number: number });
    }
    const answer = await user.send('POST', '/portfolio/subaccounts');
    expect([answer.status, errorCode(answer.body)]).toEqual([400, 'max_subaccounts_reached']);
  });

  it('trade with their own money', async () => {
    await user.send('POST', '/portfolio/subaccounts');
    const place = () => user.send('POST', '/portfolio/events/orders', newOrder({ subaccount: 1 }));
    expect(errorCode((await place()).body)).toBe('insufficient_balance');
    const move = { client_transfer_id: 'a', from_subaccount: 0, to_subaccount: 1, amount_cents: 100 };
    await user.send('POST', '/portfolio/subaccounts/transfer', move);
    expect((await place()).status).toBe(201);
  });
});

describe('transfers', () => {
  const between = (changes: Record<string, unknown>) =>
    user.send('POST', '/portfolio/subaccounts/transfer', {
      client_transfer_id: `t${JSON.stringify(changes)}`,
      from_subaccount: 0,
      to_subaccount: 1,
      amount_cents: 100,
      ...changes,
    });
  const across = (changes: Record<string, unknown>) =>
    user.send('POST', '/portfolio/intra_exchange_instance_transfer', {
      source: 'event_contract',
      destination: 'margined',
      amount: 12_345,
      ...changes,
    });

  it.each([
    [{ to_subaccount: 2 }, 404, 'not_found'],
    [{ amount_cents: 0 }, 400, 'invalid_amount'],
    [{ amount_cents: -5 }, 400, 'invalid_amount'],
    [{ amount_cents: Number.MAX_SAFE_INTEGER }, 400, 'invalid_amount'],
    [{ amount_cents: 10_001 }, 400, 'insufficient_balance'],
    [{ exchange_index: 9 }, 404, 'not_found'],
    [{ exchange_index: 2 }, 400, 'insufficient_balance'],
  ])('between subaccounts, with %j', async (changes, status, code) => {
    await user.send('POST', '/portfolio/subaccounts');
    const answer = await between(changes);
    expect([answer.status, errorCode(answer.body)]).toEqual([status, code]);
    expect((await user.get('/portfolio/subaccounts/transfers')).body).toEqual({ cursor: '', transfers: [] });
    expect((await user.get('/portfolio/balance')).body).toMatchObject({ balance: 10_000 });
  });

  it.each([
    [{ amount: 1_000_001 }, 400, 'insufficient_balance'],
    [{ source: 'margined', destination: 'event_contract' }, 400, 'insufficient_balance'],
    [{ source_subaccount: 4 }, 404, 'not_found'],
    [{ destination_exchange_shard: 4 }, 404, 'not_found'],
  ])('across, with %j', async (changes, status, code) => {
    const answer = await across(changes);
    expect([answer.status, errorCode(answer.body)]).toEqual([status, code]);
  });

  it('go out and come back to the cent of a cent', async () => {
    expect((await across({})).status).toBe(200);
    expect((await user.get('/portfolio/balance')).body).toMatchObject({ balance: 9_876, balance_dollars: '98.7655' });
    expect((await across({ source: 'margined', destination: 'event_contract' })).status).toBe(200);
    expect((await user.get('/portfolio/balance')).body).toMatchObject({ balance_dollars: '100.0000' });
    const { body } = await user.get('/portfolio/intra_exchange_instance_transfers?limit=1');
    expect(body).toMatchObject({
      cursor: expect.stringMatching(/./),
      transfers: [{ amount: '1.2345', source: 'margined' }],
    });
    expect((await user.get('/portfolio/intra_exchange_instance_transfers/none')).status).toBe(404);
  });

  it('between subaccounts of the same shard are listed as those of subaccounts', async () => {
    await user.send('POST', '/portfolio/subaccounts');
    await across({ destination: 'event_contract', destination_subaccount: 1 });
    const { body } = await user.get('/portfolio/subaccounts/transfers');
    expect(body).toMatchObject({ transfers: [{ amount_cents: 123, from_subaccount: 0, to_subaccount: 1 }] });
  });
});

describe('what is only remembered', () => {
  it.each([
    [[{ exchange_index: 0, percent: 99 }]],
    [[{ exchange_index: 7, percent: 100 }]],
    [
      [
        { exchange_index: 0, percent: 50 },
        { exchange_index: 0, percent: 50 },
      ],
    ],
    [[{ percent: 100 }]],
  ])('the spread %j is refused', async allocations => {
    const answer = await user.send('POST', '/portfolio/target_balance_allocation', { allocations });
    expect([answer.status, errorCode(answer.body)]).toEqual([400, 'invalid_allocations']);
  });

  it('netting of an invalid subaccount is refused', async () => {
    const answer = await user.send('PUT', '/portfolio/subaccounts/netting', { subaccount_number: 5, enabled: true });
    expect(answer.status).toBe(404);
  });
});

describe('order groups', () => {
  it.each([
    [{}, 400, 'invalid_order'],
    [{ contracts_limit: 5, contracts_limit_fp: '6.00' }, 400, 'invalid_order'],
    [{ contracts_limit: 0 }, 400, 'invalid_contracts_limit'],
    [{ contracts_limit: 1_000_001 }, 400, 'invalid_contracts_limit'],
    [{ contracts_limit_fp: '1.50' }, 400, 'invalid_contracts_limit'],
    [{ contracts_limit_fp: '1.555' }, 400, 'invalid_order'],
    [{ contracts_limit: 5, contracts_limit_fp: '5' }, 201, undefined],
  ])('a limit of %j', async (body, status, code) => {
    const answer = await user.send('POST', '/portfolio/order_groups/create', body);
    expect([answer.status, errorCode(answer.body)]).toEqual([status, code]);
  });

  it('a group says which shard it is on', async () => {
    const made = await user.send('POST', '/portfolio/order_groups/create', { contracts_limit: 5, exchange_index: 3 });
    expect(made.body).toMatchObject({ exchange_index: 3 });
    const { order_group_id: id } = made.body as { order_group_id: string };
    expect((await user.send('GET', `/portfolio/order_groups/${id}`)).body).toMatchObject({ exchange_index: 3 });
  });

  it('a group that has been triggered takes no orders until it is reset', async () => {
    const { body } = await user.send('POST', '/portfolio/order_groups/create', { contracts_limit: 5 });
    const id = (body as { order_group_id: string }).order_group_id;
    const place = () => user.send('POST', '/portfolio/events/orders', newOrder({ order_group_id: id }));
    await user.send('PUT', `/portfolio/order_groups/${id}/trigger`);
    expect(errorCode((await place()).body)).toBe('exceeded_order_group_risk_limit');
    await user.send('PUT', `/portfolio/order_groups/${id}/reset`, {});
    expect((await place()).status).toBe(201);
  });

  it.each(['PUT none/reset', 'PUT none/trigger', 'DELETE none', 'GET none'])('%s', async call => {
    const [method = '', path] = call.split(' ');
    expect((await user.send(method, `/portfolio/order_groups/${path}`)).status).toBe(404);
  });
});
