// Reads the private stream's messages about order groups (venue-b.md §5.7, §10.4), and finds the orders that a triggered group has
// cancelled. The venue gives no reason for the ends of these orders. Its messages about orders and about groups may come in either
// sequence. Engine thread.

import { BoundedMap } from '../../../core/domain/bounded-map.ts';
import { type JsonObject, textOf } from '../../../core/domain/json.ts';
import { countUnknown } from '../../../core/metrics/unknown-words.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import type { PrivateEvent, VenueOrder } from '../../venue.ts';
import { venueIdOf } from '../../wire-values.ts';
import { statedReasonIn } from './reported-rows.ts';

/**
 * The most triggered groups that are remembered; `CANCELS_MAX` is the most orders that are. Beyond that the oldest is forgotten, and the
 * order's end has no reason.
 */
const GROUPS_MAX = 1_000;
const CANCELS_MAX = 10_000;
/** If a group triggers this much later than an order was cancelled, the group has not cancelled the order. */
const NEWS_MS = 5_000;

interface Cancelled {
  readonly order: VenueOrder;
  readonly groupId: string;
  readonly at: number;
}

export class GroupNews {
  readonly #timers: Timers;
  readonly #tell: (event: PrivateEvent) => void;
  #triggered = new BoundedMap<string, true>(GROUPS_MAX);
  /** Orders of groups that were cancelled without a stated reason, by the venue's id. */
  #unexplained = new BoundedMap<string, Cancelled>(CANCELS_MAX);

  constructor(timers: Timers, tell: (event: PrivateEvent) => void) {
    this.#timers = timers;
    this.#tell = tell;
  }

  /** Forgets all earlier messages, because messages may have been missed since then. */
  forget(): void {
    this.#triggered = new BoundedMap(GROUPS_MAX);
    this.#unexplained = new BoundedMap(CANCELS_MAX);
  }

  handle(message: JsonObject): void {
    const groupId = venueIdOf(message.order_group_id);
    if (groupId === '') return;
    switch (message.event_type) {
      case 'triggered':
        this.#triggered.set(groupId, true);
        this.#tell({ type: 'group', groupId, change: 'triggered', sentAt: null });
        this.#explain(groupId);
        break;
      case 'reset':
        this.#triggered.delete(groupId);
        this.#tell({ type: 'group', groupId, change: 'reset', sentAt: null });
        break;
      case 'deleted':
        this.#triggered.delete(groupId);
        this.#tell({ type: 'group', groupId, change: 'gone', sentAt: null });
        break;
      case 'created':
      case 'limit_updated':
        break;
      default:
        countUnknown('venue_b', 'order_group_event', message.event_type);
    }
  }

  /** Returns an order of the stream. If its group has triggered, the group is given as the reason of the order's end. */
  withReason(order: VenueOrder, message: JsonObject): VenueOrder {
    const groupId = venueIdOf(message.order_group_id);
    if (groupId === '' || textOf(message.status) !== 'canceled') return order;
    // A good-till-time order that ended before its time has the reason VENUE by that alone, so its reason does not count as stated.
    if (order.reason === 'EXPIRED' || statedReasonIn(message) !== undefined) return order;
    if (this.#triggered.get(groupId) === true) return { ...order, reason: 'PROTECTION' };
    this.#unexplained.set(order.venueOrderId, { order, groupId, at: this.#timers.elapsed() });
    return order;
  }

  #explain(groupId: string): void {
    const since = this.#timers.elapsed() - NEWS_MS;
    for (const [venueOrderId, cancelled] of [...this.#unexplained.entries()]) {
      if (cancelled.groupId !== groupId) continue;
      this.#unexplained.delete(venueOrderId);
      if (cancelled.at >= since) this.#tell({ type: 'order', order: { ...cancelled.order, reason: 'PROTECTION' } });
    }
  }
}
