// Ends a thread of a gateway's process from outside, as a fault of its own would: through Node's inspector, which a signal opens,
// an error is thrown there that nobody catches.

import type { GatewayProcess } from '../soak/gateway-process.ts';
import { untilQuiet } from '../soak/quiet.ts';

/** Before the program: each process that is asked opens its inspector on a port of its own. */
export const INSPECTABLE = ['--inspect-port=127.0.0.1:0'];

/** By what the file that a thread runs is called. Piscina starts the order workers. */
export const THREADS = {
  'an order worker': /piscina/,
  'a feed': /feed-worker/,
  'the executions thread': /executions-worker/,
  'the store keeper': /store-keeper-worker/,
  'the catalog thread': /catalog-worker/,
} as const;
export type ThreadName = keyof typeof THREADS;

/** For a machine that is busy. */
const PATIENCE_MS = 60_000;
const LISTENING = /Debugger listening on (ws:\S+)/;
const DEATH = "setImmediate(() => { throw new Error('ended by the fault campaign'); })";

interface InspectorMessage {
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly workerInfo?: { readonly url: string } };
}

/** Resolves when one such thread has ended. Throws if there is none. */
export async function endThread(gateway: GatewayProcess, name: ThreadName): Promise<void> {
  const inspector = new WebSocket(await inspectorUrl(gateway));
  const ended = Promise.withResolvers<void>();
  let victim: string | null = null;
  const send = (id: number, method: string, params: object): void =>
    inspector.send(JSON.stringify({ id, method, params }));
  inspector.addEventListener('open', () => send(1, 'NodeWorker.enable', { waitForDebuggerOnStart: false }));
  inspector.addEventListener('error', () => ended.reject(new Error('the inspector does not answer')));
  inspector.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(String(data)) as InspectorMessage;
    if (method === 'NodeWorker.detachedFromWorker' && params!.sessionId === victim) ended.resolve();
    if (method !== 'NodeWorker.attachedToWorker' || victim !== null) return;
    if (!THREADS[name].test(params!.workerInfo!.url)) return;
    victim = params!.sessionId;
    const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: DEATH } });
    send(2, 'NodeWorker.sendMessageToWorker', { sessionId: victim, message });
  });
  const late = setTimeout(() => ended.reject(new Error(`${name} does not end`)), PATIENCE_MS);
  try {
    await ended.promise;
  } finally {
    clearTimeout(late);
    inspector.close();
  }
}

async function inspectorUrl(gateway: GatewayProcess): Promise<string> {
  process.kill(gateway.pid, 'SIGUSR1');
  const missing = async (): Promise<string[]> => (LISTENING.test(gateway.complaints) ? [] : ['no inspector']);
  const complaints = await untilQuiet(PATIENCE_MS, missing);
  if (complaints.length > 0) throw new Error(complaints.join());
  return LISTENING.exec(gateway.complaints)![1]!;
}
