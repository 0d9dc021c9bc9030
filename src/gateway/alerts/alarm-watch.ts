// Finds events that deserve an alarm. The watch hears of fills, and looks at open orders, stops and metrics once a second. It passes the
// findings of a look to the alerts' thread in one message. Main thread.

import type { AlarmOrder } from '../../core/alerts/alarm-request.ts';
import type { AlarmNews } from '../../core/alerts/alarm-sender.ts';
import type { AlarmKind } from '../../core/alerts/alert-settings.ts';
import { BoundedMap } from '../../core/domain/bounded-map.ts';
import { SECOND_MS } from '../../core/domain/durations.ts';
import { mayFail } from '../../core/domain/fill.ts';
import type { MicroShares, UnixMillis } from '../../core/domain/numbers.ts';
import type { StopScope } from '../../core/domain/operation.ts';
import { isTerminal, type OrderId } from '../../core/domain/order.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { OpenOrder, OrderNews } from '../../orders/engine/engine-messages.ts';
import {
  COUNTER_CAUSES,
  type CounterCause,
  counterValues,
  GAUGE_CAUSES,
  type GaugeCause,
  gaugeValues,
} from './alarm-causes.ts';
import { alarmOrderOf, orderLine, type TitleOf } from './order-alarm.ts';

interface AlarmWatchParts {
  readonly kinds: readonly AlarmKind[];
  readonly metrics: Metrics;
  readonly stops: () => readonly StopScope[];
  /** The open orders of all actors. An order belongs to them from the time at which its first byte may leave. */
  readonly openOrders: () => Iterable<OpenOrder>;
  readonly titleOf: TitleOf;
  readonly timers: Timers;
  readonly onAlarms: (news: readonly AlarmNews[]) => void;
}

const CHECK_INTERVAL_MS = SECOND_MS;
/** After this time without an answer of its venue, an order counts as unknown. Its caller has had an answer for long. */
const UNKNOWN_MS = 15 * SECOND_MS;
/** The number of orders with fills whose traded quantity is remembered. */
const ORDERS_KEPT_MAX = 10_000;
/** The number of lines in one look. Further findings are counted with the last line of their kind. */
const LINES_PER_CHECK_MAX = 100;

/** An order that has no answer of its venue. */
interface Unanswered {
  /** The time by `elapsed()` since which the order has had no answer. */
  readonly since: number;
  isReported: boolean;
}

/** A gauge above its bound. */
interface Raised {
  /**
   * The value that the last alarm named, or the bound before the first alarm. A gauge that is no count raises no second alarm until it has
   * fallen to its bound.
   */
  readonly reportedValue: number;
  /** The time by `elapsed()` since which the gauge is above `reportedValue`. Null means that it is not above `reportedValue`. */
  readonly since: number | null;
}

export class AlarmWatch {
  readonly #parts: AlarmWatchParts;
  readonly #traded = new BoundedMap<OrderId, MicroShares>(ORDERS_KEPT_MAX);
  /** The orders that had no answer of their venue at the last look. */
  #unanswered: ReadonlyMap<OrderId, Unanswered> = new Map();
  /** The raised gauges, by metric and label. */
  readonly #raised = new Map<string, Raised>();
  readonly #counted = new Map<CounterCause, ReadonlyMap<string, number>>();
  #stops: readonly StopScope[];
  #alarms: AlarmNews[] = [];
  #cancelCheck: () => void = () => {};

  constructor(parts: AlarmWatchParts) {
    this.#parts = parts;
    this.#stops = parts.stops();
    for (const cause of COUNTER_CAUSES) this.#counted.set(cause, counterValues(cause, parts.metrics));
    this.#scheduleCheck();
  }

  handleNews(news: readonly OrderNews[]): void {
    for (const { order } of news) if (order !== null) this.#checkFills(order);
  }

  check(): void {
    this.#checkStops();
    this.#checkUnanswered();
    for (const cause of GAUGE_CAUSES)
      for (const [label, value] of gaugeValues(cause, this.#parts.metrics)) this.#checkGauge(cause, label, value);
    for (const cause of COUNTER_CAUSES) this.#checkCounter(cause);
    if (this.#alarms.length > 0) this.#parts.onAlarms(this.#alarms);
    this.#alarms = [];
  }

  close(): void {
    this.#cancelCheck();
  }

  #scheduleCheck(): void {
    this.#cancelCheck = this.#parts.timers.after(CHECK_INTERVAL_MS, () => {
      this.check();
      this.#scheduleCheck();
    });
  }

  #checkFills(order: OpenOrder): void {
    const { orderId, status, traded, request } = order;
    const before = this.#traded.get(orderId) ?? 0;
    if (traded === before) return;
    this.#traded.set(orderId, traded);
    const isLess = traded < before;
    // At venue B the traded quantity of a replacing order may shrink, as more becomes known of the replaced order. No trade has failed
    // then.
    if (isLess && !mayFail(request.venue)) return;
    const end = isTerminal(status) ? ', and the order has ended' : '';
    const failed = isLess ? 'a trade has failed: ' : '';
    const priced = (price: string | null): string => (price === null ? '' : ` at ${price}`);
    this.#addOrderAlarm('fills', order, it => `${failed}${it.filled} traded${priced(it.averagePrice)}${end}`);
  }

  #checkStops(): void {
    const stops = this.#parts.stops();
    for (const scope of stops.filter(it => !this.#stops.includes(it))) this.#addAlarm('stops', `Stopped: ${scope}.`);
    for (const scope of this.#stops.filter(it => !stops.includes(it))) this.#addAlarm('stops', `Resumed: ${scope}.`);
    this.#stops = stops;
  }

  /** Finds orders without an answer. This needs a look at all open orders, because no event says that an order was sent. */
  #checkUnanswered(): void {
    const { kinds, openOrders, timers } = this.#parts;
    if (!kinds.includes('outcomes')) return;
    const now = timers.elapsed();
    const unanswered = new Map<OrderId, Unanswered>();
    for (const order of openOrders()) {
      const { orderId, status } = order;
      if (status === 'OPEN') continue;
      const known = this.#unanswered.get(orderId) ?? { since: now, isReported: false };
      unanswered.set(orderId, known);
      if (known.isReported || now - known.since < UNKNOWN_MS) continue;
      known.isReported = true;
      this.#addOrderAlarm('outcomes', order, () => 'its outcome is unknown');
    }
    this.#unanswered = unanswered;
  }

  #checkGauge({ kind, metric, above, forMs, isCount = false, text }: GaugeCause, label: string, value: number): void {
    const key = `${metric} ${label}`;
    const { reportedValue, since } = this.#raised.get(key) ?? { reportedValue: above, since: null };
    const now = this.#parts.timers.elapsed();
    if (value > reportedValue && now - (since ?? now) >= forMs) {
      const shown = isCount || label !== '' ? [label, value] : [];
      this.#addAlarm(kind, withDetails(text, shown));
      this.#raised.set(key, { reportedValue: isCount ? value : Number.POSITIVE_INFINITY, since: null });
    } else if (value > reportedValue) this.#raised.set(key, { reportedValue, since: since ?? now });
    else if (value > above) this.#raised.set(key, { reportedValue: isCount ? value : reportedValue, since: null });
    else {
      this.#raised.delete(key);
      if (reportedValue > above) this.#addAlarm(kind, `Over: ${withDetails(text, [label])}`);
    }
  }

  #checkCounter(cause: CounterCause): void {
    const before = this.#counted.get(cause)!;
    const now = counterValues(cause, this.#parts.metrics);
    this.#counted.set(cause, now);
    for (const [label, value] of now) {
      const rise = value - before.get(label)!;
      if (rise > 0) this.#addAlarm(cause.kind, withDetails(cause.text, [label]), rise);
    }
  }

  #addOrderAlarm(kind: AlarmKind, order: OpenOrder, textOf: (order: AlarmOrder) => string): void {
    const shown = alarmOrderOf(order, this.#parts.titleOf);
    this.#addAlarm(kind, orderLine(shown, textOf(shown)), 1, shown);
  }

  #addAlarm(kind: AlarmKind, line: string, count = 1, order: AlarmOrder | null = null): void {
    if (!this.#parts.kinds.includes(kind)) return;
    const found = this.#alarms;
    const at: UnixMillis = this.#parts.timers.now();
    const last = found.length < LINES_PER_CHECK_MAX ? -1 : found.findLastIndex(it => it.kind === kind);
    if (last < 0) found.push({ kind, line, count, at, order });
    else found[last] = { ...found[last]!, count: found[last]!.count + count };
  }
}

function withDetails(text: string, details: readonly (string | number)[]): string {
  const shown = details.filter(it => it !== '');
  return shown.length === 0 ? text : `${text} (${shown.join(': ')})`;
}
