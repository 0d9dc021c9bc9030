// Venue A's answers to orders and cancels. A wrong reading of these answers would lose an order, or end an order that rests.

import { describe, expect, it } from 'vitest';
import { cancelOutcome } from '../../../../src/venues/venue-a/trading/answers.ts';
import { verdictOn } from '../../../../src/venues/venue-a/trading/refusals.ts';
import { outcomeOf } from '../../../support/order-outcome.ts';
import { idOf, prepared, SOON, submitted } from './scripted-line.ts';

const ID = idOf('a');
const OTHER = idOf('b');

describe('an order', () => {
  it.each([
    ['has failed, with any id', { success: false, errorMsg: '', orderID: ID }, { type: 'unknown' }],
    ['has gone well, and was refused', { success: true, errorMsg: 'invalid nonce', orderID: ID }, { type: 'refused' }],
    [
      'is there, by an id in capitals',
      { success: true, errorMsg: '', orderID: `0x${'A'.repeat(64)}` },
      { type: 'accepted', venueOrderId: ID },
    ],
  ])('that the venue says %s', async (_what, body, expected) => {
    const { outcome } = await submitted({ '/order': () => ({ body: { ...body, status: 'live' } }) });
    expect(outcome).toMatchObject(expected);
  });

  it.each([
    'order match delayed due to market conditions',
    'could not insert order',
    'there are no matching orders',
    "FOK orders are filled or killed, and this one wasn't",
    'the order had rounding issues',
    'a discrepancy greater than allowed',
  ])('that is not taken with the words "%s" may still be there', words => {
    expect(verdictOn(400, words)).toEqual({ type: 'unknown' });
  });

  it('whose answer our own code fails on fails alone', async () => {
    const { trading, order, intent, line } = await prepared({ '/order': () => ({ body: {} }) });
    const fault = new Error('a fault of ours');
    const headers = {
      get: () => {
        throw fault;
      },
    };
    line.request = async () => ({ type: 'answer', status: 200, headers, body: '{}' });
    await expect(outcomeOf(trading, order, intent, SOON)).rejects.toBe(fault);
  });

  it('is not sent once no time is left for it', async () => {
    const { trading, order, intent, line, timers } = await submitted({ '/order': () => ({ body: {} }) });
    const before = line.requests.length;
    expect(await outcomeOf(trading, order, intent, timers.now())).toMatchObject({ type: 'not-sent' });
    expect(line.requests).toHaveLength(before);
  });
});

describe('a cancel', () => {
  it.each([
    ['cancelled', { canceled: [OTHER], not_canceled: {} }],
    ['not cancelled', { canceled: [], not_canceled: { [OTHER]: 'order not found' } }],
  ])('is not answered by another order that was %s', (_what, body) => {
    expect(cancelOutcome({ type: 'answer', status: 200, headers: new Map(), body }, ID).type).toBe('unknown');
  });

  it('waits where the venue wants fewer, and orders do not', async () => {
    const { trading, line, order, intent, timers } = await prepared({
      '/order': ({ method }) => (method === 'DELETE' ? { status: 429, body: {} } : { body: {} }),
    });
    const deadline = (timers.now() + 1_000) as typeof order.createdAt;
    for (let times = 0; times < 2; times += 1) {
      const outcome = await trading.cancel({ ...order, venueOrderId: ID }, deadline);
      expect(outcome).toMatchObject({ type: 'not-sent', retryAfterS: 1 });
    }
    expect(line.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    await outcomeOf(trading, order, intent, deadline);
    expect(line.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});
