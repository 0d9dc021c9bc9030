// Idempotency keys: the layout of RFC 9562 §5.7, their time, and their increase even if the clock is set back.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UuidV7Source } from '../../../src/tools/client/uuid-v7.ts';

const LAYOUT = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const START_MS = 1_795_237_201_000;

/** Returns the first 48 bits of the id, which are Unix milliseconds by RFC 9562. */
function millisOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

describe('an idempotency key', () => {
  it('has the layout, the time and no twin', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 2 }), nowMs => {
        const source = new UuidV7Source(() => nowMs + 0.9);
        const ids = [source.next(), source.next()];
        for (const id of ids) expect(id).toMatch(LAYOUT);
        expect(ids.map(millisOf)).toEqual([nowMs, nowMs]);
        expect(ids[1]! > ids[0]!).toBe(true);
      }),
    );
  });

  it('rises through a clock that stands, runs or goes back a little', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 2, maxLength: 50 }), steps => {
        let nowMs = START_MS;
        const source = new UuidV7Source(() => nowMs);
        const ids = steps.map(stepMs => {
          // The clock is never 10 s behind the latest time that it has shown.
          nowMs = START_MS + Math.abs(stepMs);
          return source.next();
        });
        expect(ids.toSorted()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it('rises through more ids than a millisecond has numbers for', () => {
    const source = new UuidV7Source(() => START_MS);
    const ids = Array.from({ length: 3 * 4_096 }, () => source.next());
    expect(ids.toSorted()).toEqual(ids);
    expect(millisOf(ids.at(-1)!) - START_MS).toBeLessThan(7);
  });

  it('follows a clock that was set back', () => {
    let nowMs = START_MS;
    const source = new UuidV7Source(() => nowMs);
    source.next();
    nowMs -= 600_000;
    expect(millisOf(source.next())).toBe(nowMs);
  });

  it('starts anew in every source', () => {
    const ids = Array.from({ length: 1_000 }, () => new UuidV7Source(() => START_MS).next());
    expect(new Set(ids).size).toBe(ids.length);
  });
});
