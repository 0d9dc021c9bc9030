// Metrics as Prometheus text, read back by a small reader of the format and compared with a twin that kept every duration.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { prometheusText } from '../../../src/core/metrics/prometheus.ts';

/** Returns the value of each series, by its name and labels as written. Throws if a line has not the format. */
function read(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.trimEnd().split('\n')) {
    if (/^# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram))$/.test(line)) continue;
    const [, series, value] =
      /^([a-z_]+(?:\{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*\})?) ([-+.0-9e]+)$/.exec(line) ?? [];
    if (series === undefined || samples.has(series)) throw new Error(`not a sample: ${line}`);
    samples.set(series, Number(value));
  }
  return samples;
}

describe('metrics as Prometheus text', () => {
  it('count for every bound exactly the durations up to it', () => {
    // The durations are whole and half microseconds, so that the ends of buckets and their neighbours occur.
    const durations = fc.array(
      fc.integer({ min: 1, max: 20_000_000 }).map(it => it / 2),
      { maxLength: 50 },
    );
    fc.assert(
      fc.property(durations, durationsUs => {
        const metrics = new Metrics({ operations: [] });
        const waits = metrics.histogram('pool_wait_seconds');
        for (const duration of durationsUs) metrics.observe(waits, duration);
        const samples = read(prometheusText(metrics));
        const bounds = [...samples.keys()].flatMap(
          it => /^crossbook_pool_wait_seconds_bucket\{le="(.*)"\}$/.exec(it)?.[1] ?? [],
        );
        expect(bounds.length).toBe(20);
        for (const bound of bounds) {
          const boundUs = bound === '+Inf' ? Number.POSITIVE_INFINITY : Math.round(Number(bound) * 1_000_000);
          const exact = durationsUs.filter(it => it <= boundUs).length;
          expect(samples.get(`crossbook_pool_wait_seconds_bucket{le="${bound}"}`)).toBe(exact);
        }
        expect(samples.get('crossbook_pool_wait_seconds_count')).toBe(durationsUs.length);
        const sumUs = durationsUs.reduce((sum, it) => sum + it, 0);
        expect(samples.get('crossbook_pool_wait_seconds_sum')).toBeCloseTo(sumUs / 1_000_000, 9);
      }),
    );
  });

  it('show what never happened as 0, and of unused operations only their faults', () => {
    const metrics = new Metrics({ operations: ['whoami', 'time'] });
    metrics.answers('time')(429, 70);
    const samples = read(prometheusText(metrics));
    expect(samples.get('crossbook_auth_failures_total{reason="clock"}')).toBe(0);
    expect(samples.get('crossbook_pool_faults_total')).toBe(0);
    expect([...samples].filter(([series]) => series.startsWith('crossbook_http_requests_total'))).toEqual([
      // The series begins with 0, because a rate does not see the first event of a series that begins with 1.
      ['crossbook_http_requests_total{operation="whoami",status="5xx"}', 0],
      ['crossbook_http_requests_total{operation="time",status="5xx"}', 0],
      ['crossbook_http_requests_total{operation="time",status="429"}', 1],
    ]);
    expect(samples.get('crossbook_http_request_seconds_bucket{operation="time",le="0.0001"}')).toBe(1);
    expect([...samples.keys()].filter(series => series.includes('whoami'))).toHaveLength(1);
  });

  it('show the counters of each venue', () => {
    const metrics = new Metrics({ operations: [] });
    const feed = { venue_a: () => 1, venue_b: (name: string) => (name === 'unknownTypes' ? 3 : 2) };
    metrics.countersByVenue({ feed, stream: { venue_a: () => 4 } });
    const samples = read(prometheusText(metrics));
    expect(samples.get('crossbook_feed_frames_total{venue="venue_a"}')).toBe(1);
    expect(samples.get('crossbook_feed_unknown_types_total{venue="venue_b"}')).toBe(3);
    expect(samples.get('crossbook_stream_busy_reads_total{venue="venue_a"}')).toBe(4);
  });

  it('show a gauge once its owner is known', () => {
    const metrics = new Metrics({ operations: [] });
    expect(read(prometheusText(metrics)).has('crossbook_pool_tasks_in_flight')).toBe(false);
    metrics.gauge('pool_tasks_in_flight', () => 7);
    expect(read(prometheusText(metrics)).get('crossbook_pool_tasks_in_flight')).toBe(7);
  });
});
