// Counters and histograms in shared memory: no count of several threads is lost or misplaced.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LABEL_VALUES } from '../../../src/core/metrics/metric-table.ts';
import { BUCKETS, bucketEndUs, bucketOf, LONGEST_US, Metrics } from '../../../src/core/metrics/metrics.ts';
import type { HammerData } from './metrics-worker.ts';

describe('metrics of several threads', () => {
  it('lose no count', async () => {
    const metrics = new Metrics({ operations: [] });
    const rounds = 200_000;
    // The durations are neighbours or equal, so that the threads use the same buckets.
    const perThread = [
      [0.5, 60, 61.25, 1_000],
      [60, 60, 1_000, 5_000_000.125],
      [0.5, 60, 99_000_000, 1_000],
    ];
    const missing = new Int32Array(new SharedArrayBuffer(4)).fill(perThread.length);
    const threads = perThread.map(durationsUs => {
      const data: HammerData = { parts: metrics.shared, durationsUs, rounds, missing };
      return new Worker(new URL('./metrics-worker.ts', import.meta.url), { workerData: data });
    });
    await Promise.all(threads.map(thread => once(thread, 'exit')));

    const all = perThread.flat();
    const expected = new Map<number, number>();
    for (const duration of all) expected.set(bucketOf(duration), (expected.get(bucketOf(duration)) ?? 0) + rounds);
    const { counts, count, sumUs } = metrics.reading(metrics.histogram('pool_wait_seconds'));
    expect(metrics.read(metrics.counter('pool_tasks_total'))).toBe(all.length * rounds);
    expect(count).toBe(all.length * rounds);
    expect(sumUs).toBe(all.reduce((sum, it) => sum + it, 0) * rounds);
    expect(new Map([...counts.entries()].filter(([, it]) => it > 0))).toEqual(
      new Map([...expected].sort(([a], [b]) => a - b)),
    );
  });
});

describe('a counter', () => {
  it('passes 32 bits', () => {
    const metrics = new Metrics({ operations: [] });
    const busy = metrics.counter('pool_busy_total');
    for (let i = 0; i < 3; i++) metrics.add(busy, 2 ** 32 - 1);
    expect(metrics.read(busy)).toBe(3 * (2 ** 32 - 1));
  });

  it('has a slot of its own for every choice of labels, and so has every histogram', () => {
    const metrics = new Metrics({ operations: ['whoami', 'time'] });
    const counters = [...metrics.counters.values()].flat();
    const histograms = [...metrics.histograms.values()].flat();
    for (const { slot } of counters) metrics.add(slot);
    for (const { slot } of histograms) metrics.observe(slot, 1);
    expect(counters.map(({ slot }) => metrics.read(slot))).toEqual(counters.map(() => 1));
    expect(histograms.map(({ slot }) => metrics.reading(slot)).map(({ count, sumUs }) => [count, sumUs])).toEqual(
      histograms.map(() => [1, 1]),
    );
  });

  it('is not had with a label that is not in the table', () => {
    const metrics = new Metrics({ operations: ['whoami'] });
    expect(() => metrics.counter('http_requests_total', 'teapot', '2xx')).toThrow('http_requests_total');
    expect(() => metrics.histogram('http_request_seconds', 'teapot')).toThrow('http_request_seconds');
    expect(() => new Metrics({ operations: ['a"b'] })).toThrow('a"b');
  });
});

describe('the answers of an operation', () => {
  it.each([
    [101, '1xx'],
    [200, '2xx'],
    [201, '2xx'],
    [304, '3xx'],
    [400, '4xx'],
    [401, '401'],
    [403, '403'],
    [422, '4xx'],
    [429, '429'],
    [500, '5xx'],
    [503, '503'],
    [504, '5xx'],
  ] as const)('%i count as %s', (status, label) => {
    const metrics = new Metrics({ operations: ['whoami', 'time'] });
    metrics.answers('time')(status, 250);
    const counted = LABEL_VALUES.status.filter(
      it => metrics.read(metrics.counter('http_requests_total', 'time', it)) > 0,
    );
    expect(counted).toEqual([label]);
    expect(metrics.reading(metrics.histogram('http_request_seconds', 'time'))).toMatchObject({ count: 1, sumUs: 250 });
    expect(metrics.reading(metrics.histogram('http_request_seconds', 'whoami')).count).toBe(0);
  });
});

describe('a gauge', () => {
  it('is what its owner says at that moment', () => {
    const metrics = new Metrics({ operations: [] });
    expect(metrics.rowsOf('pool_tasks_in_flight')).toEqual([]);
    let value = 3;
    metrics.gauge('pool_tasks_in_flight', () => value);
    value = 4;
    expect(metrics.rowsOf('pool_tasks_in_flight')).toEqual([{ values: [], value: 4 }]);
  });
});

/** A duration from 1 us to a minute, in steps of a nanosecond. Every decade is equally likely. */
const durationUs = fc
  .tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 1_000, max: 10_000 }))
  .map(([decade, thousandths]) => Math.min(LONGEST_US, (thousandths * 10 ** decade) / 1_000));

describe('a bucket', () => {
  it('holds what is up to its end and beyond the end of the one before', () => {
    fc.assert(
      fc.property(durationUs, duration => {
        const bucket = bucketOf(duration);
        expect(duration).toBeLessThanOrEqual(bucketEndUs(bucket));
        if (bucket > 0) expect(duration).toBeGreaterThan(bucketEndUs(bucket - 1));
      }),
    );
  });

  it('is found again by its own end, for all of them in order', () => {
    const finite = Array.from({ length: BUCKETS - 1 }, (_, bucket) => bucket);
    expect(finite.map(bucket => bucketOf(bucketEndUs(bucket)))).toEqual(finite);
    expect(bucketEndUs(BUCKETS - 2)).toBe(LONGEST_US);
  });

  it('has a middle within 12.5 % of what is in it', () => {
    fc.assert(
      fc.property(durationUs, duration => {
        const bucket = bucketOf(duration);
        const middle = bucket === 0 ? 1 : (bucketEndUs(bucket - 1) + bucketEndUs(bucket)) / 2;
        expect(Math.abs(middle - duration)).toBeLessThanOrEqual(duration / 8);
      }),
    );
  });

  it('takes what is shorter or longer than the range', () => {
    expect(bucketOf(0)).toBe(0);
    expect(bucketOf(LONGEST_US + 1)).toBe(BUCKETS - 1);
    expect(bucketOf(Number.POSITIVE_INFINITY)).toBe(BUCKETS - 1);
  });
});
