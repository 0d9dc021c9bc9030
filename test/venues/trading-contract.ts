// The duties of every venue's trading, over any protocol, run on a real paper exchange over real sockets. A venue brings a rig in its own
// words. The requests and the expected outcomes are here. A test file of the venue calls `tradingContract(name, openRig)`.

import { describe, expect, it } from 'vitest';
import { isOnGrid } from '../../src/core/domain/grid.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import type { PlannedFault } from '../../src/paper/faults/faults.ts';
import { outcomeOf } from '../support/order-outcome.ts';
import {
  ANSWER_MS,
  cancel,
  cancelBatch,
  Ear,
  HUNG_MS,
  look,
  place,
  placeBatch,
  price,
  type Scenario,
  type Scenarios,
  send,
  size,
  soon,
  strike,
  type TradingRig,
  type Wish,
} from './trading-rig.ts';
import { TERMS } from './trading-terms.ts';

export type { TradingRig, Wish } from './trading-rig.ts';

const HOUR_MS = 3_600_000;
/** If no read shows an order after this time, the order is not in the venue's book. */
const READS_LAG_MS = 30_000;
const UNKNOWN_ORDERS: readonly (readonly [title: string, PlannedFault, cause: string, isThere: boolean])[] = [
  ['lost on its way there', { kind: 'lost', isApplied: false }, 'lost', false],
  ['lost on its way back', { kind: 'lost', isApplied: true }, 'lost', true],
  ['hung before the engine', { kind: 'hung', isApplied: false, hangMs: HOUR_MS }, 'timeout', false],
  ['hung behind the engine', { kind: 'hung', isApplied: true, hangMs: HOUR_MS }, 'timeout', true],
  ['500 without effect', { kind: 'status', status: 500, isApplied: false }, 'unreadable', false],
  ['500 with effect', { kind: 'status', status: 500, isApplied: true }, 'unreadable', true],
  ['502 with effect', { kind: 'status', status: 502, isApplied: true }, 'unreadable', true],
  ['504 with effect', { kind: 'status', status: 504, isApplied: true }, 'unreadable', true],
  ['a 404 of a gateway, with effect', { kind: 'status', status: 404, isApplied: true }, 'unreadable', true],
];
const UNKNOWN_CANCELS: readonly (readonly [title: string, PlannedFault, state: string])[] = [
  ['lost before the engine', { kind: 'lost', isApplied: false }, 'rests'],
  ['lost behind the engine', { kind: 'lost', isApplied: true }, 'gone'],
  ['hung before the engine', { kind: 'hung', isApplied: false, hangMs: HOUR_MS }, 'rests'],
  ['503 with effect', { kind: 'status', status: 503, isApplied: true }, 'gone'],
  ['500 without effect', { kind: 'status', status: 500, isApplied: false }, 'rests'],
];

const ENGINE_RESTARTS: PlannedFault = { kind: 'status', status: 425, isApplied: false };

const RESTING: Wish = { side: 'BUY', price: price('0.3'), size: size('10') };
const CROSSING: Wish = { side: 'BUY', price: price('0.55'), size: size('10') };

const MARKETS: Scenarios = {
  'describes an open one': async rig => {
    const facts = await rig.trading.facts(rig.address);
    expect(facts).toMatchObject({ ok: true, value: { phase: 'OPEN' } });
    if (facts.ok) expect(isOnGrid(facts.value.grid, RESTING.price)).toBe(true);
  },
  'says of an unknown one that it is unknown': async rig => {
    const facts = await rig.trading.facts(rig.unknownAddress);
    expect(facts).toEqual({ ok: false, error: { type: 'unknown-market' } });
  },
};

const ANSWERED: Scenarios = {
  'rests, is listed, holds money back, and is found': async rig => {
    const before = await rig.trading.balance();
    const placed = await place(rig, RESTING);
    expect(placed.outcome).toMatchObject({ type: 'accepted', state: 'rests' });
    const { venueOrderId } = placed.order;
    const rows = [{ venueOrderId, address: rig.address, state: 'rests' }];
    expect(await rig.trading.openOrders()).toMatchObject({ ok: true, value: { rows } });
    expect(await look(rig, placed)).toMatchObject({ type: 'found', venueOrderId, state: 'rests', fills: [] });
    const after = await rig.trading.balance();
    if (!before.ok || !after.ok) throw new Error('no balance');
    expect(after.value.committed - before.value.committed).toBe(3_000_000);
    // A venue may also hold back the taker's fee.
    const heldBack = before.value.available - after.value.available;
    expect([heldBack >= 3_000_000, heldBack <= 3_300_000]).toEqual([true, true]);
  },
  'takes all at the better price, and its fill is the same in each report': async rig => {
    rig.others('SELL', price('0.5'), size('20'), 'rest');
    const ear = await Ear.up(rig.trading);
    const placed = await place(rig, CROSSING);
    const cost = BigInt(price('0.5')) * BigInt(size('10'));
    expect(placed.outcome).toMatchObject({ type: 'accepted', state: 'gone' });
    await ear.until(() => ear.fills.length === 1);
    const found = await look(rig, placed);
    expect(found).toMatchObject({ type: 'found', state: 'gone', stated: { size: size('10'), cost } });
    const read = await rig.trading.fillsSince((rig.now() - 60_000) as UnixMillis);
    if (found.type !== 'found' || !read.ok) throw new Error('no fills');
    const [reported] = ear.fills;
    const traded = { price: price('0.5'), addressPrice: price('0.5'), size: size('10'), positionChange: size('10') };
    const { venueOrderId } = placed.order;
    expect(reported).toMatchObject({ address: rig.address, ...traded, liquidity: 'TAKER', venueOrderId });
    for (const fills of [found.fills, read.value.rows]) {
      expect(fills.map(({ fillId, size: filled, fee }) => ({ fillId, filled, fee }))).toEqual([
        { fillId: reported!.fillId, filled: reported!.size, fee: reported!.fee },
      ]);
    }
    const rows = [{ address: rig.address, size: size('10') }];
    expect(await rig.trading.positions()).toMatchObject({ ok: true, value: { rows } });
  },
  'rests with what is left': async rig => {
    rig.others('SELL', price('0.5'), size('6'), 'rest');
    const placed = await place(rig, CROSSING);
    expect(placed.outcome).toMatchObject({ type: 'accepted', state: 'rests' });
    expect(await look(rig, placed)).toMatchObject({ state: 'rests', stated: { size: size('6') }, fills: [{}] });
  },
  'is filled as a maker by others': async rig => {
    const ear = await Ear.up(rig.trading);
    const placed = await place(rig, RESTING);
    rig.others('SELL', RESTING.price, size('4'), 'take');
    await ear.until(() => ear.fills.length === 1);
    const { venueOrderId } = placed.order;
    const fill = { venueOrderId, liquidity: 'MAKER', price: RESTING.price, size: size('4') };
    expect(ear.fills).toMatchObject([fill]);
    expect(await look(rig, placed)).toMatchObject({ type: 'found', state: 'rests', stated: { size: size('4') } });
  },
  'is refused where it would have to be filled whole and cannot be': async rig => {
    rig.others('SELL', price('0.5'), size('2'), 'rest');
    const { outcome } = await place(rig, { ...CROSSING, timeInForce: 'FOK' });
    expect(outcome).toMatchObject({ type: 'refused', kind: 'invalid', error: { code: 'NOT_FEASIBLE' } });
    expect(await rig.trading.positions()).toEqual({ ok: true, value: { rows: [], unread: [] } });
  },
  'is refused for want of money, in the words of the venue': async rig => {
    const { outcome } = await place(rig, { ...RESTING, size: size('100000') });
    expect(outcome).toMatchObject({
      type: 'refused',
      kind: 'insufficientBalance',
      error: { code: 'VENUE_REJECTED', message: expect.stringMatching(/balance/i) },
    });
  },
  'is not sent after the time that it was good for': async rig => {
    const { outcome } = await send(rig, rig.order(RESTING), ANSWER_MS, (rig.now() - 1) as UnixMillis);
    expect(outcome).toMatchObject({ type: 'not-sent' });
    expect(await rig.trading.openOrders()).toEqual({ ok: true, value: { rows: [], unread: [] } });
    const { outcome: inTime } = await send(rig, rig.order(RESTING), ANSWER_MS, soon(rig));
    expect(inTime).toMatchObject({ type: 'accepted', state: 'rests' });
  },
  'is known if it comes twice': async rig => {
    const placed = await place(rig, RESTING);
    const again = await outcomeOf(rig.trading, { ...placed.order, venueOrderId: null }, placed.intent, soon(rig));
    expect(again.type).toBe('exists');
    expect(await rig.trading.openOrders()).toMatchObject({ ok: true, value: { rows: [{}] } });
  },
};

const UNANSWERED: Scenarios = {
  ...Object.fromEntries(
    UNKNOWN_ORDERS.map(([title, fault, cause, isThere]): [string, Scenario] => [
      `${title} is unknown, and a look-up knows`,
      async rig => {
        strike(rig, rig.operations.submit, fault);
        const placed = await place(rig, RESTING, fault.kind === 'hung' ? HUNG_MS : ANSWER_MS);
        expect(placed.outcome).toMatchObject({ type: 'unknown', cause });
        expect((await look(rig, placed)).type).toBe(isThere ? 'found' : 'absent');
        expect(await rig.trading.openOrders()).toMatchObject({ ok: true, value: { rows: isThere ? [{}] : [] } });
      },
    ]),
  ),
  'is not sent by anybody again': async rig => {
    strike(rig, rig.operations.submit, { kind: 'lost', isApplied: false }, null);
    await place(rig, RESTING);
    expect([...rig.faults.rules].map(({ hits }) => hits)).toEqual([1]);
  },
  'has not been sent if the venue counts too many': async rig => {
    strike(rig, rig.operations.submit, { kind: 'rate-limited' });
    const placed = await place(rig, RESTING);
    expect(placed.outcome).toMatchObject({ type: 'not-sent', message: expect.stringMatching(/\w/) });
    if (placed.outcome.type === 'not-sent') expect(placed.outcome.retryAfterS).toBeGreaterThanOrEqual(1);
    expect((await look(rig, placed)).type).toBe('absent');
  },
  'has not been taken while the engine restarts': async rig => {
    strike(rig, rig.operations.submit, ENGINE_RESTARTS);
    const placed = await place(rig, RESTING);
    expect(placed.outcome.type).toBe('not-sent');
    expect((await look(rig, placed)).type).toBe('absent');
  },
};

const CANCELS: Scenarios = {
  'takes the order out of the book, once': async rig => {
    const placed = await place(rig, RESTING);
    expect(await cancel(rig, placed)).toEqual({ type: 'cancelled' });
    expect(await rig.trading.openOrders()).toEqual({ ok: true, value: { rows: [], unread: [] } });
    expect((await cancel(rig, placed)).type).toBe('not-found');
    expect(await look(rig, placed)).toMatchObject({ type: 'found', state: 'gone', fills: [] });
  },
  'comes too late for an order that was filled': async rig => {
    const placed = await place(rig, RESTING);
    rig.others('SELL', RESTING.price, RESTING.size, 'take');
    expect((await cancel(rig, placed)).type).toBe('not-found');
    expect(await look(rig, placed)).toMatchObject({ state: 'gone', stated: { size: RESTING.size } });
  },

  ...Object.fromEntries(
    UNKNOWN_CANCELS.map(([title, fault, state]): [string, Scenario] => [
      `${title} is unknown, and a look-up knows`,
      async rig => {
        const placed = await place(rig, RESTING);
        strike(rig, rig.operations.cancel, fault);
        expect((await cancel(rig, placed, fault.kind === 'hung' ? HUNG_MS : ANSWER_MS)).type).toBe('unknown');
        // A resting order has disappeared. The first look-up that does not find it proves nothing yet.
        await look(rig, placed);
        await rig.advance(READS_LAG_MS);
        expect(await look(rig, placed)).toMatchObject({ type: 'found', state });
      },
    ]),
  ),
  'has not been sent if the venue counts too many': async rig => {
    const placed = await place(rig, RESTING);
    strike(rig, rig.operations.cancel, { kind: 'rate-limited' });
    // The deadline is earlier than the time at which the cancel may be sent again.
    expect((await cancel(rig, placed, 900)).type).toBe('not-sent');
    expect(await look(rig, placed)).toMatchObject({ state: 'rests' });
  },
  'has not been taken while the engine restarts': async rig => {
    const placed = await place(rig, RESTING);
    strike(rig, rig.operations.cancel, ENGINE_RESTARTS);
    expect((await cancel(rig, placed)).type).toBe('not-sent');
    expect(await look(rig, placed)).toMatchObject({ state: 'rests' });
  },
};

const BATCHES: Scenarios = {
  'answers each order as if it were alone': async rig => {
    rig.others('SELL', price('0.5'), size('20'), 'rest');
    const placed = await placeBatch(rig, [RESTING, { ...RESTING, size: size('100000') }, CROSSING]);
    expect(placed!.map(({ outcome }) => outcome)).toMatchObject([
      { type: 'accepted', state: 'rests' },
      { type: 'refused', kind: 'insufficientBalance', error: { code: 'VENUE_REJECTED' } },
      { type: 'accepted', state: 'gone' },
    ]);
    const [rests, , taken] = placed!;
    expect(await look(rig, rests!)).toMatchObject({ type: 'found', state: 'rests' });
    expect(await look(rig, taken!)).toMatchObject({ type: 'found', state: 'gone', stated: { size: size('10') } });
    expect(await rig.trading.openOrders()).toMatchObject({ ok: true, value: { rows: [{}] } });
  },
  'says of each order that was sent before that it is there': async rig => {
    const [first] = (await placeBatch(rig, [RESTING, RESTING]))!;
    const again = { order: { ...first!.order, venueOrderId: null }, intent: first!.intent };
    const outcomes = await rig.trading.submitBatch([again, again], soon(rig));
    expect(outcomes?.map(({ type }) => type)).toEqual(['exists', 'exists']);
    expect(await rig.trading.openOrders()).toMatchObject({ ok: true, value: { rows: [{}, {}] } });
  },
  ...Object.fromEntries(
    UNKNOWN_ORDERS.map(([title, fault, cause, isThere]): [string, Scenario] => [
      `${title} is unknown for each order, and look-ups know`,
      async rig => {
        strike(rig, rig.operations.submitBatch, fault);
        const timeoutMs = fault.kind === 'hung' ? HUNG_MS : ANSWER_MS;
        const placed = (await placeBatch(rig, [RESTING, { ...RESTING, price: price('0.31') }], timeoutMs))!;
        for (const one of placed) {
          expect(one.outcome).toMatchObject({ type: 'unknown', cause });
          expect((await look(rig, one)).type).toBe(isThere ? 'found' : 'absent');
        }
        expect(await rig.trading.openOrders()).toMatchObject({ ok: true, value: { rows: isThere ? [{}, {}] : [] } });
      },
    ]),
  ),
  'has not been sent if the venue counts too many': async rig => {
    strike(rig, rig.operations.submitBatch, { kind: 'rate-limited' });
    const placed = await placeBatch(rig, [RESTING, RESTING]);
    expect(placed?.map(({ outcome }) => outcome.type)).toEqual(['not-sent', 'not-sent']);
  },
  'of cancels answers each as if it were alone': async rig => {
    const placed = (await placeBatch(rig, [RESTING, { ...RESTING, price: price('0.32') }, RESTING]))!;
    rig.others('SELL', price('0.32'), RESTING.size, 'take');
    const outcomes = await cancelBatch(rig, placed);
    expect(outcomes.map(({ type }) => type)).toEqual(['cancelled', 'not-found', 'cancelled']);
    expect(await rig.trading.openOrders()).toEqual({ ok: true, value: { rows: [], unread: [] } });
  },
  ...Object.fromEntries(
    UNKNOWN_CANCELS.map(([title, fault, state]): [string, Scenario] => [
      `of cancels ${title} is unknown for each, and look-ups know`,
      async rig => {
        const placed = (await placeBatch(rig, [RESTING, RESTING]))!;
        strike(rig, rig.operations.cancelBatch, fault);
        const outcomes = await cancelBatch(rig, placed, fault.kind === 'hung' ? HUNG_MS : ANSWER_MS);
        expect(outcomes.map(({ type }) => type)).toEqual(['unknown', 'unknown']);
        for (const one of placed) await look(rig, one);
        await rig.advance(READS_LAG_MS);
        for (const one of placed) expect(await look(rig, one)).toMatchObject({ type: 'found', state });
      },
    ]),
  ),
};

const STREAM: Scenarios = {
  'tells a fill that comes twice under one id': async rig => {
    const ear = await Ear.up(rig.trading);
    await place(rig, RESTING);
    strike(rig, rig.operations.fillMessage, { kind: 'duplicate' });
    rig.others('SELL', RESTING.price, size('4'), 'take');
    rig.others('SELL', RESTING.price, size('3'), 'take');
    await ear.until(() => ear.fills.some(fill => fill.size === size('3')));
    const ids = ear.fills.map(({ fillId }) => fillId);
    expect(ids.length).toBeGreaterThan(new Set(ids).size);
    expect(new Set(ids).size).toBe(2);
  },
  'is reported as down and as up again, and what was missed can be read': async rig => {
    const ear = await Ear.up(rig.trading);
    await place(rig, RESTING);
    rig.disconnect();
    await ear.until(() => ear.count('down') === 1);
    rig.others('SELL', RESTING.price, size('4'), 'take');
    // This is longer than the pause before the next attempt to connect.
    await rig.advance(1_000);
    await ear.until(() => ear.count('up') === 2);
    expect(ear.fills).toEqual([]);
    const since = (rig.now() - 600_000) as UnixMillis;
    const missed = await rig.trading.fillsSince(since);
    expect(missed).toMatchObject({ value: { rows: [{ size: size('4'), liquidity: 'MAKER' }], unread: [] } });
    expect(await rig.trading.fillsSince(since, rig.now())).toEqual(missed);
    const before = await rig.trading.fillsSince(since, (rig.now() - 10_000) as UnixMillis);
    expect(before).toEqual({ ok: true, value: { rows: [], unread: [] } });
  },
  'tells nobody who has stopped listening': async rig => {
    const [first, second] = [new Ear(rig.trading), new Ear(rig.trading)];
    await second.until(() => second.count('up') === 1);
    first.stop();
    const heard = first.events.length;
    await place(rig, RESTING);
    rig.others('SELL', RESTING.price, size('4'), 'take');
    await second.until(() => second.fills.length === 1);
    expect(first.events.length).toBe(heard);
  },
};

const SECRETS: Scenarios = {
  'are in nothing that is said or recorded': async rig => {
    const said: unknown[] = [];
    for (const fault of [null, { kind: 'lost', isApplied: false }, { kind: 'status', status: 500, isApplied: false }]) {
      if (fault !== null) strike(rig, rig.operations.submit, fault as PlannedFault);
      const placed = await place(rig, RESTING);
      said.push(placed.outcome, Buffer.from(placed.intent.payload).toString('latin1'), await look(rig, placed));
    }
    const text = JSON.stringify(said, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
    expect(rig.secrets.filter(secret => text.includes(secret))).toEqual([]);
    expect(rig.secrets.length).toBeGreaterThan(0);
  },
};

const GROUPS = {
  markets: MARKETS,
  'an order that is answered': ANSWERED,
  'the terms of an order': TERMS,
  'an order whose answer does not come': UNANSWERED,
  'a cancel': CANCELS,
  'a batch': BATCHES,
  'the private stream': STREAM,
  secrets: SECRETS,
} as const;

export function tradingContract(name: string, openRig: () => Promise<TradingRig>): void {
  describe.each(Object.entries(GROUPS))(`${name}: %s`, (_group, scenarios) => {
    it.each(Object.entries(scenarios))('%s', async (_title, run) => {
      await run(await openRig());
    });
  });
}
