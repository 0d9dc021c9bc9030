// Batches and cancels through venue A's REST (venue-a.md §3.2, §3.3): each leg has its own result, and each order is cancelled once.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { amountsOf, NEG_RISK, type OrderWish, REGULAR, VenueARig, type Wallet } from './venue-a-rig.ts';

const [YES, NO] = REGULAR.tokens;
const SHARES = 1_000_000;
/** A bid for 10 shares at 50 cents. */
const RESTING: OrderWish = { token: YES, side: 'BUY', amounts: amountsOf('BUY', 5_000, 10 * SHARES) };

let rig: VenueARig;
let alice: Wallet;
let bob: Wallet;

beforeEach(async () => {
  rig = await VenueARig.start();
  alice = rig.wallet(1);
  bob = rig.wallet(2);
});
afterEach(() => rig.close());

describe('POST /orders', () => {
  it('answers each leg for itself', async () => {
    const good = rig.order(alice, RESTING);
    const bad = rig.order(alice, { ...RESTING, amounts: amountsOf('BUY', 5_050, 10 * SHARES) });
    const answer = await rig.call(alice, 'POST', '/orders', [good.body, bad.body]);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      expect.objectContaining({ orderID: good.id, status: 'live', errorMsg: '' }),
      {
        errorMsg: `order ${bad.id} is invalid. Price (0.505) breaks minimum tick size rule: 0.01`,
        orderID: '',
        takingAmount: '',
        makingAmount: '',
        status: '',
        success: true,
      },
    ]);
  });

  it('takes 15', async () => {
    const bodies = Array.from({ length: 16 }, () => rig.order(alice, RESTING).body);
    const error = 'Too many orders in payload: 16, max allowed: 15';
    expect(await rig.call(alice, 'POST', '/orders', bodies)).toMatchObject({ status: 400, body: { error } });
    const { body } = await rig.call(alice, 'POST', '/orders', bodies.slice(1));
    expect(body.map((leg: { status: string }) => leg.status)).toEqual(Array(15).fill('live'));
  });

  it.each([[{}], [[]]])('takes no %j', async body => {
    expect((await rig.call(alice, 'POST', '/orders', body)).status).toBe(400);
  });
});

describe('cancels', () => {
  const place = async (wish: OrderWish = RESTING) => (await rig.post(alice, wish)).id;
  const unknown = `0x${'ab'.repeat(32)}`;

  it('end an order once, and not again', async () => {
    const id = await place();
    const cancel = () => rig.call(alice, 'DELETE', '/order', { orderID: id });
    expect(await cancel()).toMatchObject({ status: 200, body: { canceled: [id], not_canceled: {} } });
    const again = await cancel();
    expect(again.status).toBe(200);
    expect(again.body.canceled).toEqual([]);
    expect(again.body.not_canceled[id]).toMatch(/already canceled or matched/);
  });

  it('end no order of another key', async () => {
    const id = await place();
    const { body } = await rig.call(bob, 'DELETE', '/order', { orderID: id });
    expect(body.canceled).toEqual([]);
    expect(Object.keys(body.not_canceled)).toEqual([id]);
  });

  it('end many orders, each once', async () => {
    const ids = [await place(), await place()];
    const { body } = await rig.call(alice, 'DELETE', '/orders', [...ids, ids[0], unknown]);
    expect(body.canceled).toEqual(ids);
    expect(Object.keys(body.not_canceled)).toEqual([unknown]);
  });

  it('end all orders, or those of a market or a token', async () => {
    const ofYes = await place();
    const ofNo = await place({ ...RESTING, token: NO, amounts: amountsOf('BUY', 3_000, 10 * SHARES) });
    const ofOther = await place({ ...RESTING, token: NEG_RISK.tokens[0] });
    const cancel = async (target: string, body?: object) =>
      (await rig.call(alice, 'DELETE', target, body)).body.canceled;
    expect(await cancel('/cancel-market-orders', { market: REGULAR.conditionId, asset_id: NO })).toEqual([ofNo]);
    expect(await cancel('/cancel-market-orders', { market: NEG_RISK.conditionId, asset_id: YES })).toEqual([]);
    expect(await cancel('/cancel-market-orders', { market: unknown })).toEqual([]);
    expect(await cancel('/cancel-market-orders', { asset_id: YES })).toEqual([ofYes]);
    expect(await cancel('/cancel-all')).toEqual([ofOther]);
  });

  it.each([
    ['/order', { orderID: 'x' }, 'Invalid orderID'],
    ['/order', undefined, 'Invalid orderID'],
    ['/orders', ['x'], 'Invalid orderID'],
    ['/orders', {}, 'Invalid payload'],
    ['/orders', Array(1_001).fill(unknown), 'Too many orders in payload, max allowed: 1000'],
  ])('refuse %s %#', async (target, body, error) => {
    expect(await rig.call(alice, 'DELETE', target, body)).toMatchObject({ status: 400, body: { error } });
  });
});
