// A request that changes nothing is made once more if the connection broke under it, as kept connections may at any moment.
// Whoever also waits for a turn before each request has a loop of its own (market-read-http.ts, venue-b/trading/rest.ts). Any thread.

import type { OutboundOutcome } from '../net/outbound.ts';

/** `isInTime`: whether there is time for another. */
export async function askAgainIfLost(
  ask: () => Promise<OutboundOutcome>,
  isInTime: () => boolean = () => true,
): Promise<OutboundOutcome> {
  const outcome = await ask();
  return outcome.type === 'lost' && isInTime() ? ask() : outcome;
}
