// Venue B as a whole: its composer hears of faults of ours, callers only see a 500.

import { expect, it } from 'vitest';
import { startPaperVenueB } from '../../src/paper/paper-venues.ts';
import { NO_FAULTS } from '../support/no-faults.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

it('tells of its own faults', async () => {
  const failures: unknown[] = [];
  const broken = new Error('a plan that breaks');
  const venue = await startPaperVenueB({
    catalog: { series: [], events: [] },
    timers: new VirtualTimers(),
    faults: {
      ...NO_FAULTS,
      ofRequest: () => {
        throw broken;
      },
    },
    seed: 1,
    host: '127.0.0.1',
    port: 0,
    mode: 'exact',
    onFailure: error => failures.push(error),
  });
  const answer = await fetch(`${venue.urls.rest}/exchange/status`);
  expect([answer.status, await answer.text(), failures]).toEqual([
    500,
    '{"error":{"code":"internal_server_error","message":"internal server error"}}',
    [broken],
  ]);
  venue.close();
});
