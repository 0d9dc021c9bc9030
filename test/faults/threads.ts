// Ends a thread of a gateway's process from outside, as a fault of its own would. A signal opens Node's inspector, which throws an error
// there that nothing catches.

import { once } from 'node:events';
import type { GatewayProcess } from '../soak/gateway-process.ts';
import { untilQuiet } from '../soak/quiet.ts';

/**
 * Options that stand before the program. A process that has them opens its inspector on a port of its own when it gets the signal. A
 * process that is started otherwise cannot.
 */
export const INSPECTABLE = ['--no-disable-sigusr1', '--inspect-port=127.0.0.1:0'];

/** Threads of both pools run piscina's file. The engine is started with its own pulse, check workers with the board of all of theirs. */
const startedWith = (name: 'pulse' | 'pulses'): string =>
  `'${name}' in process.getBuiltinModule('node:worker_threads').workerData`;

interface Marks {
  /** Matches the file that the thread runs: piscina's for threads of a pool. */
  readonly url: RegExp;
  /** Evaluated in it. */
  readonly is: string;
}

const THREADS = {
  'a check worker': { url: /piscina/, is: startedWith('pulses') },
  'the engine': { url: /piscina/, is: startedWith('pulse') },
  'a feed': { url: /feed-worker/, is: 'true' },
  'the history thread': { url: /history-worker/, is: 'true' },
  'the catalog thread': { url: /catalog-worker/, is: 'true' },
} as const satisfies Readonly<Record<string, Marks>>;
export type ThreadName = keyof typeof THREADS;

/** For a machine that is busy. */
const PATIENCE_MS = 60_000;
const LISTENING = /Debugger listening on (ws:\S+)/;
/**
 * Evaluates `call` in a thread that has reached its event loop, and is true then. A thread that was started a moment ago may still be in
 * Node's own start. A callback that is requested there ends the process (a null pointer in libuv).
 */
const inTheLoop = (call: string): string =>
  `typeof performance === 'object' && performance.nodeTiming.loopStart > 0 && Boolean(${call})`;
export const DEATH = inTheLoop(`setImmediate(() => { throw new Error('ended by the fault campaign'); })`);
/** 13 MB a second: less than a tenth of the smallest heap between two looks of its guard. */
export const HOARD = inTheLoop(`setInterval(() => (globalThis.hoard ??= []).push(new Array(32_768).fill(0)), 20)`);
/** Its supervisor ends it, or the process. */
export const HANG = inTheLoop('setImmediate(() => { for (;;); })');
const ASK_AGAIN_MS = 50;

interface InspectorMessage {
  readonly method?: string;
  readonly params?: {
    readonly sessionId: string;
    readonly workerInfo?: { readonly url: string };
    /** A message of the thread's own inspector. */
    readonly message?: string;
  };
}

/** Ends the main thread, and the process with it, once no inspector is connected. */
export async function endMainThread(gateway: GatewayProcess, expression = DEATH): Promise<void> {
  const inspector = new WebSocket(await inspectorUrl(gateway));
  await once(inspector, 'open');
  // The process may end before its answer is sent.
  const heard = Promise.race([once(inspector, 'message'), once(inspector, 'close')]);
  inspector.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
  await heard;
  inspector.close();
}

/** Resolves when one such thread has ended, of what is evaluated in it. Throws if there is none. */
export function endThread(gateway: GatewayProcess, name: ThreadName, expression = DEATH): Promise<void> {
  return strikeThread(gateway, name, expression, 'ended');
}

/** Resolves as soon as it is about to happen to one such thread, which hangs by default. Throws if there is none. */
export function hangThread(gateway: GatewayProcess, name: ThreadName, expression = HANG): Promise<void> {
  return strikeThread(gateway, name, expression, 'sent');
}

async function strikeThread(
  gateway: GatewayProcess,
  name: ThreadName,
  expression: string,
  until: 'ended' | 'sent',
): Promise<void> {
  const inspector = new WebSocket(await inspectorUrl(gateway));
  const ended = Promise.withResolvers<void>();
  let victim: string | null = null;
  let isOver = false;
  const send = (id: number, method: string, params: object): void =>
    inspector.send(JSON.stringify({ id, method, params }));
  inspector.addEventListener('open', () => send(1, 'NodeWorker.enable', { waitForDebuggerOnStart: false }));
  // A process that ends with the thread may end before the thread's answer is sent.
  inspector.addEventListener('close', () => {
    if (victim === null) ended.reject(new Error('the process has ended'));
    else ended.resolve();
  });
  inspector.addEventListener('error', () => ended.reject(new Error('the inspector does not answer')));
  const { url, is }: Marks = THREADS[name];
  /** Evaluates in the victim what strikes it; in any other thread, until there is a victim, whether it is such a thread. */
  const ask = (sessionId: string): void => {
    if (isOver || (victim !== null && victim !== sessionId)) return;
    const params = { expression: victim === null ? is : expression };
    send(2, 'NodeWorker.sendMessageToWorker', {
      sessionId,
      message: JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }),
    });
  };
  /** A thread that was started a moment ago knows nothing of itself yet, and does nothing that it is asked for. */
  const hear = (sessionId: string, isTrue: boolean): void => {
    if (!isTrue) setTimeout(() => ask(sessionId), ASK_AGAIN_MS);
    else if (victim === sessionId && until === 'sent') ended.resolve();
    else if (victim === null) {
      victim = sessionId;
      ask(sessionId);
    }
  };
  inspector.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(String(data)) as InspectorMessage;
    if (method === 'NodeWorker.attachedToWorker' && url.test(params!.workerInfo!.url)) ask(params!.sessionId);
    if (method === 'NodeWorker.receivedMessageFromWorker') hear(params!.sessionId, isTrue(params!.message!));
    if (method === 'NodeWorker.detachedFromWorker' && params!.sessionId === victim) ended.resolve();
  });
  const late = setTimeout(() => ended.reject(new Error(`${name} cannot be struck`)), PATIENCE_MS);
  try {
    await ended.promise;
  } finally {
    clearTimeout(late);
    isOver = true;
    inspector.close();
  }
}

/** Whether the answer to an evaluation is true. */
function isTrue(answer: string): boolean {
  return JSON.parse(answer).result?.result?.value === true;
}

async function inspectorUrl(gateway: GatewayProcess): Promise<string> {
  process.kill(gateway.pid, 'SIGUSR1');
  const missing = async (): Promise<string[]> => (LISTENING.test(gateway.complaints) ? [] : ['no inspector']);
  const complaints = await untilQuiet(PATIENCE_MS, missing);
  if (complaints.length > 0) throw new Error(complaints.join());
  return LISTENING.exec(gateway.complaints)![1]!;
}
