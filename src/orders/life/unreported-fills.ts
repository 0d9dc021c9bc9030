// Searches the unreported fills of ended orders. The lists of all fills lag: a fill that appears after its time was read is in no later
// reading. The list of one order's fills has no such gap. Engine thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { Order, OrderId } from '../../core/domain/order.ts';
import { hasUnreported, unreportedOf } from '../../core/domain/order-sums.ts';
import { hasCome } from '../../core/runtime/timers.ts';
import type { StoredOrder } from '../../core/store/order-records.ts';
import { limits } from '../../limits.ts';
import type { AccountParts } from './account-parts.ts';
import { applyFound } from './evidence.ts';

interface Search {
  readonly looks: number;
  readonly dueAt: number;
  readonly pauseMs: number;
}

export class UnreportedFills {
  readonly #parts: Pick<AccountParts, 'account' | 'trading' | 'ledger' | 'timers'>;
  /** The searches by order. Orders whose search was given up stay. */
  readonly #searches = new Map<OrderId, Search>();

  constructor(parts: Pick<AccountParts, 'account' | 'trading' | 'ledger' | 'timers'>) {
    this.#parts = parts;
  }

  async searchDue(): Promise<void> {
    const { account, ledger, timers } = this.#parts;
    const now = timers.now();
    const unreported = new Set<OrderId>();
    for (const { order } of ledger.store.unreportedOrders(account)) {
      if (!isRecent(order, now)) continue;
      const { orderId } = order;
      unreported.add(orderId);
      // The missing fill usually arrives soon, so the first look-up can wait.
      const first = { looks: 0, dueAt: now + limits.accountReadMs, pauseMs: limits.accountReadMs };
      if (!this.#searches.has(orderId)) this.#searches.set(orderId, first);
    }
    for (const orderId of this.#searches.keys()) if (!unreported.has(orderId)) this.#searches.delete(orderId);
    const due = [...this.#searches.entries()].filter(([, search]) => isDue(search, now));
    await Promise.all(
      due.slice(0, limits.unreportedLooksPerReading).map(([orderId, search]) => this.#search(orderId, search)),
    );
  }

  async #search(orderId: OrderId, { looks, pauseMs }: Search): Promise<void> {
    const { ledger, trading, timers } = this.#parts;
    const stored = this.#orderOf(orderId);
    if (stored === null) return;
    const { order, intent } = stored;
    const { venueOrderId } = order;
    const named = intent ?? { payload: new Uint8Array(), venueOrderId, clientOrderId: orderId };
    const found = await trading.lookUp(order, named, (timers.now() + limits.lookTimeoutMs) as UnixMillis);
    if (found.type === 'found' && found.state === 'gone') applyFound(ledger, order, found);
    const search = { looks: looks + 1, dueAt: timers.now() + 2 * pauseMs, pauseMs: 2 * pauseMs };
    this.#searches.set(orderId, search);
    if (isGivenUp(search)) this.#giveUp(orderId);
  }

  #giveUp(orderId: OrderId): void {
    const order = this.#orderOf(orderId)?.order ?? null;
    if (order === null) return;
    const detail = { orderId, venueOrderId: order.venueOrderId ?? '', microShares: String(unreportedOf(order)) };
    this.#parts.ledger.change(entry => entry.diverged('fills-untold', detail));
  }

  /** Returns the order. Null means that its fills have arrived meanwhile. */
  #orderOf(orderId: OrderId): StoredOrder | null {
    const stored = this.#parts.ledger.store.order(orderId);
    return stored !== null && hasUnreported(stored.order) ? stored : null;
  }
}

function isRecent({ closedAt }: Order, now: UnixMillis): boolean {
  return closedAt !== null && closedAt > now - limits.accountFirstReadMs;
}

function isGivenUp({ looks }: Search): boolean {
  return looks >= limits.unreportedLooksMax;
}

function isDue(search: Search, now: UnixMillis): boolean {
  return !isGivenUp(search) && hasCome(search.dueAt, now, search.pauseMs);
}
