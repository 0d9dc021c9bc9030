// Reading of the heap lines that the gateway's threads write.

import { expect, it } from 'vitest';
import { COLLECT_EVERY_MS, type HeapLine, pointsByThread } from './heaps.ts';

const QUARTERS_OF_MINUTES_PER_HOUR = 240;

const line = (thread: string, moment: number, heapBytes: number): HeapLine => {
  const at = moment * QUARTERS_OF_MINUTES_PER_HOUR * COLLECT_EVERY_MS;
  return { thread, at, heapBytes, externalBytes: 1_000 + heapBytes };
};
const LINES = [
  line('10 feed-worker', 1, 100),
  line('2 engine-worker', 1, 20),
  line('10 feed-worker', 2, 101),
  line('2 engine-worker', 3, 30),
];

it('each thread has its own points by the hour, in the order of their numbers', () => {
  const [worker, feed] = [
    [
      { x: 1, y: 20 },
      { x: 3, y: 30 },
    ],
    [
      { x: 1, y: 100 },
      { x: 2, y: 101 },
    ],
  ];
  expect([...pointsByThread(LINES, 'heapBytes')]).toEqual([
    ['2 engine-worker', worker],
    ['10 feed-worker', feed],
  ]);
  const outside = (points: typeof worker) => points!.map(({ x, y }) => ({ x, y: 1_000 + y }));
  expect([...pointsByThread(LINES, 'externalBytes').values()]).toEqual([outside(worker), outside(feed)]);
});
