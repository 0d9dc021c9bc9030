// Counts calls of our functions in every thread of a gateway. The process preloads it (`--import`), and so does each of its threads.
// Each connection to the socket BENCH_COVERAGE_SOCKET gets the counts since the last one, as JSON (`coverage.ts`). All threads.

import { Session } from 'node:inspector';
import { createServer } from 'node:net';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';
import { THREADS } from '../../src/threads.ts';
import type { CalledFunction, ThreadCalls } from './coverage.ts';

interface Taken extends ThreadCalls {
  readonly threadId: number;
}

type Message =
  /** A thread counts from now on. */
  | { readonly op: 'counting'; readonly threadId: number }
  | { readonly op: 'take' }
  | { readonly op: 'taken'; readonly taken: Taken };

const SOURCE = new URL('../../src/', import.meta.url).href;
/** A thread is named after the file that it runs: threads of a pool have no names. */
const NAMES = new Map<string, string>(Object.values(THREADS).map(({ name, entry }) => [entry.href, name]));

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
let thread = isMainThread ? 'main' : '';

function take(): Taken {
  const functions: CalledFunction[] = [];
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw error;
    for (const script of coverage.result.filter(({ url }) => url.startsWith(SOURCE))) {
      const file = script.url.slice(SOURCE.length);
      if (thread === '') thread = NAMES.get(script.url) ?? '';
      for (const { functionName, ranges } of script.functions) {
        const { startOffset, count } = ranges[0]!;
        if (count > 0) functions.push({ file, name: `${functionName}@${startOffset}`, calls: count });
      }
    }
  });
  return { thread, threadId, functions };
}

const channel = new BroadcastChannel('bench-coverage');

function say(message: Message): void {
  channel.postMessage(message);
}

if (isMainThread) serve(process.env.BENCH_COVERAGE_SOCKET!);
else {
  channel.onmessage = ({ data }) => {
    if ((data as Message).op === 'take') say({ op: 'taken', taken: take() });
  };
  say({ op: 'counting', threadId });
}

function serve(path: string): void {
  const counting = new Set<number>();
  let hear: (taken: Taken) => void = () => {};
  process.on('worker', worker => {
    const id = worker.threadId;
    worker.once('exit', () => counting.delete(id));
  });
  channel.onmessage = ({ data }) => {
    const message = data as Message;
    if (message.op === 'counting') counting.add(message.threadId);
    if (message.op === 'taken') hear(message.taken);
  };
  createServer(connection => {
    const all: Taken[] = [];
    const waited = new Set(counting);
    hear = taken => {
      all.push(taken);
      waited.delete(taken.threadId);
      if (waited.size === 0) connection.end(JSON.stringify([...all, take()] satisfies ThreadCalls[]));
    };
    say({ op: 'take' });
  }).listen(path);
}
