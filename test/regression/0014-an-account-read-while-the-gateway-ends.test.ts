// Found in the log of a gateway that got a SIGTERM: "executions thread failed: store: is closed". A venue's answer arrived after the end,
// and was applied to a store that was closed.

import { beforeEach, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { Executions } from '../../src/orders/executions.ts';
import { Ledger } from '../../src/orders/ledger.ts';
import { found, listed } from '../orders/orders-rig.ts';
import { ScriptedVenue } from '../orders/scripted-venue.ts';
import { at, orderIdOf, storedOrder } from '../store/orders/order-rig.ts';
import { MemoryLedger } from '../support/memory-ledger.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const account = { podId: 'pod', venue: 'venue_b' } as const;
const failed = (error: unknown): never => {
  throw error;
};
const intent = { payload: new Uint8Array(), venueOrderId: null, clientOrderId: 'ours' };

let store: MemoryLedger;
let timers: VirtualTimers;
let venue: ScriptedVenue;
let executions: Executions;
beforeEach(() => {
  store = new MemoryLedger();
  timers = new VirtualTimers();
  venue = new ScriptedVenue(timers.now());
  const ledger = new Ledger({ store, now: () => timers.now(), tell: () => {}, diverged: () => {} });
  const accounts = [{ account, trading: venue }];
  const actors = { actorOfTag: () => null, actorsOf: () => ['alice'] };
  executions = new Executions({
    ledger,
    timers,
    accounts,
    ...actors,
    announce: () => {},
    storeFailed: failed,
  });
});

/** What the venue is asked, and what it says of it in the end. */
const QUESTIONS = {
  openOrders: listed([]),
  fillsSince: listed([]),
  lookUp: found('rests'),
  positions: listed([]),
} as const;

it.each(Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[])(
  'the end waits for the %s of the account',
  async question => {
    const { promise, resolve } = Promise.withResolvers<never>();
    let isAsked = false;
    venue[question] = () => {
      isAsked = true;
      return promise;
    };
    store.change(to => to.putOrder(storedOrder({ number: 1, intent }, { status: 'SUBMITTED', sentAt: at(1) })));
    executions.start();
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await timers.settle(limits.sweepMs);
    expect(isAsked).toBe(true);

    let hasStopped = false;
    const stopped = executions.stop().then(() => {
      hasStopped = true;
    });
    // Wanted once more while it is under way, as after a connection: not any more.
    executions.hear(account, { type: 'up' });
    await timers.settle(limits.sweepMs);
    expect(hasStopped).toBe(false);
    resolve(QUESTIONS[question] as never);
    await stopped;
    if (question === 'lookUp') expect(store.order(orderIdOf(1))?.order.status).toBe('OPEN');
    const { length } = store.log.records;
    await timers.settle(limits.accountReadMs);
    expect(store.log.records).toHaveLength(length);
  },
);
