// The check pool with real threads: every check gets its answer, the bounds hold, and an idle thread stays. check-pool.deaths.test.ts has
// threads that die.

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../../src/core/domain/result.ts';
import { monotonicUs } from '../../../src/core/runtime/clock.ts';
import { limits } from '../../../src/limits.ts';
import { ScriptedCheck } from './behaviour.ts';
import { expectHealthy, FAULTY, type Started, shared, signedCheck, someChecks, start } from './check-pool-rig.ts';

const PAGE = {
  name: 'event-markets',
  caller: { podId: 'p', actorId: 'a', keyId: 'k' },
  ...{ eventId: 'e', catalog: null, tradable: [] },
} as const;

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
