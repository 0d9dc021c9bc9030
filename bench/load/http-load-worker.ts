// The callers of an HTTP server, all on one thread: closed loop, as many requests as are answered, or open loop at a
// constant rate. Requests are signed before, for many keys, no two alike but for coming again once all have been sent.

import { parentPort, workerData } from 'node:worker_threads';
import { monotonicMs } from './clock.ts';
import { HttpConnection } from './http-connection.ts';
import type { LoadAnswer, LoadPlan, LoadRequest } from './http-messages.ts';
import { type BenchKey, requestBytes, signedRequests } from './http-signing.ts';
import { Latencies } from './latencies.ts';

export interface LoadWorkerData {
  readonly keys: readonly BenchKey[];
}

/** Whatever has not been answered by then never is. */
const ANSWER_TIMEOUT_MS = 5_000;
const POLL_MS = 1;
/** Requests of an open loop that may wait for a connection. */
const BACKLOG_MAX = 10_000;
/** An open loop sleeps no longer than this before it looks at its answers. The kernel adds about 60 µs. */
const NAP_MS = 0.05;

const { keys } = workerData as LoadWorkerData;
const napCell = new Int32Array(new SharedArrayBuffer(4));

class Load {
  readonly #plan: LoadPlan;
  readonly #requests: readonly Buffer[];
  readonly #connections: HttpConnection[] = [];
  readonly #latencies = new Latencies();
  /** By connection: since when its caller waits; NaN while it does not. */
  readonly #since: Float64Array;
  /** Connections of an open loop without a request. */
  readonly #idle: number[] = [];
  /** Times at which requests of an open loop were due that have no connection yet. */
  readonly #backlog: number[] = [];
  #sent = 0;
  #startMs = 0;
  #endMs = 0;
  #lastAtMs = 0;

  static async prepare(plan: LoadPlan): Promise<Load> {
    const load = new Load(plan);
    for (let index = 0; index < plan.connections; index++) {
      const connection = await HttpConnection.open(plan.port, {
        onAnswer: (status, answer) => load.#answered(index, status, answer),
        onClose: detail => {
          throw new Error(`a caller was disconnected: ${detail}`);
        },
      });
      load.#connections.push(connection);
    }
    return load;
  }

  private constructor(plan: LoadPlan) {
    this.#plan = plan;
    const { target, isSigned } = plan;
    this.#requests = isSigned ? signedRequests(keys, target) : [requestBytes(target, {})];
    this.#since = new Float64Array(plan.connections).fill(Number.NaN);
  }

  async run(): Promise<LoadAnswer> {
    const { durationMs, requestsPerSecond } = this.#plan;
    this.#startMs = monotonicMs();
    this.#endMs = this.#startMs + durationMs;
    if (requestsPerSecond === null) this.#beginClosedLoop();
    else await this.#openLoop(1_000 / requestsPerSecond);
    const deadline = this.#endMs + ANSWER_TIMEOUT_MS;
    const isAnswered = () => monotonicMs() >= this.#endMs && this.#latencies.count === this.#sent;
    while (!isAnswered()) {
      if (monotonicMs() > deadline) throw new Error(`${this.#sent - this.#latencies.count} requests without an answer`);
      await new Promise(resolve => setTimeout(resolve, POLL_MS));
    }
    for (const connection of this.#connections) connection.close();
    return {
      count: this.#latencies.count,
      elapsedMs: this.#lastAtMs - this.#startMs,
      latencies: this.#latencies.toCounts(),
    };
  }

  #beginClosedLoop(): void {
    for (let index = 0; index < this.#connections.length; index++) this.#send(index, monotonicMs());
  }

  /**
   * Sleeps by Atomics.wait: timers tick in milliseconds, and a loop that never sleeps would take a core from the server.
   * Answers are seen between two naps, so latencies read up to a tenth of a millisecond too long.
   */
  async #openLoop(periodMs: number): Promise<void> {
    for (let index = 0; index < this.#connections.length; index++) this.#idle.push(index);
    for (let dueMs = this.#startMs; dueMs < this.#endMs; dueMs += periodMs) {
      for (let restMs = dueMs - monotonicMs(); restMs > 0; restMs = dueMs - monotonicMs()) {
        Atomics.wait(napCell, 0, 0, Math.min(restMs, NAP_MS));
        await new Promise(resolve => setImmediate(resolve));
      }
      const free = this.#idle.pop();
      if (free !== undefined) this.#send(free, dueMs);
      else if (this.#backlog.push(dueMs) > BACKLOG_MAX) throw new Error('the server does not keep up');
    }
  }

  #send(index: number, sinceMs: number): void {
    this.#since[index] = sinceMs;
    this.#connections[index]!.send(this.#requests[this.#sent % this.#requests.length]!);
    this.#sent += 1;
  }

  #answered(index: number, status: number, answer: Buffer): void {
    const nowMs = monotonicMs();
    if (status !== 200) throw new Error(`not 200: ${answer.toString('latin1')}`);
    this.#latencies.add((nowMs - this.#since[index]!) * 1_000);
    this.#lastAtMs = nowMs;
    if (this.#plan.requestsPerSecond !== null) {
      const dueMs = this.#backlog.shift();
      if (dueMs === undefined) this.#idle.push(index);
      else this.#send(index, dueMs);
    } else if (nowMs < this.#endMs) this.#send(index, nowMs);
  }
}

let prepared: Load | null = null;

parentPort!.on('message', async (request: LoadRequest) => {
  if (request.op === 'prepare') {
    prepared = await Load.prepare(request.plan);
    parentPort!.postMessage(null);
    return;
  }
  parentPort!.postMessage(await prepared!.run());
});
