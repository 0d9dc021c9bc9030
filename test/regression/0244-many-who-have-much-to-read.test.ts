// Found by measuring clients that follow their orders from an early cursor, as many do at once after a restart. Each read a page in every
// turn of the main thread. A hundred of them kept all others waiting for 100 to 180 ms, again and again.

import { expect, it } from 'vitest';
import { fullActorId } from '../../src/domain/identity.ts';
import { TurnQueue } from '../../src/gateway/stream/streaming.ts';
import { limits } from '../../src/limits.ts';
import { OrderRig } from '../gateway/stream/order-rig.ts';
import { ANYBODY } from '../support/stream-rig.ts';

const CLIENTS = 10;
const PAGES = 3;

it('read one after another, and everything in the end', async () => {
  const rig = new OrderRig();
  for (let event = 0; event < PAGES * limits.orderEventsPerReadMax; event += 1) rig.feed.commit(fullActorId(ANYBODY));
  const clients = Array.from({ length: CLIENTS }, () => rig.connect());
  rig.feed.isHeld = true;
  for (const client of clients) await client.subscribe(0);
  rig.feed.release();
  for (let page = 1; page <= PAGES * CLIENTS; page++) {
    await rig.timers.settle();
    const read = clients.reduce((sum, { cursors }) => sum + cursors.length, 0);
    expect(read).toBe(page * limits.orderEventsPerReadMax);
  }
  for (const { cursors } of clients) expect(cursors).toHaveLength(PAGES * limits.orderEventsPerReadMax);
  expect(rig.feed.underWayMax).toBe(1);
});

it('a slice of each between two turns of everything else', () => {
  const turns: (() => void)[] = [];
  const queue = new TurnQueue(task => void turns.push(task));
  const ran: string[] = [];
  const twice = (name: string) => (): void => {
    ran.push(name);
    if (ran.filter(it => it === name).length < 2) queue.add(twice(name));
  };
  for (const name of ['a', 'b', 'c']) queue.add(twice(name));
  const callOff = queue.add(() => ran.push('never'));
  callOff();
  const lengths: number[] = [];
  while (turns.length > 0) {
    expect(turns).toHaveLength(1);
    turns.shift()!();
    lengths.push(ran.length);
  }
  expect(ran).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  expect(lengths).toEqual([1, 2, 3, 4, 5, 6]);
});
