// Limits of a signing key and its proof, through the whole gateway. Many orders at once take no more tokens than there are, and an unproven
// caller takes none.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { rateProfiles } from '../../src/limits.ts';
import { someTicker } from '../support/paper-traders.ts';
import type { Answer, TestKey } from '../support/signed-requests.ts';
import { errorOf, OrdersRig } from './orders-rig.ts';

const BURST = 4;

let rig: OrdersRig;
let ticker: string;
/** A key that has all its tokens. */
let owner: TestKey;

beforeAll(async () => {
  // No token comes back while the tests last.
  const submissions = { perS: 0.001, burstMax: BURST };
  rig = await OrdersRig.start('venue-b', { rateProfile: { ...rateProfiles.default, submissions } });
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
  await rig.submit(order());
});
afterAll(() => rig.close());
beforeEach(async () => {
  owner = await rig.newKey();
});

const order = () => ({ ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 });
const forged = (): TestKey => ({ ...owner, seedHex: '00'.repeat(32) });
const leftOf = ({ headers }: Answer): string => /r=(\d+)/.exec(headers.ratelimit ?? '')?.[1] ?? '';
const countOf = (answers: readonly Answer[], status: number): number =>
  answers.filter(it => it.status === status).length;

function submit(key: TestKey, localAddress = '127.0.0.1'): Promise<Answer> {
  return rig.call(
    'POST',
    '/v1/venue-b/orders',
    {
      body: JSON.stringify(order()),
      headers: { 'Content-Type': 'application/json' },
      idempotencyKey: randomUUID(),
      localAddress,
    },
    key,
  );
}

it('many orders at once are as many as there are tokens, however long their venue takes', async () => {
  expect((await submit(owner)).status).toBe(201);
  await rig.fault({
    venue: 'venue_b',
    operation: 'POST /portfolio/events/orders',
    fault: { kind: 'delay', beforeMs: 200 },
    countMax: BURST,
  });
  const answers = await Promise.all(Array.from({ length: 3 * BURST }, () => submit(owner)));
  expect([countOf(answers, 201), countOf(answers, 503)]).toEqual([BURST - 1, 2 * BURST + 1]);
  for (const refused of answers.filter(it => it.status === 503)) {
    expect(errorOf(refused).message).toContain('too many submissions under this signing key');
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  }
});

it.each([
  ['an address that has proven another key', '127.0.0.2'],
  ['the owner’s own', '127.0.0.1'],
])('a flood under its key id from %s takes none of its tokens', async (_what, from) => {
  expect((await rig.call('GET', '/v1/time', { localAddress: from })).status).toBe(200);
  expect((await rig.call('GET', '/v1/time', {}, owner)).status).toBe(200);
  const flood = await Promise.all(Array.from({ length: 4 * BURST }, () => submit(forged(), from)));
  expect(countOf(flood, 401)).toBe(flood.length);
  expect(leftOf(await submit(owner))).toBe(`${BURST - 1}`);
});

it('a flood from elsewhere refuses none of its orders meanwhile', async () => {
  expect((await rig.call('GET', '/v1/time', { localAddress: '127.0.0.2' })).status).toBe(200);
  expect((await rig.call('GET', '/v1/time', {}, owner)).status).toBe(200);
  const flood = Array.from({ length: 4 * BURST }, () => submit(forged(), '127.0.0.2'));
  const own = await Promise.all(Array.from({ length: BURST }, () => submit(owner)));
  expect(countOf(own, 201), own.map(({ text }) => text).join()).toBe(BURST);
  expect(countOf(await Promise.all(flood), 401)).toBe(flood.length);
});
