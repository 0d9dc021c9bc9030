// Steps of the journal as earlier releases wrote them: what was recorded stays readable.

import { expect, it } from 'vitest';
import { readEvents } from '../../src/ledger/events.ts';
import { NOW, refused, resting } from '../store/orders/first-forms.ts';
import { orderIdOf } from '../store/orders/order-rig.ts';

/** An order is made, another one moved, and an event appended. */
const FIRST =
  '010000000abc00008000800000000000000003706f6405616c696365146b65795f3030303030303030303030303030303003065449434b4552000080ade2048827000201a0c4506c0001a0c4506c000101a0c4506c00000103762d31a0cb98010a0315c2f480010701a0cb98010301010700000101a0c4506c00010301020301033078640163016b000100000001000080008000000000000000146b65795f303030303030303030303030303030300501a0c4506c00000101a0c4506c00000000000000010001026e6f010001000905616c696365030001a0c4506c0000000abc00008000800000000000000000';

it('a step of version 1 is read: the key beside an order becomes its own', () => {
  const intent = { payload: new Uint8Array([1, 2, 3]), venueOrderId: '0xd', clientOrderId: 'c' };
  const [made, moved, appended, ...rest] = readEvents(Buffer.from(FIRST, 'hex'));
  expect(made).toEqual({
    type: 'order-made',
    stored: { order: { ...resting, idempotencyKey: 'k' }, intent, refusedAs: null },
  });
  expect(moved).toMatchObject({
    type: 'order-moved',
    orderId: refused.orderId,
    motion: { status: 'REJECTED', error: refused.error, venueError: null, cancelReason: null },
    refusedAs: 'invalid',
  });
  const orderId = orderIdOf(0xabc);
  const event = { actorId: 'alice', cursor: 3, event: 'STATUS', at: NOW, orderId, fillId: null };
  expect(appended).toEqual({ type: 'event-appended', ...event });
  expect(rest).toEqual([]);
});

it.each([0, 3])('a step of version %i is refused', version => {
  expect(() => readEvents(Buffer.of(version))).toThrow(`has events of version ${version}`);
});
