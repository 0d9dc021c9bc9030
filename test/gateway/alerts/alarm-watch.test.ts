// Causes of an alarm: orders, stops and metrics as the main thread sees them. Time stands still between steps.

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { AlarmNews } from '../../../src/core/alerts/alarm-sender.ts';
import { ALARM_KINDS, type AlarmKind } from '../../../src/core/alerts/alert-settings.ts';
import type { MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import type { StopScope } from '../../../src/core/domain/operation.ts';
import type { OrderId, OrderStatus } from '../../../src/core/domain/order.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { COUNTER_CAUSES, GAUGE_CAUSES } from '../../../src/gateway/alerts/alarm-causes.ts';
import { AlarmWatch } from '../../../src/gateway/alerts/alarm-watch.ts';
import type { OpenOrder, OrderNews } from '../../../src/orders/engine/engine-messages.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const TICKER = 'KXNBAGAME-26NOV21BOSLAL-BOS';

const REQUEST = {
  venue: 'venue_b',
  ticker: TICKER,
  side: 'YES',
  action: 'BUY',
  size: 10_000_000 as MicroShares,
  price: 5_400 as Ticks,
};

let metrics: Metrics;
let timers: VirtualTimers;
let stops: readonly StopScope[];
let openOrders: readonly OpenOrder[];
let found: AlarmNews[];
let watch: AlarmWatch;
let title: { title: string; outcome: string } | null;

function open(kinds: readonly AlarmKind[] = ALARM_KINDS): void {
  const parts = { kinds, metrics, stops: () => stops, openOrders: () => openOrders, titleOf: () => title, timers };
  watch = new AlarmWatch({ ...parts, onAlarms: news => found.push(...news) });
}

beforeEach(() => {
  metrics = new Metrics({ operations: [] });
  timers = new VirtualTimers();
  [stops, openOrders, found, title] = [[], [], [], null];
  open();
});

afterEach(() => watch.close());

function newsOf(status: OrderStatus, shares: number, orderId = '1', request: object = {}): OrderNews {
  const order = {
    orderId: orderId as OrderId,
    actorId: 'pod/bot',
    status,
    traded: (shares * 1_000_000) as MicroShares,
    cost: BigInt(shares * 1_000_000) * 5_350n,
    request: { ...REQUEST, ...request },
  };
  return { actorId: 'pod/bot', podId: 'pod', cursor: 1, order: order as OpenOrder, record: null };
}

/** Returns the kind and the line of each alarm of the next second. */
function second(): readonly (readonly [AlarmKind, string])[] {
  found = [];
  timers.advance(1_000);
  return found.map(({ kind, line }) => [kind, line]);
}

describe('orders', () => {
  it('with a new fill are found once, with the end', () => {
    watch.handleNews([newsOf('OPEN', 0), newsOf('OPEN', 2.5), newsOf('OPEN', 2.5)]);
    expect(second()).toEqual([['fills', `pod/bot: BUY YES 10 at 0.54, 2.5 traded at 0.535. venue_b ${TICKER}`]]);
    watch.handleNews([newsOf('FILLED', 10)]);
    expect(second()).toEqual([
      ['fills', `pod/bot: BUY YES 10 at 0.54, 10 traded at 0.535, and the order has ended. venue_b ${TICKER}`],
    ]);
    watch.handleNews([newsOf('FILLED', 10)]);
    expect(second()).toEqual([]);
  });

  it('5708: of which a trade fails are found again', () => {
    const hear = (status: OrderStatus, shares: number): void =>
      watch.handleNews([newsOf(status, shares, '1', { venue: 'venue_a', type: 'LIMIT', side: 'BUY', tokenId: '71' })]);
    hear('FILLED', 10);
    second();
    hear('OPEN', 4);
    const failed = 'pod/bot: BUY 10 at 0.54, a trade has failed:';
    expect(second()).toEqual([['fills', `${failed} 4 traded at 0.535. venue_a 71`]]);
    hear('CANCELLED', 0);
    expect(second()).toEqual([['fills', `${failed} 0 traded, and the order has ended. venue_a 71`]]);
    // Venue B's trades do not fail.
    watch.handleNews([newsOf('FILLED', 10, '2')]);
    second();
    watch.handleNews([newsOf('CANCELLED', 4, '2')]);
    expect(second()).toEqual([]);
  });

  it('of venue A are shown with a part of their token', () => {
    const tokenId = '71321045679252212594626385532706912750332728571942532289631379312455583992563';
    const request = { venue: 'venue_a', type: 'MARKET', side: 'BUY', tokenId, worstPrice: null };
    const dollars = { ...request, action: undefined, size: undefined, dollars: 25_000_000 };
    watch.handleNews([newsOf('FILLED', 1, '2', JSON.parse(JSON.stringify(dollars)))]);
    expect(second()[0]![1]).toMatch(/^pod\/bot: BUY .* venue_a 71321045…83992563$/);
  });

  it('are named by the title of their market, which is plain, bounded and last', () => {
    title = { title: `A at B\n\u202e${'x'.repeat(200)}`, outcome: 'A '.repeat(100) };
    watch.handleNews([newsOf('OPEN', 2.5)]);
    const [[, line]] = second() as [[AlarmKind, string]];
    const shown = { title: `A at B ${'x'.repeat(73)}`, outcome: 'A '.repeat(20) };
    expect(line).toBe(
      `pod/bot: BUY YES 10 at 0.54, 2.5 traded at 0.535. venue_b ${TICKER}: ${shown.title}, ${shown.outcome}`,
    );
    expect(found[0]!.order).toEqual({
      ...{ actorId: 'pod/bot', orderId: '1', venue: 'venue_b', market: TICKER, ...shown, side: 'YES', action: 'BUY' },
      ...{ size: '10', amountUsd: null, price: '0.54', status: 'OPEN', filled: '2.5', averagePrice: '0.535' },
    });
  });

  it('5701: without an answer are found once after fifteen seconds, those of before the start, too', () => {
    const ordersOf = (...statuses: readonly OrderStatus[]) =>
      statuses.map((status, index) => newsOf(status, 0, String(index)).order!);
    openOrders = ordersOf('SUBMITTED', 'SUBMITTED', 'OPEN');
    timers.advance(15_000);
    expect(found).toEqual([]);
    openOrders = ordersOf('SUBMITTED', 'OPEN', 'OPEN');
    expect(second()).toEqual([['outcomes', `pod/bot: BUY YES 10 at 0.54, its outcome is unknown. venue_b ${TICKER}`]]);
    timers.advance(60_000);
    expect(second()).toEqual([]);
  });

  it('in a flood cost a bounded message, and none is lost from its count', () => {
    watch.handleNews(Array.from({ length: 5_000 }, (_, order) => newsOf('FILLED', 1, String(order))));
    second();
    expect(found).toHaveLength(100);
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(5_000);
  });
});

it('stops are found as they begin and end; those of before the start are known', () => {
  watch.close();
  stops = ['old'];
  open();
  stops = ['old', 'pod/bot'];
  expect(second()).toEqual([['stops', 'Stopped: pod/bot.']]);
  stops = ['pod/bot'];
  expect(second()).toEqual([['stops', 'Resumed: old.']]);
});

it('switches, losses and divergences are found at each rise', () => {
  metrics.count('switches_fired_total', 'dead_man');
  metrics.count('loss_limits_reached_total');
  metrics.count('order_divergences_total', 'overfilled');
  metrics.count('order_divergences_total', 'overfilled');
  expect(second().map(([kind]) => kind)).toEqual(['stops', 'losses', 'outcomes']);
  expect(found.map(({ count }) => count)).toEqual([1, 1, 2]);
  expect(found[2]!.line).toMatch(/\(overfilled\)$/);
  expect(second()).toEqual([]);
});

it('5709: a winner that is not redeemed is found, and one that is redeemed is not', () => {
  metrics.count('automatic_redeems_total', 'made');
  metrics.count('automatic_redeems_total', 'over-day');
  const says = 'A winner of venue A is not redeemed automatically: redeem it by request. (over-day)';
  expect(second()).toEqual([['outcomes', says]]);
});

it('a state is found once it has lasted, and when it is over', () => {
  let stale = 3;
  metrics.gaugeRows('books', () => [
    { values: ['venue_a', 'LIVE'], value: 5 },
    { values: ['venue_a', 'STALE'], value: stale },
  ]);
  timers.advance(10_000);
  expect(found).toEqual([]);
  expect(second()).toEqual([['books', 'Books are stale. (venue_a: 3)']]);
  expect(second()).toEqual([]);
  stale = 0;
  expect(second()).toEqual([['books', 'Over: Books are stale. (venue_a)']]);
  stale = 1;
  timers.advance(5_000);
  stale = 0;
  expect(second()).toEqual([]);
});

it('5705: a state of one venue hides none of the other', () => {
  const stale = { venue_a: 3, venue_b: 0 };
  metrics.gaugeRows('books', () =>
    Object.entries(stale).map(([venue, value]) => ({ values: [venue, 'STALE'], value })),
  );
  timers.advance(60_000);
  stale.venue_b = 400;
  found = [];
  timers.advance(11_000);
  expect(found.map(({ line }) => line)).toEqual(['Books are stale. (venue_b: 400)']);
  stale.venue_a = 0;
  expect(second()).toEqual([['books', 'Over: Books are stale. (venue_a)']]);
});

it('5705: a further account that fails is found once it has lasted, and when all is over', () => {
  let unread = 1;
  metrics.gauge('accounts_unread', () => unread);
  const says = 'An account at a venue cannot be read.';
  const minute = (now: number) => {
    unread = now;
    found = [];
    timers.advance(61_000);
    return found.map(({ line }) => line);
  };
  expect([minute(1), minute(2), minute(1), minute(2)]).toEqual([[`${says} (1)`], [`${says} (2)`], [], [`${says} (2)`]]);
  // A failure that does not last raises no alarm.
  unread = 3;
  timers.advance(30_000);
  expect([minute(2), minute(0)]).toEqual([[], [`Over: ${says}`]]);
});

it('only chosen kinds are found', () => {
  watch.close();
  open(['disk']);
  metrics.gauge('store_refuses_changes', () => 1);
  metrics.gauge('engine_stalled', () => 1);
  watch.handleNews([newsOf('FILLED', 1)]);
  stops = ['pod'];
  expect(second()).toEqual([['disk', 'Nothing can be recorded: only cancels work.']]);
});

it('each cause has words and metric of its alert in deploy/alerts.yml', () => {
  interface Rule {
    readonly alert: string;
    readonly expr: string;
    readonly for?: string;
    readonly annotations: { readonly summary: string };
  }
  const { groups } = parse(readFileSync('deploy/alerts.yml', 'utf8')) as { groups: { rules: Rule[] }[] };
  const rules = new Map(groups.flatMap(it => it.rules).map(rule => [rule.alert, rule]));
  for (const { alert, text, metric } of [...GAUGE_CAUSES, ...COUNTER_CAUSES]) {
    if (alert === null) continue;
    const rule = rules.get(alert);
    expect([rule?.annotations.summary, rule?.expr.includes(metric.replace(/_total$/, ''))]).toEqual([text, true]);
  }
  for (const { alert, above, forMs } of GAUGE_CAUSES) {
    if (alert === null) continue;
    const { expr, for: lasts = '0m' } = rules.get(alert)!;
    expect([expr.endsWith(`> ${above}`), Number.parseInt(lasts, 10) * 60_000]).toEqual([true, forMs]);
  }
});
