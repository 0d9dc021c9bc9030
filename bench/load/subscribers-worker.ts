// Any number of subscribers on one thread. Each subscriber checks that every number follows the number before. Latency counts from the time at
// which a frame was due.

import { parentPort, workerData } from 'node:worker_threads';
import { monotonicMs } from './clock.ts';
import { signedHeaders } from './http-signing.ts';
import { Latencies } from './latencies.ts';
import type { Received, SubscribersRequest, SubscribersWorkerData } from './messages.ts';
import { RawWebSocket } from './raw-websocket.ts';
import type { Schedule } from './venue.ts';

const { url, key, count, hello, readyText, dataPrefix, progress } = workerData as SubscribersWorkerData;
const prefix = Buffer.from(dataPrefix);
const SEQ_NAME = '"seq":';
const COLON = 0x3a;
const DIGIT_0 = 0x30;
const POLL_MS = 1;
const KNOCKING_MAX = 100;
const READY_TIMEOUT_MS = 30_000;

const delivered = new Int32Array(progress);
const sockets: RawWebSocket[] = [];
const nextSeqs = new Int32Array(count);
let ready = 0;
let schedule: Schedule | null = null;
let latencies = new Latencies();
let nowMs = 0;
let deliveries = 0;
let lost = 0;

void connectAll();

/** Connects in batches, because a listener's backlog is bounded and a signature is valid for seconds. */
async function connectAll(): Promise<void> {
  for (let index = 0; index < count; index++) {
    if (index % KNOCKING_MAX === 0) await until(() => ready === index, READY_TIMEOUT_MS);
    sockets.push(subscriber(index));
  }
}

function subscriber(index: number): RawWebSocket {
  let isReady = false;
  const becomeReady = () => {
    isReady = true;
    ready += 1;
  };
  /** The offset of the sequence digits in a message. Only a new epoch changes it. */
  let seqOffset = 0;
  const headers = key === null ? {} : signedHeaders(key, new URL(url).pathname);
  const socket: RawWebSocket = new RawWebSocket(url, headers, {
    onOpen: () => {
      if (hello !== '') socket.send(hello);
      if (readyText === '') becomeReady();
    },
    onRead: () => {
      nowMs = monotonicMs();
    },
    onMessage: (bytes, start, end) => {
      if (!beginsWithPrefix(bytes, start)) {
        if (!isReady && bytes.toString('latin1', start, end).includes(readyText)) becomeReady();
        return;
      }
      if (bytes[start + seqOffset - 1] !== COLON) seqOffset = bytes.indexOf(SEQ_NAME, start) - start + SEQ_NAME.length;
      receive(index, readDigits(bytes, start + seqOffset));
    },
    onClose: detail => {
      throw new Error(`a subscriber was disconnected: ${detail}`);
    },
  });
  return socket;
}

function receive(index: number, seq: number): void {
  const skipped = seq - nextSeqs[index]!;
  if (skipped !== 0) lost += Math.abs(skipped);
  nextSeqs[index] = seq + 1;
  deliveries += 1;
  Atomics.add(delivered, 0, 1);
  if (schedule === null) return;
  const dueMs = schedule.startMs + (seq - schedule.firstSeq) * schedule.periodMs;
  latencies.add((nowMs - dueMs) * 1_000);
}

function beginsWithPrefix(bytes: Buffer, start: number): boolean {
  for (let index = 0; index < prefix.length; index++) {
    if (bytes[start + index] !== prefix[index]) return false;
  }
  return true;
}

function readDigits(bytes: Buffer, start: number): number {
  let value = 0;
  for (let at = start; ; at++) {
    const digit = bytes[at]! - DIGIT_0;
    if (digit < 0 || digit > 9) return value;
    value = value * 10 + digit;
  }
}

/** Polls until the condition holds. The data arrives over sockets within milliseconds, outside of timed parts. */
async function until(condition: () => boolean, timeoutMs: number): Promise<void> {
  const deadline = monotonicMs() + timeoutMs;
  while (!condition() && monotonicMs() < deadline) await new Promise(resolve => setTimeout(resolve, POLL_MS));
}

parentPort!.on('message', async (request: SubscribersRequest) => {
  if (request.op === 'begin') {
    await until(() => ready === count, READY_TIMEOUT_MS);
    if (ready < count) throw new Error(`${count - ready} of ${count} subscribers got no book`);
    nextSeqs.fill(request.firstSeq);
    schedule = request.schedule;
    latencies = new Latencies();
    deliveries = 0;
    lost = 0;
    parentPort!.postMessage(null);
    return;
  }
  await until(() => nextSeqs.every(next => next > request.lastSeq), request.timeoutMs);
  const missing = nextSeqs.reduce((sum, next) => sum + Math.max(0, request.lastSeq + 1 - next), 0);
  const answer: Received = { deliveries, lost: lost + missing, lastAtMs: nowMs, latencies: latencies.toCounts() };
  parentPort!.postMessage(answer);
});
