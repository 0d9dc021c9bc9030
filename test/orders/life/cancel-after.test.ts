// The dead man's switch on a machine that is busy.

import { expect, it } from 'vitest';
import { CancelAfterWatch } from '../../../src/orders/life/cancel-after.ts';
import { Ledger } from '../../../src/orders/life/ledger.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';
import { WaitingTimers } from '../../support/waiting-timers.ts';

const OWNER = { keyId: 'key', actorId: 'alice', podId: 'pod' };

it('a switch does not fire before its deadline, though its thread waits between two readings of the clocks', async () => {
  const timers = new WaitingTimers();
  const ledger = new Ledger({
    store: new MemoryLedger(),
    now: () => timers.now(),
    publish: () => {},
    diverged: () => {},
  });
  const over: string[] = [];
  const watch = new CancelAfterWatch({
    ...{ ledger, timers, onFired: () => {}, onOver: ({ keyId }) => over.push(keyId) },
    storeFailed: error => {
      throw error;
    },
  });
  timers.waitMs = 371;
  const deadline = watch.set(OWNER, 10_000).deadline!;
  watch.check();
  timers.waitMs = 0;
  timers.at = deadline - 1;
  watch.check();
  await new Promise(setImmediate);
  expect(over).toEqual([]);
  timers.at = deadline;
  watch.check();
  await new Promise(setImmediate);
  expect(over).toEqual(['key']);
});
