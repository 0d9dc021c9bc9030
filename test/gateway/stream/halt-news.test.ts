// A client that follows its orders also hears of its protections and loss limits. It first hears of those that hold orders up when it
// subscribes, then of each change.

import { describe, expect, it } from 'vitest';
import { fullActorId } from '../../../src/core/domain/identity.ts';
import type { LossLimitEvent } from '../../../src/core/domain/loss-limit.ts';
import type { MicroShares, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { Protection } from '../../../src/core/domain/protection.ts';
import { ANYBODY } from '../../support/stream-rig.ts';
import { type OrderClient, OrderRig } from './order-rig.ts';

const ACTOR = fullActorId(ANYBODY);
const AT = 1_790_000_000_000 as UnixMillis;

async function following(): Promise<{ rig: OrderRig; client: OrderClient }> {
  const rig = new OrderRig();
  const client = rig.connect();
  await client.subscribe(null);
  return { rig, client };
}

describe('a follower hears of protections', () => {
  const protection = (address: string, triggered: Protection['triggered'] = null): Protection => ({
    ...{ actorId: ACTOR, podId: 'pod', venue: 'venue_b', address, fillsMax: 1, sharesMax: null, windowMs: 1_000 },
    ...{ setAt: AT, triggered, counted: [] },
  });
  const TRIGGERED = { at: AT, fills: 2, size: 2_000_000 as MicroShares };
  const protections = (client: OrderClient) =>
    client.heard.flatMap(message =>
      message.type === 'protection' ? [`${message.event} ${message.protection.address}`] : [],
    );

  it('which are triggered, once it has caught up; then of each change, and of no other actor’s', async () => {
    const rig = new OrderRig();
    rig.feed.commit(ACTOR);
    rig.feed.reported.apply({ type: 'protection', event: 'SET', protection: protection('KX-1') });
    rig.feed.reported.apply({ type: 'protection', event: 'TRIGGERED', protection: protection('KX-2', TRIGGERED) });
    rig.feed.reported.apply({
      type: 'protection',
      event: 'TRIGGERED',
      protection: { ...protection('KX-3', TRIGGERED), actorId: 'bob' },
    });
    const client = rig.connect();
    await client.subscribe(0);
    expect(client.heard.map(({ type }) => type)).toEqual(['subscribed', 'order', 'protection']);
    expect(client.heard[2]).toMatchObject({
      protection: { address: 'KX-2', state: 'TRIGGERED', fills: 2, shares: '2' },
    });
    rig.feed.reported.apply({ type: 'protection', event: 'RESET', protection: protection('KX-2') });
    rig.feed.reported.apply({
      type: 'protection',
      event: 'SET',
      protection: { ...protection('KX-2'), actorId: 'bob' },
    });
    expect(protections(client)).toEqual(['TRIGGERED KX-2', 'RESET KX-2']);
  });

  it('hears of the latest change of each if it has read too slowly', async () => {
    const { rig, client } = await following();
    client.framesTaken = 0;
    rig.feed.reported.apply({ type: 'protection', event: 'TRIGGERED', protection: protection('KX-1', TRIGGERED) });
    rig.feed.reported.apply({ type: 'protection', event: 'TRIGGERED', protection: protection('KX-2', TRIGGERED) });
    rig.feed.reported.apply({ type: 'protection', event: 'ENDED', protection: protection('KX-1') });
    expect(protections(client)).toEqual([]);
    client.drain();
    await rig.settle();
    expect(protections(client)).toEqual(['ENDED KX-1', 'TRIGGERED KX-2']);
  });
});

describe('a follower hears of loss limits', () => {
  const limit = {
    ...{ lossMaxUsd: '2', lossUsd: '2.5', leftUsd: '0', cancels: false, positions: 1, positionsWithOldPrices: 0 },
    ...{ since: '2026-11-28T00:00:00.000Z', until: '2026-11-29T00:00:00.000Z' },
  };
  const change = (rig: OrderRig, event: LossLimitEvent, scope: string, reachedAt: string | null = null) =>
    rig.feed.reported.apply({ type: 'lossLimit', event, scope, limit: { ...limit, reachedAt } });
  const REACHED_AT = '2026-11-28T14:03:11.482Z';
  const heard = (client: OrderClient) =>
    client.heard.flatMap(message => (message.type === 'lossLimit' ? [`${message.event} ${message.scope}`] : []));
  const POD = ANYBODY.podId;

  it('which are reached, of its actor and of its pod; then of each change, and of no other actor’s', async () => {
    const rig = new OrderRig();
    change(rig, 'REACHED', ACTOR, REACHED_AT);
    // New terms of a limit that is still reached.
    change(rig, 'SET', POD, REACHED_AT);
    change(rig, 'SET', `${ACTOR}2`, REACHED_AT);
    change(rig, 'REACHED', 'another pod', REACHED_AT);
    const client = rig.connect();
    await client.subscribe(0);
    expect(heard(client)).toEqual([`REACHED ${ACTOR}`, `REACHED ${POD}`]);
    expect(client.heard.at(-1)).toMatchObject({ lossLimit: { lossUsd: '2.5', reachedAt: REACHED_AT } });
    change(rig, 'RENEWED', POD);
    change(rig, 'ENDED', ACTOR, REACHED_AT);
    change(rig, 'RESET', `${ACTOR}2`);
    expect(heard(client).slice(2)).toEqual([`RENEWED ${POD}`, `ENDED ${ACTOR}`]);
    const later = rig.connect();
    await later.subscribe(0);
    expect(heard(later)).toEqual([]);
  });

  it('hears of the latest change of each if it has read too slowly', async () => {
    const { rig, client } = await following();
    client.framesTaken = 0;
    change(rig, 'REACHED', ACTOR, REACHED_AT);
    change(rig, 'REACHED', POD, REACHED_AT);
    change(rig, 'RESET', ACTOR);
    expect(heard(client)).toEqual([]);
    client.drain();
    await rig.settle();
    expect(heard(client)).toEqual([`RESET ${ACTOR}`, `REACHED ${POD}`]);
  });
});
