// Answers of venue A that come late, or state less than has happened.

import { beforeEach, describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { type OrderStatus, transition } from '../../../../src/core/domain/order.ts';
import { NOTHING_FILLED } from '../../../../src/core/domain/order-sums.ts';
import { codec } from '../../../../src/core/store/orders/codec.ts';
import { order as orderForm } from '../../../../src/core/store/orders/order-record.ts';
import { limits } from '../../../../src/limits.ts';
import { cancel } from '../../../../src/orders/life/cancel.ts';
import { Ledger } from '../../../../src/orders/life/ledger.ts';
import { readSignedOrder } from '../../../../src/venues/venue-a/signed-order.ts';
import { found, RESTS, Rig } from '../../../orders/life/orders-rig.ts';
import { REGULAR } from '../../../paper/venue-a/venue-a-rig.ts';
import { MemoryLedger } from '../../../support/memory-ledger.ts';
import { outcomeOf } from '../../../support/order-outcome.ts';
import { turnsUntil } from '../../../support/turns.ts';
import {
  idOf,
  listOf,
  makerRow,
  NOTHING_LISTED,
  prepared,
  SILENCE,
  SOON,
  submitted,
  tradeRow,
} from './scripted-line.ts';
import { limit, marketBuy, shares, TradingRig } from './trading-rig.ts';

// An order that had rested for more than five seconds counted as cancelled at the first look-up that found neither the order nor its trade.
// A DELETE just after a match was answered 200 CANCELLED with nothing filled. A matched order leaves the open orders at once, and its trade
// is listed a little later (venue-a.md §3.3, §9.5).
describe('0117: a cancel of what was just matched', () => {
  const HOUR_MS = 3_600_000;

  /** Makes an order that has rested for an hour and is matched now. The venue lists the trade after `looks` reads of its trades. */
  async function matched(reason: string, looks: number) {
    let left = looks;
    let id = '';
    const own = () => ({ ...makerRow(), order_id: id, owner: 'key', side: 'BUY' });
    const row = () => tradeRow({ owner: 'other', side: 'SELL', maker_orders: [own()] });
    const rig = await prepared({
      ...SILENCE,
      '/order': () => ({ body: { canceled: [], not_canceled: { [id]: reason } } }),
      '/data/trades': () => {
        left -= 1;
        return left >= 0 ? NOTHING_LISTED : listOf(row());
      },
    });
    const { trading, timers, order: pending, intent } = rig;
    id = intent.venueOrderId!;
    const store = new MemoryLedger();
    const ledger = new Ledger({ store, now: () => timers.now(), publish: () => {}, diverged: () => {} });
    ledger.change(entry => {
      const { at } = entry;
      const sent = transition(pending, { type: 'sent', at });
      const order = transition(sent, { type: 'rests', at, venueOrderId: id, stated: NOTHING_FILLED });
      entry.putOrder({ order, intent, refusedAs: null });
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

// Venue A executes orders asynchronously, and its lists lag. The gateway dropped the id of such a market order. With no trade listed after
// 30 s, the order counted as an order without a trace. A FOK was answered as killed, and a bot sends a killed order again. Later only the
// process remembered the match. After a restart, 30 s without a listed trade counted as an end with nothing filled (3214).
describe('3180: a market order that is matched, the venue says no more,', () => {
  const FOK = marketBuy(10, 'FOK', 50);

  /** Makes an order that the venue reports as matched. The venue's list has the trade once `isListed` is set. */
  async function taken() {
    const venue = { isListed: false, venueOrderId: '' };
    const rig = await prepared(
      {
        ...SILENCE,
        '/order': ({ body }) => {
          expect(readSignedOrder(JSON.parse(Buffer.from(body).toString()).order).ok).toBe(true);
          const said = { errorMsg: '', orderID: venue.venueOrderId, status: 'matched' };
          return { body: { ...said, success: true, tradeIDs: ['t-1'] } };
        },
        '/data/trades': () => {
          const maker_orders = [makerRow('b', '20')];
          const trade = tradeRow({ taker_order_id: venue.venueOrderId, size: '20', maker_orders });
          return venue.isListed ? listOf(trade) : NOTHING_LISTED;
        },
      },
      FOK,
    );
    venue.venueOrderId = rig.intent.venueOrderId!;
    const sent = transition(rig.order, { type: 'sent', at: rig.timers.now() });
    /**
     * Looks the order up as a delayed order. With `isRestarted`, the order is read from its stored record, as after a start of the process.
     */
    const look = (stated?: typeof NOTHING_FILLED, isRestarted = false) => {
      const { venueOrderId } = venue;
      const delayed = transition(sent, {
        type: 'delayed',
        at: sent.sentAt!,
        venueOrderId,
        ...(stated ? { stated } : {}),
      });
      const stored = codec('order', orderForm);
      const known = isRestarted ? stored.decode(stored.encode(delayed), Buffer.from('order')) : delayed;
      return rig.trading.lookUp(known, rig.intent, SOON);
    };
    return { ...rig, venue, sent, look };
  }

  it.each([false, true])(
    'is not over before its trades are listed, however late that is (after a restart: %s)',
    async isRestarted => {
      const { venue, trading, timers, sent, intent, look } = await taken();
      const { venueOrderId } = venue;
      if (!isRestarted) {
        const outcome = await outcomeOf(trading, sent, intent, SOON);
        expect(outcome).toEqual({ type: 'exists', message: expect.any(String), venueOrderId });
      }
      const stated = isRestarted ? NOTHING_FILLED : undefined;
      expect(await look(stated, isRestarted)).toEqual({ type: 'absent', isCurrent: false });
      timers.advance(600_000);
      // The look-up gives an answer all the same, because the readiness of the account must not wait for the order.
      expect(await look(stated, isRestarted)).toEqual({ type: 'absent', isCurrent: false });
      venue.isListed = true;
      const ended = await look(stated, isRestarted);
      expect(ended).toMatchObject({ type: 'found', state: 'gone', stated: { size: shares(20) }, fills: [{}] });
    },
  );

  it('3214: is over after a restart if the venue only said that it delays it', async () => {
    const { timers, look } = await taken();
    timers.advance(600_000);
    expect(await look(undefined, true)).toMatchObject({ type: 'found', state: 'gone', stated: { size: 0 } });
  });

  it('is answered as on its way, with its id at the venue and nothing filled, and ends as it turns out', async () => {
    const rig = new Rig('venue_a');
    rig.venue.lookUps = [{ type: 'unavailable', message: 'no trades yet' }];
    const said = { type: 'exists', message: 'taken with status "matched"', venueOrderId: 'v-1' } as const;
    expect(await rig.submit(said, { request: FOK })).toMatchObject({ type: 'made', status: 'SUBMITTED' });
    const kept = { status: 'SUBMITTED', venueOrderId: 'v-1', stated: NOTHING_FILLED, filled: NOTHING_FILLED };
    expect(rig.order()).toMatchObject(kept);
    rig.venue.lookUps = [found('gone', [rig.fill('f', 20)])];
    await rig.sweep();
    expect(rig.order().status).toBe('FILLED');
  });
});

// The order still counted as unknown for 30 s. A post-only order that would have traded was then rejected as an order without a trace. By
// contract §4.6 the order gets the answer that it would have got then.
describe('3181: an order without an answer is over once the stream has reported', () => {
  let rig: TradingRig;
  beforeEach(async () => {
    rig = await TradingRig.start();
  });

  /**
   * Loses the answer to an order, and looks the order up once the stream has reported its end. `end` causes that end if the order does not
   * end by itself.
   */
  async function looked(request: Parameters<TradingRig['place']>[0], end = () => {}) {
    const events = await rig.listen();
    rig.strike('POST /order', { kind: 'lost', isApplied: true });
    const { order, intent, outcome } = await rig.place(request);
    expect(outcome).toMatchObject({ type: 'unknown', cause: 'lost' });
    end();
    await turnsUntil(() => events.some(it => it.type === 'order' && it.order.state === 'gone'));
    return rig.trading.lookUp(order, intent, rig.in(1_000));
  }
  const GONE = { type: 'found', state: 'gone', fills: [] };

  it('that it is post-only and would have traded: refused as it was made', async () => {
    rig.venue.quote(REGULAR, 1, 50, 10);
    const refused = { ...GONE, isAtOnce: true, stated: { size: 0 } };
    expect(await looked(limit('BUY', 50, 10, { postOnly: true }))).toMatchObject(refused);
  });

  it.each(['FOK', 'FAK'] as const)('that it was killed, as %s', async timeInForce => {
    expect(await looked(marketBuy(10, timeInForce, 50))).toMatchObject({ ...GONE, stated: { size: 0 } });
  });

  it('that it was cancelled before it traded, and it is not one that ended as it was made', async () => {
    const end = () => rig.venue.exchange.cancels.cancelAll(rig.account.apiKey, null, null);
    const ended = await looked(limit('BUY', 50, 10, { postOnly: true }), end);
    expect(ended).toMatchObject(GONE);
    expect(ended).not.toHaveProperty('isAtOnce');
  });

  it('that it was matched: with its trades', async () => {
    rig.venue.quote(REGULAR, 1, 50, 10);
    const ended = await looked(marketBuy(10, 'FAK', 50));
    expect(ended).toMatchObject({ type: 'found', state: 'gone', stated: { size: shares(10) }, fills: [{}] });
  });
});

// Venue A acknowledged an order with an order status, or an HTTP status, that is not in its sheet. The gateway dropped the venue's id of
// the order and the time of its sending. Until a look-up found the order, it could not be cancelled. If no look-up found it for 30 s, it
// was rejected as an order without a trace, though the venue had acknowledged it.
describe('3230: an order that venue A has taken', () => {
  const ID = idOf('d');
  const TAKEN = { success: true, errorMsg: '', orderID: ID, takingAmount: '', makingAmount: '', status: 'live' };

  it.each([201, 202])('keeps its id if the answer has status %i', async status => {
    const { outcome } = await submitted({ '/order': () => ({ status, body: TAKEN }) });
    expect(outcome).toMatchObject({ type: 'accepted', venueOrderId: ID, state: 'rests' });
  });

  it('is cancelled by a confirmation with such a status', async () => {
    const confirmed = { status: 202, body: { canceled: [ID], not_canceled: {} } };
    const { trading, order } = await submitted({
      '/order': ({ method }) => (method === 'POST' ? { body: TAKEN } : confirmed),
    });
    expect(await trading.cancel({ ...order, venueOrderId: ID }, SOON)).toEqual({ type: 'cancelled' });
  });
});

// An order whose trade was beyond the bound of the list of trades stayed OPEN for good. After a start its venue took no orders, because
// that order could not be looked up.
describe('0194: more trades than are looked through', () => {
  const DAY_MS = 86_400_000;
  /** The time in seconds between two trades of the account, over a whole day. */
  const TRADES_EVERY_S = 5;
  const ROWS_PER_PAGE = 100;

  /**
   * Looks up an order that the venue no longer shows, and that has the latest of all trades. Looks twice, because the first such answer is
   * not believed.
   */
  async function lookedUp(status: OrderStatus) {
    let [ours, latestS] = ['', 0];
    const rowAt = (index: number): object => {
      const [size, taker_order_id] = index === 0 ? ['4', ours] : ['1', idOf('a')];
      const match_time = String(latestS - TRADES_EVERY_S * index);
      const trade = { id: `t${index}`, status: 'CONFIRMED', match_time, taker_order_id, size };
      return tradeRow({ ...trade, maker_orders: [makerRow('7', size)] });
    };
    const { trading, timers, order, intent } = await submitted({
      ...SILENCE,
      '/order': () => 'lost',
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
