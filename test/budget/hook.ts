// Counts what a thread of the gateway does. The process preloads it (`--import`), and so does each of its threads. A socket of each thread
// in the folder BUDGET_FOLDER takes the commands of `counted-threads.ts`. All threads.

import fs from 'node:fs';
import { type HeapProfiler, Session } from 'node:inspector';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { GCProfiler, getHeapSpaceStatistics, promiseHooks, setFlagsFromString } from 'node:v8';
import { isMainThread, MessagePort, type Transferable, threadId, workerData } from 'node:worker_threads';
import '../../src/core/runtime/v8-flags.ts';
import { limits } from '../../src/limits.ts';
import type { HistoryThreadData } from '../../src/orders/history/history-worker.ts';
import { JournalPositions } from '../../src/orders/journal/positions.ts';
import { THREADS } from '../../src/threads.ts';
import type { CountedFunction, Counts, ThreadCommand } from './counted-threads.ts';

// V8 optimizes a function after a third of the gateway's calls, so that the warm operations are enough.
setFlagsFromString('--invocation-count-for-turbofan=300');
setFlagsFromString('--minimum-invocations-after-ic-update=50');

const SOURCE = new URL('../../src/', import.meta.url).href;
const JOURNAL = /\/journal\/[^/]+$/;
/** A thread is named after the file that it runs: threads of a pool have no names. */
const NAMES = new Map<string, string>(Object.values(THREADS).map(({ name, entry }) => [entry.href, name]));
const SAMPLE_BYTES = 512;
const ANONYMOUS = '(anonymous)';
const NOTHING = (): void => {};
const NO_TRANSFER: Transferable[] = [];

const totals = { promises: 0, messages: 0, wakes: 0, journalWrites: 0, journalBytes: 0 };
const session = new Session();
session.connect();
session.post('Profiler.enable');

countMessages();
countJournal();
const settle = parkWork();

/** Each message that leaves this thread. */
function countMessages(): void {
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown, transferred = NO_TRANSFER) {
    totals.messages += 1;
    return postMessage.call(this, message, transferred);
  };
  const { notify } = Atomics;
  Atomics.notify = (cells: Int32Array | BigInt64Array, index: number, count?: number) => {
    totals.wakes += 1;
    return notify(cells as Int32Array, index, count);
  };
}

function countJournal(): void {
  const { openSync, writeSync, writevSync } = fs;
  const journals = new Set<number>();
  const counted = (descriptor: number, written: number): number => {
    if (!journals.has(descriptor)) return written;
    totals.journalWrites += 1;
    totals.journalBytes += written;
    return written;
  };
  Object.assign(fs, {
    openSync: (...args: Parameters<typeof openSync>) => {
      const descriptor = openSync(...args);
      if (JOURNAL.test(String(args[0]))) journals.add(descriptor);
      else journals.delete(descriptor);
      return descriptor;
    },
    writeSync: (descriptor: number, bytes: Uint8Array, from?: number, length?: number, position?: number) =>
      counted(descriptor, writeSync(descriptor, bytes, from, length, position)),
    writevSync: (...args: Parameters<typeof writevSync>) => counted(args[0], writevSync(...args)),
  });
  syncBuiltinESMExports();
}

/**
 * The engine syncs the journal a moment after it has written, and the history follows at an interval. Here they do so at a command, so that
 * each order costs one sync and one transaction. Returns that command, which says whether there was something to follow.
 */
function parkWork(): () => boolean {
  if (isMainThread) return () => false;
  const delays = new Map<string, number>([
    [THREADS.engine.name, limits.storeSyncDelayMs],
    [THREADS.history.name, limits.historyFollowMs],
  ]);
  let parked = new Set<() => void>();
  const { setTimeout: later } = globalThis;
  // Nothing that is counted here may allocate: it would count for the thread.
  const parking = (task: () => void, delayMs?: number, ...its: []) => {
    const mayPark = delayMs === limits.storeSyncDelayMs || delayMs === limits.historyFollowMs;
    if (!mayPark || delays.get(nameOfThread()) !== delayMs) return later(task, delayMs, ...its);
    parked.add(task);
    return later(NOTHING, 0);
  };
  globalThis.setTimeout = Object.assign(parking, later) as typeof later;
  return () => {
    const due = parked;
    parked = new Set();
    const isBehind = nameOfThread() === THREADS.history.name && isHistoryBehind();
    for (const task of due) task();
    return isBehind;
  };
}

function isHistoryBehind(): boolean {
  const positions = new JournalPositions((workerData as HistoryThreadData).positions);
  return positions.followed < positions.appended;
}

interface Space {
  readonly name: string;
  readonly bytes: number;
}
type Heap = readonly Space[];

const OWN_SPACES = new Set(['new_space', 'new_large_object_space']);

function bytesIn(heap: Heap): number {
  return heap.filter(it => OWN_SPACES.has(it.name)).reduce((sum, { bytes }) => sum + bytes, 0);
}

function heapNow(): Heap {
  return getHeapSpaceStatistics().map(it => ({ name: it.space_name, bytes: it.space_used_size }));
}

let ended: () => Counts = () => {
  throw new Error('nothing is counted');
};

/** The kernel's counts: reads and writes by system call, without those of sockets by `recv` and `send`. */
function ioNow(): { readonly reads: number; readonly writes: number } {
  const text = fs.readFileSync('/proc/thread-self/io', 'latin1');
  const of = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]);
  return { reads: of('syscr'), writes: of('syscw') };
}

function countBytes(): void {
  const profiler = new GCProfiler();
  const [before, io, off] = [{ ...totals }, ioNow(), process.memoryUsage().arrayBuffers];
  profiler.start();
  const begun = heapNow();
  ended = () => {
    const last = heapNow();
    const { statistics } = profiler.stop();
    let bytes = 0;
    let from = bytesIn(begun);
    for (const { beforeGC, afterGC } of statistics) {
      const heapOf = (it: typeof beforeGC): Heap =>
        it.heapSpaceStatistics.map(space => ({ name: space.spaceName, bytes: space.spaceUsedSize }));
      bytes += bytesIn(heapOf(beforeGC)) - from;
      from = bytesIn(heapOf(afterGC));
    }
    bytes += bytesIn(last) - from;
    const { reads, writes } = ioNow();
    const buffers = process.memoryUsage().arrayBuffers - off;
    return {
      ...difference(before),
      bytes,
      buffers,
      reads: reads - io.reads,
      writes: writes - io.writes,
      functions: [],
    };
  };
}

function difference(before: typeof totals): typeof totals {
  return Object.fromEntries(
    Object.entries(totals).map(([name, now]) => [name, now - before[name as keyof typeof totals]]),
  ) as typeof totals;
}

const NO_HEAP = { bytes: 0, buffers: 0, reads: 0, writes: 0 };

function countCalls(): void {
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  takeCalls();
  const stop = promiseHooks.onInit(() => {
    totals.promises += 1;
  });
  const before = { ...totals };
  ended = () => {
    const counted = difference(before);
    stop();
    return { ...counted, ...NO_HEAP, functions: takeCalls() };
  };
}

function takeCalls(): CountedFunction[] {
  const calls: CountedFunction[] = [];
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw error;
    for (const { url, functions } of coverage.result) {
      if (!url.startsWith(SOURCE)) continue;
      const file = url.slice(SOURCE.length);
      for (const { functionName, ranges } of functions) {
        const { startOffset, count } = ranges[0]!;
        if (count > 0) calls.push({ at: `${file}:@${startOffset} ${functionName || ANONYMOUS}`, count });
      }
    }
  });
  return calls;
}

/** Bytes by the function that allocates them. */
function sampleBytes(): void {
  session.post('HeapProfiler.startSampling', {
    samplingInterval: SAMPLE_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  } as HeapProfiler.StartSamplingParameterType);
  const before = { ...totals };
  ended = () => {
    const counted = difference(before);
    const functions: CountedFunction[] = [];
    session.post('HeapProfiler.stopSampling', (error, { profile }) => {
      if (error !== null) throw error;
      // The bytes that a function of Node or of V8 allocates count for our function that calls it.
      const add = ({ callFrame, selfSize, children }: HeapProfiler.SamplingHeapProfileNode, caller: string): void => {
        const { functionName, url, lineNumber } = callFrame;
        const isOurs = url.startsWith(SOURCE);
        const at = isOurs ? `${url.slice(SOURCE.length)}:${lineNumber + 1} ${functionName || ANONYMOUS}` : caller;
        if (selfSize > 0) functions.push({ at, count: selfSize });
        for (const child of children) add(child, at);
      };
      add(profile.head, 'none of ours');
    });
    return { ...counted, ...NO_HEAP, functions };
  };
}

let knownName = isMainThread ? 'main' : '';

/** `main`, its name in `src/threads.ts`, or empty. */
function nameOfThread(): string {
  if (knownName !== '') return knownName;
  session.post('Profiler.getBestEffortCoverage', (error, coverage) => {
    if (error !== null) throw error;
    for (const { url } of coverage.result) knownName ||= NAMES.get(url) ?? '';
  });
  return knownName;
}

function obey(command: ThreadCommand): unknown {
  switch (command) {
    case 'name':
      return nameOfThread();
    case 'settle':
      return settle();
    case 'bytes':
      return countBytes();
    case 'calls':
      return countCalls();
    case 'samples':
      return sampleBytes();
    case 'compile':
      return session.post('Profiler.stopPreciseCoverage');
    case 'end':
      return ended();
  }
}

const server = createServer(connection => {
  connection.setEncoding('latin1').on('data', command => {
    const answer = JSON.stringify(obey(String(command) as ThreadCommand) ?? null);
    // The history follows behind this turn.
    setImmediate(() => connection.write(`${answer}\n`));
  });
  connection.on('error', () => {});
  connection.unref();
});
server.listen(`${process.env.BUDGET_FOLDER}/thread-${threadId}.sock`).unref();
