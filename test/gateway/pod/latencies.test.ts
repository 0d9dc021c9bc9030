// Latencies by stage, and the count of submissions, from the metrics of a process.

import { expect, it } from 'vitest';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { latencies, submissionsCounted } from '../../../src/gateway/pod/latencies.ts';

it('sums the series of a stage, and leaves out what was not counted', () => {
  const operations = ['submitVenueAOrder', 'tradeSubmit', 'cancelVenueBOrder', 'getVenueAOrder'];
  const metrics = new Metrics({ operations });
  metrics.answers('submitVenueAOrder')(201, 600);
  metrics.answers('tradeSubmit')(201, 600);
  metrics.answers('tradeSubmit')(503, 90_000_000);
  metrics.answers('getVenueAOrder')(200, 5);
  metrics.observe(metrics.histogram('upstream_request_seconds', 'venue_b', 'submit'), 1_000);
  metrics.observe(metrics.histogram('upstream_request_seconds', 'venue_b', 'read'), 9_000);
  const found = new Map(latencies(metrics).map(({ stage, buckets }) => [stage, buckets]));
  expect(found.get('submit')).toEqual([
    { endUs: 600, count: 2 },
    { endUs: null, count: 1 },
  ]);
  expect(found.get('venue_b')).toEqual([{ endUs: 1_000, count: 1 }]);
  expect([found.get('cancel'), found.get('venue_a'), found.get('signature')]).toEqual([[], [], []]);
  expect(submissionsCounted(metrics)).toBe(3);
});
