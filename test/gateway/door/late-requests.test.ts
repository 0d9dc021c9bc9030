// Only requests that a thread reads after it stood still are late.

import { expect, it } from 'vitest';
import { LateRequests } from '../../../src/gateway/door/trade-door.ts';
import { limits } from '../../../src/limits.ts';

const BEAT_US = limits.engineBeatMs * 1_000;
const SILENCE_US = limits.venueAnswerTimeoutMs * 1_000;

function rig() {
  let nowUs = 5e9;
  const requests = new LateRequests(() => nowUs);
  return {
    requests,
    pass: (us: number) => {
      nowUs += us;
    },
  };
}

it('nothing is late while the thread goes on', () => {
  const { requests, pass } = rig();
  for (let beat = 0; beat < 100; beat++) {
    pass(BEAT_US);
    expect(requests.mayBeLate).toBe(false);
    requests.beat();
    expect(requests.mayBeLate).toBe(false);
  }
});

it('requests that are read right after a silence are late: in the same turn, and in the turns up to the next beat', () => {
  const { requests, pass } = rig();
  pass(SILENCE_US + 1);
  expect(requests.mayBeLate).toBe(true);
  requests.beat();
  expect(requests.mayBeLate).toBe(true);
  pass(BEAT_US - 1);
  expect(requests.mayBeLate).toBe(true);
  pass(1);
  expect(requests.mayBeLate).toBe(false);
});

it('a pause that is no silence makes nothing late', () => {
  const { requests, pass } = rig();
  pass(SILENCE_US);
  expect(requests.mayBeLate).toBe(false);
  requests.beat();
  expect(requests.mayBeLate).toBe(false);
});
