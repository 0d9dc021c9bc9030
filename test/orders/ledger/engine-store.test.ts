// Cursors over restarts: no cursor is given twice, also after a power cut.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { storedOrder } from '../../core/store/orders/order-rig.ts';
import { EngineRig } from './engine-rig.ts';

const LEAP = limits.orderEventsLostMax;

let rig: EngineRig;
beforeEach(() => {
  rig = new EngineRig(1_790_000_000_000);
});
afterEach(() => rig.close());

it('cursors go on where the machine has not been off', async () => {
  expect(await rig.store.openAfter('boot 1')).toBe(false);
  expect(reported()).toBe(1);
  await rig.restart();
  expect(await rig.store.openAfter('boot 1')).toBe(false);
  expect(reported()).toBe(2);
});

it('cursors leap once where the machine has been off without a clean close', async () => {
  await rig.store.openAfter('boot 1');
  reported();
  rig.follow();
  reported();
  await rig.restart();
  expect(await rig.store.openAfter('boot 2')).toBe(true);
  expect(reported()).toBe(LEAP + 3);
  await rig.restart();
  expect(await rig.store.openAfter('boot 2')).toBe(false);
  expect(reported()).toBe(LEAP + 4);
  expect(rig.store.lastCursor('nobody')).toBe(LEAP + 2);
});

it('cursors leap once where the journal had a torn end: it may have held events', async () => {
  await rig.store.openAfter('boot 1');
  expect(reported()).toBe(1);
  await rig.restart();
  expect(await rig.store.openAfter('boot 1', true)).toBe(true);
  expect(reported()).toBe(LEAP + 2);
  await rig.restart();
  expect(await rig.store.openAfter('boot 1', false)).toBe(false);
  expect(reported()).toBe(LEAP + 3);
});

it('cursors go on after a clean close', async () => {
  await rig.store.openAfter('boot 1');
  reported();
  await rig.store.closeClean();
  await rig.restart();
  expect(await rig.store.openAfter('boot 2')).toBe(false);
  expect(reported()).toBe(2);
});

it('cursors leap after any crash where the system does not tell its boot', async () => {
  expect(await rig.store.openAfter(null)).toBe(false);
  reported();
  await rig.restart();
  expect(await rig.store.openAfter(null)).toBe(true);
});

it('cursors leap on a copy, whose mark names no boot', async () => {
  await rig.store.openAfter('boot 1');
  reported();
  rig.store.change(to => to.putMark('open-boot', 'copy'));
  await rig.restart();
  expect(await rig.store.openAfter('boot 1')).toBe(true);
});

it('cursors leap where there are some, and no mark', async () => {
  reported();
  await rig.restart();
  expect(await rig.store.openAfter('boot 1')).toBe(true);
});

it('cursors of all actors are known once the history has them', async () => {
  await rig.store.openAfter('boot 1');
  reported();
  rig.follow();
  await rig.restart();
  expect(rig.store.lastCursor('alice')).toBe(1);
});

/** The cursor of one event more. */
function reported(): number {
  return rig.store.change(to => {
    const { order } = storedOrder({ number: 1 });
    to.putOrder(storedOrder({ number: 1 }));
    return to.appendEvent({ actorId: 'alice', event: 'STATUS', order, fill: null, at: rig.now }).cursor;
  });
}
