// Ends a thread of a gateway's process from outside, as an error of the thread would. A signal opens Node's inspector, which throws an error in the
// thread that nothing catches.

import { once } from 'node:events';
import type { GatewayProcess } from '../soak/gateway-process.ts';
import { untilQuiet } from '../soak/quiet.ts';

/**
 * The options of Node before the program. With them a process opens its inspector on a port of its own when it gets the signal. Without them it
 * cannot.
 */
export const INSPECTABLE = ['--no-disable-sigusr1', '--inspect-port=127.0.0.1:0'];

/**
 * Tells the threads of the two pools apart, which both run piscina's file. The engine is started with its own pulse, check workers with the board of
 * the pulses of all workers.
 */
const startedWith = (name: 'pulse' | 'pulses'): string =>
  `'${name}' in process.getBuiltinModule('node:worker_threads').workerData`;

interface Marks {
  /** The pattern of the file that the thread runs: piscina's file for threads of a pool. */
  readonly url: RegExp;
  /** The expression that is true in such a thread. */
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

/** The time limit, which is long enough for a busy machine. */
const PATIENCE_MS = 60_000;
const LISTENING = /Debugger listening on (ws:\S+)/;
/**
 * Returns an expression that evaluates `call` in a thread that has reached its event loop, and is true then. A thread that was just started may still
 * be in Node's own start. A callback that is requested there ends the process (a null pointer in libuv).
 */
const inTheLoop = (call: string): string =>
  `typeof performance === 'object' && performance.nodeTiming.loopStart > 0 && Boolean(${call})`;
export const DEATH = inTheLoop(`setImmediate(() => { throw new Error('ended by the fault campaign'); })`);
/** Allocates 13 MB a second: less than a tenth of the smallest heap between two checks of its guard. */
export const HOARD = inTheLoop(`setInterval(() => (globalThis.hoard ??= []).push(new Array(32_768).fill(0)), 20)`);
/** Hangs the thread, so that its supervisor ends the thread or the process. */
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

/** Ends a thread of this name by an evaluated expression; resolves when the thread has ended. Throws if there is no such thread. */
export function endThread(gateway: GatewayProcess, name: ThreadName, expression = DEATH): Promise<void> {
  return strikeThread(gateway, name, expression, 'ended');
}

/** Strikes a thread of this name, which hangs by default; resolves just before the strike. Throws if there is no such thread. */
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
  // If the process ends with the thread, it may end before the thread's answer is sent.
  inspector.addEventListener('close', () => {
    if (victim === null) ended.reject(new Error('the process has ended'));
    else ended.resolve();
  });
  inspector.addEventListener('error', () => ended.reject(new Error('the inspector does not answer')));
  const { url, is }: Marks = THREADS[name];
  /** Evaluates the strike in the victim. Until a victim is found, it evaluates in each other thread whether the thread is of this kind. */
  const ask = (sessionId: string): void => {
    if (isOver || (victim !== null && victim !== sessionId)) return;
    const params = { expression: victim === null ? is : expression };
    send(2, 'NodeWorker.sendMessageToWorker', {
      sessionId,
      message: JSON.stringify({ id: 1, method: 'Runtime.evaluate', params }),
    });
  };
  /** A thread that was just started does not know its kind yet, and ignores requests. */
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

/** Returns whether the answer to an evaluation is true. */
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
