// Answers of venue A that come late, or say less than happened.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { type Order, type OrderStatus, transition } from '../../../../src/core/domain/order.ts';
import { NOTHING_FILLED } from '../../../../src/core/domain/order-sums.ts';
import type { OutboundRequest } from '../../../../src/core/net/outbound.ts';
import { codec } from '../../../../src/core/store/orders/codec.ts';
import { order as orderForm } from '../../../../src/core/store/orders/order-record.ts';
import { limits } from '../../../../src/limits.ts';
import { cancel } from '../../../../src/orders/life/cancel.ts';
import { Ledger } from '../../../../src/orders/life/ledger.ts';
import type { VenueOrder } from '../../../../src/venues/venue.ts';
import { readSignedOrder } from '../../../../src/venues/venue-a/signed-order.ts';
import { found, RESTS, Rig } from '../../../orders/life/orders-rig.ts';
import { REGULAR } from '../../../paper/venue-a/venue-a-rig.ts';
import { MemoryLedger } from '../../../support/memory-ledger.ts';
import { turnsUntil } from '../../../support/turns.ts';
import { CONDITION, listedTrade, NOTHING_LISTED, orderAt, SOON, submitted, tradingOn } from './scripted-line.ts';
import { FIRST, limit, marketBuy, shares, TradingRig } from './trading-rig.ts';

// An order that had rested for more than five seconds counted as cancelled at the first look that found neither it nor its trade. A DELETE
// just after a match was 200 CANCELLED with nothing filled. A matched order leaves the open orders at once, and its trade is listed a
// little later (venue-a.md §3.3, §9.5).
describe('0117: a cancel of what was just matched', () => {
  const HOUR_MS = 3_600_000;
  const EMPTY = { body: { data: [], next_cursor: 'LTE=' } };

  /** It has rested for an hour; now it is matched, and the venue lists the trade so many looks later. */
  async function matched(reason: string, looks: number) {
    let left = looks;
    let id = '';
    const maker = () => ({
      order_id: id,
      owner: 'key',
      matched_amount: '10',
      price: '0.5',
      asset_id: FIRST,
      side: 'BUY',
    });
    const taker = {
      id: 't1',
      taker_order_id: `0x${'9'.repeat(64)}`,
      owner: 'other',
      side: 'SELL',
      size: '10',
      price: '0.5',
    };
    const row = { ...taker, market: CONDITION, asset_id: FIRST, status: 'MATCHED', match_time: '1790000000' };
    const { trading, timers } = tradingOn({
      '/order': () => ({ body: { canceled: [], not_canceled: { [id]: reason } } }),
      '/data/order/': () => ({ body: null }),
      '/data/orders': () => EMPTY,
      '/data/trades': () => {
        left -= 1;
        return left >= 0 ? EMPTY : { body: { data: [{ ...row, maker_orders: [maker()] }], next_cursor: 'LTE=' } };
      },
    });
    const pending = orderAt(timers, limit('BUY', 50, 10));
    const intent = await trading.prepare(pending, 'key');
    if (!intent.ok) throw new Error(intent.error.message);
    id = intent.value.venueOrderId!;
    const store = new MemoryLedger();
    const ledger = new Ledger({ store, now: () => timers.now(), tell: () => {}, diverged: () => {} });
    ledger.change(entry => {
      const { at } = entry;
      const sent = transition(pending, { type: 'sent', at });
      const order = transition(sent, { type: 'rests', at, venueOrderId: id, stated: NOTHING_FILLED });
      entry.putOrder({ order, intent: intent.value, refusedAs: null });
    });
    timers.advance(HOUR_MS);
    const deadline = (timers.now() + limits.venueAnswerTimeoutMs) as UnixMillis;
    const answer = cancel({ ledger, timers }, trading, store.order(pending.orderId)!, deadline);
    const ended = answer.then(() => true);
    while (!(await Promise.race([ended, timers.settle(50).then(() => false)])));
    return { answer: await answer, order: store.order(pending.orderId)!.order };
  }

  it.each(['Order already matched', 'already canceled or matched'])('(%s) reports what was filled', async reason => {
    const { answer, order } = await matched(reason, 1);
    expect(answer).toMatchObject({ type: 'refused', kind: 'notCancellable' });
    expect(order).toMatchObject({ status: 'FILLED', filled: { size: shares(10) } });
  });

  it('the outcome of the cancel is unknown as long as the trade is not listed', async () => {
    const { answer, order } = await matched('Order already matched', Number.POSITIVE_INFINITY);
    expect(answer).toMatchObject({ type: 'refused', kind: 'unknownOutcome' });
    expect(order).toMatchObject({ status: 'OPEN' });
  });
});

// It executes orders asynchronously, and its lists lag. For a market order the id was dropped. With no trade listed after 30 s, it counted
// as one without a trace. A FOK was answered as killed, and a bot sends such an order again.
describe('3180: matched and nothing more', () => {
  const FOK = marketBuy(10, 'FOK', 50);

  /** The venue takes the order as matched; its list has the trade from the moment when `isListed` is set. */
  async function matched() {
    const venue = { isListed: false, venueOrderId: '' };
    const { trading, timers } = tradingOn({
      '/order': ({ body }: OutboundRequest) => {
        expect(readSignedOrder(JSON.parse(Buffer.from(body).toString()).order).ok).toBe(true);
        return {
          body: { errorMsg: '', orderID: venue.venueOrderId, status: 'matched', success: true, tradeIDs: ['t-1'] },
        };
      },
      '/data/order/': () => ({ body: null }),
      '/data/orders': () => NOTHING_LISTED,
      '/data/trades': () => (venue.isListed ? listedTrade(venue.venueOrderId) : NOTHING_LISTED),
    });
    const pending = orderAt(timers, FOK) as Order<'PENDING'>;
    const intent = await trading.prepare(pending, 'key');
    if (!intent.ok) throw new Error(intent.error.message);
    venue.venueOrderId = intent.value.venueOrderId!;
    const sent = transition(pending, { type: 'sent', at: timers.now() }) as Order<'SUBMITTED'>;
    const outcome = await trading.submit(sent, intent.value, SOON);
    const { venueOrderId } = venue;
    const order = transition(sent, { type: 'delayed', at: timers.now(), venueOrderId });
    return { venue, timers, outcome, look: () => trading.lookUp(order, intent.value, SOON) };
  }

  describe('a market order that is matched, the venue says no more', () => {
    it('is the venue’s, by its id', async () => {
      const { outcome, venue } = await matched();
      expect(outcome).toEqual({ type: 'exists', message: expect.any(String), venueOrderId: venue.venueOrderId });
    });

    it('is not over before its trades are listed, however late that is', async () => {
      const { venue, timers, look } = await matched();
      expect(await look()).toEqual({ type: 'absent', isCurrent: false });
      timers.advance(120_000);
      expect(await look()).toEqual({ type: 'absent', isCurrent: false });
      venue.isListed = true;
      expect(await look()).toMatchObject({ type: 'found', state: 'gone', stated: { size: shares(20) }, fills: [{}] });
    });

    it('is answered as on its way, with its id at the venue, and ends as it turns out', async () => {
      const rig = new Rig('venue_a');
      rig.venue.lookUps = [{ type: 'unavailable', message: 'no trades yet' }];
      const taken = { type: 'exists', message: 'taken with status "matched"', venueOrderId: 'v-1' } as const;
      expect(await rig.submit(taken, { request: FOK })).toMatchObject({ type: 'made', status: 'SUBMITTED' });
      expect(rig.order()).toMatchObject({ status: 'SUBMITTED', venueOrderId: 'v-1' });
      rig.venue.lookUps = [found('gone', [rig.fill('f', 20)])];
      await rig.sweep();
      expect(rig.order().status).toBe('FILLED');
    });
  });
});

// For 30 s it still counted as unknown. A post-only order that would have traded was then rejected as one without a trace. Contract §4.6:
// it is answered as if answered then.
describe('3181: an end that the stream has reported', () => {
  let rig: TradingRig;

  beforeEach(async () => {
    rig = await TradingRig.start();
  });

  afterEach(() => rig.close());

  /** Its answer is lost; the stream has reported its end. */
  async function unanswered(request: Parameters<TradingRig['place']>[0]) {
    const events = await rig.listen();
    const ended = (): VenueOrder[] =>
      events.flatMap(it => (it.type === 'order' && it.order.state === 'gone' ? [it.order] : []));
    rig.strike('POST /order', { kind: 'lost', isApplied: true });
    const { order, intent, outcome } = await rig.place(request);
    expect(outcome).toMatchObject({ type: 'unknown', cause: 'lost' });
    await turnsUntil(() => ended().length > 0);
    return () => rig.trading.lookUp(order, intent, rig.in(1_000));
  }

  describe('an order without an answer is over once the stream has reported', () => {
    it('that it is post-only and would have traded: refused as it was made', async () => {
      rig.venue.quote(REGULAR, 1, 50, 10);
      const look = await unanswered(limit('BUY', 50, 10, { postOnly: true }));
      expect(await look()).toMatchObject({
        type: 'found',
        state: 'gone',
        isAtOnce: true,
        fills: [],
        stated: { size: 0 },
      });
    });

    it.each(['FOK', 'FAK'] as const)('that it was killed, as %s', async timeInForce => {
      const look = await unanswered(marketBuy(10, timeInForce, 50));
      expect(await look()).toMatchObject({ type: 'found', state: 'gone', fills: [], stated: { size: 0 } });
    });

    it('that it was cancelled before it traded, and it is not one that ended as it was made', async () => {
      const events = await rig.listen();
      rig.strike('POST /order', { kind: 'lost', isApplied: true });
      const { order, intent } = await rig.place(limit('BUY', 50, 10, { postOnly: true }));
      rig.venue.exchange.cancels.cancelAll(rig.account.apiKey, null, null);
      await turnsUntil(() => events.some(it => it.type === 'order' && it.order.state === 'gone'));
      const found = await rig.trading.lookUp(order, intent, rig.in(1_000));
      expect(found).toMatchObject({ type: 'found', state: 'gone', fills: [] });
      expect(found).not.toHaveProperty('isAtOnce');
    });

    it('that it was matched: with its trades', async () => {
      rig.venue.quote(REGULAR, 1, 50, 10);
      const look = await unanswered(marketBuy(10, 'FAK', 50));
      expect(await look()).toMatchObject({ type: 'found', state: 'gone', stated: { size: shares(10) }, fills: [{}] });
    });
  });
});

// It said so with a status of the order, or of HTTP, that is not in its sheet. The order's id at the venue was dropped, and the time of its
// sending. Until a look-up found it, the order could not be cancelled. If none did for 30 s, it was rejected as one without a trace, though
// the venue had acknowledged it.
describe('3230: taken in words that nobody knows', () => {
  const ID = `0x${'d'.repeat(64)}`;
  const TAKEN = { success: true, errorMsg: '', orderID: ID, takingAmount: '', makingAmount: '' };

  describe('an order that venue A has taken keeps its id', () => {
    it('if its status is not known', async () => {
      const { outcome } = await submitted({ '/order': () => ({ body: { ...TAKEN, status: 'pondering' } }) });
      expect(outcome).toEqual({ type: 'accepted', venueOrderId: ID, state: 'delayed', stated: null });
    });

    it.each(['live', 'unmatched'])('if it cannot rest, and is said to be %s', async status => {
      const { outcome } = await submitted(
        { '/order': () => ({ body: { ...TAKEN, status } }) },
        marketBuy(10, 'FOK', 50),
      );
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
});

// Noticed in a review: venue A may say that a market order is matched, and not what it has traded. Only the process remembered that. After
// a restart, or after a thousand newer ends, 30 s without a trade in its list counted as an end with nothing filled.
describe('3214: matched before a restart', () => {
  const FAK = marketBuy(10, 'FAK', 50);

  /** A process that was started after the order was sent. */
  async function restarted(hasTraded: boolean) {
    const venue = { isListed: false, venueOrderId: '' };
    const { trading, timers } = tradingOn({
      '/data/order/': () => ({ body: null }),
      '/data/orders': () => NOTHING_LISTED,
      '/data/trades': () => (venue.isListed ? listedTrade(venue.venueOrderId) : NOTHING_LISTED),
    });
    const pending = orderAt(timers, FAK) as Order<'PENDING'>;
    const intent = await trading.prepare(pending, 'key');
    if (!intent.ok) throw new Error(intent.error.message);
    const venueOrderId = intent.value.venueOrderId!;
    venue.venueOrderId = venueOrderId;
    const at = timers.now() as UnixMillis;
    const sent = transition(pending, { type: 'sent', at }) as Order<'SUBMITTED'>;
    const stored = codec('order', orderForm);
    const known = stored.decode(
      stored.encode(
        transition(sent, { type: 'delayed', at, venueOrderId, ...(hasTraded ? { stated: NOTHING_FILLED } : {}) }),
      ),
      Buffer.from('order'),
    );
    return { venue, timers, look: () => trading.lookUp(known, intent.value, SOON) };
  }

  describe('a market order that was matched, the venue said no more, after a restart', () => {
    it('is not over before its trades are listed, however late that is', async () => {
      const { venue, timers, look } = await restarted(true);
      timers.advance(600_000);
      // An answer all the same: the account must not wait for it to be ready.
      expect(await look()).toEqual({ type: 'absent', isCurrent: false });
      venue.isListed = true;
      expect(await look()).toMatchObject({ type: 'found', state: 'gone', stated: { size: shares(20) }, fills: [{}] });
    });

    it('is over as before if the venue only said that it delays it', async () => {
      const { timers, look } = await restarted(false);
      timers.advance(600_000);
      expect(await look()).toMatchObject({ type: 'found', state: 'gone', stated: { size: 0 } });
    });

    it('keeps what was said in the record of the order, and shows nothing filled', async () => {
      const rig = new Rig('venue_a');
      rig.venue.lookUps = [{ type: 'absent', isCurrent: false }];
      const taken = { type: 'exists', message: 'taken with status "matched"', venueOrderId: 'v-1' } as const;
      await rig.submit(taken, { request: FAK });
      expect(rig.order()).toMatchObject({ status: 'SUBMITTED', stated: NOTHING_FILLED, filled: NOTHING_FILLED });
    });
  });

  describe('a limit order that was matched, the venue said no more', () => {
    it('is not over by its absence from the lists', async () => {
      let venueOrderId = '';
      const { trading, timers } = tradingOn({
        '/order': () => ({ body: { errorMsg: '', orderID: venueOrderId, status: 'matched', success: true } }),
        '/data/order/': () => ({ body: null }),
        '/data/orders': () => NOTHING_LISTED,
        '/data/trades': () => NOTHING_LISTED,
      });
      const pending = orderAt(timers, limit('BUY', 50, 20)) as Order<'PENDING'>;
      const intent = await trading.prepare(pending, 'key');
      if (!intent.ok) throw new Error(intent.error.message);
      venueOrderId = intent.value.venueOrderId!;
      const sent = transition(pending, { type: 'sent', at: timers.now() }) as Order<'SUBMITTED'>;
      expect(await trading.submit(sent, intent.value, SOON)).toMatchObject({ state: 'rests', stated: null });
      const open = transition(sent, { type: 'rests', at: timers.now(), venueOrderId, stated: null });
      for (let looks = 0; looks < 5; looks += 1) {
        expect(await trading.lookUp(open, intent.value, SOON)).toEqual({ type: 'absent', isCurrent: false });
        timers.advance(30_000);
      }
    });
  });
});

// Beyond the bound of that list it stayed OPEN for good. After a start its venue took no orders, since one could not be looked up.
describe('0194: more trades than are looked through', () => {
  const DAY_MS = 86_400_000;
  /** Of the account, over a day. */
  const TRADES_EVERY_S = 5;
  const ROWS_PER_PAGE = 100;

  /**
   * Looks up an order that is not shown any more, and to which the latest trade of all belongs. It does so twice, since the first such answer
   * is not believed.
   */
  async function lookedUp(status: OrderStatus) {
    let [ours, latestS] = ['', 0];
    const rowAt = (index: number): object => {
      const [size, taker_order_id] = index === 0 ? ['4', ours] : ['1', `0x${'a'.repeat(64)}`];
      const maker = { order_id: `0x${'7'.repeat(64)}`, asset_id: FIRST, matched_amount: size, price: '0.5' };
      const terms = { market: CONDITION, asset_id: FIRST, side: 'BUY', size, price: '0.5', owner: 'key' };
      const match_time = String(latestS - TRADES_EVERY_S * index);
      return { id: `t${index}`, status: 'CONFIRMED', match_time, taker_order_id, ...terms, maker_orders: [maker] };
    };
    const { trading, timers, order, intent } = await submitted({
      '/order': () => 'lost',
      '/data/order/': () => ({ body: null }),
      '/data/orders': () => ({ body: { data: [], next_cursor: 'LTE=' } }),
      '/data/trades': ({ target }) => {
        const query = new URLSearchParams(target.split('?')[1]);
        const from = Number(Buffer.from(query.get('next_cursor')!, 'base64').toString());
        const count = Math.floor((latestS - Number(query.get('after'))) / TRADES_EVERY_S) + 1;
        const to = Math.min(from + ROWS_PER_PAGE, count);
        const data = Array.from({ length: to - from }, (_, index) => rowAt(from + index));
        return { body: { data, next_cursor: Buffer.from(to < count ? String(to) : '-1').toString('base64') } };
      },
    });
    const sentAt = timers.now();
    timers.advance(DAY_MS);
    [ours, latestS] = [intent.venueOrderId!, Math.floor(timers.now() / 1_000)];
    const rested = { ...order, status, sentAt, venueOrderId: ours };
    const bookedUpTo = (timers.now() - 60_000) as UnixMillis;
    await trading.lookUp(rested, intent, SOON, bookedUpTo);
    timers.advance(limits.venueAReadLagMs);
    return trading.lookUp(rested, intent, SOON, bookedUpTo);
  }

  it('a look goes through those trades of an order that rested which are not booked yet', async () => {
    expect(await lookedUp('OPEN')).toMatchObject({ state: 'gone', fills: [{ size: shares(4) }] });
  });

  it('a cut list proves nothing of an order that is not known to have rested', async () => {
    expect(await lookedUp('SUBMITTED')).toMatchObject({ type: 'unavailable' });
  });

  it('booked is what the account has been read up to', async () => {
    const rig = new Rig('venue_a');
    const reported: unknown[] = [];
    rig.venue.lookUp = (_order: unknown, _intent?: unknown, _deadline?: unknown, bookedUpTo?: unknown) => {
      reported.push(bookedUpTo);
      return Promise.resolve({ type: 'absent', isCurrent: false });
    };
    await rig.submit(RESTS);
    rig.executions.start();
    await rig.pass(100, 10);
    const readAt = rig.timers.now();
    await rig.sweep(limits.accountReadMs);
    const [first, second] = reported.map(Number);
    expect(reported).toHaveLength(2);
    expect([first, second! > 0 && second! <= readAt]).toEqual([0, true]);
  });
});
