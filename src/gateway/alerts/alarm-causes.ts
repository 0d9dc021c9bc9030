// The alarms that follow from metrics: for each alarm its metric and its threshold. Names and words are those of deploy/alerts.yml. Pure.

import type { AlarmKind } from '../../core/alerts/alert-settings.ts';
import { MINUTE_MS, SECOND_MS } from '../../core/domain/durations.ts';
import { COUNTERS, type CounterName, type GaugeName } from '../../core/metrics/metric-table.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';

interface CauseOf<Name> {
  readonly kind: AlarmKind;
  /** The corresponding alert of deploy/alerts.yml. Null means that there is no such alert. */
  readonly alert: string | null;
  readonly metric: Name;
  readonly text: string;
}

/**
 * Raises an alarm once a gauge has been above `above` for `forMs`, and says so once more when it no longer is. Each value of the first
 * label is watched separately.
 */
export interface GaugeCause extends CauseOf<GaugeName> {
  readonly above: number;
  readonly forMs: number;
  /**
   * Whether the gauge counts failures. If so, a further alarm follows once the gauge has been above the value of the last alarm for
   * `forMs`.
   */
  readonly isCount?: boolean;
  /** Only the rows whose last label has one of these values count. By default all rows count. */
  readonly lastLabel?: readonly string[];
}

/** Raises an alarm each time a counter rises. */
export interface CounterCause extends CauseOf<CounterName> {
  /** Only the series with these labels count. By default all series count. */
  readonly labels?: readonly string[];
}

export const GAUGE_CAUSES: readonly GaugeCause[] = [
  {
    kind: 'disk',
    alert: 'CrossbookStoreRefusesChanges',
    metric: 'store_refuses_changes',
    above: 0,
    forMs: 0,
    text: 'Nothing can be recorded: only cancels work.',
  },
  {
    kind: 'process',
    alert: 'CrossbookEngineStalled',
    metric: 'engine_stalled',
    above: 0,
    forMs: 0,
    text: 'The engine of orders does not answer: only cancels work.',
  },
  {
    kind: 'process',
    alert: 'CrossbookStandbyStopped',
    metric: 'standby_stopped',
    above: 0,
    forMs: 0,
    text: 'A standby does not follow its pod: it could not take it over.',
  },
  {
    kind: 'process',
    alert: 'CrossbookOldestOperation',
    metric: 'oldest_operation_seconds',
    above: 30,
    forMs: MINUTE_MS,
    text: 'A caller waits longer than any venue may take.',
  },
  {
    kind: 'outcomes',
    alert: 'CrossbookRowsHeld',
    metric: 'rows_held',
    above: 0,
    forMs: 5 * MINUTE_MS,
    isCount: true,
    text: 'A venue lists trades that cannot be read.',
  },
  {
    kind: 'outcomes',
    alert: 'CrossbookWalletAction',
    metric: 'wallet_action_oldest_seconds',
    above: 1_800,
    forMs: 0,
    text: 'A redemption, split or merge of venue A does not end.',
  },
  {
    kind: 'accounts',
    alert: 'CrossbookAccountsUnread',
    metric: 'accounts_unread',
    above: 0,
    forMs: MINUTE_MS,
    isCount: true,
    text: 'An account at a venue cannot be read.',
  },
  {
    kind: 'accounts',
    alert: 'CrossbookPrivateStreamsDown',
    metric: 'private_streams_down',
    above: 0,
    forMs: MINUTE_MS,
    isCount: true,
    text: 'Fills of an account come late.',
  },
  {
    kind: 'accounts',
    alert: 'CrossbookLocationAttestation',
    metric: 'attestations_ending',
    above: 0,
    forMs: 0,
    isCount: true,
    text: 'Venue B soon takes no orders in some markets: attest the location anew.',
  },
  {
    kind: 'books',
    alert: null,
    metric: 'books',
    above: 0,
    forMs: 10 * SECOND_MS,
    lastLabel: ['STALE'],
    text: 'Books are stale.',
  },
  {
    kind: 'recording',
    alert: 'CrossbookRecordingEnded',
    metric: 'recording_failed',
    above: 0,
    forMs: 0,
    text: 'Books are not recorded any more.',
  },
];

export const COUNTER_CAUSES: readonly CounterCause[] = [
  {
    kind: 'stops',
    alert: null,
    metric: 'switches_fired_total',
    text: "A dead man's switch, or cancelOnDisconnect, cancelled the orders of a key.",
  },
  {
    kind: 'losses',
    alert: 'CrossbookLossLimitReached',
    metric: 'loss_limits_reached_total',
    text: 'An actor or a pod has lost as much as it may in a day: it places no order that raises risk.',
  },
  {
    kind: 'losses',
    alert: 'CrossbookProtectionTriggered',
    metric: 'protections_triggered_total',
    text: "An actor's orders were filled too fast: they are cancelled, and it places none.",
  },
  {
    kind: 'outcomes',
    alert: 'CrossbookOrderDivergences',
    metric: 'order_divergences_total',
    text: "A venue contradicts the gateway's state of an order or account.",
  },
  {
    kind: 'outcomes',
    alert: 'CrossbookAutomaticRedeem',
    metric: 'automatic_redeems_total',
    labels: ['failed', 'over-action', 'over-day'],
    text: 'A winner of venue A is not redeemed automatically: redeem it by request.',
  },
  {
    kind: 'process',
    alert: 'CrossbookThreadsLost',
    metric: 'threads_lost_total',
    text: 'A long-lived thread died and was restarted.',
  },
  {
    kind: 'process',
    alert: 'CrossbookThreadsSilent',
    metric: 'threads_silent_total',
    text: 'A long-lived thread hangs.',
  },
  {
    kind: 'process',
    alert: 'CrossbookPoolWorkersLost',
    metric: 'pool_workers_lost_total',
    text: 'Threads of the check pool die.',
  },
  {
    kind: 'disk',
    alert: 'CrossbookAuditLog',
    metric: 'audit_log_failures_total',
    text: 'The audit log of orders is not written.',
  },
  {
    kind: 'disk',
    alert: 'CrossbookCatalogStoreFailures',
    metric: 'catalog_store_failures_total',
    text: 'The catalog cannot be stored.',
  },
  {
    kind: 'recording',
    alert: 'CrossbookRecordingLaps',
    metric: 'recording_laps_total',
    text: 'The recording of books has gaps.',
  },
];

/** The gauge's values by its first label. The label is '' if the gauge has no labels. */
export function gaugeValues({ metric, lastLabel }: GaugeCause, metrics: Metrics): ReadonlyMap<string, number> {
  const rows = metrics.rowsOf(metric).filter(({ values }) => lastLabel?.includes(values.at(-1)!) ?? true);
  return new Map(rows.map(({ values, value }) => [values[0] ?? '', value]));
}

/** The counter's series: the value by label. */
export function counterValues({ metric, labels }: CounterCause, metrics: Metrics): ReadonlyMap<string, number> {
  const hasLabel = COUNTERS[metric].labels.length > 0;
  const series = metrics.counters.get(metric)!;
  const all = series.map(it => [hasLabel ? it.values.join(' ') : '', metrics.read(it.slot)] as const);
  return new Map(all.filter(([label]) => labels?.includes(label) ?? true));
}
