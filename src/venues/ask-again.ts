// Repeats a read-only request once if its connection broke, as kept connections may at any moment. Readers that wait for a turn
// before each request have their own loop (market-read-http.ts, venue-b/trading/rest.ts). Any thread.

import type { OutboundOutcome } from '../net/outbound.ts';

/** `isInTime`: whether time is left for another request. */
export async function askAgainIfLost(
  ask: () => Promise<OutboundOutcome>,
  isInTime: () => boolean = () => true,
): Promise<OutboundOutcome> {
  const outcome = await ask();
  return outcome.type === 'lost' && isInTime() ? ask() : outcome;
}
