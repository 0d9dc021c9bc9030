// Noticed in a review: the end of the gateway stopped at the first part that could not be closed. The journal, LMDB and the venues' sockets
// behind it stayed open, and the process ended as after a fault.

import { expect, it } from 'vitest';
import { Closers } from '../../src/runtime/closers.ts';

it('closes every part, newest first, one after the other, and says which could not be', async () => {
  const closed: string[] = [];
  const closers = new Closers();
  const late = async (name: string): Promise<void> => {
    await new Promise(setImmediate);
    closed.push(name);
  };
  closers.push(() => late('store'));
  closers.push(() => Promise.reject(new Error('sync failed')));
  closers.push(() => late('journal'));
  closers.push(() => {
    throw new Error('gone');
  });
  closers.push(() => late('gateway'));
  expect(await closers.closeAll()).toEqual([new Error('gone'), new Error('sync failed')]);
  expect(closed).toEqual(['gateway', 'journal', 'store']);
});

it('closes what is started while it closes, too', async () => {
  const closed: string[] = [];
  const closers = new Closers();
  closers.push(() => {
    closers.push(() => closed.push('late'));
  });
  expect(await closers.closeAll()).toEqual([]);
  expect(closed).toEqual(['late']);
});
