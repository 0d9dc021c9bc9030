// The bounded history of an exchange, which keeps the end of a list. Also the set of used ids, against a plain set.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownIds, RecordRing } from '../../src/paper/record-ring.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

const bound = fc.integer({ min: 1, max: 9 });

describe('a ring of records', () => {
  it('is the end of a list, backwards', () => {
    fc.assert(
      fc.property(bound, fc.array(fc.integer(), { maxLength: 40 }), (max, items) => {
        const ring = new RecordRing<number>(max);
        const gone = items.flatMap(item => ring.push(item));
        expect([...ring.newestFirst()]).toEqual(items.slice(-max).reverse());
        expect(gone).toEqual(items.slice(0, Math.max(items.length - max, 0)));
      }),
    );
  });

  it('keeps young records, and older ones up to its bound', () => {
    const pauses = fc.array(fc.nat(4), { maxLength: 60 });
    fc.assert(
      fc.property(fc.nat(5), bound, pauses, (max, ms, pausesMs) => {
        const timers = new VirtualTimers();
        const ring = new RecordRing<number>(max, { ms, timers });
        const times: number[] = [];
        const gone: number[] = [];
        for (const pauseMs of pausesMs) {
          timers.advance(pauseMs);
          times.push(timers.elapsed());
          gone.push(...ring.push(times.length - 1));
          const young = times.filter(time => time > timers.elapsed() - ms).length;
          const kept = Math.min(times.length, Math.max(max, young));
          expect([...ring.newestFirst()]).toEqual(
            times
              .map((_, number) => number)
              .slice(-kept)
              .reverse(),
          );
        }
        const kept = [...ring.newestFirst()].reverse();
        expect([...gone, ...kept]).toEqual(times.map((_, number) => number));
      }),
    );
  });

  it('forgets a burst that has grown old a thousand at a time', () => {
    const timers = new VirtualTimers();
    const ring = new RecordRing<number>(0, { ms: 1, timers });
    for (let number = 0; number < 2_500; number += 1) expect(ring.push(number)).toEqual([]);
    timers.advance(1);
    expect([1, 2, 3, 4].map(number => ring.push(-number).length)).toEqual([1_000, 1_000, 500, 0]);
    expect([...ring.newestFirst()]).toEqual([-4, -3, -2, -1]);
  });

  it('is no older for a clock that was set', () => {
    const timers = new VirtualTimers();
    const ring = new RecordRing<string>(0, { ms: 1_000, timers });
    ring.push('before');
    timers.setClock(86_400_000);
    expect(ring.push('after')).toEqual([]);
  });
});

describe('known ids', () => {
  it('have the ids that were added, in any form', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 200 }), fc.string(), (ids, other) => {
        const known = new KnownIds(1_000);
        const plain = new Set<string>();
        for (const id of ids) {
          expect(known.has(id)).toBe(plain.has(id));
          known.add(id);
          plain.add(id);
        }
        expect(ids.every(id => known.has(id))).toBe(true);
        expect(known.has(other)).toBe(plain.has(other));
      }),
    );
  });

  it('are distinct from a million others: UUIDs, hashes and numbers', () => {
    const forms = [
      (number: number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
      (number: number) => `0x${number.toString(16).padStart(64, '0')}`,
      (number: number) => String(number),
    ];
    const [added, asked] = [100_000, 300_000];
    for (const idOf of forms) {
      const known = new KnownIds(2 * added + 2);
      for (let number = 0; number < added; number += 1) known.add(idOf(number));
      let found = 0;
      for (let number = 0; number < added; number += 1) found += Number(known.has(idOf(number)));
      for (let number = added; number < asked; number += 1) found += Number(known.has(idOf(number)));
      expect(found).toBe(added);
    }
  });

  it('are kept up to half the bound at least, the oldest forgotten first', () => {
    const known = new KnownIds(1_000);
    for (let number = 0; number < 1_000; number += 1) known.add(String(number));
    expect(['0', '499', '500', '999', 'x'].map(id => known.has(id))).toEqual([false, false, true, true, false]);
  });

  it('that are added again take no room', () => {
    const known = new KnownIds(4);
    known.add('first');
    for (let time = 0; time < 10; time += 1) known.add('second');
    // The second id fills a generation, so both ids are now in the old generation.
    expect(['first', 'second'].map(id => known.has(id))).toEqual([true, true]);
  });
});
