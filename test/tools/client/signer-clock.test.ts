// The gateway's clock as estimated from its answers: the first answer gives its middle, and no later answer makes the estimate worse.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServerClock } from '../../../src/tools/client/signer.ts';

const OWN_MS = 1_795_237_201_000;

describe('the clock of the gateway', () => {
  it('is our own until the first answer', () => {
    const clock = new ServerClock(() => OWN_MS);
    expect([clock.now(), clock.offsetMs, clock.isCompared]).toEqual([OWN_MS, 0, false]);
  });

  it('is taken to have answered halfway between sending and receiving', () => {
    const clock = new ServerClock(() => OWN_MS);
    clock.observe(OWN_MS, OWN_MS + 100, OWN_MS + 60_050);
    expect([clock.offsetMs, clock.now(), clock.isCompared]).toEqual([60_000, OWN_MS + 60_000, true]);
  });

  it('is not disturbed by a slow answer, and known better by a fast one', () => {
    const clock = new ServerClock(() => OWN_MS);
    clock.observe(OWN_MS, OWN_MS + 1_000, OWN_MS + 900);
    expect(clock.offsetMs).toBe(400);
    clock.observe(OWN_MS, OWN_MS + 5_000, OWN_MS + 5_000);
    expect(clock.offsetMs).toBe(450);
    clock.observe(OWN_MS, OWN_MS + 2, OWN_MS + 701);
    expect(clock.offsetMs).toBe(700);
  });

  it('is learnt anew where an answer contradicts', () => {
    const clock = new ServerClock(() => OWN_MS);
    clock.observe(OWN_MS, OWN_MS + 10, OWN_MS + 5);
    clock.observe(OWN_MS, OWN_MS + 10, OWN_MS - 99_995);
    expect(clock.offsetMs).toBe(-100_000);
  });

  it('is not learnt from an answer during which our own clock was set back', () => {
    const clock = new ServerClock(() => OWN_MS);
    clock.observe(OWN_MS, OWN_MS - 60_000, OWN_MS);
    expect(clock.isCompared).toBe(false);
  });

  it('is never further off than half of the fastest answer took', () => {
    const delayMs = fc.integer({ min: 0, max: 10_000 });
    const answers = fc.array(fc.tuple(delayMs, delayMs), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), answers, (offsetMs, roundTrips) => {
        const clock = new ServerClock(() => OWN_MS);
        for (const [thereMs, backMs] of roundTrips) {
          clock.observe(OWN_MS, OWN_MS + thereMs + backMs, OWN_MS + thereMs + offsetMs);
        }
        const fastestMs = Math.min(...roundTrips.map(([thereMs, backMs]) => thereMs + backMs));
        expect(Math.abs(clock.offsetMs - offsetMs)).toBeLessThanOrEqual(fastestMs / 2);
      }),
    );
  });
});
