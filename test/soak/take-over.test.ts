// A pod changes hands between two real gateways: the former owner is paused, or killed under load. No order is lost or doubled, and a key makes one
// order at any gateway that receives the key. TAKE_OVERS sets the number of kills.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keysCommand } from '../../src/tools/cli/keys.ts';
import { limitsCommand } from '../../src/tools/cli/limits.ts';
import { eventually } from '../support/eventually.ts';
import { lacksNats, NatsServer } from '../support/nats-server.ts';
import type { TestKey } from '../support/signed-requests.ts';
import { TwoGateways } from './two-gateways.ts';

const TAKE_OVERS = Number(process.env.TAKE_OVERS ?? '3');
/** The time limit allows for a dozen starts of processes, and two more for each take-over. */
const LONG = { timeout: 600_000 + TAKE_OVERS * 60_000 };
const CALLERS = 8;
/** The number of orders in each run before the kill. */
const ORDERS = 40;

describe.skipIf(lacksNats)('a pod that is taken over', () => {
  let nats: NatsServer;
  let both: TwoGateways;
  beforeEach(async () => {
    nats = await NatsServer.start();
    both = await TwoGateways.start(nats);
  });
  afterEach(async () => {
    await both.end();
    await nats.close();
  });

  it('the former owner, paused and resumed, sends nothing and ends in words', LONG, async () => {
    const [former, next] = both.gateways;
    const first = await both.orderOf(former, 'before');
    process.kill(former.pid, 'SIGSTOP');
    const waiting = Promise.allSettled(['paused-1', 'paused-2', 'paused-3'].map(key => both.submit(former, key)));
    await both.take(next);
    await both.started(next);
    const taken = await both.orderOf(next, 'after');
    expect(await both.orderOf(next, 'before')).toBe(first);
    await former.endedBy(async () => process.kill(former.pid, 'SIGCONT'));
    for (const answer of await waiting) expect(answer.status === 'rejected' || answer.value.status === 503).toBe(true);
    expect(former.logs.map(it => it.event)).toContain('ownership of the pod has ended: the process ends');
    expect(new Set(await both.resting()).size).toBe(2);
    // The order of the paused request is there, once.
    const late = await both.orderOf(next, 'paused-1');
    expect(new Set([first, taken, late]).size).toBe(3);
    expect(await both.resting()).toHaveLength(3);
    // After its restart the former owner waits for its turn.
    await former.start();
    expect((await both.submit(former, 'paused-1')).headers['svc-pod-owner']).toBe(next.url);
  });

  it('a standby says who owns the pod, a client follows, and goes on there after a take-over', LONG, async () => {
    const [owner, standby] = both.gateways;
    await standby.start();
    const refused = await both.submit(standby, 'mine');
    expect([refused.status, refused.headers['svc-pod-owner']]).toEqual([503, owner.url]);
    const listed = await both.list(standby);
    expect([listed.status, listed.headers['svc-pod-owner']]).toEqual([421, owner.url]);
    const client = both.client(standby);
    const submit = async (key: string): Promise<string> => {
      const made = await client.call('submitVenueBOrder', { body: both.order, idempotencyKey: key });
      if (!made.ok) throw new Error(JSON.stringify(made.error));
      return made.value.value.orderId;
    };
    const first = await submit('mine');
    expect(await both.orderOf(owner, 'mine')).toBe(first);
    await owner.kill();
    await both.take(standby);
    expect(await eventually(() => submit('mine'))).toBe(first);
    const second = await eventually(() => submit('yours'));
    expect([await both.orderOf(standby, 'yours'), (await both.resting()).length]).toEqual([second, 2]);
  });

  it(
    'a key made or revoked at one gateway is so at both; without the stream only cancels are let in',
    LONG,
    async () => {
      const [owner, standby] = both.gateways;
      await standby.start();
      const path = join(mkdtempSync(join(tmpdir(), 'crossbook-key-')), 'key.json');
      const { keyId: first } = both.key;
      await both.command(standby, keysCommand, 'create', '--actor', both.actorId, '--out', path);
      const made = JSON.parse(readFileSync(path, 'utf8')) as TestKey;
      rmSync(join(path, '..'), { recursive: true });
      await eventually(async () => expect((await both.list(owner, made)).status).toBe(200));
      expect((await both.list(standby, made)).status).toBe(421);
      expect(await both.orderOf(owner, 'unlimited')).not.toBeNull();
      let asked = 0;
      await both.command(standby, limitsCommand, 'set', '--actor', both.actorId, '--open-orders-max', '1');
      await eventually(async () => expect((await both.submit(owner, `limited-${asked++}`)).status).toBe(400));
      await both.command(owner, keysCommand, 'revoke', first);
      await eventually(async () => expect((await both.list(standby)).status).toBe(401));
      expect((await both.list(owner)).status).toBe(401);
      await nats.kill();
      await eventually(async () => expect((await both.list(owner, made)).status).toBe(503));
      const { json } = await both.list(standby, made);
      expect(JSON.stringify(json)).toContain('the stream of keys has not been read');
      // The limit was set after the first orders.
      const open = (await both.resting()).length;
      expect(await both.cancelAll(owner, made)).toBe(open);
      await nats.restart();
      await eventually(async () => expect((await both.list(owner, made)).status).toBe(200));
      expect((await both.list(owner)).status).toBe(401);
    },
  );

  it('killed under load again and again: no order is lost, none is doubled', LONG, async () => {
    const orders = new Map<string, string>();
    let [owner, next] = both.gateways;
    for (let round = 0; round < TAKE_OVERS; round++) {
      await next.start();
      const unknown = await underLoad(owner, `round-${round}`, orders);
      await both.take(next);
      await both.tradable(next);
      for (const key of unknown) {
        const orderId = await both.orderOf(next, key);
        if (orderId !== null) orders.set(key, orderId);
      }
      // Known answers are the same at the new owner.
      for (const [key, orderId] of [...orders].slice(-5)) expect(await both.orderOf(next, key)).toBe(orderId);
      [owner, next] = [next, owner];
    }
    expect(new Set(orders.values()).size).toBe(orders.size);
    const resting = await both.resting();
    expect([resting.length, new Set(resting).size]).toEqual([orders.size, orders.size]);
    expect(await both.cancelAll(owner)).toBe(orders.size);
    await eventually(async () => expect(await both.resting()).toEqual([]));
  });

  /** Keeps the owner busy until it is killed in the middle. Returns the keys with unknown outcomes. */
  async function underLoad(
    owner: (typeof both.gateways)[number],
    name: string,
    orders: Map<string, string>,
  ): Promise<readonly string[]> {
    const unknown: string[] = [];
    let made = 0;
    let isKilled = false;
    const killed = Promise.withResolvers<void>();
    const caller = async (which: number): Promise<void> => {
      for (let number = 0; !isKilled; number++) {
        const key = `${name}-${which}-${number}`;
        const answer = await both.submit(owner, key).catch(() => null);
        if (answer?.status === 201) orders.set(key, (answer.json as { readonly orderId: string }).orderId);
        else unknown.push(key);
        made += 1;
        if (made !== ORDERS) continue;
        isKilled = true;
        owner.kill().then(killed.resolve, killed.reject);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, which) => caller(which)));
    await killed.promise;
    return unknown;
  }
});

describe.skipIf(lacksNats)('a pod with a standby that takes it over by itself', () => {
  let nats: NatsServer;
  let both: TwoGateways;
  beforeEach(async () => {
    nats = await NatsServer.start();
    both = await TwoGateways.start(nats, { CROSSBOOK_TAKE_OVER_AFTER_S: '2' });
  });
  afterEach(async () => {
    await both.end();
    await nats.close();
  });

  it('goes on there once its owner is killed, and each key is one order', LONG, async () => {
    const [owner, standby] = both.gateways;
    await standby.start();
    const first = await both.orderOf(owner, 'before');
    await owner.kill();
    expect(await both.orderOf(standby, 'before')).toBe(first);
    const second = await both.orderOf(standby, 'after');
    expect(new Set([first, second, ...(await both.resting())]).size).toBe(4);
    expect(await both.cancelAll(standby)).toBe(2);
    // After its restart the former owner waits for its turn.
    await owner.start();
    expect((await both.submit(owner, 'before')).headers['svc-pod-owner']).toBe(standby.url);
  });
});
