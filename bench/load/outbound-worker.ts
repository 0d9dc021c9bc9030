// The caller of net-outbound.bench.ts: the same POST through our pool or undici, each with up to 8 connections.

import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'undici';
import { HttpOutboundPool } from '../../src/core/net/outbound-pool.ts';
import { monotonicMs, sleepUntil } from './clock.ts';
import { Latencies } from './latencies.ts';
import type { OutboundAnswer, OutboundCallerData, OutboundClient, OutboundQuestion } from './messages.ts';

const CONNECTIONS_MAX = 8;
const TIMEOUT_MS = 5_000;
const PERIOD_MS = 1;

const { port, path } = workerData as OutboundCallerData;
const origin = `http://127.0.0.1:${port}`;
const pool = new HttpOutboundPool({
  origin,
  connectionsMax: CONNECTIONS_MAX,
  idleMs: TIMEOUT_MS,
  answerBytesMax: 64 * 1024,
});
const undici = new Pool(origin, { connections: CONNECTIONS_MAX, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });

/** The headers have the length of a real order's headers, with its signature. */
const headers = { 'KALSHI-ACCESS-SIGNATURE': 'x'.repeat(88), 'Content-Type': 'application/json' };
const body = JSON.stringify({ ticker: 'KXNBAGAME-26NOV21BOSLAL-BOS', client_order_id: '0'.repeat(36), side: 'bid' });

/** Each function resolves with the length of a complete answer. */
const ask: Readonly<Record<OutboundClient, () => Promise<number>>> = {
  pool: async () => {
    const outcome = await pool.request({ method: 'POST', target: path, headers, body }, TIMEOUT_MS);
    if (outcome.type !== 'answer' || outcome.status !== 201) throw new Error(`no answer: ${outcome.type}`);
    return outcome.body.length;
  },
  undici: async () => {
    const answer = await undici.request({ method: 'POST', path, headers, body });
    if (answer.statusCode !== 201) throw new Error(`no answer: ${answer.statusCode}`);
    return (await answer.body.arrayBuffer()).byteLength;
  },
};

async function closedLoop(client: OutboundClient, count: number, latencies: Latencies): Promise<void> {
  for (let index = 0; index < count; index++) {
    const sentMs = monotonicMs();
    await ask[client]();
    latencies.add((monotonicMs() - sentMs) * 1_000);
  }
}

async function openLoop(client: OutboundClient, count: number, latencies: Latencies): Promise<void> {
  const startMs = monotonicMs();
  const underWay: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    const dueMs = startMs + index * PERIOD_MS;
    await sleepUntil(dueMs);
    underWay.push(ask[client]().then(() => latencies.add((monotonicMs() - dueMs) * 1_000)));
  }
  await Promise.all(underWay);
}

parentPort!.on('message', async ({ client, loop, count }: OutboundQuestion) => {
  const latencies = new Latencies();
  await (loop === 'closed' ? closedLoop : openLoop)(client, count, latencies);
  parentPort!.postMessage({ counts: latencies.toCounts() } satisfies OutboundAnswer);
});
