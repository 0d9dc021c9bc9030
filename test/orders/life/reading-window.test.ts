// Which part of an account's fills is requested, with and without failures before.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { limits } from '../../../src/limits.ts';
import { ReadingWindow } from '../../../src/orders/life/reading-window.ts';

const HOUR_MS = 3_600_000;
const OVERLAP_MS = limits.accountReadOverlapMs;
const SINCE = 0 as UnixMillis;
const END = (16 * HOUR_MS) as UnixMillis;

function failing(times: number): ReadingWindow {
  const window = new ReadingWindow();
  for (let time = 0; time < times; time += 1) window.shrink(window.next(SINCE, END), END);
  return window;
}

it('a window covers everything, also after one failure', () => {
  const all = { since: SINCE, until: null };
  for (const times of [0, 1]) expect(failing(times).next(SINCE, END)).toEqual(all);
});

it('a window is half as long after two failures, and halves with each further one, but has twice the overlap at least', () => {
  expect(failing(2).next(SINCE, END)).toEqual({ since: SINCE, until: 8 * HOUR_MS });
  expect(failing(3).next(SINCE, END)).toEqual({ since: SINCE, until: 4 * HOUR_MS });
  expect(failing(30).next(SINCE, END)).toEqual({ since: SINCE, until: 2 * OVERLAP_MS });
});

it('a window goes on where a part has ended, with some overlap, and is twice as long each time, until all is read', () => {
  const window = failing(3);
  window.advance(window.next(SINCE, END));
  const second = window.next(SINCE, END);
  expect(second).toEqual({ since: 4 * HOUR_MS - OVERLAP_MS, until: 12 * HOUR_MS - OVERLAP_MS });
  window.advance(second);
  const third = window.next(SINCE, END);
  expect(third).toEqual({ since: 12 * HOUR_MS - 2 * OVERLAP_MS, until: null });
  window.advance(third);
  // The parts of the reading are done.
  const later = (END + 24 * HOUR_MS) as UnixMillis;
  expect(window.next(END, later)).toEqual({ since: END, until: null });
});

it('a window begins anew where something older is wanted, or the clock was set back', () => {
  const window = failing(3);
  window.advance(window.next(SINCE, END));
  expect(window.next(SINCE, (2 * HOUR_MS) as UnixMillis)).toEqual({ since: SINCE, until: null });
  window.restart();
  expect(window.next(SINCE, END)).toEqual({ since: SINCE, until: 8 * HOUR_MS });
});
