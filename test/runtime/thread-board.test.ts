// What threads show on the board that they share: whose it is, and what becomes of the places of those that have died.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { ThreadBoard } from '../../src/runtime/thread-board.ts';

const { threadPulsesMissedMax, vitalPulsesMissedMax } = limits;

/** As a thread sees it. */
const onThread = (board: ThreadBoard): ThreadBoard => new ThreadBoard(board.memory);

function newsOf(board: ThreadBoard, alive: readonly number[], looks: number): string[] {
  return Array.from({ length: looks }, () => board.look(alive)).flat();
}

it('tells of the pulse of each thread that there is, and of no other', () => {
  const board = ThreadBoard.for(2);
  const [one, other] = [onThread(board).take(7).pulse, onThread(board).take(9).pulse];
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
  const board = ThreadBoard.for(1);
  for (let threadId = 1; threadId <= 40; threadId++) {
    const { pulse } = onThread(board).take(threadId);
    pulse.beat();
    expect(newsOf(board, [threadId], threadPulsesMissedMax)).toEqual([]);
    expect(newsOf(board, [], 1)).toEqual([]);
  }
});

it('has no place for more threads than can die between two looks', () => {
  const board = ThreadBoard.for(1);
  for (const threadId of [1, 2, 3, 4]) onThread(board).take(threadId);
  expect(() => onThread(board).take(5)).toThrow('a place on the board');
  board.look([4]);
  onThread(board).take(5);
});

it('counts what each thread has at venues, and forgets what a thread had that has died', () => {
  const board = ThreadBoard.for(1);
  const [one, other] = [onThread(board).take(7), onThread(board).take(9)];
  for (const place of [one, one, other]) place.noteAtVenues(1);
  one.noteAtVenues(-1);
  one.noteAtVenues(1);
  expect([7, 9, 8].map(threadId => board.atVenues(threadId))).toEqual([2, 1, 0]);
  board.look([9]);
  expect([7, 9].map(threadId => board.atVenues(threadId))).toEqual([0, 1]);
  onThread(board).take(11);
  expect(board.atVenues(11)).toBe(0);
});
