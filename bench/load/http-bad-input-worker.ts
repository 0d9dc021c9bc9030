// Misbehaving callers at a bounded rate, from their own address. They send oversized heads, bytes that are not HTTP, wrong signatures under
// a real key, and heads that never end. Each uses one connection.

import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { EMPTY_SHA256 } from '../../src/core/auth/canonical.ts';
import { limits } from '../../src/limits.ts';
import { monotonicMs } from './clock.ts';
import { requestBytes } from './http-signing.ts';
import type { BadInputAnswer, BadInputRequest } from './messages.ts';

export interface BadInputData {
  /** Key id of the well-behaved caller. */
  readonly keyId: string;
}

const ADDRESS = '127.0.0.2';
const PERIOD_MS = 5;
/** The requests per period, 400 a second together. */
const PER_PERIOD = 2;
/** The number of open connections beyond which no request starts until one is answered or closed. Heads that never end wait for their time-out. */
const CONNECTIONS_MAX = 200;
/** The time after which a connection that the server does not close is given up. */
const PATIENCE_MS = 500;

const { keyId } = workerData as BadInputData;
const target = '/v1/time';
const garbage = Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 167 + 13) & 0xff));
const open = new Set<Socket>();
let sent = 0;
let startMs = 0;
let timer: NodeJS.Timeout | undefined;

/** Returns a wrong signature of the right length. */
function wronglySigned(): Buffer {
  return requestBytes(target, {
    'SVC-Key-Id': keyId,
    'SVC-Timestamp': String(Math.floor(Date.now() / 1_000)),
    'SVC-Signature': Buffer.alloc(64, sent & 0xff).toString('base64'),
    'SVC-Content-Sha256': EMPTY_SHA256,
  });
}

const KINDS: readonly (() => Buffer)[] = [
  wronglySigned,
  () => garbage,
  wronglySigned,
  () => requestBytes(target, { 'X-Padding': 'x'.repeat(2 * limits.headerBytesMax) }),
  wronglySigned,
  () => Buffer.from(`GET ${target} HTTP/1.1\r\nHost: 127`),
  wronglySigned,
  () => Buffer.from(`POST ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000000\r\n\r\n`),
];

function sendOne(port: number): void {
  if (open.size >= CONNECTIONS_MAX) return;
  const bytes = KINDS[sent % KINDS.length]!();
  sent += 1;
  const socket = connect({ host: '127.0.0.1', port, localAddress: ADDRESS, noDelay: true });
  open.add(socket);
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  socket.once('connect', () => socket.write(bytes));
  socket.once('data', () => socket.destroy());
  // A server may drop the connection of a bad request.
  socket.once('error', () => socket.destroy());
  socket.once('close', () => open.delete(socket));
}

parentPort!.on('message', (request: BadInputRequest) => {
  if (request.op === 'begin') {
    sent = 0;
    startMs = monotonicMs();
    timer = setInterval(() => {
      for (let count = 0; count < PER_PERIOD; count++) sendOne(request.port);
    }, PERIOD_MS);
    parentPort!.postMessage(null);
    return;
  }
  clearInterval(timer);
  for (const socket of open) socket.destroy();
  parentPort!.postMessage({ sent, elapsedMs: monotonicMs() - startMs } satisfies BadInputAnswer);
});
