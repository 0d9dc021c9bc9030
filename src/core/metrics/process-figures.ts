// Metrics of the process, and its versions. Main thread.

import { readdirSync } from 'node:fs';
import { limits } from '../../limits.ts';
import type { Metrics } from './metrics.ts';

/** `version` is that of the gateway. */
export function watchProcess(metrics: Metrics, version: string): void {
  metrics.gaugeRows('build_info', () => [{ values: [version, process.version], value: 1 }]);
  metrics.gauge('process_start_time_seconds', () => Math.round(performance.timeOrigin) / 1_000);
  metrics.gauge('process_cpu_seconds_total', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  });
  metrics.gauge('process_resident_memory_bytes', () => process.memoryUsage.rss());
  metrics.gauge('process_open_fds', openFiles);
}

const counted = { files: 0, atMs: Number.NEGATIVE_INFINITY };

/** Counted at an interval, because the list takes milliseconds with 20 000 connections. */
function openFiles(): number {
  const nowMs = performance.now();
  if (nowMs - counted.atMs >= limits.memoryLookMs) {
    counted.files = readdirSync('/dev/fd').length;
    counted.atMs = nowMs;
  }
  return counted.files;
}
