// The groups that back up protections, on the real paper exchange of venue B, in virtual time. Covers which group a protection makes there,
// and what a trigger there does here. Also what a restart leaves, and a venue that takes no groups.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MicroDollars } from '../../../src/core/domain/numbers.ts';
import type { Order } from '../../../src/core/domain/order.ts';
import { NOTHING_FILLED } from '../../../src/core/domain/order-sums.ts';
import { type Protection, protectionLimits } from '../../../src/core/domain/protection.ts';
import { Ledger } from '../../../src/orders/life/ledger.ts';
import { ProtectionGroups } from '../../../src/orders/life/protection-groups.ts';
import { ProtectionWatch } from '../../../src/orders/life/protection-watch.ts';
import { eventually } from '../../support/eventually.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';
import { Ear, send, size, strike } from '../../venues/trading-rig.ts';
import {
  OTHER_TICKER,
  OWNER,
  TENNIS_TICKER,
  TICKER,
  VenueBTradingRig,
} from '../../venues/venue-b/trading/trading-rig.ts';

const ALICE = { podId: 'pod', actorId: 'alice' };
const EVERYWHERE = { venue: 'venue_b', address: null } as const;
const HERE = { venue: 'venue_b', address: TICKER } as const;
const TEN = { fillsMax: null, sharesMax: size('10'), windowMs: 15_000 };
const MARK = 'order groups pod venue_b';
const CREATE = 'POST /portfolio/order_groups/create';

/** A process on a ledger. */
class Process {
  readonly store: MemoryLedger;
  readonly watch: ProtectionWatch;
  readonly groups: ProtectionGroups;
  readonly ledger: Ledger;
  readonly changes: string[] = [];
  readonly refusals: string[] = [];
  readonly storeFaults: unknown[] = [];

  constructor(rig: VenueBTradingRig, store = new MemoryLedger()) {
    this.store = store;
    const { timers } = rig;
    const storeFailed = (error: unknown) => void this.storeFaults.push(error);
    this.ledger = new Ledger({ store, now: () => rig.now(), publish: () => {}, diverged: () => {} });
    this.watch = new ProtectionWatch({
      ...{ ledger: this.ledger, timers, storeFailed },
      onUnwanted: () => {},
      onChange: change => {
        this.changes.push(change.event);
        this.groups.changed(change);
      },
    });
    this.groups = new ProtectionGroups({
      ...{ ledger: this.ledger, timers, storeFailed },
      accounts: [{ podId: 'pod', venue: 'venue_b', trading: rig.trading }],
      onTrigger: scope => this.watch.trigger(scope),
      onRefused: (_account, message) => this.refusals.push(message),
    });
    this.groups.start();
  }

  triggered(scope: Pick<Protection, 'venue' | 'address'> = EVERYWHERE): Protection['triggered'] | undefined {
    return this.store.protection({ ...scope, actorId: 'alice' })?.triggered;
  }
}

let rig: VenueBTradingRig;
let now: Process;
beforeEach(async () => {
  rig = await VenueBTradingRig.open();
  rig.fund(3, 1_000_000_000 as MicroDollars);
  for (const ticker of [TICKER, OTHER_TICKER, TENNIS_TICKER]) await rig.trading.facts(ticker);
  // Keeps the private stream up over restarts.
  await Ear.up(rig.trading);
  now = new Process(rig);
});
afterEach(async () => {
  await now.groups.stop();
});

const atVenue = () => [...rig.paper.exchange.groups.of(OWNER)];
const groupOf = (ticker = TICKER) => now.groups.groupOf(rig.wish({ ticker }));

/** Returns the order's group at the venue, once the group is ready. */
function ready(ticker = TICKER): Promise<string> {
  return eventually(() => groupOf(ticker) ?? expect.fail('no group yet'));
}

async function armed(terms = TEN, scope: typeof EVERYWHERE | typeof HERE = EVERYWHERE): Promise<string> {
  now.watch.set(ALICE, scope, terms);
  return ready();
}

describe('a protection in shares', () => {
  it('has a group with its limit, in which new orders are made', async () => {
    expect(groupOf()).toBeNull();
    const groupId = await armed();
    expect(atVenue()).toMatchObject([{ groupId, limit: size('10'), shard: 0 }]);
    expect(groupOf(OTHER_TICKER)).toBe(groupId);
    expect(now.groups.groupOf({ ...rig.wish(), actorId: 'bob' })).toBeNull();
  });

  it('that is set anew limits its group anew', async () => {
    const groupId = await armed();
    now.watch.set(ALICE, EVERYWHERE, { ...TEN, windowMs: 5_000 });
    // Until the venue has the new limit, the old one would act too soon or too late.
    expect(groupOf()).toBeNull();
    expect(await ready()).toBe(groupId);
    expect(atVenue()).toMatchObject([{ groupId, limit: size('30') }]);
  });

  it('of a market has a group of its own, which comes before that of the venue', async () => {
    const ofVenue = await armed();
    now.watch.set(ALICE, HERE, { ...TEN, sharesMax: size('3') });
    await eventually(() => expect(groupOf()).not.toBe(ofVenue));
    const groupId = groupOf();
    expect(atVenue()).toMatchObject([{ groupId: ofVenue }, { groupId, limit: size('3') }]);
    expect(groupOf(OTHER_TICKER)).toBe(ofVenue);
  });

  it('of the venue has a group on each shard that has orders, and the first one there does not wait', async () => {
    const first = await armed();
    expect(groupOf(TENNIS_TICKER)).toBeNull();
    const second = await ready(TENNIS_TICKER);
    expect(atVenue()).toMatchObject([
      { groupId: first, shard: 0 },
      { groupId: second, shard: 3, limit: size('10') },
    ]);
  });

  it('that counts fills has no group', async () => {
    now.watch.set(ALICE, EVERYWHERE, { fillsMax: 1, sharesMax: null, windowMs: 15_000 });
    now.watch.set(ALICE, HERE, TEN);
    const groupId = await ready();
    expect(atVenue()).toMatchObject([{ groupId }]);
    expect(groupOf(OTHER_TICKER)).toBeNull();
  });

  it(`has none beyond ${protectionLimits.protectionGroupsMax} groups of an account (protectionGroupsMax)`, async () => {
    const kept = Array.from({ length: protectionLimits.protectionGroupsMax }, (_, number) => ({
      ...{ actorId: `bob-${number}`, address: null, shard: 0 },
      ...{ groupId: `g-${number}`, sharesMax: 10, isSpent: false },
    }));
    const store = new MemoryLedger();
    store.change(to => {
      const armed = { ...EVERYWHERE, ...TEN, podId: 'pod', setAt: rig.now(), triggered: null, counted: [] };
      for (const { actorId } of kept) to.putProtection({ ...armed, actorId });
      to.putMark(MARK, JSON.stringify(kept));
    });
    await now.groups.stop();
    now = new Process(rig, store);
    now.watch.set(ALICE, EVERYWHERE, TEN);
    expect(groupOf()).toBeNull();
    now.watch.end({ ...EVERYWHERE, actorId: 'bob-0' });
    await eventually(() => expect(store.mark(MARK)).not.toContain('"g-0"'));
    expect(atVenue()).toEqual([]);
    expect(await ready()).toBe(atVenue()[0]!.groupId);
  });
});

describe('a group that triggers at the venue', () => {
  it('triggers its protection, and takes orders again after the reset', async () => {
    const groupId = await armed();
    rig.paper.exchange.groups.trigger(OWNER, groupId);
    await eventually(() => expect(now.triggered()).toMatchObject({ fills: 0, size: 0 }));
    expect(groupOf()).toBeNull();
    expect(atVenue()).toMatchObject([{ isTriggered: true }]);
    now.watch.reset({ ...ALICE, ...EVERYWHERE });
    expect(await ready()).toBe(groupId);
    expect(atVenue()).toMatchObject([{ isTriggered: false }]);
    expect(now.changes).toEqual(['SET', 'TRIGGERED', 'RESET']);
  });

  it('is reset with a protection that was triggered by fills', async () => {
    const groupId = await armed();
    now.watch.trigger({ ...ALICE, ...EVERYWHERE });
    rig.paper.exchange.groups.trigger(OWNER, groupId);
    now.watch.reset({ ...ALICE, ...EVERYWHERE });
    expect(await ready()).toBe(groupId);
    expect(atVenue()).toMatchObject([{ isTriggered: false }]);
    expect(now.triggered()).toBeNull();
  });

  it('is known by the first order that it refuses, if nobody has heard of it', async () => {
    const groupId = await armed();
    strike(rig, 'order_group_updates', { kind: 'drop' });
    rig.paper.exchange.groups.trigger(OWNER, groupId);
    expect((await send(rig, rig.wish(), 5_000, null, groupId)).outcome.type).toBe('not-sent');
    expect(now.triggered()).not.toBeNull();
  });

  it('is not triggered by an order that it refused before its reset', async () => {
    const groupId = await armed();
    rig.paper.exchange.groups.trigger(OWNER, groupId);
    strike(rig, 'POST /portfolio/events/orders', { kind: 'delay', beforeMs: 0, afterMs: 1_000 });
    const sent = send(rig, rig.wish(), 5_000, null, groupId);
    await eventually(() => expect(now.triggered()).not.toBeNull());
    await eventually(() => expect([...rig.faults.rules].at(-1)!.hits).toBe(1));
    await rig.advance(1);
    now.watch.reset({ ...ALICE, ...EVERYWHERE });
    await ready();
    await rig.advance(1_000);
    expect((await sent).outcome.type).toBe('not-sent');
    expect(now.triggered()).toBeNull();
  });

  it('triggers its protection once the disk takes a record', async () => {
    const groupId = await armed();
    now.store.isFull = true;
    rig.paper.exchange.groups.trigger(OWNER, groupId);
    await eventually(() => expect(now.storeFaults.length).toBeGreaterThan(0));
    expect([now.triggered(), groupOf()]).toEqual([null, null]);
    now.store.isFull = false;
    await rig.advance(protectionLimits.protectionCheckMs);
    expect(now.triggered()).not.toBeNull();
  });

  it('that is gone is made anew', async () => {
    const groupId = await armed();
    rig.paper.exchange.groups.delete(OWNER, groupId);
    const next = await eventually(() => {
      const found = groupOf();
      expect([null, groupId]).not.toContain(found);
      return found;
    });
    expect(atVenue()).toMatchObject([{ groupId: next }]);
    expect(now.triggered()).toBeNull();
  });
});

describe('a protection that ends', () => {
  /** Ends the protection while an order of its group rests. */
  async function endedWithRest(): Promise<readonly [groupId: string, order: Order]> {
    const groupId = await armed();
    const { order, intent } = await send(rig, rig.wish(), 5_000, null, groupId);
    now.ledger.change(entry => entry.putOrder({ order, intent, refusedAs: null }));
    now.watch.end({ ...ALICE, ...EVERYWHERE });
    await eventually(() => expect(atVenue()).toMatchObject([{ limit: size('1000000') }]));
    return [groupId, order];
  }

  it('has its group removed', async () => {
    await armed();
    now.watch.end({ ...ALICE, ...EVERYWHERE });
    // The venue's answer comes after its action.
    await eventually(() => expect([atVenue(), now.store.mark(MARK)]).toEqual([[], '[]']));
    expect(groupOf()).toBeNull();
  });

  it('keeps what rests: its group never triggers, and is removed once that has ended', async () => {
    const [, order] = await endedWithRest();
    await rig.advance(protectionLimits.protectionCheckMs);
    expect(atVenue()).toMatchObject([{ orderIds: [order.venueOrderId] }]);
    expect(groupOf()).toBeNull();
    const end = { type: 'ends', venueOrderId: null, stated: NOTHING_FILLED } as const;
    now.ledger.change(entry => entry.apply(order.orderId, [{ ...end, at: entry.at }]));
    await eventually(async () => {
      await rig.advance(protectionLimits.protectionCheckMs);
      expect(atVenue()).toEqual([]);
    });
  });

  it('has its group back if it is set again before', async () => {
    const [groupId] = await endedWithRest();
    now.watch.set(ALICE, EVERYWHERE, TEN);
    expect(await ready()).toBe(groupId);
    expect(atVenue()).toMatchObject([{ groupId, limit: size('10') }]);
  });
});

describe('a venue that refuses groups', () => {
  it('stops no order, and is asked again later', async () => {
    strike(rig, CREATE, { kind: 'status', status: 403, isApplied: false });
    now.watch.set(ALICE, EVERYWHERE, TEN);
    await eventually(() => expect(now.refusals).toHaveLength(1));
    expect([groupOf(), now.triggered()]).toEqual([null, null]);
    await rig.advance(protectionLimits.protectionGroupRetryMs + protectionLimits.protectionCheckMs);
    expect(await ready()).toBe(atVenue()[0]!.groupId);
  });

  it('resets a group later: orders go without it meanwhile', async () => {
    const groupId = await armed();
    strike(rig, 'PUT /portfolio/order_groups/:order_group_id/reset', { kind: 'status', status: 503, isApplied: false });
    now.watch.reset({ ...ALICE, ...EVERYWHERE });
    await eventually(() => expect(now.refusals).toHaveLength(1));
    expect(groupOf()).toBeNull();
    await rig.advance(protectionLimits.protectionGroupRetryMs + protectionLimits.protectionCheckMs);
    expect(await ready()).toBe(groupId);
  });
});

describe('the next process', () => {
  async function restarted(): Promise<void> {
    await now.groups.stop();
    now = new Process(rig, new MemoryLedger(now.store.log));
  }

  it('goes on with the same group', async () => {
    const groupId = await armed();
    await restarted();
    expect(groupOf()).toBe(groupId);
    rig.paper.exchange.groups.trigger(OWNER, groupId);
    await eventually(() => expect(now.triggered()).not.toBeNull());
  });

  it('resets the group of a protection that was triggered, and not before', async () => {
    const groupId = await armed();
    rig.paper.exchange.groups.trigger(OWNER, groupId);
    await eventually(() => expect(now.triggered()).not.toBeNull());
    await restarted();
    await rig.advance(protectionLimits.protectionCheckMs);
    expect(atVenue()).toMatchObject([{ isTriggered: true }]);
    now.watch.reset({ ...ALICE, ...EVERYWHERE });
    expect(await ready()).toBe(groupId);
    expect(now.triggered()).toBeNull();
  });
});
