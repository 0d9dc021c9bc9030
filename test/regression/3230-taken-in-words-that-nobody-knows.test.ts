// Found by review: venue A had taken an order. It said so with a status of the order, or of HTTP, that is not in its sheet. The order's id at
// the venue was dropped, and the time of its sending. Until a look-up found it, the order could not be cancelled. If none did for 30 s, it was
// rejected as one without a trace, though the venue had acknowledged it.

import { describe, expect, it } from 'vitest';
import { SOON, submitted } from '../venues/venue-a/trading/scripted-line.ts';
import { marketBuy } from '../venues/venue-a/trading/trading-rig.ts';

const ID = `0x${'d'.repeat(64)}`;
const TAKEN = { success: true, errorMsg: '', orderID: ID, takingAmount: '', makingAmount: '' };

describe('an order that venue A has taken keeps its id', () => {
  it('if its status is not known', async () => {
    const { outcome } = await submitted({ '/order': () => ({ body: { ...TAKEN, status: 'pondering' } }) });
    expect(outcome).toEqual({ type: 'accepted', venueOrderId: ID, state: 'delayed', stated: null });
  });

  it.each(['live', 'unmatched'])('if it cannot rest, and is said to be %s', async status => {
    const { outcome } = await submitted({ '/order': () => ({ body: { ...TAKEN, status } }) }, marketBuy(10, 'FOK', 50));
    expect(outcome).toEqual({ type: 'accepted', venueOrderId: ID, state: 'delayed', stated: null });
  });

  it.each([201, 202])('if the answer has status %i', async status => {
    const { outcome } = await submitted({ '/order': () => ({ status, body: { ...TAKEN, status: 'live' } }) });
    expect(outcome).toMatchObject({ type: 'accepted', venueOrderId: ID, state: 'rests' });
  });

  it('whose cancel is confirmed with such a status', async () => {
    const script = {
      '/order': ({ method }: { readonly method: string }) =>
        method === 'POST'
          ? { body: { ...TAKEN, status: 'live' } }
          : { status: 202, body: { canceled: [ID], not_canceled: {} } },
    };
    const { trading, order } = await submitted(script);
    expect(await trading.cancel({ ...order, venueOrderId: ID }, SOON)).toEqual({ type: 'cancelled' });
  });
});
