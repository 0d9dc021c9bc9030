// Which outcomes of a request are worth another.

import { expect, it } from 'vitest';
import type { OutboundOutcome } from '../../src/net/outbound.ts';
import { askAgainIfLost } from '../../src/venues/ask-again.ts';

const LOST: OutboundOutcome = { type: 'lost', message: 'reset' };
const LATE: OutboundOutcome = { type: 'timeout', message: 'no answer in time' };
const FAILED: OutboundOutcome = { type: 'answer', status: 503, headers: new Map(), body: new Uint8Array() };

it.each([
  ['lost, once more', [LOST, FAILED], true, [FAILED]],
  ['lost twice, not a third time', [LOST, LOST, FAILED], true, [LOST]],
  ['lost, and there is no time left', [LOST, FAILED], false, [LOST]],
  ['answered, whatever the answer', [FAILED, LOST], true, [FAILED]],
  ['late', [LATE, FAILED], true, [LATE]],
])('%s', async (_what, outcomes, isInTime, [last]) => {
  const script = outcomes.values();
  const outcome = await askAgainIfLost(
    async () => script.next().value!,
    () => isInTime,
  );
  expect(outcome).toBe(last);
});
