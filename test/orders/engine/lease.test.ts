// Signs of life of a pod's owner, over a link in memory and in virtual time.

import { expect, it } from 'vitest';
import { keepLease, type LeaseParts, watchLease } from '../../../src/orders/engine/lease.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const OWNER = 'owner';
const AFTER_MS = 5_000;

function rig() {
  const timers = new VirtualTimers();
  const hearing = new Set<(data: Uint8Array) => void>();
  const changes = new Set<(isUp: boolean) => void>();
  let isUp = true;
  const link: LeaseParts['link'] = {
    publish: (_subject, data) => {
      if (isUp) for (const hear of hearing) hear(data);
    },
    subscribe: (subject, hear) => {
      const listener = (data: Uint8Array): void => hear({ subject, data });
      hearing.add(listener);
      return () => hearing.delete(listener);
    },
    onChange: hear => {
      changes.add(hear);
      return () => changes.delete(hear);
    },
  };
  const parts: LeaseParts = { podId: 'pod', link, timers };
  const expired: number[] = [];
  const startedAt = timers.now();
  const watch = { gatewayId: OWNER, afterMs: AFTER_MS, onExpired: () => void expired.push(timers.now() - startedAt) };
  return {
    timers,
    parts,
    expired,
    stop: watchLease(parts, watch),
    turn: (up: boolean): void => {
      isUp = up;
      for (const hear of changes) hear(up);
    },
  };
}

it('an owner that beats is alive, and one that has ended is silent after the time that was set', () => {
  const { timers, parts, expired } = rig();
  const end = keepLease(parts, OWNER);
  timers.advance(60_000);
  expect(expired).toEqual([]);
  end();
  timers.advance(AFTER_MS);
  expect(expired).toHaveLength(1);
  expect(expired[0]).toBeGreaterThan(60_000);
});

it('another gateway’s beat is no sign of the owner', () => {
  const { timers, parts, expired } = rig();
  keepLease(parts, 'another');
  timers.advance(AFTER_MS);
  expect(expired).toEqual([AFTER_MS]);
});

it('4032: silence while NATS cannot be reached counts for nothing, nor does that before the connection stands again', () => {
  const { timers, parts, expired, turn } = rig();
  keepLease(parts, OWNER);
  timers.advance(AFTER_MS - 1);
  turn(false);
  timers.advance(AFTER_MS - 1);
  turn(true);
  timers.advance(AFTER_MS - 1);
  expect(expired).toEqual([]);
});

it('4032: silence after the connection stands again counts from then', () => {
  const { timers, expired, turn } = rig();
  timers.advance(AFTER_MS - 1);
  turn(false);
  timers.advance(AFTER_MS - 1);
  turn(true);
  timers.advance(AFTER_MS - 1);
  expect(expired).toEqual([]);
  timers.advance(1);
  expect(expired).toHaveLength(1);
});

it('a watch that has ended says nothing', () => {
  const { timers, expired, stop } = rig();
  stop();
  timers.advance(10 * AFTER_MS);
  expect([expired, timers.pending]).toEqual([[], 0]);
});
