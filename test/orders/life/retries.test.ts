// Retries of a submission: what the second request finds.

import { describe, expect, it } from 'vitest';
import { clientOrderIdOf } from '../../../src/core/domain/actor-tag.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { VenueBOrderRequest } from '../../../src/core/domain/order-request.ts';
import { NOTHING_FILLED } from '../../../src/core/domain/order-sums.ts';
import { fail, ok } from '../../../src/core/domain/result.ts';
import { limits } from '../../../src/limits.ts';
import type { Submission } from '../../../src/orders/life/submission.ts';
import type { CancelOutcome, LookUp, TradingFacts, VenueOrder } from '../../../src/venues/venue.ts';
import { submit, submitBatch } from '../../support/submitted.ts';
import {
  ACTOR,
  found,
  NOT_SENT,
  RESTS,
  Rig,
  shares,
  TIMEOUT,
  TOKEN_SELL,
  ticks,
  total,
  YES_BUY,
} from './orders-rig.ts';

const UNKNOWN: CancelOutcome = { type: 'unknown', message: 'no answer' };

// An order was refused unsent, or found at the venue, and then requested with another signing key of its actor. The order stayed with the
// first key, or with no key. Neither the dead man's switch nor `cancelOnDisconnect` of the requesting key reached it.
describe('0028: a retry with another key', () => {
  const second = { keyId: 'second' };

  it('the order belongs to the key of the retry, if the first request was not sent', async () => {
    const rig = await Rig.submitted({ type: 'not-sent', message: 'no connection', retryAfterS: 1 });
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
    const rig = await Rig.submitted(RESTS);
    expect(await rig.submit(RESTS, second)).toMatchObject({ type: 'made', isReplayed: true });
    expect(rig.order().keyId).toBe('key');
  });
});

// Until every order had been looked up at its venue, the retry of an existing order was answered that nothing was sent.
describe('0029: a retry while nothing can be placed', () => {
  const untradable = { isTradable: false };

  it('hears what came of the first', async () => {
    const rig = await Rig.submitted(RESTS);
    rig.venue.calls.length = 0;
    expect(await rig.submit(RESTS, untradable)).toMatchObject({ type: 'made', status: 'OPEN', isReplayed: true });
    expect(rig.venue.calls).toEqual([]);
  });

  it('a retry is answered that the outcome is unknown, if it is', async () => {
    const rig = await Rig.submitted(TIMEOUT);
    expect(await rig.submit(RESTS, untradable)).toMatchObject({ kind: 'unknownOutcome', orderId: rig.id() });
  });

  it('a request with a new key sends nothing, and its answer says so', async () => {
    const rig = new Rig();
    const message = 'venue_b: not every order has been looked up there since the start: nothing was sent';
    expect(await rig.submit(RESTS, untradable)).toMatchObject({ kind: 'unavailable', message, retryAfterS: 1 });
    expect([rig.venue.calls, rig.store.order(rig.id())]).toEqual([[], null]);
  });
});

// The retry of a late order was answered 400, "no trace", for good, while the order rested and was filled.
describe('0085: a retry while a late order rests', () => {
  const NO_ANSWER = { type: 'refused', kind: 'unknownOutcome', isReplayed: true };

  /** Makes an order that is given up while its answer is on its way. Then the venue takes the order, and does not answer its cancel. */
  async function takenLate(): Promise<Rig> {
    const rig = new Rig();
    rig.venue.cancels = [UNKNOWN];
    const { answer, say } = rig.start();
    await rig.pass(10, 5);
    await rig.sweep(3_600_000);
    say(RESTS);
    expect(await answer).toMatchObject({ kind: 'unknownOutcome' });
    expect(rig.order().status).toBe('REJECTED');
    return rig;
  }

  it('a retry is answered as its order was, and then as the order has ended', async () => {
    const rig = await takenLate();
    for (let retry = 0; retry < 2; retry += 1) {
      expect(await rig.submit(RESTS)).toMatchObject({ ...NO_ANSWER, orderId: rig.id() });
    }
    rig.venue.cancels = [{ type: 'cancelled' }];
    rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
    rig.hear({ type: 'order', order: rig.venueOrder() });
    await rig.pass(10, 5);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(4) } });
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: 'CANCELLED', isReplayed: true });
  });

  it('a retry of an order without a trace gets an unknown outcome, and in the end the lack of a trace', async () => {
    const rig = await Rig.submitted({ type: 'unknown', cause: 'timeout', message: 'no answer' });
    expect(await rig.submit(RESTS)).toMatchObject(NO_ANSWER);
    await rig.sweep(3_600_000);
    expect(await rig.submit(RESTS)).toMatchObject({ kind: 'invalid', message: 'no trace at the venue' });
  });
});

// Later trades became the fills of an adopted order, and a request of a smaller size could still claim the order.
describe('0088: a retry that wanted less than was traded', () => {
  /** Makes an adopted order. Three shares were traded before its adoption, and seven after it. */
  async function adopted(): Promise<Rig> {
    const rig = new Rig();
    rig.executions.start();
    await rig.pass(100, 10);
    const clientOrderId = clientOrderIdOf(rig.id(), ACTOR);
    rig.hear({ type: 'fill', fill: rig.fill('f', 3, { clientOrderId }) });
    await rig.sweep();
    rig.hear({ type: 'fill', fill: rig.fill('g', 7, { clientOrderId }) });
    expect(rig.order()).toMatchObject({ request: { size: shares(3) }, filled: { size: shares(10) } });
    return rig;
  }

  it.each([3, 9])('an adopted order does not belong to a retry that wanted %i', async count => {
    const rig = await adopted();
    const answer = await rig.submit(RESTS, { request: { ...YES_BUY, size: shares(count) } });
    expect(answer).toMatchObject({ type: 'refused', kind: 'idempotencyConflict' });
    expect(rig.order()).toMatchObject({ keyId: '', request: { size: shares(3) } });
  });

  it.each([
    [10, 'FILLED'],
    [12, 'CANCELLED'],
  ])('an adopted order may belong to a retry that wanted %i', async (count, status) => {
    const rig = await adopted();
    const request = { ...YES_BUY, size: shares(count) };
    expect(await rig.submit(RESTS, { request })).toMatchObject({ type: 'made', status });
    expect(rig.order()).toMatchObject({ keyId: 'key', request, status });
  });

  /** While the venue's lists are older than a trade, the trade alone does not show the order's state, because the order may rest. */
  it('a trade adopts no order if the lists are too old for it', async () => {
    const rig = new Rig();
    const clientOrderId = clientOrderIdOf(rig.id(), ACTOR);
    rig.executions.start();
    await rig.pass(100, 10);
    const since = rig.timers.now();
    rig.venue.upTo = ok((since - 1) as UnixMillis);
    rig.hear({ type: 'fill', fill: rig.fill('f', 3, { clientOrderId }) });
    let readings = 0;
    const open = rig.venue.openOrders.bind(rig.venue);
    rig.venue.openOrders = () => {
      readings += 1;
      return open();
    };
    for (let sweep = 0; sweep < 9; sweep += 1) await rig.sweep();
    // The gateway does not read lagging lists over and over.
    expect([rig.store.order(rig.id()), readings]).toEqual([null, 1]);
    rig.venue.upTo = ok((since + 1) as UnixMillis);
    rig.venue.open = [rig.venueOrder({ request: YES_BUY })];
    await rig.sweep(limits.accountReadMs);
    expect(rig.order()).toMatchObject({ status: 'OPEN', request: YES_BUY, filled: { size: shares(3) } });
    expect(rig.venue.calls).toEqual([]);
  });
});

// Until the order was confirmed, its key was free. The retry was sent as another order, and the first order was forgotten and went on
// resting.
describe('0089: a retry of what the venue has after all', () => {
  async function resting(): Promise<Rig> {
    const rig = new Rig('venue_a');
    expect(await rig.submit(NOT_SENT)).toMatchObject({ kind: 'unavailable' });
    expect(rig.order()).toMatchObject({ status: 'REJECTED', isReleased: true });
    const venueOrderId = `digest-${rig.id()}`;
    const order: VenueOrder = { ...rig.venueOrder(), venueOrderId, clientOrderId: null, address: TOKEN_SELL.tokenId };
    rig.venue.calls.length = 0;
    rig.venue.cancels = [UNKNOWN];
    rig.venue.lookUps = [found('rests')];
    rig.hear({ type: 'order', order });
    await rig.pass(10, 5);
    return rig;
  }

  it('a retry is not sent again, and the first order is cancelled', async () => {
    const rig = await resting();
    await rig.pass(2 * limits.venueAnswerTimeoutMs);
    expect(await rig.submit(RESTS)).toMatchObject({ kind: 'unknownOutcome', orderId: rig.id() });
    rig.venue.cancels = [{ type: 'cancelled' }];
    rig.venue.lookUps = [found('gone', [rig.fill('f', 4)])];
    await rig.sweep(10_000);
    expect(rig.venue.calls.filter(call => call.startsWith('submit'))).toEqual([]);
    expect(rig.venue.calls.filter(call => call === 'cancel')).not.toEqual([]);
    expect(rig.order()).toMatchObject({ status: 'CANCELLED', filled: { size: shares(4) } });
    expect(rig.divergences).toEqual(['late-trace', 'fill-of-refused']);
    expect(await rig.submit(RESTS)).toMatchObject({ type: 'made', status: 'CANCELLED', isReplayed: true });
  });
});

// The retry of an adopted order was refused like a new order if its market had closed since. The same happened if the venue could not be
// traded at yet. The answer stated that no order existed.
describe('0082: an adopted order whose market takes no more', () => {
  /** Returns a rig that has adopted an order from the list of resting orders. */
  function adopted(): Rig {
    const rig = new Rig();
    rig.hear({ type: 'order', order: rig.venueOrder({ request: YES_BUY }) });
    expect(rig.order()).toMatchObject({ status: 'OPEN', keyId: '' });
    return rig;
  }

  const RETRIES: readonly [why: string, close: (rig: Rig) => void, change: Partial<Submission>][] = [
    ['its market has closed', rig => closed(rig), {}],
    ['its market is not known any more', rig => (rig.venue.facts_ = fail({ type: 'unknown-market' })), {}],
    ['the venue does not answer', rig => (rig.venue.facts_ = fail({ type: 'unavailable', message: 'down' })), {}],
    ['nothing can be placed yet', () => {}, { isTradable: false }],
  ];

  function closed({ venue }: Rig): void {
    if (venue.facts_.ok) venue.facts_ = { ok: true, value: { ...venue.facts_.value, phase: 'CLOSED' } };
  }

  it.each(RETRIES)('a retry gets the adopted order though %s', async (_why, close, change) => {
    const rig = adopted();
    close(rig);
    expect(await rig.submit(RESTS, change)).toMatchObject({ type: 'made', status: 'OPEN', isReplayed: true });
    expect(rig.order()).toMatchObject({ keyId: 'key' });
    const again = await rig.submit(RESTS, { ...change, bodySha256Hex: 'b'.repeat(64) });
    expect(again).toMatchObject({ kind: 'idempotencyConflict' });
    expect(rig.venue.calls).toEqual([]);
  });

  it.each(RETRIES)('another is refused as before where %s', async (_why, close, change) => {
    const rig = adopted();
    close(rig);
    const answer = await rig.submit(RESTS, { ...change, idempotencyKey: 'two' });
    expect(answer).toMatchObject({ type: 'refused', isReplayed: false });
    expect(rig.store.order(rig.id('two'))).toBeNull();
  });
});

// A retry was refused for good if the market had closed in between, although the first order could still be made. A caller that believed
// the 404 had an order without knowing.
describe('3211: a repeat that the market refuses', () => {
  /** Makes a rig whose market closes after its facts were read once. The first order is prepared on command. */
  function closing(rig = new Rig()) {
    const { venue } = rig;
    const prepared = Promise.withResolvers<void>();
    const prepare = venue.prepare.bind(venue);
    venue.prepare = async order => {
      await prepared.promise;
      return prepare(order);
    };
    venue.facts = async () => {
      const facts = venue.facts_;
      venue.facts_ = ok({ ...(facts.ok ? facts.value : ({} as TradingFacts)), phase: 'CLOSED' });
      return facts;
    };
    venue.submits = [RESTS];
    return { rig, prepared: prepared.resolve };
  }

  it('a repeat waits for the first request before it is refused', async () => {
    const { rig, prepared } = closing();
    const first = submit(rig.parts, rig.submission());
    const again = submit(rig.parts, rig.submission());
    const other = submit(rig.parts, rig.submission({ idempotencyKey: 'other' }));
    expect(await other).toMatchObject({ type: 'refused', kind: 'notFound' });
    prepared();
    expect(await first).toMatchObject({ type: 'made', status: 'OPEN', orderId: rig.id() });
    expect(await again).toMatchObject({ type: 'made', orderId: rig.id() });
  });

  it('a repeat in the same batch, or with another body, waits as well', async () => {
    const { rig, prepared } = closing();
    const request = { ...YES_BUY, price: ticks(5_500) };
    const changed = rig.submission({ request, bodySha256Hex: 'b'.repeat(64) });
    const answers = submitBatch(rig.parts, [rig.submission(), rig.submission(), changed], () => expect.fail('a fault'));
    prepared();
    expect(await answers).toMatchObject([
      { type: 'made', orderId: rig.id() },
      { type: 'made', orderId: rig.id() },
      { type: 'refused', kind: 'idempotencyConflict' },
    ]);
    expect(rig.venue.calls).toEqual(['submit SUBMITTED']);
  });

  it('who names the order waits for the first request, too', async () => {
    const { rig, prepared } = closing();
    const both = [submit(rig.parts, rig.submission()), submit(rig.parts, rig.submission())];
    await rig.pass(50);
    const known = Promise.resolve(rig.parts.underWay.whenIdle(rig.id())).then(() => rig.store.order(rig.id()));
    await rig.pass(50);
    prepared();
    expect(await known).not.toBeNull();
    await Promise.all(both);
  });

  it('a repeated replace waits for the first one', async () => {
    const rig = await Rig.submitted(RESTS);
    const { prepared } = closing(rig);
    rig.venue.lookUps = [found('gone')];
    const both = [rig.replace({ price: ticks(5_500) }), rig.replace({ price: ticks(5_500) })];
    prepared();
    await rig.pass(1_000);
    expect(await Promise.all(both)).toMatchObject(both.map(() => ({ type: 'made', orderId: rig.id('new') })));
  });
});

// The venue's terms stayed the terms of an adopted order for good, even when its request came again. Another request under its key, of any
// size and price, was answered 201.
describe('0044: the request of an adopted order', () => {
  /** A purchase of ten NO at 0.40, as the venue sees it. */
  const ASK = { ...YES_BUY, action: 'SELL', price: ticks(6_000) } as const satisfies VenueBOrderRequest;
  const BUY_NO = { ...YES_BUY, side: 'NO', price: ticks(4_000) } as const satisfies VenueBOrderRequest;
  const CONFLICT = { type: 'refused', kind: 'idempotencyConflict' };

  const sale = (rig: Rig, fillId: string, count: number) =>
    rig.fill(fillId, count, { price: ticks(6_100), addressPrice: ticks(6_100), positionChange: shares(-count) });

  /** Lists the order as it rests at the venue. */
  function listed(rig: Rig): void {
    const stated = total(4, 6_100, 1_000);
    rig.hear({ type: 'order', order: rig.venueOrder({ request: ASK, stated }) });
  }

  it('an adopted order takes over its request, with all that was traded in its frame', async () => {
    const rig = new Rig();
    listed(rig);
    rig.hear({ type: 'fill', fill: sale(rig, 'f', 4) });
    expect(rig.order()).toMatchObject({ request: ASK, filled: { cost: 6_100n * 4_000_000n } });
    expect(await rig.submit(RESTS, { request: BUY_NO })).toMatchObject({ type: 'made', status: 'OPEN' });
    const amounts = total(4, 3_900, 1_000);
    expect(rig.order()).toMatchObject({ request: BUY_NO, keyId: 'key', filled: amounts, stated: amounts });
    expect(rig.store.fills(rig.id(), 0, 10)).toMatchObject([{ fillId: 'f', price: ticks(3_900) }]);
    expect(rig.reported.at(-1)).toMatchObject({ event: 'STATUS', order: { request: BUY_NO } });
    rig.hear({ type: 'fill', fill: sale(rig, 'g', 6) });
    expect(rig.order()).toMatchObject({ status: 'FILLED', filled: { cost: 3_900n * 10_000_000n } });
    expect(rig.position()).toBe(shares(-10));
  });

  it.each([
    ['size', { ...BUY_NO, size: shares(25) }],
    ['price', { ...BUY_NO, price: ticks(4_100) }],
    ['price of the other side', { ...BUY_NO, price: ticks(6_000) }],
    ['time in force, since it rests', { ...BUY_NO, timeInForce: 'IOC' }],
  ] as const)('a request for another order than the adopted one is refused: %s', async (_what, request) => {
    const rig = new Rig();
    listed(rig);
    expect(await rig.submit(RESTS, { request })).toMatchObject(CONFLICT);
    expect(rig.order()).toMatchObject({ request: ASK, keyId: '' });
  });

  it.each([
    ['all that it wanted was traded', BUY_NO, 'FILLED'],
    ['what it wanted beyond that is gone', { ...BUY_NO, size: shares(25) }, 'CANCELLED'],
    ['at a better price', { ...BUY_NO, price: ticks(4_500) }, 'FILLED'],
    ['it had wanted less', { ...BUY_NO, size: shares(9) }, null],
    ['it had wanted a better price', { ...BUY_NO, price: ticks(3_800) }, null],
  ] as const)(
    'a request for another order is refused if only a trade of the adopted one is known: %s',
    async (_what, request, status) => {
      const rig = new Rig();
      rig.executions.start();
      await rig.pass(100, 10);
      const clientOrderId = clientOrderIdOf(rig.id(), ACTOR);
      rig.hear({ type: 'fill', fill: { ...sale(rig, 'f', 10), clientOrderId } });
      await rig.sweep();
      expect(rig.order()).toMatchObject({ status: 'FILLED', request: { side: 'YES', action: 'SELL' } });
      const answer = await rig.submit(RESTS, { request });
      expect(answer).toMatchObject(status === null ? CONFLICT : { type: 'made', status });
      if (status !== null)
        expect(rig.order()).toMatchObject({ status, request, filled: { cost: 3_900n * 10_000_000n } });
    },
  );

  /** Found by a later review: a look-up states the whole traded size in the frame of its request. */
  it('an adopted order takes over its request while it is looked up', async () => {
    const rig = new Rig();
    rig.hear({ type: 'order', order: rig.venueOrder({ request: ASK, stated: NOTHING_FILLED }) });
    const { promise, resolve } = Promise.withResolvers<LookUp>();
    rig.venue.lookUps = [promise];
    rig.hear({ type: 'up' });
    await rig.pass(20, 5);
    expect(await rig.submit(RESTS, { request: BUY_NO })).toMatchObject({ type: 'made', status: 'OPEN' });
    const stated = total(4, 6_100, 1_000);
    resolve({ type: 'found', venueOrderId: 'v-1', state: 'rests', stated, fills: [] });
    await rig.pass(20, 5);
    expect(rig.order()).toMatchObject({ request: BUY_NO, stated: { size: shares(4), cost: 3_900n * 4_000_000n } });
  });
});
