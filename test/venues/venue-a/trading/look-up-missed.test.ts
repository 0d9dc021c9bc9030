// The time for which an order was not found, look-up by look-up.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import { MissedOrders } from '../../../../src/venues/venue-a/trading/look-up.ts';

const at = (ms: number) => (1_790_000_000_000 + ms) as UnixMillis;
const GAP = limits.venueAMissGapMs;

it.each<[string, readonly number[], number]>([
  ['the first look says nothing', [0], 0],
  ['looks follow each other', [0, 10, 40_000], 40_000],
  ['two are as far apart as they may be', [0, GAP, 2 * GAP], 2 * GAP],
  ['two are too far apart: it may have been shown between them', [0, GAP + 1, GAP + 11], 10],
  ['the clock was set back: nobody knows for how long', [0, 1_000, -5_000, -4_000], 1_000],
])('%s', (_what, looks, missedMs) => {
  const missed = new MissedOrders();
  expect(looks.map(ms => missed.noteMiss('a', at(ms))).at(-1)).toBe(missedMs);
});

it('an order that was shown again is missed anew', () => {
  const missed = new MissedOrders();
  missed.noteMiss('a', at(0));
  missed.forget('a');
  expect(missed.noteMiss('a', at(1_000))).toBe(0);
});

it('the first of more than venueAOrdersMissedMax missed orders is forgotten', () => {
  const missed = new MissedOrders();
  for (let number = 0; number <= limits.venueAOrdersMissedMax; number += 1) missed.noteMiss(`${number}`, at(0));
  expect([missed.noteMiss('1', at(1_000)), missed.noteMiss('0', at(1_000))]).toEqual([1_000, 0]);
});
