// What is made of the lines that the gateway's threads write.

import { expect, it } from 'vitest';
import { COLLECT_EVERY_MS, type HeapLine, pointsByThread, pointsOfAll } from './heaps.ts';

const line = (thread: string, moment: number, bytes: number): HeapLine => {
  return { thread, at: moment * COLLECT_EVERY_MS, bytes };
};
const LINES = [
  line('10 feed-worker', 4, 100),
  line('2 order-worker', 4, 20),
  line('10 feed-worker', 5, 101),
  line('2 order-worker', 8, 30),
  line('10 feed-worker', 8, 200),
];

it('each thread has its own points, in the order of their numbers', () => {
  expect([...pointsByThread(LINES)]).toEqual([
    [
      '2 order-worker',
      [
        { x: 1, y: 20 },
        { x: 2, y: 30 },
      ],
    ],
    [
      '10 feed-worker',
      [
        { x: 1, y: 100 },
        { x: 1.25, y: 101 },
        { x: 2, y: 200 },
      ],
    ],
  ]);
});

it('all together have one where every thread has spoken', () => {
  expect(pointsOfAll(LINES)).toEqual([
    { x: 1, y: 120 },
    { x: 2, y: 230 },
  ]);
});
