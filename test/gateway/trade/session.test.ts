// A session of /v1/trade: the number of requests under way, the definition of a flood, and what the session's end leaves behind.

import { expect, it } from 'vitest';
import type { SigningKey } from '../../../src/core/domain/identity.ts';
import type { Connection } from '../../../src/core/net/listen.ts';
import { tradeJsonCodec } from '../../../src/core/wire/trade-messages.ts';
import { TradeSession } from '../../../src/gateway/trade/session.ts';
import type { Performed } from '../../../src/gateway/trade/trade-desk.ts';
import { limits } from '../../../src/limits.ts';

const reply: Performed = { isAdmitted: true, reply: { status: 200, body: '{"orderId":"x"}', headers: [] } };

function rig() {
  const heard: Record<string, unknown>[] = [];
  /** The number of messages in each write to the socket. */
  const writes: number[] = [];
  const ended: string[] = [];
  const waiting: ((performed: Performed) => void)[] = [];
  const disconnects = {
    armed: 0,
    lost: 0,
    arm: () => ++disconnects.armed,
    disarm: () => false,
    lose: () => ++disconnects.lost,
  };
  const connection = {
    send: (frame: string) => heard.push(JSON.parse(frame)),
    batch: (task: () => void) => {
      const before = heard.length;
      task();
      writes.push(heard.length - before);
    },
    bufferedBytes: () => 0,
    end: (code: number, why: string) => ended.push(`${code} ${why}`),
  };
  const session = new TradeSession(
    {
      codec: tradeJsonCodec,
      key: { keyId: 'key' } as SigningKey,
      address: '127.0.0.1',
      desk: { perform: ({ done }) => waiting.push(done) },
      disconnects: disconnects as never,
    },
    connection as unknown as Connection<unknown>,
  );
  const send = (message: object) => session.receive(Buffer.from(JSON.stringify(message)));
  return { session, send, heard, writes, ended, waiting, disconnects };
}

const cancel = (id: number) => ({ op: 'cancel', id: String(id), venue: 'venue_b', orderId: 'x' });

it('a session has tradeInFlightMax requests in flight; those beyond are refused and do nothing', async () => {
  const { session, send, heard, waiting } = rig();
  for (let id = 0; id <= limits.tradeInFlightMax; id++) send(cancel(id));
  expect(waiting.length).toBe(limits.tradeInFlightMax);
  await new Promise<void>(resolve => process.nextTick(resolve));
  expect(heard).toEqual([
    expect.objectContaining({ type: 'error', id: String(limits.tradeInFlightMax), code: 'TOO_MANY_IN_FLIGHT' }),
  ]);
  for (const resolve of waiting) resolve(reply);
  await session.settled();
  expect(heard.length).toBe(limits.tradeInFlightMax + 1);
  send(cancel(-1));
  expect(waiting.length).toBe(limits.tradeInFlightMax + 1);
});

it('results come in the sequence in which they are known', async () => {
  const { session, send, heard, waiting } = rig();
  send(cancel(1));
  send(cancel(2));
  waiting[1]!(reply);
  waiting[0]!(reply);
  await session.settled();
  expect(heard.map(({ id }) => id)).toEqual(['2', '1']);
});

it('results that are known at once are one write to the socket', async () => {
  const { session, send, heard, writes, waiting } = rig();
  for (const id of [1, 2, 3]) send(cancel(id));
  for (const resolve of waiting) resolve(reply);
  await session.settled();
  expect([heard.map(({ id }) => id), writes]).toEqual([['1', '2', '3'], [3]]);
});

it('a flood of messages that count against no rate ends it, and nothing is answered afterwards', () => {
  const { send, heard, ended } = rig();
  for (let id = 0; id < 2 * limits.streamUncountedBurstMax; id++) send({ op: 'ping', id: String(id) });
  expect(ended[0]).toBe('1008 too many messages (streamUncountedPerS)');
  expect(heard.length).toBeLessThan(2 * limits.streamUncountedBurstMax);
});

it('a flood beyond a rate of the key ends it, too', async () => {
  const { session, send, ended, waiting } = rig();
  const refused: Performed = { ...reply, isAdmitted: false };
  for (let id = 0; id < 2 * limits.streamUncountedBurstMax && ended.length === 0; id++) {
    send(cancel(id));
    waiting[id]!(refused);
    await session.settled();
  }
  expect(ended).toEqual(['1008 too many messages (streamUncountedPerS)']);
});

it('the switch is armed once and lost once, however often it is requested', () => {
  const { session, send, disconnects } = rig();
  send({ op: 'cancel-on-disconnect', id: '1', enabled: true });
  send({ op: 'cancel-on-disconnect', id: '2', enabled: true });
  session.close();
  session.close();
  expect([disconnects.armed, disconnects.lost]).toEqual([1, 1]);
});

it('nothing is sent to a connection that is gone', async () => {
  const { session, send, heard, waiting } = rig();
  send(cancel(1));
  session.close();
  waiting[0]!(reply);
  await session.settled();
  expect(heard).toEqual([]);
});
