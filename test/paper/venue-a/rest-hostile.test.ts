// Hostile requests to venue A's REST: to any JSON the answer is one of the venue's, and it has no effect beyond the request. Over HTTP,
// with valid credentials.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { amountsOf, type OrderWish, REGULAR, VenueARig, type Wallet } from './venue-a-rig.ts';

const [YES] = REGULAR.tokens;
const RESTING: OrderWish = { token: YES, side: 'BUY', amounts: amountsOf('BUY', 5_000, 10_000_000) };

const DEPTH = 10_000;
const HOSTILE = [
  '1e400',
  '-1',
  '123456789012345678901234567890',
  '"NaN"',
  'null',
  'true',
  '{}',
  '[null]',
  '"\\u0000\\ud800"',
  '"__proto__"',
  '{"toString":1,"valueOf":2}',
  '[{"toString":null}]',
  '['.repeat(DEPTH) + ']'.repeat(DEPTH),
];

let rig: VenueARig;
let alice: Wallet;

beforeEach(async () => {
  rig = await VenueARig.start();
  alice = rig.wallet(1);
});
afterEach(() => rig.close());

async function status(method: string, path: string, text: string): Promise<number> {
  return (await rig.send(method, path, text, rig.l2Headers(alice, method, path, text))).status;
}

describe('bodies that nobody should send', () => {
  it.each([
    ['POST', '/books', ['token_id']],
    ['POST', '/prices', ['token_id', 'side']],
    ['POST', '/midpoints', ['token_id']],
    ['POST', '/spreads', ['token_id']],
    ['POST', '/last-trades-prices', ['token_id']],
    ['POST', '/order', ['order', 'owner', 'orderType']],
    ['POST', '/orders', ['order', 'owner', 'orderType']],
    ['POST', '/v1/heartbeats', ['heartbeat_id']],
    ['POST', '/orders-scoring', ['id']],
    ['DELETE', '/order', ['orderID']],
    ['DELETE', '/orders', ['id']],
    ['DELETE', '/cancel-market-orders', ['market', 'asset_id']],
    ['DELETE', '/auth/readonly-api-key', ['key']],
  ])('%s %s', async (method, path, fields) => {
    for (const value of HOSTILE) {
      const bodies = fields.flatMap(field => [`{"${field}":${value}}`, `[{"token_id":"${YES}","${field}":${value}}]`]);
      for (const text of [value, `[${value}]`, ...bodies])
        expect(await status(method, path, text), text.slice(0, 80)).toBeLessThan(500);
    }
  });

  it('orders with any field of theirs replaced', async () => {
    const { body } = rig.order(alice, RESTING);
    for (const field of Object.keys(body.order)) {
      for (const value of HOSTILE) {
        const text = JSON.stringify({ ...body, order: { ...body.order, [field]: '@' } }).replace('"@"', () => value);
        expect(await status('POST', '/order', text), text.slice(0, 300)).toBeLessThan(500);
      }
    }
    expect([...rig.exchange.openOrders(alice.credentials.apiKey, 0)]).toEqual([]);
  });

  it.each([
    ['no body', ''],
    ['no JSON', '{"market":'],
    ['no object', '[]'],
    ['a market that is no text', '{"market":null}'],
    ['a token that is no text', `{"market":"${REGULAR.conditionId}","asset_id":1}`],
  ])('cancel nothing by market: %s', async (_what, text) => {
    await rig.post(alice, RESTING);
    expect(await status('DELETE', '/cancel-market-orders', text)).toBe(400);
    expect([...rig.exchange.openOrders(alice.credentials.apiKey, 0)]).toHaveLength(1);
  });
});
