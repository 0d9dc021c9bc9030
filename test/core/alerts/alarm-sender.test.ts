// Alarms over a real socket to a server that fails, stalls and refuses. Time stands still between steps.

import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AlarmOrder } from '../../../src/core/alerts/alarm-request.ts';
import { AlarmSender, sendAlarm } from '../../../src/core/alerts/alarm-sender.ts';
import type { AlarmKind, AlertSettings } from '../../../src/core/alerts/alert-settings.ts';
import { ALARM_KINDS } from '../../../src/core/alerts/alert-settings.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { eventually } from '../../support/eventually.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { AlertServer } from './alert-server.ts';

const QUIET_MS = 30_000;
const SECRET = 'a secret of the operator';

let server: AlertServer;
let sender: AlarmSender;
let timers: VirtualTimers;
let outcomes: { sent: number; dropped: number };
let lines: unknown[];

function settings(): AlertSettings {
  return { url: server.url, format: 'json', kinds: ALARM_KINDS, secret: SECRET };
}

function open(answerMs?: number): void {
  const log = { ...silentLog, warn: (...line: unknown[]) => lines.push(line) };
  const counted = {
    sent: () => {
      outcomes.sent += 1;
    },
    dropped: (count: number) => {
      outcomes.dropped += count;
    },
  };
  const quick = answerMs === undefined ? {} : { answerMs };
  sender = new AlarmSender({ settings: settings(), gateway: 'gw-1', timers, log, ...counted, ...quick });
}

beforeEach(async () => {
  server = await AlertServer.start();
  timers = new VirtualTimers();
  outcomes = { sent: 0, dropped: 0 };
  lines = [];
  open();
});

afterEach(() => {
  sender.close();
  server.close();
});

function happens(kind: AlarmKind, line: string, count = 1): void {
  sender.handle({ kind, line, count, at: timers.now(), order: null });
}

function fills(orderId: string, filled: string): void {
  const order = { orderId, filled } as AlarmOrder;
  sender.handle({ kind: 'fills', line: `${orderId}: ${filled} traded`, count: 1, at: timers.now(), order });
}

/** Waits for the outcome of the latest attempt: a new timer or a new count. */
const settled = (isSettled: () => boolean): Promise<void> =>
  eventually(() => {
    expect(isSettled()).toBe(true);
  });

it('goes at once, signed over its time and body', async () => {
  happens('stops', 'Stopped: demo.');
  await settled(() => outcomes.sent === 1);
  const [{ url, headers, body }] = server.sent as [(typeof server.sent)[0]];
  expect(url).toBe('/hooks/token-of-mine?x=1');
  const { id, ...rest } = JSON.parse(body);
  const at = new Date(timers.now()).toISOString();
  expect(rest).toEqual({ kind: 'stops', at, count: 1, lines: ['Stopped: demo.'], orders: [], gateway: 'gw-1' });
  expect(headers['idempotency-key']).toBe(id);
  const timestamp = headers['crossbook-timestamp'];
  expect(timestamp).toBe(String(timers.now()));
  expect(headers['crossbook-signature']).toBe(
    createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex'),
  );
});

it('becomes one with a count, if many of its kind come within a while', async () => {
  happens('fills', 'a: 1 traded');
  await settled(() => outcomes.sent === 1);
  for (let fill = 0; fill < 25; fill++) happens('fills', `a: ${fill} traded`);
  happens('fills', 'a: 9 traded', 4);
  timers.advance(QUIET_MS - 1);
  happens('disk', 'Nothing can be recorded.');
  await settled(() => outcomes.sent === 2);
  timers.advance(1);
  await settled(() => outcomes.sent === 3);
  expect(server.bodies.map(({ kind, count }) => [kind, count])).toEqual([
    ['fills', 1],
    ['disk', 1],
    ['fills', 29],
  ]);
  expect(server.bodies[2]!.lines).toEqual(Array.from({ length: 10 }, (_, fill) => `a: ${fill} traded`));
  timers.advance(10 * QUIET_MS);
  expect(outcomes.sent).toBe(3);
});

it('5704: has the latest state last', async () => {
  happens('accounts', 'first');
  await settled(() => outcomes.sent === 1);
  for (const line of ['Unread.', 'Over: Unread.', 'Unread.']) happens('accounts', line);
  timers.advance(QUIET_MS);
  await settled(() => outcomes.sent === 2);
  expect(server.bodies[1]).toMatchObject({ count: 3, lines: ['Over: Unread.', 'Unread.'] });
});

it('has the latest line of each order', async () => {
  fills('first', '1');
  await settled(() => outcomes.sent === 1);
  for (let filled = 1; filled <= 20; filled++) fills('a', String(filled));
  fills('b', '5');
  timers.advance(QUIET_MS);
  await settled(() => outcomes.sent === 2);
  expect(server.bodies[1]).toMatchObject({
    count: 21,
    lines: ['a: 20 traded', 'b: 5 traded'],
    orders: [
      { orderId: 'a', filled: '20' },
      { orderId: 'b', filled: '5' },
    ],
  });
});

it('is repeated with its id until it is taken, with growing pauses', async () => {
  server.answers.push({ status: 500 }, { status: 503 }, { status: 502 });
  happens('stops', 'Stopped: demo.');
  for (const [attempt, pauseMs] of [1_000, 2_000, 4_000].entries()) {
    await settled(() => timers.pending === 1);
    expect(server.sent).toHaveLength(attempt + 1);
    timers.advance(pauseMs - 1);
    expect(timers.pending).toBe(1);
    timers.advance(1);
  }
  await settled(() => outcomes.sent === 1);
  expect(new Set(server.sent.map(({ body }) => body)).size).toBe(1);
  expect(new Set(server.sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  // The timestamp is the time of the attempt, so that a receiver may refuse old requests.
  expect(new Set(server.sent.map(({ headers }) => headers['crossbook-timestamp'])).size).toBe(4);
});

it('waits as long as a 429 says', async () => {
  server.answers.push({ status: 429, headers: { 'Retry-After': '45' } });
  happens('stops', 'Stopped: demo.');
  await settled(() => timers.pending === 1);
  timers.advance(44_999);
  expect(timers.pending).toBe(1);
  timers.advance(1);
  await settled(() => outcomes.sent === 1);
});

it('is repeated if the address stalls', async () => {
  sender.close();
  open(50);
  server.answers.push(null, null);
  happens('stops', 'Stopped: demo.');
  while (outcomes.sent === 0) {
    await settled(() => timers.pending === 1 || outcomes.sent === 1);
    timers.advance(60_000);
  }
  expect(new Set(server.sent.map(({ body }) => body)).size).toBe(1);
  expect(server.sent.length).toBeGreaterThanOrEqual(3);
});

it('waits in one alarm for each kind while the address fails, and is given up in the end', async () => {
  server.answers.push(...Array.from({ length: 10 }, () => ({ status: 500 })));
  happens('fills', 'first');
  for (let attempt = 1; attempt < 10; attempt++) {
    await settled(() => server.sent.length === attempt && timers.pending === 1);
    for (let fill = 0; fill < 1_000; fill++) happens('fills', `fill ${fill}`);
    happens('stops', `stop ${attempt}`);
    timers.advance(60_000);
  }
  await settled(() => outcomes.dropped === 1);
  await settled(() => outcomes.sent === 1);
  timers.advance(QUIET_MS);
  await settled(() => outcomes.sent === 2);
  expect(server.bodies.slice(10).map(({ kind, count }) => [kind, count])).toEqual([
    ['stops', 9],
    ['fills', 9_000],
  ]);
  expect(outcomes.dropped).toBe(1);
});

it('is dropped if it is refused, and says so without the address', async () => {
  server.answers.push({ status: 404 });
  happens('fills', 'x', 7);
  await settled(() => outcomes.dropped === 7);
  expect(server.sent).toHaveLength(1);
  expect(lines).toEqual([['an alarm is lost', { kind: 'fills', count: 7, fault: 'it answers 404' }]]);
  expect(JSON.stringify(lines)).not.toContain('token-of-mine');
});

it('is not sent any more once the gateway ends', async () => {
  server.answers.push({ status: 500 });
  happens('stops', 'x');
  await settled(() => timers.pending === 1);
  sender.close();
  timers.advance(60_000);
  happens('fills', 'y');
  expect([server.sent.length, timers.pending]).toEqual([1, 0]);
});

it('is sent once by a test of the address, which tells what is wrong', async () => {
  const alarm = { id: 'x', kind: 'test', at: timers.now(), count: 1, lines: [], orders: [], gateway: 'g' } as const;
  expect(await sendAlarm(settings(), alarm)).toBeNull();
  server.answers.push({ status: 403 });
  expect(await sendAlarm(settings(), alarm)).toBe('it answers 403');
});
