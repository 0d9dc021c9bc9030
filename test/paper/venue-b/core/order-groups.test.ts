// Order groups (venue-b.md §5.7): the rolling window of 15 seconds, what triggering does, and what brings a group back.

import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/limits.ts';
import { contracts, Rig } from './rig.ts';

function grouped(limit = 10) {
  const rig = new Rig();
  const group = rig.exchange.groups.create(rig.ann, contracts(limit));
  const groupId = group?.groupId ?? '';
  const give = (text: string) => rig.place(rig.ann, text, { orderGroupId: groupId });
  const isTriggered = () => rig.exchange.groups.find(rig.ann, groupId)?.isTriggered;
  return { rig, groupId, give, isTriggered };
}

describe('an order group', () => {
  it('is triggered by more than its limit: its orders go, others stay, new ones are refused', () => {
    const { rig, give, groupId } = grouped();
    give('bid 8 @ 40');
    give('bid 8 @ 40');
    rig.order(rig.ann, 'bid 1 @ 39');
    rig.news();
    rig.quote('ask 11 @ 40', 'M', 'take');
    expect(rig.news()).toEqual([
      'trade ask 8 @ 40',
      'fill ann c1 makes 8 now 8',
      'trade ask 3 @ 40',
      'fill ann c2 makes 3 now 11',
      'order c1 executed 8/8 Trade',
      'order c2 resting 3/8 Trade',
      'position ann 11',
      'level bid 40 -11=5',
      'group triggered',
      'order c2 canceled 3/8',
      'level bid 40 -5=0',
    ]);
    expect(rig.exchange.groups.find(rig.ann, groupId)).toMatchObject({ isTriggered: true, orderIds: [] });
    expect(give('bid 1 @ 40')).toEqual({ ok: false, error: 'group-triggered' });
    expect(rig.book()).toBe('1@39 | ');
  });

  it('takes its limit itself', () => {
    const { rig, give, isTriggered } = grouped();
    give('bid 20 @ 40');
    rig.quote('ask 10 @ 40', 'M', 'take');
    expect(isTriggered()).toBe(false);
    rig.quote('ask 0.01 @ 40', 'M', 'take');
    expect(isTriggered()).toBe(true);
  });

  it('forgets what was matched 15 seconds ago', () => {
    const { rig, give, isTriggered } = grouped();
    give('bid 40 @ 40');
    for (const afterMs of [0, limits.paperGroupWindowMs - 1, 1, limits.paperGroupWindowMs - 1]) {
      rig.timers.advance(afterMs);
      rig.quote('ask 5 @ 40', 'M', 'take');
      expect(isTriggered()).toBe(false);
    }
    rig.quote('ask 5 @ 40', 'M', 'take');
    expect(isTriggered()).toBe(true);
  });

  it('counts what its orders take, and answers with what is left of the order', () => {
    const { rig, give } = grouped();
    rig.quote('ask 11 @ 40');
    const placed = give('bid 15 @ 40');
    expect(placed).toMatchObject({ value: { filled: contracts(11), order: { status: 'canceled', remaining: 0 } } });
  });

  it('works again after a reset, from nothing', () => {
    const { rig, groupId, give, isTriggered } = grouped();
    give('bid 20 @ 40');
    rig.quote('ask 11 @ 40', 'M', 'take');
    rig.news();
    expect(rig.exchange.groups.reset(rig.ann, groupId)).toBe(true);
    give('bid 20 @ 40');
    rig.quote('ask 10 @ 40', 'M', 'take');
    expect([isTriggered(), rig.news()[0]]).toEqual([false, 'group reset']);
  });

  it('can be triggered by a lower limit', () => {
    const { rig, groupId, give, isTriggered } = grouped();
    give('bid 20 @ 40');
    rig.quote('ask 8 @ 40', 'M', 'take');
    rig.news();
    rig.exchange.groups.setLimit(rig.ann, groupId, contracts(8));
    expect(isTriggered()).toBe(false);
    rig.exchange.groups.setLimit(rig.ann, groupId, contracts(7));
    expect(rig.news().filter(line => line.startsWith('group'))).toEqual([
      'group limit_updated',
      'group limit_updated',
      'group triggered',
    ]);
  });

  it('can be triggered by hand, and deleted', () => {
    const { rig, groupId, give } = grouped();
    give('bid 1 @ 40');
    expect(rig.exchange.groups.find(rig.ann, groupId)?.orderIds.length).toBe(1);
    expect(rig.exchange.groups.trigger(rig.ann, groupId)).toBe(true);
    rig.exchange.groups.reset(rig.ann, groupId);
    give('bid 1 @ 41');
    expect(rig.exchange.groups.delete(rig.ann, groupId)).toBe(true);
    expect([rig.book(), [...rig.exchange.groups.of(rig.ann)]]).toEqual([' | ', []]);
    expect(give('bid 1 @ 41')).toEqual({ ok: false, error: 'group-not-found' });
  });

  it('takes orders of its own shard only', () => {
    const rig = new Rig();
    const elsewhere = rig.exchange.groups.create(rig.ann, contracts(1), 3)!;
    expect(elsewhere.shard).toBe(3);
    const placed = rig.place(rig.ann, 'bid 1 @ 40', { orderGroupId: elsewhere.groupId });
    expect(placed).toEqual({ ok: false, error: 'group-not-found' });
  });

  it('is its owner’s alone', () => {
    const { rig, groupId } = grouped();
    expect(rig.exchange.groups.find(rig.bob, groupId)).toBeNull();
    expect(rig.exchange.groups.delete(rig.bob, groupId)).toBe(false);
    expect(rig.exchange.groups.reset(rig.ann, 'nobody')).toBe(false);
    const taken = rig.place(rig.bob, 'bid 1 @ 40', { orderGroupId: groupId });
    expect(taken).toEqual({ ok: false, error: 'group-not-found' });
    expect(rig.exchange.groups.create({ ...rig.ann, subaccount: 5 }, contracts(1))).toBeNull();
  });
});
