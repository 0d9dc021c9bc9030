// Metrics of the process, its versions, its event loops and the memory of its threads. Main thread; `watchEventLoop` in the engine, too.

import { readdirSync, readFileSync } from 'node:fs';
import { getHeapStatistics, type HeapInfo } from 'node:v8';
import type { Worker } from 'node:worker_threads';
import { limits } from '../../limits.ts';
import type { LABEL_VALUES } from './metric-table.ts';
import type { GaugeRow, Metrics } from './metrics.ts';

/** Sets the metrics of the process. `version` is the version of the gateway. */
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

/** Returns the number of open files. It is counted at an interval, because the list takes milliseconds with 20 000 connections. */
function openFiles(): number {
  const nowMs = performance.now();
  if (nowMs - counted.atMs >= limits.memoryLookMs) {
    counted.files = readdirSync('/dev/fd').length;
    counted.atMs = nowMs;
  }
  return counted.files;
}

// The lag of an event loop: a timer that fires late has waited behind other work, and a request would have waited, too. Main thread and
// engine thread.

/** Observes the lag of this thread's event loop until the returned function is called. */
export function watchEventLoop(metrics: Metrics, loop: (typeof LABEL_VALUES.loop)[number]): () => void {
  const lags = metrics.histogram('event_loop_lag_seconds', loop);
  let dueMs = performance.now() + limits.engineBeatMs;
  const look = (): void => {
    const nowMs = performance.now();
    // Timers count whole milliseconds, and may fire early by a fraction of one.
    metrics.observe(lags, Math.max(0, Math.round((nowMs - dueMs) * 1_000)));
    dueMs = nowMs + limits.engineBeatMs;
  };
  const looks = setInterval(look, limits.engineBeatMs).unref();
  return () => clearInterval(looks);
}

// The memory of each thread and of the process for /metrics, sampled at an interval. A thread is known by the name with which it started.
// Main thread, before it starts other threads.

const MAIN = 'main';
/** The name for Piscina's threads. They have no names of their own, and the threads that replace them have none at all. */
const POOL_THREAD_NAME = 'check_worker';
const poolNames = new WeakMap<Worker, string>();

/** Names threads of a pool for /metrics. */
export function nameThreads(workers: readonly Worker[], name: string): void {
  for (const worker of workers) poolNames.set(worker, name);
}
const FIELDS: Readonly<Record<(typeof LABEL_VALUES.kind)[number], keyof HeapInfo>> = {
  heap_used: 'used_heap_size',
  heap_total: 'total_heap_size',
  external: 'external_memory',
};
const RESIDENT_FIELDS: Readonly<Record<(typeof LABEL_VALUES.resident)[number], keyof Resident>> = {
  anonymous: 'anonymousBytes',
  file: 'fileBytes',
  shared: 'sharedBytes',
};

export class ThreadMemory {
  /** The last report of each living thread, in the sequence of their start. */
  readonly #heaps = new Map<Worker, HeapInfo | null>();
  /** The threads that have not answered yet: a thread in a system call answers later. */
  readonly #awaitedAnswers = new Set<Worker>();
  readonly #requestTimer: NodeJS.Timeout;
  readonly #watchWorker = (worker: Worker): void => {
    this.#heaps.set(worker, null);
    worker.once('online', () => void this.#requestHeap(worker));
    worker.once('exit', () => {
      this.#heaps.delete(worker);
      this.#awaitedAnswers.delete(worker);
    });
  };

  constructor(metrics: Metrics) {
    process.on('worker', this.#watchWorker);
    metrics.gaugeRows('memory_bytes', () => this.#rows());
    metrics.gaugeRows('resident_memory_bytes', residentRows);
    this.#requestTimer = setInterval(() => this.#requestHeaps(), limits.memoryLookMs).unref();
  }

  close(): void {
    clearInterval(this.#requestTimer);
    process.off('worker', this.#watchWorker);
  }

  #requestHeaps(): void {
    for (const worker of this.#heaps.keys()) if (!this.#awaitedAnswers.has(worker)) void this.#requestHeap(worker);
  }

  async #requestHeap(worker: Worker): Promise<void> {
    this.#awaitedAnswers.add(worker);
    // A thread that has ended does not answer.
    const heap = await worker.getHeapStatistics().catch(() => null);
    this.#awaitedAnswers.delete(worker);
    if (heap !== null && this.#heaps.has(worker)) this.#heaps.set(worker, heap);
  }

  #rows(): readonly GaugeRow[] {
    const rows = heapRows(MAIN, getHeapStatistics());
    let ofPool = 0;
    for (const [worker, heap] of this.#heaps) {
      const known = worker.threadName || poolNames.get(worker);
      if (!known) ofPool += 1;
      const name = known ? known.replaceAll(' ', '_') : `${POOL_THREAD_NAME}_${ofPool}`;
      if (heap !== null) rows.push(...heapRows(name, heap));
    }
    return rows;
  }
}

function heapRows(thread: string, heap: HeapInfo): GaugeRow[] {
  return Object.entries(FIELDS).map(([kind, field]) => ({ values: [thread, kind], value: heap[field] }));
}

/** Returns the rows of resident memory. Only Linux shows which kinds of memory are in use. */
function residentRows(): GaugeRow[] {
  if (process.platform !== 'linux') return [];
  const resident = residentOf('self');
  return Object.entries(RESIDENT_FIELDS).map(([kind, field]) => ({ values: [kind], value: resident[field] }));
}

export interface Resident {
  /** The heaps, buffers and stacks that the process has touched. */
  readonly anonymousBytes: number;
  /** Code, and resident pages of the stores. These pages grow with the stores, and the system reclaims them. */
  readonly fileBytes: number;
  /** The books and counters that threads share. */
  readonly sharedBytes: number;
}

/** Reads the resident memory of a process. Throws if /proc cannot be read. */
export function residentOf(pid: number | 'self'): Resident {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const bytes = (name: string): number => {
    const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status);
    if (match === null) throw new Error(`/proc/${pid}/status has no ${name}`);
    return 1_024 * Number(match[1]);
  };
  return { anonymousBytes: bytes('RssAnon'), fileBytes: bytes('RssFile'), sharedBytes: bytes('RssShmem') };
}
