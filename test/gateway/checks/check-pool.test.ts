// The check pool with real threads that die: every check gets one correct answer, the bounds hold, and an idle thread stays.

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SignatureCheck } from '../../../src/core/auth/check.ts';
import { createKeyPair } from '../../../src/core/auth/key-pair.ts';
import { fail, ok } from '../../../src/core/domain/result.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { monotonicUs } from '../../../src/core/runtime/clock.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { type CheckPool, type CheckPoolOptions, createCheckPool } from '../../../src/gateway/checks/check-pool.ts';
import { limits } from '../../../src/limits.ts';
import { PATIENCE_MS } from '../../support/eventually.ts';
import { signNatively } from '../../support/sign-natively.ts';
import { ScriptedCheck } from './behaviour.ts';

const FAULTY = new URL('./faulty-check-worker.ts', import.meta.url);
const key = await createKeyPair();

/** Returns the n-th check. Every third check is forged. */
function signedCheck(n: number): SignatureCheck {
  const message = `GET\n/v1/whoami?n=${n}\n1700000000000\n\n\n`;
  const signature = Buffer.from(signNatively(message, key.seedHex)).toString('base64');
  return { publicKeyHex: key.publicKeyHex, message: n % 3 === 0 ? `${message} ` : message, signature };
}
const PAGE = {
  name: 'event-markets',
  caller: { podId: 'p', actorId: 'a', keyId: 'k' },
  ...{ eventId: 'e', catalog: null, tradable: [] },
} as const;
const isRight = (n: number): boolean => n % 3 !== 0;
const someChecks = Array.from({ length: 60 }, (_, n) => signedCheck(n));

let open: CheckPool[] = [];
afterEach(async () => {
  await Promise.all(open.map(pool => pool.close()));
  open = [];
});

interface Started {
  readonly pool: CheckPool;
  readonly metrics: Metrics;
}

/** Starts a pool, which is closed after the test. */
async function start(threads: number, workerUrl?: URL, options: Partial<CheckPoolOptions> = {}): Promise<Started> {
  const started = await startFor(threads, workerUrl, options);
  open.push(started.pool);
  return started;
}

/** Starts a pool for all tests of a block. Its counters go on from test to test. */
function shared(threads: number, workerUrl?: URL, options: Partial<CheckPoolOptions> = {}): () => Started {
  let started: Started;
  beforeAll(async () => {
    started = await startFor(threads, workerUrl, options);
    return () => started.pool.close();
  });
  return () => started;
}

async function startFor(
  threads: number,
  workerUrl: URL | undefined,
  options: Partial<CheckPoolOptions>,
): Promise<Started> {
  const metrics = new Metrics({ operations: [] });
  const url = workerUrl && { workerUrl };
  const pool = await createCheckPool({
    threads,
    metrics,
    log: silentLog,
    pageSecretHex: '00',
    usesMain: false,
    // A busy machine may take longer than the product waits for the checks that a thread of a replaced pool has begun.
    drainMs: 2 * PATIENCE_MS,
    ...url,
    ...options,
  });
  return { pool, metrics };
}

async function expectHealthy(pool: CheckPool): Promise<void> {
  const outcomes = await Promise.all(someChecks.map(check => pool.verify(check, 'proven')));
  expect(outcomes).toEqual(someChecks.map((_, n) => ok(isRight(n))));
  expect(pool.tasksInFlight).toBe(0);
}

describe('a pool of check workers', () => {
  it('answers each check with its own outcome, alone and among many, and reads a page of the catalog', async () => {
    const { pool, metrics } = await start(2);
    expect(await pool.verify(signedCheck(1), null)).toEqual(ok(true));
    expect(await pool.verify(signedCheck(3), null)).toEqual(ok(false));
    await expectHealthy(pool);
    const observed = (['auth_verify_seconds', 'pool_wait_seconds', 'pool_round_trip_seconds'] as const).map(
      name => metrics.reading(metrics.histogram(name)).count,
    );
    expect(observed).toEqual([62, 62, 62]);
    expect(metrics.read(metrics.counter('pool_tasks_total'))).toBe(62);
    expect(metrics.rowsOf('pool_tasks_in_flight')[0]!.value).toBe(0);
    const listed = await pool.list(PAGE, monotonicUs());
    expect(listed.ok && listed.value.status).toBe(404);
  });

  const gated = shared(1, FAULTY);

  it('refuses at once what is beyond its bounds, and answers all that it took', async () => {
    const { pool, metrics } = gated();
    const gate = new ScriptedCheck('waitAtGate');
    const taken = [pool.verify(gate, null, 'cancel')];
    await gate.countsBeyond(0);
    const fill = (lane: string | null, count: number) => {
      for (let n = 0; n < count; n++) taken.push(pool.verify(someChecks[1]!, lane, 'cancel'));
    };
    fill(null, limits.poolTasksUnprovenMax - 1);
    expect(await pool.verify(someChecks[1]!, null, 'cancel')).toEqual(fail('BUSY'));
    fill('proven', limits.poolTasksMax / 2);
    expect(await pool.verify(someChecks[1]!, 'proven', 'cancel')).toEqual(fail('BUSY'));
    expect(pool.tasksInFlight).toBe(limits.poolTasksUnprovenMax + limits.poolTasksMax / 2);
    gate.openGate();
    expect(new Set((await Promise.all(taken)).map(it => it.ok && it.value))).toEqual(new Set([true]));
    expect(metrics.read(metrics.counter('pool_busy_total'))).toBe(2);
    await expectHealthy(pool);
  });

  it('serves each proven caller between those of floods', async () => {
    const { pool } = gated();
    const gate = new ScriptedCheck('waitAtGate');
    const answered: string[] = [];
    const ask = async (lane: string | null) => {
      await pool.verify(someChecks[1]!, lane);
      answered.push(`${lane}`);
    };
    const asked: unknown[] = [pool.verify(gate, null)];
    for (let n = 0; n < 500; n++) asked.push(ask(null), ask('attacker'));
    await gate.countsBeyond(0);
    asked.push(...Array.from({ length: 20 }, () => ask('owner')));
    gate.openGate();
    await Promise.all(asked);
    // The bound allows the requests that the thread held already, and one request of each flood for each of them.
    expect(answered.lastIndexOf('owner')).toBeLessThan(150);
  });

  it('closes when what runs is answered, and takes nothing more', async () => {
    const { pool } = await start(1, FAULTY);
    const gate = new ScriptedCheck('waitAtGate');
    const running = [pool.verify(gate, 'proven'), pool.verify(someChecks[1]!, 'proven')];
    await gate.countsBeyond(0);
    const closed = pool.close();
    expect(await pool.verify(someChecks[1]!, 'proven')).toEqual(fail('BUSY'));
    gate.openGate();
    expect(await Promise.all(running)).toEqual([ok(true), ok(true)]);
    await closed;
  });

  it('closes over tasks that do not end, and answers what waits behind them', async () => {
    const { pool } = await start(1, FAULTY, { drainMs: 1 });
    const gate = new ScriptedCheck('waitAtGate');
    const running = pool.verify(gate, 'proven');
    await gate.countsBeyond(0);
    const behind = Array.from({ length: 100 }, () => pool.verify(someChecks[1]!, 'proven'));
    await pool.close();
    expect(await Promise.all([running, ...behind])).toEqual(new Array(101).fill(fail('FAULT')));
    expect(pool.tasksInFlight).toBe(0);
  });

  it('does not start without its threads', async () => {
    await expect(start(2, new URL('./no-such-worker.ts', import.meta.url))).rejects.toThrow('cannot start');
  });
});

describe('the main thread', () => {
  const main = shared(1, undefined, { usesMain: true });

  it('makes the first checks of a turn, of callers that have proven their key', async () => {
    const { pool, metrics } = main();
    const atOnce = () => metrics.read(metrics.counter('pool_at_once_total'));
    const together = (count: number, lane: string | null) =>
      Promise.all(Array.from({ length: count }, () => pool.verify(signedCheck(1), lane)));
    expect(await together(2, null)).toEqual([ok(true), ok(true)]);
    expect(atOnce()).toBe(0);
    for (const turn of [1, 2]) {
      await new Promise(setImmediate);
      expect(await together(limits.mainTasksPerTurnMax + 3, 'proven')).not.toContainEqual(ok(false));
      expect(atOnce()).toBe(turn * limits.mainTasksPerTurnMax);
    }
  });

  it('reads a page of the catalog that is looked up at once', async () => {
    const { pool, metrics } = main();
    const before = metrics.read(metrics.counter('pool_at_once_total'));
    await new Promise(setImmediate);
    const listed = await pool.list(PAGE, monotonicUs());
    expect(listed.ok && listed.value.status).toBe(404);
    expect(metrics.read(metrics.counter('pool_at_once_total')) - before).toBe(1);
  });
});

describe('4014: a task that throws on the main thread', () => {
  const failing = (name: string): PropertyDescriptor & ThisType<unknown> => ({
    enumerable: true,
    get: () => {
      throw new Error(`${name} cannot be read`);
    },
  });
  const main = shared(1, undefined, { usesMain: true });
  const faults = ({ metrics }: Started): number => metrics.read(metrics.counter('pool_faults_total'));

  it.each([
    ['in the look whether it is quick', 'catalog'],
    ['while it is read', 'eventId'],
  ])('is a fault of a list (%s) that occupies no place afterwards', async (_, field) => {
    const { pool } = main();
    const before = faults(main());
    const broken = Object.defineProperty({ ...PAGE }, field, failing(field));
    await new Promise(setImmediate);
    expect(await pool.list(broken, monotonicUs())).toEqual(fail('FAULT'));
    expect([pool.tasksInFlight, faults(main()) - before]).toEqual([0, 1]);
    await expectHealthy(pool);
  });

  it('is a fault of a signature check that occupies no place afterwards', async () => {
    const { pool } = main();
    const before = faults(main());
    const broken = Object.defineProperty({ ...signedCheck(1) }, 'message', failing('message'));
    await new Promise(setImmediate);
    expect(await pool.verify(broken, 'proven')).toEqual(fail('FAULT'));
    expect([pool.tasksInFlight, faults(main()) - before]).toEqual([0, 1]);
    await expectHealthy(pool);
  });
});

describe('when a thread dies', () => {
  const faulty = shared(2, FAULTY);

  it('a check goes to another thread, and fails when that dies, too', async () => {
    const { pool, metrics } = faulty();
    expect(await pool.verify(new ScriptedCheck('exitOnce'), 'proven')).toEqual(ok(true));
    expect(await pool.verify(new ScriptedCheck('exit'), 'proven')).toEqual(fail('FAULT'));
    expect(metrics.read(metrics.counter('pool_workers_lost_total'))).toBe(3);
    expect(metrics.read(metrics.counter('pool_faults_total'))).toBe(1);
    await expectHealthy(pool);
  });

  it.each(['throw', 'throwUncaught'] as const)(
    'a check that ends with an error (%s) is given up, and the pool lives',
    async how => {
      const { pool } = faulty();
      expect(await pool.verify(new ScriptedCheck(how), 'proven')).toEqual(fail('FAULT'));
      await expectHealthy(pool);
    },
  );

  it('every check is answered, none wrongly, under load and again and again', async () => {
    const { pool, metrics } = await start(2);
    let next = 0;
    let answered = 0;
    let isKilling = true;
    const forbidden: unknown[] = [];
    const caller = async (): Promise<void> => {
      while (isKilling || next < 6_000) {
        const n = next++;
        const outcome = await pool.verify(someChecks[n % someChecks.length]!, n % 2 === 0 ? 'proven' : null);
        answered += 1;
        const isAcceptable = outcome.ok ? outcome.value === isRight(n) : outcome.error === 'FAULT';
        if (!isAcceptable) forbidden.push([n, outcome]);
      }
    };
    const callers = Array.from({ length: 64 }, caller);
    const kills = 8;
    for (let killed = 0; killed < kills; killed++) {
      await pool.killOne();
      // A thread takes time to start. Until then the live threads answer checks.
      for (const enough = answered + 500; answered < enough; ) await pool.verify(someChecks[1]!, 'proven');
    }
    isKilling = false;
    await Promise.all(callers);
    expect(forbidden).toEqual([]);
    expect(answered).toBe(next);
    expect(pool.tasksInFlight).toBe(0);
    expect(metrics.read(metrics.counter('pool_workers_lost_total'))).toBeGreaterThanOrEqual(kills);
    await expectHealthy(pool);
  });

  it('checks that wait are answered if the successor dies, too, while it starts', async () => {
    const { pool } = await start(1);
    await pool.killOne();
    const waiting = someChecks.map(check => pool.verify(check, 'proven'));
    await pool.killOne();
    expect(await Promise.all(waiting)).toEqual(someChecks.map((_, n) => ok(isRight(n))));
    await expectHealthy(pool);
  });
});

describe('when a thread dies, and its successor while it starts', () => {
  it.each([
    ['waitAtGate', 'comes to its end', 0],
    ['exitOnceAtGate', 'is done by others when the rest dies too', 1],
  ] as const)('others take the place of all, and what the rest has begun (%s) %s', async (behaviour, _, failed) => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (event: string) => void warnings.push(event) };
    const { pool, metrics } = await start(2, FAULTY, { log });
    const gate = new ScriptedCheck(behaviour);
    const begun = pool.verify(gate, 'proven');
    await gate.countsBeyond(0);
    await pool.killOne();
    await pool.killOne();
    await expect.poll(() => warnings).toContain('check pool restarted');
    expect(await pool.verify(someChecks[1]!, 'proven')).toEqual(ok(true));
    gate.openGate();
    expect(await begun).toEqual(ok(true));
    expect(metrics.read(metrics.counter('pool_workers_lost_total'))).toBeGreaterThanOrEqual(2);
    expect(warnings.filter(event => event === 'check task failed')).toHaveLength(failed);
    await expectHealthy(pool);
  });
});

describe('a thread that hangs', () => {
  it('is reported, also when it answers again', async () => {
    const gate = new ScriptedCheck('waitAtGate');
    const warnings: string[] = [];
    const warn = (event: string): void => {
      warnings.push(event);
      gate.openGate();
    };
    const { pool, metrics } = await start(2, FAULTY, { pulseMs: 100, log: { ...silentLog, warn } });
    expect(await pool.verify(gate, 'proven')).toEqual(ok(true));
    await expect.poll(() => warnings).toContain('check worker answers again');
    // On a busy machine a thread may seem to hang for another pulse: that is reported, too.
    const [silent, again] = ['check worker does not answer', 'check worker answers again'];
    expect(warnings.slice(0, 2)).toEqual([silent, again]);
    expect(new Set(warnings)).toEqual(new Set([silent, again]));
    const reported = warnings.filter(event => event === silent).length;
    expect(metrics.read(metrics.counter('pool_workers_silent_total'))).toBeGreaterThanOrEqual(reported);
    await expectHealthy(pool);
  });
});

describe('a thread that waits for tasks', () => {
  const idle = shared(1, FAULTY);

  it('lets its timers fire', async () => {
    const { pool } = idle();
    const timer = new ScriptedCheck('leaveTimer');
    await pool.verify(timer, 'proven');
    expect(pool.tasksInFlight).toBe(0);
    await timer.countsBeyond(timer.read('count') + 5);
  });

  it('serves its sockets', async () => {
    const { pool } = idle();
    const server = new ScriptedCheck('leaveServer');
    await pool.verify(server, 'proven');
    expect(await text(connect(server.read('port'), '127.0.0.1'))).toBe('alive');
  });
});
