// The page of metrics is rendered at a bounded rate, at any rate of requests.

import { expect, it } from 'vitest';
import { MetricsPages } from '../../src/gateway/operational.ts';
import { limits } from '../../src/limits.ts';

it('the page is new for a bounded number of callers, and the latest one for all others', () => {
  let made = 0;
  const pages = new MetricsPages(() => ({ status: 200, contentType: 'text/plain', body: String(++made) }));
  const { metricsPagesPerS: perS, metricsPagesBurstMax: burstMax } = limits;
  for (let asked = 1; asked <= burstMax; asked++) expect(pages.pageAt(0).body).toBe(String(asked));
  for (let asked = 0; asked < 1_000; asked++) expect(pages.pageAt(0).body).toBe(String(burstMax));
  for (let asked = 0; asked < 1_000; asked++) pages.pageAt(1_000);
  expect(made).toBe(burstMax + perS);
});
