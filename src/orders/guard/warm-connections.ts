// Keeps a connection to each account open. A new one takes a look-up of its host, which reads files, and the handshakes of TCP and TLS.
// The first cancel in a freeze has no time for them. Guard thread.

import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { VenueTrading } from '../../venues/venue.ts';

/** A connection counts as idle after three of them. */
const PAUSE_MS = limits.orderConnectionIdleMs / 3;

/** Keeps connections warm until the returned function is called. A request without an answer holds up its own account only. */
export function keepWarm(accounts: readonly Pick<VenueTrading, 'keepWarm'>[], timers: Timers): () => void {
  const cancels = new Set<() => void>();
  let isOver = false;
  const warm = async (account: Pick<VenueTrading, 'keepWarm'>): Promise<void> => {
    await account.keepWarm();
    if (isOver) return;
    const cancel = timers.after(PAUSE_MS, () => {
      cancels.delete(cancel);
      void warm(account);
    });
    cancels.add(cancel);
  };
  for (const account of accounts) void warm(account);
  return () => {
    isOver = true;
    for (const cancel of cancels) cancel();
  };
}
