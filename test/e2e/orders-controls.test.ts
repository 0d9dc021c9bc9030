// The safety controls of orders through the whole gateway (contract §4.11). A dead man's switch outlives the engine's thread, the end of
// the gateway and its next start.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { someTicker } from '../support/paper-traders.ts';
import { recorded } from '../support/recorded.ts';
import { errorOf, OrdersRig, orderIdOf } from './orders-rig.ts';

let rig: OrdersRig;
let ticker: string;

beforeAll(async () => {
  rig = await OrdersRig.shared('venue-b');
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
});
afterAll(() => rig.close());

const order = () => ({ ticker, side: 'YES', action: 'BUY', count: 2, priceCents: 1 });

function cancelAfter(body: object, inS = 0) {
  return rig.call('POST', '/v1/orders/cancel-after', {
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
    timestamp: String(Math.floor(Date.now() / 1_000) + inS),
  });
}

describe('a dead man’s switch', () => {
  it('cancels what rests when its time has run out', async () => {
    const orderId = orderIdOf(await rig.submit(order()));
    const armed = await cancelAfter({ timeoutMs: 1_000 });
    const { deadline } = armed.json as { readonly deadline: string };
    expect(Date.parse(deadline)).toBeGreaterThan(Date.now());
    expect((await rig.shown(orderId)).status).toBe('OPEN');
    const order_ = await rig.settled(orderId);
    expect(order_).toMatchObject({ status: 'CANCELLED', cancelReason: 'DEAD_MAN' });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(deadline));
  });

  it('is set anew by every call, and disarmed by 0', async () => {
    const switches = () => recorded(rig.gateway.dataDir, it => it.cancelAfters());
    const deadlineOf = async (timeoutMs: number, inS: number): Promise<number> => {
      const { deadline } = (await cancelAfter({ timeoutMs }, inS)).json as { readonly deadline: string };
      return Date.parse(deadline);
    };
    const [later, sooner] = [await deadlineOf(600_000, 1), await deadlineOf(300_000, 2)];
    expect(sooner).toBeLessThan(later);
    await expect.poll(() => switches().map(({ deadline }) => deadline)).toEqual([sooner]);
    expect((await cancelAfter({ timeoutMs: 0 }, 3)).json).toEqual({ deadline: null });
    await expect.poll(switches).toEqual([]);
  });

  it.each([{ timeoutMs: 999 }, { timeoutMs: 600_001 }, { timeoutMs: '5000' }, {}, { timeoutMs: 5_000, more: 1 }])(
    'of %j is refused',
    async body => {
      const answer = await cancelAfter(body);
      expect([answer.status, errorOf(answer).code]).toEqual([400, 'INVALID_REQUEST']);
    },
  );
});
