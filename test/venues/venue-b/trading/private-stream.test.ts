// Venue B's private stream. The real paper exchange shows real events. A scripted socket shows messages that the venue might send.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unknownWords } from '../../../../src/core/metrics/unknown-words.ts';
import type { Connect, SocketHandlers } from '../../../../src/core/net/websocket.ts';
import { limits } from '../../../../src/limits.ts';
import { countRequests, Ear, place, price, size, soon, strike, type Wish } from '../../trading-rig.ts';
import { TICKER, VenueBTradingRig } from './trading-rig.ts';

const RESTING: Wish = { side: 'BUY', price: price('0.3'), size: size('10') };

async function up(): Promise<{ rig: VenueBTradingRig; ear: Ear }> {
  const rig = await VenueBTradingRig.open();
  return { rig, ear: await Ear.up(rig.trading) };
}

/** Returns a rig whose account holds contracts of a market that pays out while the rig does not listen. */
async function paid(value: string): Promise<VenueBTradingRig> {
  const rig = await VenueBTradingRig.open();
  rig.others('SELL', price('0.5'), size('10'), 'rest');
  await place(rig, { ...RESTING, price: price('0.5') });
  rig.paper.control.settle(TICKER, value);
  return rig;
}

const ordersOf = (ear: Ear) => ear.events.flatMap(event => (event.type === 'order' ? [event.order] : []));
const settledOf = (ear: Ear) => ear.events.flatMap(event => (event.type === 'settled' ? [event] : []));

describe('what happens to an order', () => {
  it('is reported with both of its ids, from its beginning to its end', async () => {
    const { rig, ear } = await up();
    const { order, intent } = await place(rig, RESTING);
    rig.others('SELL', RESTING.price, size('4'), 'take');
    await rig.trading.cancel(order, soon(rig));
    await ear.until(() => ordersOf(ear).some(({ state }) => state === 'gone'));
    const common = { venueOrderId: order.venueOrderId, clientOrderId: intent.clientOrderId, address: TICKER };
    expect(ordersOf(ear)[0]).toMatchObject({ ...common, state: 'rests', stated: { size: 0 } });
    const stated = { size: size('4'), cost: 4_000_000n * 3_000n };
    expect(ordersOf(ear).at(-1)).toMatchObject({ ...common, state: 'gone', stated });
  });

  it('is reported in any order: a fill may come after what follows it', async () => {
    const { rig, ear } = await up();
    await place(rig, RESTING);
    strike(rig, 'fill', { kind: 'swap' });
    rig.others('SELL', RESTING.price, size('4'), 'take');
    rig.others('SELL', RESTING.price, size('3'), 'take');
    await ear.until(() => ear.fills.length === 2);
    expect(ear.fills.map(fill => fill.size).sort()).toEqual([size('3'), size('4')]);
  });
});

describe('a market that pays out', () => {
  it.each([
    ['1', 10_000],
    ['0', 0],
    ['0.3705', 3_705],
  ])('at %s is reported with its value', async (value, worth) => {
    const rig = await paid(value);
    const ear = await Ear.up(rig.trading);
    // The venue pays some time after the result.
    while (settledOf(ear).length === 0) await rig.advance(1_000);
    expect(settledOf(ear)[0]).toMatchObject({ address: TICKER, value: worth });
  });

  it.each([
    ['1', 10_000, 200],
    ['0.3705', 3_705, 200],
    // The list rounds such a value, so the market itself has to be read.
    ['0.3705', 3_705, 503],
  ])('at %s while nobody listens is reported after the next connection', async (value, worth, status) => {
    const rig = await paid(value);
    await rig.advance(600_000);
    if (status === 503) strike(rig, 'GET /markets/:ticker', { kind: 'status', status, isApplied: false });
    const ear = await Ear.up(rig.trading);
    while (settledOf(ear).length === 0) await rig.advance(limits.venueBSettlementsPauseMs);
    expect(settledOf(ear)).toMatchObject([{ address: TICKER, value: worth }]);
  });
});

/** A venue with scripted messages, for the real client. */
class Script {
  readonly sent: string[] = [];
  connections = 0;
  #handlers: SocketHandlers | null = null;

  readonly connect: Connect = (_options, handlers) => {
    this.connections += 1;
    this.#handlers = handlers;
    queueMicrotask(() => handlers.onOpen());
    return {
      send: frame => void this.sent.push(String(frame)),
      terminate: () => queueMicrotask(() => handlers.onClose('terminated')),
    };
  };

  say(frame: unknown): void {
    const text = typeof frame === 'string' ? frame : `${JSON.stringify(frame)}\n`;
    this.#handlers?.onFrame(Buffer.from(text), false);
  }

  confirm(): void {
    ['fill', 'user_orders', 'market_lifecycle_v2'].forEach((channel, index) => {
      this.say({ type: 'subscribed', id: 1, msg: { channel, sid: index + 1 } });
    });
  }
}

async function scripted(isHeld?: (address: string) => boolean) {
  const script = new Script();
  const rig = await VenueBTradingRig.open({ parts: { connect: script.connect } });
  const ear = new Ear(rig.trading, isHeld);
  await rig.advance(0);
  return { rig, ear, script };
}

describe('a subscription', () => {
  it('is to everything of the account, and counts once all of it is confirmed', async () => {
    const { ear, script } = await scripted();
    expect(script.sent.map(text => JSON.parse(text))).toEqual([
      { id: 1, cmd: 'subscribe', params: { channels: ['fill', 'user_orders', 'market_lifecycle_v2'] } },
      { id: 2, cmd: 'subscribe', params: { channels: ['order_group_updates'] } },
    ]);
    for (const [index, channel] of ['fill', 'user_orders', 'market_lifecycle_v2'].entries()) {
      expect(ear.events).toEqual([]);
      script.say({ type: 'subscribed', id: 1, msg: { channel, sid: index + 1 } });
    }
    script.confirm();
    expect(ear.events).toEqual([{ type: 'up' }]);
  });

  it.each([
    ['is refused', { type: 'error', id: 1, msg: { code: 9, msg: 'Authentication required' } }],
    ['ends', { type: 'error', sid: 1, msg: { code: 25, msg: 'Subscription buffer overflow' } }],
  ])('that %s is given again on another connection', async (_title, frame) => {
    const { rig, ear, script } = await scripted();
    script.confirm();
    script.say(frame);
    // The first connection has to end before the next connection can begin.
    await rig.advance(0);
    await rig.advance(1_000);
    script.confirm();
    expect(ear.events.map(({ type }) => type)).toEqual(['up', 'down', 'up']);
    expect(script.sent).toHaveLength(4);
  });

  it('to order groups may be refused: everything else goes on', async () => {
    const { rig, ear, script } = await scripted();
    script.say({ type: 'error', id: 2, msg: { code: 8, msg: 'Unknown channel name' } });
    script.confirm();
    await rig.advance(limits.upstreamSnapshotMs);
    expect(ear.events).toEqual([{ type: 'up' }]);
    expect(script.connections).toBe(1);
  });

  it('that nobody confirms is given again', async () => {
    const { rig, ear, script } = await scripted();
    await rig.advance(limits.upstreamSnapshotMs);
    await rig.advance(1_000);
    expect([script.connections, script.sent.length]).toEqual([2, 4]);
    expect(ear.count('up')).toBe(0);
  });
});

describe('what cannot be understood', () => {
  it('includes types of messages that are not in the sheet: they are counted, and acknowledgements are not', async () => {
    const { script } = await scripted();
    const before = unknownWords.rows();
    for (const type of ['ok', 'unsubscribed', 'event_lifecycle', 'event_fee_update']) script.say({ type, sid: 3 });
    expect(unknownWords.rows()).toEqual(before);
    script.say({ type: 'user_weather', sid: 3 });
    expect(unknownWords.rows()).toContainEqual({ values: ['venue_b', 'message_type', 'user_weather'], value: 1 });
  });

  it.each([
    ['a frame that is no JSON', '{"type":"fill",'],
    ['a fill without a price', { type: 'fill', sid: 1, msg: { trade_id: 'a', order_id: 'b' } }],
    ['an order without a state', { type: 'user_order', sid: 2, msg: { order_id: 'b', status: 'odd' } }],
  ])('%s is reported as such, with what it names', async (title, frame) => {
    const { ear, script } = await scripted();
    script.confirm();
    script.say(frame);
    const orders = title === 'a frame that is no JSON' ? [] : [{ venueOrderId: 'b', clientOrderId: null }];
    expect(ear.events).toMatchObject([{ type: 'up' }, { type: 'unread', row: { orders } }]);
    expect(script.connections).toBe(1);
  });

  it('is nothing that the venue does not know itself, or that is new', async () => {
    const { rig, ear, script } = await scripted();
    script.confirm();
    script.say({ type: 'user_order', sid: 2, msg: { order_id: 'b', status: 'unknown' } });
    script.say({ type: 'a_type_of_the_future', msg: [] });
    script.say({ type: 'ok', id: 1, sid: 1, seq: 4 });
    await rig.advance(limits.accountReadMs);
    expect(ear.events).toEqual([{ type: 'up' }]);
  });

  it('never breaks the stream', async () => {
    const { ear, script } = await scripted();
    script.confirm();
    const keys = ['event_type', 'market_ticker', 'settled_ts', 'settlement_value', 'result', 'status', 'sid'];
    const words = fc.constantFrom('settled', 'determined', 'triggered', 'KXA', '1.0000', 'yes', 1_780_000_000);
    const message = fc.dictionary(
      fc.constantFrom(...keys, 'channel', 'order_group_id'),
      fc.oneof(fc.jsonValue(), words),
    );
    const types = ['fill', 'user_order', 'market_lifecycle_v2', 'order_group_updates', 'subscribed', 'ok'];
    const frame = fc.record({
      type: fc.constantFrom(...types, 'unsubscribed'),
      sid: fc.oneof(fc.constantFrom(1, 2, 3), fc.jsonValue()),
      seq: fc.oneof(fc.integer(), fc.jsonValue()),
      msg: fc.oneof(message, fc.jsonValue()),
    });
    fc.assert(
      fc.property(fc.oneof(frame, fc.jsonValue(), fc.string()), said => {
        script.say(said as object);
        for (const event of ear.events) {
          if (event.type === 'settled') expect(event.value >= 0 && event.value <= 10_000).toBe(true);
        }
        ear.events.length = 0;
      }),
      { numRuns: 500 },
    );
  });
});

describe('the life of markets', () => {
  const life = (seq: number, msg: object) => ({ type: 'market_lifecycle_v2', sid: 3, seq, msg });
  const settled = { event_type: 'settled', market_ticker: TICKER, settled_ts: 1_780_000_000 };

  /** Returns a rig that counts the readings of the account's settlements. The reading that follows every connection is over. */
  async function connected(isHeld?: (address: string) => boolean) {
    const { rig, ear, script } = await scripted(isHeld);
    const reads = countRequests(rig, 'GET /portfolio/settlements');
    script.confirm();
    while (reads() < 1) await rig.advance(limits.venueBSettlementsPauseMs);
    // Requests are sent one after the other, so all earlier requests are on their way once this request is answered.
    await rig.trading.positions();
    const readsIn = async (ms: number) => {
      await rig.advance(ms);
      await rig.trading.positions();
      return reads() - 1;
    };
    return { rig, ear, script, readsIn };
  }

  it('is reported at what the account was paid, not at an earlier result', async () => {
    const { rig, ear, script, readsIn } = await connected(() => true);
    rig.others('SELL', price('0.5'), size('10'), 'rest');
    await place(rig, { ...RESTING, price: price('0.5') });
    rig.paper.control.settle(TICKER, '1');
    script.say(life(1, { event_type: 'determined', market_ticker: TICKER, result: 'no', settlement_value: '0.0000' }));
    script.say(life(2, settled));
    while (ear.count('settled') === 0) {
      script.say({ type: 'ok' });
      await readsIn(limits.venueBSettlementsPauseMs);
    }
    expect(settledOf(ear).map(({ value }) => value)).toEqual([10_000]);
  });

  it('of which the account holds nothing is not read: there are hundreds a minute', async () => {
    const { script, readsIn } = await connected(address => address === TICKER);
    script.say(life(1, { ...settled, market_ticker: 'KXB' }));
    expect(await readsIn(limits.venueBSettlementsPauseMs)).toBe(0);
    script.say(life(2, settled));
    expect(await readsIn(limits.venueBSettlementsPauseMs)).toBe(1);
  });

  it('that has paid by the stream and not by the list is read again, with pauses that double', async () => {
    let isHeld = true;
    const { script, readsIn } = await connected(() => isHeld);
    const pauseMs = limits.venueBSettlementsPauseMs;
    script.say(life(1, settled));
    expect(await readsIn(pauseMs)).toBe(1);
    expect(await readsIn(pauseMs)).toBe(1);
    expect(await readsIn(pauseMs)).toBe(2);
    expect(await readsIn(3 * pauseMs)).toBe(2);
    isHeld = false;
    expect(await readsIn(pauseMs)).toBe(3);
    // The position has been booked meanwhile, in any way, so no settlement is awaited.
    expect(await readsIn(8 * pauseMs)).toBe(3);
  });

  it.each([
    ['that pays', (script: Script) => script.say(life(2, settled))],
    ['with a gap', (script: Script) => script.say(life(7, { event_type: 'activated', market_ticker: 'KXB' }))],
  ])('%s is read', async (_title, happen) => {
    const { script, readsIn } = await connected();
    script.say(life(1, { event_type: 'activated', market_ticker: 'KXB' }));
    expect(await readsIn(2 * limits.venueBSettlementsPauseMs)).toBe(0);
    happen(script);
    expect(await readsIn(limits.venueBSettlementsPauseMs)).toBe(1);
  });

  it('is read from time to time without any word of it', async () => {
    const { script, readsIn } = await connected();
    for (let index = 0; index < 29; index += 1) {
      expect(await readsIn(limits.venueBSettlementsReadMs / 30)).toBe(0);
      script.say({ type: 'ok' });
    }
    while ((await readsIn(limits.venueBSettlementsReadMs / 30)) < 1);
  });
});
