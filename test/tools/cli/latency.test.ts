// Measured durations as samples, compared with a twin that keeps each duration.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { venueLatencies } from '../../../src/gateway/pod/latencies.ts';
import { limits } from '../../../src/limits.ts';
import { samplesOf } from '../../../src/tools/cli/latency.ts';

it('a sample is the duration of its rank, within a bucket, and at most the latency that a file may have', () => {
  const durations = fc.array(fc.integer({ min: 1, max: 200_000_000 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(durations, given => {
      const metrics = new Metrics({ operations: [] });
      const submits = metrics.histogram('upstream_request_seconds', 'venue_b', 'submit');
      for (const us of given) metrics.observe(submits, us);
      const sorted = given.toSorted((one, other) => one - other);
      const samples = samplesOf(venueLatencies(metrics).venue_b.order);
      expect(samples).toHaveLength(100);
      for (const [at, ms] of samples.entries()) {
        const exactMs = sorted[Math.ceil(((at + 0.5) / 100) * sorted.length) - 1]! / 1_000;
        if (exactMs > limits.paperLatencyMsMax) expect(ms).toBe(limits.paperLatencyMsMax);
        else expect([ms >= exactMs, ms <= exactMs * 1.3 + 0.001]).toEqual([true, true]);
      }
    }),
  );
});

it('nothing that was measured is no sample', () => {
  const { venue_a: none } = venueLatencies(new Metrics({ operations: [] }));
  expect([samplesOf(none.order), samplesOf(none.cancel)]).toEqual([[], []]);
});
