// deploy/alerts.yml: each row of the table in docs/OPERATIONS.md is one of its alerts, and each alert fires when it should.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lacks } from '../support/debian-packages.ts';
import { ALERTS_FILE, promtool, promtoolOn, readAlerts } from './promtool.ts';

const alerts = readAlerts();

it('the table of docs/OPERATIONS.md has a row for each alert, in the same sequence', () => {
  const rows = readFileSync('docs/OPERATIONS.md', 'utf8').matchAll(/^\| `(Crossbook\w+)` \| ./gm);
  expect(Array.from(rows, ([, name]) => name)).toEqual(alerts.map(({ alert }) => alert));
});

it('each alert has a severity and a summary', () => {
  for (const { alert, labels, annotations } of alerts) {
    expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(critical|warning)$/)]);
    expect([alert, annotations.summary]).toEqual([alert, expect.stringMatching(/^[A-Z].+\.$/)]);
  }
});

/** Values a minute apart, in promtool's notation: [no alert, alert]. */
type Values = readonly [quiet: string, fires: string];
const GAUGE: Values = ['0x30', '1x30'];
/** Rises by 1 in the last minutes. */
const ONCE: Values = ['7x30', '7x12 8x18'];
const hours = (count: number, value: string): string => `${value}x${60 * count}`;

interface Case {
  readonly alert: string;
  readonly labels: string;
  readonly series: Readonly<Record<string, Values>>;
  /** When promtool looks; `15m` by default. */
  readonly at?: string;
}

const of = (alert: string, metric: string, labels: string, values: Values, at = '15m'): Case => ({
  alert: `Crossbook${alert}`,
  labels,
  series: { [`crossbook_${metric}`]: values },
  at,
});

/** 100 observations a minute, all of them above the first bound or below it. */
const slow = (alert: string, metric: string, labels: string, bounds: readonly [low: string, high: string]): Case => ({
  alert: `Crossbook${alert}`,
  labels,
  series: {
    [`crossbook_${metric}_bucket{le="${bounds[0]}"}`]: ['0+100x30', '0x30'],
    [`crossbook_${metric}_bucket{le="${bounds[1]}"}`]: ['0+100x30', '0+100x30'],
    [`crossbook_${metric}_bucket{le="+Inf"}`]: ['0+100x30', '0+100x30'],
  },
});

const CASES: readonly Case[] = [
  of('NotReady', 'ready', '', ['1x30', '0x30']),
  // A standby takes no orders.
  {
    ...of('NotReady', 'ready', '', ['0x30', '0x30']),
    series: { crossbook_ready: ['0x30', '0x30'], crossbook_standby: ['1x30', '0x30'] },
  },
  { alert: 'CrossbookNotReady', labels: 'job="crossbook"', series: { up: ['1x30', '0x30'] } },
  of('StandbyStopped', 'standby_stopped', '', GAUGE),
  of('PodMoved', 'standby', '', ['1x30', '1x12 0x18']),
  of('PodMoved', 'standby', '', ['0x30', '0x12 1x18']),
  of('AccountsUnread', 'accounts_unread', '', GAUGE),
  of('RowsHeld', 'rows_held', '', GAUGE),
  of('PrivateStreamsDown', 'private_streams_down', '', GAUGE),
  of('LocationAttestation', 'attestations_ending', '', GAUGE),
  of('WalletAction', 'wallet_action_oldest_seconds', '', ['1800x30', '1801x30']),
  of('AutomaticRedeem', 'automatic_redeems_total', 'redeem="failed"', ONCE),
  of('OrderDivergences', 'order_divergences_total', 'divergence="overfilled"', ONCE),
  of('ProtectionTriggered', 'protections_triggered', '', GAUGE),
  of('LossLimitReached', 'loss_limits_reached_total', '', ONCE),
  of('PoolWorkersLost', 'pool_workers_lost_total', '', ONCE),
  of('PoolWorkersLost', 'pool_faults_total', '', ONCE),
  of('OldestOperation', 'oldest_operation_seconds', '', ['30x30', '31x30']),
  of('PoolWorkersSilent', 'pool_workers_silent_total', '', ONCE),
  of('ThreadsLost', 'threads_lost_total', 'thread="catalog"', ONCE),
  of('ThreadsSilent', 'threads_silent_total', 'thread="engine"', ONCE),
  of('EngineStalled', 'engine_stalled', '', GAUGE),
  of('StoreRefusesChanges', 'store_refuses_changes', '', GAUGE),
  of('HistoryLag', 'history_lag_records', '', ['1000x30', '1001x30']),
  of('AuditLog', 'audit_log_failures_total', '', ONCE),
  of('RecordingEnded', 'recording_failed', '', GAUGE),
  of('RecordingLaps', 'recording_laps_total', '', ONCE),
  of('ServerErrors', 'http_requests_total', 'operation="getTime",status="5xx"', ONCE),
  ...['timeout', 'lost', 'unreachable'].map(event =>
    of('UpstreamConnections', 'upstream_connections_total', `upstream="venue_b",event="${event}"`, ['0x30', '0+1x30']),
  ),
  of('FeedHashMismatches', 'feed_hash_mismatches_after_reread_total', 'venue="venue_a"', ONCE),
  of('FeedProtocolChanged', 'feed_legacy_refused_total', 'venue="venue_b"', ONCE),
  of('FeedProtocolChanged', 'feed_unknown_types_total', 'venue="venue_b"', ONCE),
  of('FeedProtocolChanged', 'feed_unreadable_total', 'venue="venue_b"', ONCE),
  of('UnknownWords', 'unknown_words_total', 'venue="venue_a"', ONCE),
  of('FeedResyncs', 'feed_resyncs_total', 'venue="venue_b"', ['0+5x30', '0+7x30']),
  of('FeedConnection', 'feed_silences_total', 'venue="venue_a"', ['0x30', '0+1x30']),
  of('FeedConnection', 'feed_disconnects_total', 'venue="venue_a"', ['0x30', '0+1x30']),
  of('FeedFrozen', 'feed_freezes_total', 'venue="venue_a"', ONCE),
  of('FeedFrozen', 'feed_stalls_total', 'venue="venue_a"', ONCE),
  of('RelayDown', 'relay_connected', '', ['1x30', '0x30']),
  of('RelayPauses', 'relay_pauses_total', '', ONCE),
  of('RelayRefused', 'relay_refused_total', '', ONCE),
  of('ClockDrift', 'auth_failures_total', 'reason="clock"', ONCE),
  ...['signature', 'key', 'apiKey'].map(reason =>
    of('AuthFailures', 'auth_failures_total', `reason="${reason}"`, ['0+59x30', '0+61x30']),
  ),
  of('RateLimited', 'rate_limited_total', 'bucket="reads"', ONCE),
  of('PoolBusy', 'pool_busy_total', '', ONCE),
  slow('PoolBusy', 'pool_wait_seconds', '', ['0.01', '0.025']),
  of('EngineBehind', 'engine_behind_total', '', ONCE),
  of('StreamLaps', 'stream_laps_total', 'venue="venue_b"', ONCE),
  of('StreamLagging', 'stream_lagging_total', '', ONCE),
  of('ConnectionsRefused', 'http_connections_refused_total', '', ONCE),
  of('KeptMarketsRefused', 'kept_markets_refused_total', '', ['0x30', '0+1x30']),
  ...['heap_used', 'external'].map(kind =>
    of(
      'MemoryGrows',
      'memory_bytes',
      `thread="main",kind="${kind}"`,
      [`${hours(2, '1e8')} ${hours(8, '1.4e8')}`, `${hours(2, '1e8')} ${hours(8, '1.6e8')}`],
      '7h50m',
    ),
  ),
  of('ResidentMemory', 'resident_memory_bytes', 'resident="anonymous"', [hours(2, '1.4e9'), hours(2, '1.6e9')], '90m'),
  of('CatalogFailures', 'catalog_failures_total', 'venue="venue_b"', ['0x30', '0+1x30']),
  of('CatalogStoreFailures', 'catalog_store_failures_total', '', ONCE),
  of('CatalogLeftOut', 'catalog_left_out_total', 'venue="venue_a",why="no-room"', ONCE),
  // As many an hour as the day before, or five times as many.
  of(
    'CatalogLeftOut',
    'catalog_left_out_total',
    'venue="venue_a",why="malformed"',
    [`0+1x${60 * 27}`, `0+1x${60 * 25} 1505+5x120`],
    '26h',
  ),
  ...['submitVenueAOrder', 'submitVenueBOrder'].map(operation =>
    slow('SubmitLatency', 'http_request_seconds', `operation="${operation}"`, ['0.5', '1']),
  ),
];

function seriesName(metric: string, labels: string): string {
  const [name = '', own = ''] = metric.split(/[{}]/);
  const all = [labels, own].filter(it => it !== '');
  return all.length === 0 ? name : `${name}{${all.join(',')}}`;
}

function labelsIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from(text.matchAll(/(\w+)="([^"]*)"/g), ([, name, value]) => [name, value]));
}

/** Tests of promtool: one in which it stays quiet, and one in which it fires. */
function testsOf({ alert, labels, series, at = '15m' }: Case): object[] {
  const rule = alerts.find(it => it.alert === alert)!;
  const fires = { exp_labels: { ...labelsIn(labels), ...rule.labels }, exp_annotations: rule.annotations };
  return [0, 1].map(which => ({
    name: `${alert} ${labels} ${which === 0 ? 'is quiet' : 'fires'}`,
    interval: '1m',
    input_series: Object.entries(series).map(([metric, values]) => ({
      series: seriesName(metric, labels),
      values: values[which],
    })),
    alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: which === 0 ? [] : [fires] }],
  }));
}

describe.skipIf(lacks('prometheus'))('for Prometheus', () => {
  it('the rules and the example of a scrape are valid', () => {
    expect(promtool('check', 'rules', ALERTS_FILE)).toBe('');
    expect(promtool('check', 'config', 'deploy/prometheus.yml')).toBe('');
  });

  it('every alert has a case', () => {
    expect(new Set(CASES.map(it => it.alert))).toEqual(new Set(alerts.map(it => it.alert)));
  });

  // Rules that look back for hours are evaluated less often.
  it.each([
    ['15m', '1m'],
    ['90m', '30m'],
    ['7h50m', '10m'],
    ['26h', '1h'],
  ])('those that are looked at after %s fire in their cases, and are quiet otherwise', (at, every) => {
    const tests = CASES.filter(it => (it.at ?? '15m') === at).flatMap(testsOf);
    const input = { rule_files: [ALERTS_FILE], evaluation_interval: every, tests };
    expect(promtoolOn(input, 'test', 'rules')).toBe('');
  });

  it('an alert that stayed quiet would be noticed', () => {
    const [quiet, fires] = ['0x30', '0x30'];
    const tests = testsOf(of('RowsHeld', 'rows_held', '', [quiet, fires]));
    const input = { rule_files: [ALERTS_FILE], evaluation_interval: '1m', tests };
    expect(promtoolOn(input, 'test', 'rules')).toContain('CrossbookRowsHeld');
  });
});
