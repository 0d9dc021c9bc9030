// Every fault of a request on a real socket: whether the exchange acted, and the answer that the caller got.

import { afterEach, describe, expect, it } from 'vitest';
import { jsonReply, type Listener, listen, type Reply } from '../../../src/core/net/listen.ts';
import type { Faults, RequestFault } from '../../../src/paper/faults/faults.ts';
import { withFaults } from '../../../src/paper/faults/with-faults.ts';
import { NO_FAULTS } from '../../support/no-faults.ts';
import { RawHttp } from '../../support/raw-http.ts';
import { turnsUntil } from '../../support/turns.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const REQUEST = 'POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}';
const ASKED = { venue: 'venue_b', key: 'k', operation: 'POST /orders' } as const;
const replies = {
  rateLimited: () => jsonReply(429, { error: 'too many requests' }),
  status: (status: number) => jsonReply(status, { error: 'edge' }),
};

let listener: Listener | null = null;
afterEach(() => listener?.close());

describe('a request that meets a fault', () => {
  const rows: [what: string, fault: RequestFault | null, status: number | null, orders: number][] = [
    ['goes well without one', null, 201, 1],
    ['is lost on its way there', { kind: 'lost', isApplied: false }, null, 0],
    ['loses its answer', { kind: 'lost', isApplied: true }, null, 1],
    ['is refused by the edge', { kind: 'status', status: 502, isApplied: false }, 502, 0],
    ['has its effect under a 5xx', { kind: 'status', status: 500, isApplied: true }, 500, 1],
    ['is one too many', { kind: 'rate-limited' }, 429, 0],
    ['is not delayed by no time', { kind: 'delay', beforeMs: 0, afterMs: 0 }, 201, 1],
  ];
  it.each(rows)('%s', async (_what, fault, status, orders) => {
    const exchange = await startExchange(fault, new VirtualTimers());
    const answers = await (await RawHttp.connect(exchange)).send(REQUEST).hear(1);
    expect(answers.map(answer => answer.status)).toEqual(status === null ? [] : [status]);
    expect(exchange.orders()).toBe(orders);
  });

  it.each([
    ['every row', {}, '{"rows":[{"id":"a","size":""},{"id":"b","size":""}],"cursor":""}'],
    ['one row', { where: { id: 'b' } }, '{"rows":[{"id":"a","size":"1"},{"id":"b","size":""}],"cursor":""}'],
    [
      'one more',
      { where: { id: 'a' }, isMore: true },
      '{"rows":[{"id":"a","size":""},{"id":"a","size":"1"},{"id":"b","size":"2"}],"cursor":""}',
    ],
  ])('has %s of its answer changed', (_what, change, body) => {
    const rows = [
      { id: 'a', size: '1' },
      { id: 'b', size: '2' },
    ];
    const fault = { kind: 'rows', where: {}, set: { size: '' }, isMore: false, ...change } as const;
    const faults = { ...NO_FAULTS, ofRequest: () => fault };
    const act = () => jsonReply(200, { rows, cursor: '' });
    expect(withFaults(faults, ASKED, new VirtualTimers(), act, replies)).toMatchObject({ status: 200, body });
  });

  it('by itself is changed where it is meant, and left where it is no object', () => {
    const fault = { kind: 'rows', where: { id: 'a' }, set: { status: 'pending' }, isMore: false } as const;
    const faults = { ...NO_FAULTS, ofRequest: () => fault };
    const answer = (reply: Reply) => withFaults(faults, ASKED, new VirtualTimers(), () => reply, replies);
    expect(answer(jsonReply(200, { id: 'a' }))).toMatchObject({ body: '{"id":"a","status":"pending"}' });
    const inside = jsonReply(200, { order: { id: 'a' } });
    expect(answer(inside)).toMatchObject({ body: '{"order":{"id":"a","status":"pending"}}' });
    const text = { status: 200, contentType: 'text/plain', body: 'OK' };
    expect(answer(text)).toEqual(text);
  });

  it('hangs, then loses its connection', async () => {
    for (const isApplied of [false, true]) {
      const timers = new VirtualTimers();
      const exchange = await startExchange({ kind: 'hung', isApplied, hangMs: 5_000 }, timers);
      const client = (await RawHttp.connect(exchange)).send(REQUEST);
      await turnsUntil(() => timers.pending === 1);
      expect(exchange.orders()).toBe(isApplied ? 1 : 0);
      await timers.settle(4_999);
      expect(client.isClosed).toBe(false);
      await timers.settle(1);
      expect(await client.end()).toEqual([]);
      expect(exchange.orders()).toBe(isApplied ? 1 : 0);
    }
  });

  it('is delayed on its way there and on its way back', async () => {
    const timers = new VirtualTimers();
    const exchange = await startExchange({ kind: 'delay', beforeMs: 300, afterMs: 700 }, timers);
    const client = (await RawHttp.connect(exchange)).send(REQUEST);
    await turnsUntil(() => timers.pending === 1);
    await timers.settle(299);
    expect(exchange.orders()).toBe(0);
    await timers.settle(1);
    expect(exchange.orders()).toBe(1);
    await turnsUntil(() => timers.pending === 1);
    await timers.settle(699);
    expect(client.answers).toEqual([]);
    await timers.settle(1);
    expect((await client.hear(1))[0]?.status).toBe(201);
  });

  it('is overtaken by the next one while it is delayed on its way there', async () => {
    const timers = new VirtualTimers();
    const exchange = await startExchange({ kind: 'delay', beforeMs: 300, afterMs: 0 }, timers);
    const slow = (await RawHttp.connect(exchange)).send(REQUEST);
    await turnsUntil(() => timers.pending === 1);
    exchange.heal();
    const quick = await (await RawHttp.connect(exchange)).send(REQUEST).hear(1);
    await timers.settle(300);
    expect([quick[0]?.body, (await slow.hear(1))[0]?.body]).toEqual(['{"order":1}', '{"order":2}']);
  });

  it('that the exchange fails on is the listener’s to answer, delayed or not', async () => {
    for (const fault of [null, { kind: 'delay', beforeMs: 1, afterMs: 0 } as const]) {
      const timers = new VirtualTimers();
      const exchange = await startExchange(fault, timers, () => {
        throw new Error('the engine is out');
      });
      const client = (await RawHttp.connect(exchange)).send(REQUEST);
      if (fault !== null) await turnsUntil(() => timers.pending === 1);
      await timers.settle(1);
      expect((await client.hear(1))[0]?.status).toBe(500);
    }
  });
});

it('a request without a fault is answered at once, without a promise', () => {
  const reply = jsonReply(200, {});
  expect(withFaults(NO_FAULTS, ASKED, new VirtualTimers(), () => reply, replies)).toBe(reply);
});

async function startExchange(fault: RequestFault | null, timers: VirtualTimers, act?: () => Reply) {
  listener?.close();
  let orders = 0;
  let planned = fault;
  const faults: Faults = { ...NO_FAULTS, ofRequest: () => planned };
  const place = () => {
    orders += 1;
    return jsonReply(201, { order: orders });
  };
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    http: [
      { method: 'post', pattern: '/orders', handle: () => withFaults(faults, ASKED, timers, act ?? place, replies) },
    ],
    sockets: [],
  });
  return {
    port: listener.port,
    orders: () => orders,
    heal: () => {
      planned = null;
    },
  };
}
