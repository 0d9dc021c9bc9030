// The main thread's end of the alerts: runs the watch, and hands its findings to the thread that sends them. Main thread.

import { hostname } from 'node:os';
import type { CatalogLink } from '../../catalog/catalog-link.ts';
import { type MarketTitle, titleOf } from '../../catalog/linked-market.ts';
import type { AlarmNews } from '../../core/alerts/alarm-sender.ts';
import type { AlertSettings } from '../../core/alerts/alert-settings.ts';
import { BoundedMap } from '../../core/domain/bounded-map.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { Metrics, MetricsParts } from '../../core/metrics/metrics.ts';
import { LastingThread } from '../../core/runtime/lasting-thread.ts';
import type { Log } from '../../core/runtime/log.ts';
import { machineTimers } from '../../core/runtime/timers.ts';
import { THREADS } from '../../threads.ts';
import type { Trading } from '../trading/trading.ts';
import { AlarmWatch } from './alarm-watch.ts';

export interface AlertThreadData {
  readonly settings: AlertSettings;
  readonly gateway: string;
  readonly metrics: MetricsParts;
  readonly logLevel: Log['level'];
}

/** Messages to the alerts' thread. */
export type ToAlerts =
  | readonly AlarmNews[]
  /** Ends the thread, as in all lasting threads. */
  | 'close';

interface AlertLinkParts {
  /** Null means that no alarms are sent. */
  readonly alerts: AlertSettings | null;
  readonly trading: Pick<Trading, 'listen' | 'stops' | 'openOrders'>;
  readonly catalog: Pick<CatalogLink, 'snapshot'>;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Sends alarms until the returned function is called. */
export function openAlerts({ alerts: settings, trading, catalog, metrics, log }: AlertLinkParts): () => Promise<void> {
  if (settings === null) return () => Promise.resolve();
  const workerData: AlertThreadData = {
    settings,
    gateway: hostname(),
    metrics: metrics.shared,
    logLevel: log.level,
  };
  const thread = new LastingThread({ ...THREADS.alerts, workerData, log }).countLosses(metrics, 'alerts');
  const watch = new AlarmWatch({
    kinds: settings.kinds,
    metrics,
    stops: () => trading.stops,
    openOrders: () => trading.openOrders,
    titleOf: titleLookup(catalog),
    timers: machineTimers,
    onAlarms: news => thread.send(news satisfies ToAlerts),
  });
  const stopHearing = settings.kinds.includes('fills') ? trading.listen(news => watch.handleNews(news)) : () => {};
  return () => {
    stopHearing();
    watch.close();
    return thread.close();
  };
}

/** The number of markets whose titles are remembered. An actor fills many orders in few markets. */
const TITLES_KEPT_MAX = 1_000;

function titleLookup(catalog: Pick<CatalogLink, 'snapshot'>): (venue: Venue, address: string) => MarketTitle | null {
  const kept = new BoundedMap<string, MarketTitle>(TITLES_KEPT_MAX);
  return (venue, address) => {
    const { snapshot } = catalog;
    const known = kept.get(address) ?? (snapshot === null ? null : titleOf(snapshot, venue, address));
    if (known !== null) kept.set(address, known);
    return known;
  };
}
