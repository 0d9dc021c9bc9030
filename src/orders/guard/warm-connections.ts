// Keeps a connection to each account's venue open. A new connection needs a look-up of its host, which reads files, and the handshakes of
// TCP and TLS. The first cancel in a freeze has no time for these. Guard thread.

import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { VenueTrading } from '../../venues/venue.ts';

/** The pause between two requests. A connection counts as idle after three such pauses. */
const PAUSE_MS = limits.orderConnectionIdleMs / 3;

/** Keeps the connections open until the returned function is called. A request that is not answered delays only its own account. */
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
