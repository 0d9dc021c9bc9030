// Requests to a wallet. The actor's limits count the shares that its open splits will add, and the gateway does not wait for a venue that
// hangs.

import { describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import { storedOrder } from '../../core/store/orders/order-rig.ts';
import { spend } from './orders-rig.ts';
import { NO, shares, WalletRig, YES } from './wallet-rig.ts';

describe('positionMax of 100', () => {
  const limits = { ...NO_LIMITS, positionMax: shares(100) };

  it('counts splits that wait for each other', async () => {
    const rig = new WalletRig();
    const statuses: number[] = [];
    for (const idempotencyKey of ['a', 'b', 'c'])
      statuses.push((await rig.act('SPLIT', { amountUsd: '60' }, { limits, idempotencyKey })).status);
    expect(statuses).toEqual([201, 400, 400]);
    expect((await rig.act('SPLIT', { amountUsd: '40' }, { limits, idempotencyKey: 'd' })).status).toBe(201);
  });

  it('counts a split of the other token of the market, and no other actor’s', async () => {
    const rig = new WalletRig();
    await rig.act('SPLIT', { amountUsd: '100' }, { limits, idempotencyKey: 'a' });
    const ofNo = { limits, tokenId: NO, idempotencyKey: 'b' };
    expect((await rig.act('SPLIT', { amountUsd: '1' }, ofNo)).status).toBe(400);
    const ofBob = { limits, actorId: 'bob', idempotencyKey: 'b' };
    expect((await rig.act('SPLIT', { amountUsd: '100' }, ofBob)).status).toBe(201);
  });

  it('6002: has no split beside a purchase in dollars, which may become any size', async () => {
    const rig = new WalletRig();
    const request = { ...spend(100), tokenId: NO };
    const stored = storedOrder({ number: 1, venue: 'venue_a', actorId: 'alice' }, { request, status: 'SUBMITTED' });
    rig.ledger.change(entry => entry.putOrder(stored));
    const split = (changes: object) =>
      rig.act('SPLIT', { amountUsd: '60' }, { limits, idempotencyKey: 'a', ...changes });
    const { status, body } = await split({});
    expect([status, JSON.parse(body).error.message]).toEqual([503, expect.stringContaining('positionMax')]);
    expect(rig.actions).toEqual([]);
    expect((await split({ actorId: 'bob' })).status).toBe(201);
    rig.ledger.change(entry => entry.putOrder({ ...stored, order: { ...stored.order, status: 'CANCELLED' } }));
    expect((await split({})).status).toBe(201);
  });

  it('counts a split once after it is booked', async () => {
    const rig = new WalletRig();
    await rig.act('SPLIT', { amountUsd: '60' }, { limits, idempotencyKey: 'a' });
    for (const token of [YES, NO]) rig.chain.move(token, 60);
    rig.chain.nonce = 1n;
    await rig.pass(60_000);
    expect(rig.size('alice', YES)).toBe(60);
    expect((await rig.act('SPLIT', { amountUsd: '40' }, { limits, idempotencyKey: 'b' })).status).toBe(201);
  });
});

it('a venue that does not describe the token in time is 503, and nothing is recorded, also once it answers', async () => {
  const rig = new WalletRig();
  rig.chain.isHanging = true;
  const { status, body } = await rig.act('SPLIT', { amountUsd: '1' });
  expect([status, JSON.parse(body).error.message]).toEqual([503, expect.stringContaining('nothing was recorded')]);
  rig.chain.describe();
  await rig.pass(10_000);
  expect([rig.actions, rig.chain.sent]).toEqual([[], []]);
});
