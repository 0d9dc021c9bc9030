// The pulses of real threads, and the end of a process whose main thread has none.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { Pulse } from '../../../src/core/runtime/pulse.ts';
import { PATIENCE_MS } from '../../support/eventually.ts';

function start() {
  const [pulse, gate] = [new Pulse(), new Int32Array(new SharedArrayBuffer(4))];
  const workerData = { pulse: pulse.memory, gate: gate.buffer };
  return { pulse, gate, worker: new Worker(new URL('./beating-worker.ts', import.meta.url), { workerData }) };
}

const rises = (pulse: Pulse, above: number): Promise<void> => expect.poll(() => pulse.beats).toBeGreaterThan(above);

it('rises while its thread’s loop turns, and only then; it keeps no thread', async () => {
  const [one, other] = [start(), start()];
  await Promise.all([rises(one.pulse, 2), rises(other.pulse, 2)]);
  one.worker.postMessage('hang');
  await once(one.worker, 'message');
  const beats = one.pulse.beats;
  await rises(other.pulse, other.pulse.beats + 20);
  expect(one.pulse.beats).toBe(beats);
  Atomics.store(one.gate, 0, 1);
  Atomics.notify(one.gate, 0);
  await rises(one.pulse, beats);
  for (const { worker } of [one, other]) {
    worker.postMessage('close');
    await once(worker, 'exit');
  }
});

describe('a process whose main thread hangs', () => {
  const child = join(import.meta.dirname, 'hanging-main.ts');
  const ended = (...args: readonly string[]) =>
    spawnSync(process.execPath, [child, ...args], { timeout: PATIENCE_MS, killSignal: 'SIGTERM', encoding: 'utf8' });

  it('is ended and reported', () => {
    const { signal, stderr } = ended('for good');
    expect(signal).toBe('SIGKILL');
    expect(stderr).toBe('crossbook: the main thread hangs: no sign of life for 60 times 20 ms\n');
  });

  it('for a moment only goes on', () => {
    const { status, stderr } = ended('for a moment');
    expect([status, stderr]).toEqual([0, '']);
  });
});
