// The check pool with real threads that die or hang: every check gets one correct answer.

import { describe, expect, it } from 'vitest';
import { fail, ok } from '../../../src/core/domain/result.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { ScriptedCheck } from './behaviour.ts';
import { expectHealthy, FAULTY, isRight, shared, someChecks, start } from './check-pool-rig.ts';

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
