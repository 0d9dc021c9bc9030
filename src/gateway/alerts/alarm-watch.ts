// Finds what deserves an alarm: it hears of orders, and looks at stops and metrics once a second. What it found goes to the alerts' thread
// in one message. Main thread.

import type { AlarmOrder } from '../../core/alerts/alarm-request.ts';
import type { AlarmNews } from '../../core/alerts/alarm-sender.ts';
import type { AlarmKind } from '../../core/alerts/alert-settings.ts';
import { BoundedMap } from '../../core/domain/bounded-map.ts';
import { SECOND_MS } from '../../core/domain/durations.ts';
import type { MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import type { StopScope } from '../../core/domain/operation.ts';
import { isTerminal, type OrderId } from '../../core/domain/order.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { OpenOrder, OrderNews } from '../../orders/engine/engine-messages.ts';
import {
  COUNTER_CAUSES,
  type CounterCause,
  counterNow,
  GAUGE_CAUSES,
  type GaugeCause,
  gaugeNow,
} from './alarm-causes.ts';
import { alarmOrderOf, orderLine, type TitleOf } from './order-alarm.ts';

interface AlarmWatchParts {
  readonly kinds: readonly AlarmKind[];
  readonly metrics: Metrics;
  readonly stops: () => readonly StopScope[];
  readonly titleOf: TitleOf;
  readonly timers: Timers;
  readonly found: (news: readonly AlarmNews[]) => void;
}

const LOOK_MS = SECOND_MS;
/** An order without an answer of its venue counts as unknown after so long. Its caller has heard so long before. */
const UNKNOWN_MS = 15 * SECOND_MS;
/** Orders with fills, of which the traded quantity is kept, and orders that wait for the venue. */
const ORDERS_KEPT_MAX = 10_000;
/** Lines of one look; further ones are counted with the last line of their kind. */
const LINES_PER_LOOK_MAX = 100;

interface Raised {
  readonly since: number;
  isTold: boolean;
}

export class AlarmWatch {
  readonly #parts: AlarmWatchParts;
  readonly #traded = new BoundedMap<OrderId, MicroShares>(ORDERS_KEPT_MAX);
  /** Orders without the venue's answer, and when each came, by `elapsed()`. */
  readonly #unanswered = new BoundedMap<OrderId, { readonly order: OpenOrder; readonly since: number }>(
    ORDERS_KEPT_MAX,
  );
  readonly #raised = new Map<GaugeCause, Raised>();
  readonly #counted = new Map<CounterCause, ReadonlyMap<string, number>>();
  #stops: readonly StopScope[];
  #found: AlarmNews[] = [];
  #cancelLook: () => void = () => {};

  constructor(parts: AlarmWatchParts) {
    this.#parts = parts;
    this.#stops = parts.stops();
    for (const cause of COUNTER_CAUSES) this.#counted.set(cause, counterNow(cause, parts.metrics));
    this.#lookLater();
  }

  hear(news: readonly OrderNews[]): void {
    for (const { order } of news) if (order !== null) this.#hearOrder(order);
  }

  look(): void {
    this.#lookAtStops();
    this.#lookAtUnanswered();
    for (const cause of GAUGE_CAUSES) this.#lookAtGauge(cause);
    for (const cause of COUNTER_CAUSES) this.#lookAtCounter(cause);
    if (this.#found.length > 0) this.#parts.found(this.#found);
    this.#found = [];
  }

  close(): void {
    this.#cancelLook();
  }

  #lookLater(): void {
    this.#cancelLook = this.#parts.timers.after(LOOK_MS, () => {
      this.look();
      this.#lookLater();
    });
  }

  #hearOrder(order: OpenOrder): void {
    const { orderId, status, traded } = order;
    if (status === 'PENDING') {
      if (this.#unanswered.get(orderId) === undefined)
        this.#unanswered.set(orderId, { order, since: this.#parts.timers.elapsed() });
    } else this.#unanswered.delete(orderId);
    if (traded === 0 || this.#traded.get(orderId) === traded) return;
    this.#traded.set(orderId, traded);
    const end = isTerminal(status) ? ', and the order has ended' : '';
    this.#findOrder('fills', order, it => `${it.filled} traded at ${it.averagePrice}${end}`);
  }

  #lookAtStops(): void {
    const stops = this.#parts.stops();
    for (const scope of stops.filter(it => !this.#stops.includes(it))) this.#find('stops', `Stopped: ${scope}.`);
    for (const scope of this.#stops.filter(it => !stops.includes(it))) this.#find('stops', `Resumed: ${scope}.`);
    this.#stops = stops;
  }

  #lookAtUnanswered(): void {
    const now = this.#parts.timers.elapsed();
    for (const [orderId, { order, since }] of this.#unanswered.entries()) {
      if (now - since < UNKNOWN_MS) return;
      this.#unanswered.delete(orderId);
      this.#findOrder('outcomes', order, () => 'its outcome is unknown');
    }
  }

  #lookAtGauge(cause: GaugeCause): void {
    const { metrics, timers } = this.#parts;
    const { kind, above, forMs, says } = cause;
    const { sum, detail } = gaugeNow(cause, metrics);
    const raised = this.#raised.get(cause);
    if (sum > above) {
      const known = raised ?? { since: timers.elapsed(), isTold: false };
      this.#raised.set(cause, known);
      if (known.isTold || timers.elapsed() - known.since < forMs) return;
      known.isTold = true;
      this.#find(kind, detail === '' ? says : `${says} (${detail})`);
    } else if (raised !== undefined) {
      this.#raised.delete(cause);
      if (raised.isTold) this.#find(kind, `Over: ${says}`);
    }
  }

  #lookAtCounter(cause: CounterCause): void {
    const before = this.#counted.get(cause)!;
    const now = counterNow(cause, this.#parts.metrics);
    this.#counted.set(cause, now);
    for (const [label, value] of now) {
      const rise = value - before.get(label)!;
      if (rise > 0) this.#find(cause.kind, label === '' ? cause.says : `${cause.says} (${label})`, rise);
    }
  }

  #findOrder(kind: AlarmKind, order: OpenOrder, says: (order: AlarmOrder) => string): void {
    const shown = alarmOrderOf(order, this.#parts.titleOf);
    this.#find(kind, orderLine(shown, says(shown)), 1, shown);
  }

  #find(kind: AlarmKind, line: string, count = 1, order: AlarmOrder | null = null): void {
    if (!this.#parts.kinds.includes(kind)) return;
    const found = this.#found;
    const at: UnixMillis = this.#parts.timers.now();
    const last = found.length < LINES_PER_LOOK_MAX ? -1 : found.findLastIndex(it => it.kind === kind);
    if (last < 0) found.push({ kind, line, count, at, order });
    else found[last] = { ...found[last]!, count: found[last]!.count + count };
  }
}
