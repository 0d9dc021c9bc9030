// The pulses of real threads, and the end of a process whose main thread has none.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { Pulse, PulseBoard } from '../../../src/core/runtime/pulse.ts';
import { limits } from '../../../src/limits.ts';
import { START_FLAGS } from '../../support/child-process.ts';
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
    spawnSync(process.execPath, [...START_FLAGS, child, ...args], {
      timeout: PATIENCE_MS,
      killSignal: 'SIGTERM',
      encoding: 'utf8',
    });

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

const { threadPulsesMissedMax, vitalPulsesMissedMax } = limits;

/** Returns the board as a thread sees it. */
const onThread = (board: PulseBoard): PulseBoard => new PulseBoard(board.memory);

function newsOf(board: PulseBoard, alive: readonly number[], looks: number): string[] {
  return Array.from({ length: looks }, () => board.look(alive)).flat();
}

it('a board of pulses tells of each thread that there is, and of no other', () => {
  const board = PulseBoard.for(2);
  const [one, other] = [onThread(board).take(7), onThread(board).take(9)];
  expect(newsOf(board, [7, 9], 2 * vitalPulsesMissedMax)).toEqual([]);
  one.beat();
  other.beat();
  expect(newsOf(board, [7, 9], threadPulsesMissedMax)).toEqual([]);
  one.beat();
  expect(board.look([7, 9])).toEqual(['silent']);
  other.beat();
  expect(board.look([7, 9])).toEqual(['back']);
  expect(newsOf(board, [7], vitalPulsesMissedMax)).toEqual(['silent', 'gone']);
  expect(newsOf(board, [7], vitalPulsesMissedMax)).toEqual([]);
});

it('a board gives the place of a thread that has died to another, which has missed nothing', () => {
  const board = PulseBoard.for(1);
  for (let threadId = 1; threadId <= 40; threadId++) {
    const pulse = onThread(board).take(threadId);
    pulse.beat();
    expect(newsOf(board, [threadId], threadPulsesMissedMax)).toEqual([]);
    expect(newsOf(board, [], 1)).toEqual([]);
  }
});

it('has no place for more threads than can die between two looks', () => {
  const board = PulseBoard.for(1);
  for (const threadId of [1, 2, 3, 4]) onThread(board).take(threadId);
  expect(() => onThread(board).take(5)).toThrow('a place for its pulse');
  board.look([4]);
  onThread(board).take(5);
});
