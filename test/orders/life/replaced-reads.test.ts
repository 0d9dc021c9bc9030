// The counts of an order and its replacement while the venue has confirmed neither.

import { describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import { lossLimitBounds } from '../../../src/core/domain/loss-limit.ts';
import type { OrderRequest } from '../../../src/core/domain/order-request.ts';
import { noPosition } from '../../../src/core/domain/position.ts';
import { dollars, LossRig } from './loss-rig.ts';
import { ACTOR, found, RESTS, Rig, shares, TOKEN_SELL, ticks, YES_BUY } from './orders-rig.ts';

const NEW = 'new';
const AMENDED = { type: 'amended', venueOrderId: 'v-1', remaining: null, taken: shares(0) } as const;

/** The actor holds ten. */
function hold(rig: Rig, address: string): void {
  const position = { ...noPosition(rig.account.venue, address, rig.timers.now()), size: shares(10) };
  rig.store.change(transaction => transaction.putPosition(ACTOR, position));
}

describe('5602: an order that is being replaced counts once', () => {
  /** Replaces the first of two orders at rest. The venue does not answer. */
  async function replacing(rig: Rig, request: OrderRequest, price = 5_700, second = request): Promise<void> {
    await rig.submit({ ...RESTS, venueOrderId: 'v-one' }, { request, idempotencyKey: 'one' });
    await rig.submit({ ...RESTS, venueOrderId: 'v-two' }, { request: second, idempotencyKey: 'two' });
    const never = new Promise<never>(() => {});
    rig.venue.amendments = rig.account.venue === 'venue_b' ? [never, AMENDED] : null;
    rig.venue.cancels = [never, { type: 'cancelled' }];
    rig.venue.lookUps = [found('gone')];
    void rig.replace({ price: ticks(price) }, { idempotencyKey: 'first' });
    await rig.pass(50);
  }

  it.each([
    ['openOrdersMax', { openOrdersMax: 2 }],
    ['positionMax', { positionMax: shares(20) }],
    ['exposureMax', { exposureMax: dollars(5.7 + 5.8) }],
  ])('for %s', async (_limit, limit) => {
    const rig = new Rig('venue_b');
    await replacing(rig, YES_BUY);
    const limits = { ...NO_LIMITS, ...limit };
    const third = { request: { ...YES_BUY, size: shares(1) }, limits, idempotencyKey: 'third' };
    expect(await rig.submit(RESTS, third)).toMatchObject({ type: 'refused', kind: 'invalid' });
    expect(await rig.replace({ price: ticks(5_800) }, { limits }, 'two')).toMatchObject({ status: 'OPEN' });
  });

  it('5606: with the dearer order for exposureMax, since either may be the live one', async () => {
    const rig = new Rig('venue_b');
    await replacing(rig, YES_BUY, 100);
    const limits = { ...NO_LIMITS, exposureMax: dollars(5.6 + 5.7) };
    expect(await rig.replace({ price: ticks(5_800) }, { limits }, 'two')).toMatchObject({ kind: 'invalid' });
    const again = { limits, idempotencyKey: 'again' };
    expect(await rig.replace({ price: ticks(5_700) }, again, 'two')).toMatchObject({ status: 'OPEN' });
  });

  it.each(['exposureMax', 'podExposureMax'])('5706: for %s in another market of the event, too', async name => {
    const rig = new Rig('venue_b');
    const legOf = (address: string) => ({ venue: 'venue_b', address, outcome: 0, isNot: false }) as const;
    const questionOf = (address: string) => ({ outcomes: ['yes', 'no'], legs: [legOf(address)] });
    const event = { id: 'event', questions: [YES_BUY.ticker, 'KXOTHER'].map(questionOf) };
    rig.eventOf = () => event;
    await replacing(rig, YES_BUY, 5_700, { ...YES_BUY, ticker: 'KXOTHER' });
    const limits = { ...NO_LIMITS, [name]: dollars(5.7 + 5.8) };
    expect(await rig.replace({ price: ticks(5_900) }, { limits }, 'two')).toMatchObject({ kind: 'invalid' });
    const again = { limits, idempotencyKey: 'again' };
    expect(await rig.replace({ price: ticks(5_800) }, again, 'two')).toMatchObject({ status: 'OPEN' });
  });

  it('for what its actor holds', async () => {
    const rig = new Rig('venue_a');
    hold(rig, TOKEN_SELL.tokenId);
    await replacing(rig, TOKEN_SELL);
    const third = { request: TOKEN_SELL, idempotencyKey: 'third' };
    expect(await rig.submit(RESTS, third)).toMatchObject({ type: 'refused', kind: 'insufficientBalance' });
    rig.venue.submits = [{ ...RESTS, venueOrderId: `digest-${rig.id(NEW)}` }];
    expect(await rig.replace({ price: ticks(5_800) }, {}, 'two')).toMatchObject({ status: 'OPEN' });
  });
});

it.each([
  ['venue_a', { ...TOKEN_SELL, size: shares(10) }, TOKEN_SELL.tokenId],
  ['venue_b', { ...YES_BUY, action: 'SELL' }, YES_BUY.ticker],
] as const)(
  '5601: a loss limit keeps an order that lowers risk while it is replaced at %s',
  async (venue, request, address) => {
    const rig = new Rig(venue);
    const { losses } = new LossRig(rig);
    hold(rig, address);
    await rig.submit(RESTS, { request });
    losses.set(ACTOR, { lossMax: dollars(0), cancels: true });
    const ended = Promise.withResolvers<void>();
    rig.venue.amendments = venue === 'venue_b' ? [ended.promise.then(() => AMENDED)] : null;
    rig.venue.cancels = [ended.promise.then(() => ({ type: 'cancelled' }))];
    rig.venue.lookUps = [found('gone')];
    const answer = rig.replace({ price: ticks(5_700) });
    await rig.pass(2 * lossLimitBounds.lossLookMs + 100);
    ended.resolve();
    expect(await answer).toMatchObject({ type: 'made', status: 'OPEN' });
    expect(rig.order(rig.id(NEW))).toMatchObject({ status: 'OPEN', cancelRequestedAt: null });
  },
);
