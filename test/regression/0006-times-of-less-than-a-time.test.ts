// Found by the fuzz target "venue documents": Date.parse accepts nearly anything. A market with the closing time "5" had closed in May
// 2001, and a year 10000 stood in the catalog. An error number of venue E that was an object ended the reading thread.

import { expect, it } from 'vitest';
import { timeOf } from '../../src/venues/discovery-fields.ts';
import { marketFactsIn } from '../../src/venues/venue-b/market-facts.ts';
import { unwrap } from '../../src/venues/venue-e/market-document.ts';

it.each(['5', '10000', 'May 1', '2026', '2026-11', '+020000-01-01T00:00:00Z', '1969-12-31T00:00:00Z'])(
  '%s is no time of a market',
  text => {
    expect(timeOf(text)).toBeNull();
    const price_ranges = [{ start: '0.0000', end: '1.0000', step: '0.0100' }];
    const market = { ticker: 'KXA', status: 'active', close_time: text, price_ranges };
    expect(marketFactsIn({ market })).toMatchObject({ phase: 'OPEN', closeTime: 0 });
  },
);

it.each(['2026-10-08 02:00:00+00', '2026-10-08T02:00:00Z', '2026-10-08T02:00:00.000000+00:00'])(
  '%s is a time',
  text => {
    expect(timeOf(text)).toBe(Date.UTC(2026, 9, 8, 2));
  },
);

it.each(['{"toString":1}', `${'['.repeat(50_000)}${']'.repeat(50_000)}`])('an error number may be anything', errno => {
  const body = JSON.parse(`{"errno":${errno},"errmsg":"no"}`);
  expect(unwrap({ type: 'json', status: 200, body })).toEqual({ type: 'odd', words: 'HTTP 200, errno none: no' });
});
