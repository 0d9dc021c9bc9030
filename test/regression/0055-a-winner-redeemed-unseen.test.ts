// Found by review: shares that were resolved and redeemed before the first look stayed a position for ever. The wallet no longer lists
// them, so nothing stated what they had paid, and the difference went to `unattributed`.

import { beforeEach, describe, expect, it } from 'vitest';
import type { Ticks } from '../../src/domain/numbers.ts';
import { ok } from '../../src/domain/result.ts';
import { limits } from '../../src/limits.ts';
import { unattributedOf } from '../../src/orders/bookings.ts';
import { ACTOR, POD, RESTS, Rig, shares, TOKEN_SELL } from '../orders/orders-rig.ts';
import { CONDITION, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, SECOND } from '../venues/venue-a/trading/trading-rig.ts';

const WON = 10_000 as Ticks;
const LOST = 0 as Ticks;

describe('a holding that the wallet lists no more', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = new Rig('venue_a');
    rig.executions.start();
    await rig.pass(100, 10);
    await rig.submit(RESTS, { request: { ...TOKEN_SELL, side: 'BUY', size: shares(10) } });
    rig.hear({ type: 'fill', fill: rig.fill('f', 10) });
    rig.venue.held = ok([]);
  });

  /** Minute by minute; the venue says again and again that nothing waits to be redeemed. */
  async function minutes(count: number): Promise<void> {
    for (let minute = 0; minute < count; minute += 1) {
      rig.hear({ type: 'redeemable', addresses: [] });
      await rig.sweep(limits.holdingsReadAgeMs);
    }
  }
  const realized = () => {
    const { numerator, denominator } = rig.store.position(ACTOR, 'venue_a', TOKEN_SELL.tokenId)!.realized;
    return Number(numerator) / Number(denominator);
  };
  const held = () => [rig.position(), rig.position(unattributedOf(POD)), rig.divergences];

  it.each([
    ['won', WON, (10_000 - 5_600) * shares(10)],
    ['lost', LOST, -5_600 * shares(10)],
  ])('has %s', async (_title, value, gain) => {
    rig.venue.paid = ok(value);
    await minutes(15);
    expect(held()).toEqual([0, 0, []]);
    expect(realized()).toBe(gain);
    expect(rig.venue.calls.filter(call => call.startsWith('payoutOf'))).toHaveLength(1);
  });

  it('is a difference where its market has not paid out', async () => {
    await minutes(15);
    expect(held()).toEqual([shares(10), shares(-10), ['position-differs']]);
  });

  it('is no difference as long as the market cannot be asked', async () => {
    rig.venue.paid = { ok: false, error: 'HTTP 503' };
    await minutes(15);
    expect(held()).toEqual([shares(10), 0, []]);
    rig.venue.paid = ok(WON);
    await minutes(5);
    expect(held()).toEqual([0, 0, []]);
  });
});

describe('what a token has paid', () => {
  const tokens = (winner: string) => [FIRST, SECOND].map(it => ({ token_id: it, outcome: it, winner: it === winner }));
  const payout = (answer: { readonly status?: number; readonly body: unknown }) =>
    tradingOn({ [`/markets/${CONDITION}`]: () => answer }).trading.payoutOf(FIRST);
  const market = { condition_id: CONDITION, question: 'Who wins?', closed: true };

  it.each([
    ['its market has its winner', { body: { ...market, tokens: tokens(FIRST) } }, ok(WON)],
    ['the other has won', { body: { ...market, tokens: tokens(SECOND) } }, ok(LOST)],
    ['neither has', { body: { ...market, is_50_50_outcome: true, tokens: tokens('') } }, ok(5_000)],
    ['it is closed, and not resolved', { body: { ...market, tokens: tokens('') } }, ok(null)],
    [
      'it trades',
      { body: { ...market, closed: false, active: true, accepting_orders: true, tokens: tokens('') } },
      ok(null),
    ],
    [
      'both have won',
      { body: { ...market, tokens: [...tokens(FIRST).slice(0, 1), ...tokens(SECOND).slice(1)] } },
      ok(null),
    ],
    ['it is forgotten', { status: 404, body: { error: 'market not found' } }, ok(null)],
    ['it cannot be read', { body: {} }, ok(null)],
    ['nobody answers for it', { status: 503, body: { error: 'down' } }, { ok: false, error: '/markets: down' }],
  ])('%s', async (_title, answer, expected) => {
    expect(await payout(answer)).toEqual(expected);
  });
});
