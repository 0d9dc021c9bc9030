// Found by reading. An order was refused unsent, or found at the venue, and then requested with another signing key of its actor. It stayed
// the first key's, or nobody's. Neither the dead man's switch nor `cancelOnDisconnect` of the requesting key reached it.

import { expect, it } from 'vitest';
import { RESTS, Rig, YES_BUY } from '../orders/orders-rig.ts';

const second = { keyId: 'second' };

it('the order belongs to the key of the retry, if the first request was not sent', async () => {
  const rig = new Rig();
  await rig.submit({ type: 'not-sent', message: 'no connection', retryAfterS: 1 });
  expect(rig.order()).toMatchObject({ status: 'REJECTED', isReleased: true, keyId: 'key' });
  expect(await rig.submit(RESTS, second)).toMatchObject({ type: 'made' });
  expect(rig.order()).toMatchObject({ status: 'OPEN', keyId: 'second' });
});

it('the order belongs to the key of the retry, if its record was lost', async () => {
  const rig = new Rig();
  rig.hear({ type: 'order', order: rig.venueOrder({ request: YES_BUY }) });
  expect(rig.order()).toMatchObject({ status: 'OPEN', keyId: '' });
  expect(await rig.submit(RESTS, second)).toMatchObject({ type: 'made' });
  expect(rig.order().keyId).toBe('second');
});

it('changes nothing where the first has an answer', async () => {
  const rig = new Rig();
  await rig.submit(RESTS);
  expect(await rig.submit(RESTS, second)).toMatchObject({ type: 'made', isReplayed: true });
  expect(rig.order().keyId).toBe('key');
});
