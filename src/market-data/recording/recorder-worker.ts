// The recorder's thread: follows the tapes of both venues into the files of a recording (docs/RECORDING.md). The thread looks at the tapes
// by itself, so that no feed has to wake it. If the disk fails, the recording ends but the thread goes on; trading is not affected.

import { parentPort, workerData } from 'node:worker_threads';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { assert, unreachable } from '../../core/domain/result.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { createLog } from '../../core/runtime/log.ts';
import { keepPulse, watchMainThread } from '../../core/runtime/pulse.ts';
import { lowerPriority } from '../../core/runtime/thread-state.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { Recorder } from './recorder.ts';
import {
  type FromRecorder,
  MESSAGES,
  type RecorderThreadData,
  STANDING,
  Standing,
  type ToRecorder,
} from './recorder-messages.ts';

/** The longest time until the thread reads a message. */
const SLICE_MS = 100;
/** The sleep between two looks at the tapes. A tape holds 65 times as many changes as come in this time at 50 000 changes a second. */
const LOOK_MS = 1;

const port = parentPort;
assert(port !== null, 'the recorder’s worker is started as a thread');
const { arena, folder, bounds, metrics: metricsParts, shared, logLevel } = workerData as RecorderThreadData;
lowerPriority();
const log = createLog('recorder', { level: logLevel });
const metrics = new Metrics(metricsParts);
const laps = metrics.counter('recording_laps_total');
const words = new Int32Array(shared);
let turn: NodeJS.Immediate;
/** The number of this recording's laps that the metrics count already. */
let lapsCounted = 0;
/** Why the last recording has ended. Null means that it was stopped, or that it goes on. */
let fault: string | null = null;
/** The recorder that runs; null if the recording has ended. */
let recorder = startRecorder();
/**
 * Resolves when all commands so far are done. Commands run one at a time, because a start waits until the last recording's files are
 * closed.
 */
let performed = Promise.resolve();

keepPulse();
watchMainThread();
port.on('message', (message: ToRecorder) => {
  performed = performed.then(() => (message === 'close' ? close() : perform(message)));
});
work();

async function perform(message: Exclude<ToRecorder, 'close'>): Promise<void> {
  switch (message.op) {
    case 'list':
      withRecorder(it => it.list(message.venue, message.address, message.binding));
      return;
    case 'unlist':
      withRecorder(it => it.unlist(message.venue, message.address));
      return;
    case 'start': {
      const isNew = recorder === null;
      recorder ??= startRecorder();
      answer(isNew && recorder !== null);
      return;
    }
    case 'stop':
      await finish();
      answer(false);
      return;
    default:
      unreachable(message);
  }
}

function answer(isNew: boolean): void {
  port!.postMessage({ isRecording: recorder !== null, isNew, fault } satisfies FromRecorder);
}

function startRecorder(): Recorder | null {
  try {
    const it = new Recorder({ arena, folder, bounds, now: () => Date.now() as UnixMillis });
    Atomics.store(words, STANDING, Standing.Recording);
    fault = null;
    log.info('recording', { folder });
    return it;
  } catch (error) {
    fail(error);
    return null;
  }
}

/** Follows the tapes until a message waits or the slice is over; then the event loop has a turn. */
function work(): void {
  const seen = Atomics.load(words, MESSAGES);
  const until = performance.now() + SLICE_MS;
  while (performance.now() < until && Atomics.load(words, MESSAGES) === seen) {
    const isNews = withRecorder(it => it.turn()) ?? false;
    if (!isNews) Atomics.wait(words, MESSAGES, seen, recorder === null || recorder.markets === 0 ? SLICE_MS : LOOK_MS);
  }
  const now = recorder?.laps ?? 0;
  if (now > lapsCounted) metrics.add(laps, now - lapsCounted);
  lapsCounted = now;
  recorder?.previousFilesClosed().catch(end);
  turn = setImmediate(work);
}

/** Runs a task with the recorder. Returns undefined if the recording has ended, before the task or by its failure. */
function withRecorder<T>(task: (recorder: Recorder) => T): T | undefined {
  if (recorder === null) return undefined;
  try {
    return task(recorder);
  } catch (error) {
    end(error);
    return undefined;
  }
}

function end(error: unknown): void {
  recorder?.abandon();
  if (recorder !== null) fail(error);
  recorder = null;
}

/**
 * Records why the recording has ended. A fault other than a StoreError is a bug: the thread then ends, and a new thread begins another
 * session.
 */
function fail(error: unknown): void {
  Atomics.store(words, STANDING, Standing.Failed);
  if (!(error instanceof StoreError)) throw error;
  fault = error.message;
  log.warn('the recording has ended', { folder, error: fault });
}

/** Ends the recording and closes its files. */
async function finish(): Promise<void> {
  const last = recorder;
  [recorder, fault] = [null, null];
  Atomics.store(words, STANDING, Standing.Ended);
  if (last === null) return;
  try {
    await last.close();
    log.info('the recording is closed', { folder });
  } catch (error) {
    last.abandon();
    fail(error);
  }
}

async function close(): Promise<void> {
  clearImmediate(turn);
  await finish();
  port!.close();
}
