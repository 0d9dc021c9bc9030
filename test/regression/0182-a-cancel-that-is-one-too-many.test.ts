// Found by simulation, as 0181, at venue A. A 429 on one cancel held all others back until it was over, and left them to retries that
// looked at each order first. A cancel of 500 orders took seven seconds, and a dead man's switch eleven. The venue's bucket of cancels
// allows it in five.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { limits } from '../../src/limits.ts';
import { orderAt, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';

const ID = `0x${'1'.repeat(64)}`;
/** Where the venue does not say when to come again. */
const SECOND_MS = 1_000 * limits.venueARetryAfterS;

/** Of which so many are refused. */
function cancels(refused: number) {
  let left = refused;
  const { trading, line, timers } = tradingOn({
    '/order': () => {
      left -= 1;
      return left >= 0 ? { status: 429, body: {} } : { body: { canceled: [ID], not_canceled: {} } };
    },
  });
  const order = { ...orderAt(timers), venueOrderId: ID };
  const begin = (timeoutMs: number) => trading.cancel(order, (timers.now() + timeoutMs) as UnixMillis);
  return { begin, line, timers };
}

it('the cancel is made when the venue takes it again, and so are those that come meanwhile', async () => {
  const { begin, line, timers } = cancels(1);
  const first = begin(limits.venueAnswerTimeoutMs);
  await timers.settle();
  const second = begin(limits.venueAnswerTimeoutMs);
  await timers.settle(SECOND_MS - 1);
  expect(line.requests).toHaveLength(1);
  await timers.settle(1);
  expect(await Promise.all([first, second])).toEqual([{ type: 'cancelled' }, { type: 'cancelled' }]);
});

it('the cancel is given up if it would be too late, or after three more attempts', async () => {
  const hasty = cancels(1);
  expect(await hasty.begin(SECOND_MS)).toMatchObject({ type: 'not-sent', retryAfterS: 1 });
  const { begin, line, timers } = cancels(Number.POSITIVE_INFINITY);
  const outcome = begin(limits.venueAnswerTimeoutMs);
  await timers.settle();
  for (let times = 0; times < 3; times += 1) await timers.settle(SECOND_MS);
  expect(await outcome).toMatchObject({ type: 'not-sent', retryAfterS: 1 });
  expect(line.requests).toHaveLength(4);
});
