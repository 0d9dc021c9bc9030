// Pulses of threads on a shared board: which thread each belongs to, and how places of dead threads are reused.

import { expect, it } from 'vitest';
import { PulseBoard } from '../../../src/core/runtime/pulse.ts';
import { limits } from '../../../src/limits.ts';

const { threadPulsesMissedMax, vitalPulsesMissedMax } = limits;

/** As a thread sees it. */
const onThread = (board: PulseBoard): PulseBoard => new PulseBoard(board.memory);

function newsOf(board: PulseBoard, alive: readonly number[], looks: number): string[] {
  return Array.from({ length: looks }, () => board.look(alive)).flat();
}

it('tells of each thread that there is, and of no other', () => {
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

it('gives the place of a thread that has died to another, which has missed nothing', () => {
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
