// HTTP load from one thread: a closed loop at the rate of the answers, or an open loop at a constant rate. Its source makes the
// requests and checks the answers.

import { monotonicMs, sleepUntil } from './clock.ts';
import { HttpConnection } from './http-connection.ts';
import { Latencies } from './latencies.ts';
import type { HttpLoadPlan, LoadAnswer } from './messages.ts';

export interface RequestSource {
  /** Returns the request that is due at `dueMs`. Null means that no more requests follow. */
  next(dueMs: number): Buffer | null;
  /** Takes a complete answer, which is borrowed, and its latency. Throws if the answer is wrong. */
  answered(status: number, answer: Buffer, us: number): void;
}

interface Due {
  readonly request: Buffer;
  readonly dueMs: number;
}

/** The time without any answer after which the run fails. */
const ANSWER_TIMEOUT_MS = 10_000;
const POLL_MS = 1;
/** The number of requests of an open loop that may wait for a connection. */
const BACKLOG_MAX = 10_000;

export class HttpLoad {
  readonly #plan: HttpLoadPlan;
  readonly #source: RequestSource;
  readonly #connections: HttpConnection[] = [];
  readonly #latencies = new Latencies();
  /** The time since which each connection has waited. */
  readonly #since: Float64Array;
  /** The connections of an open loop that have no request. */
  readonly #idle: number[] = [];
  /** The requests of an open loop that are due and wait for a connection. */
  readonly #backlog: Due[] = [];
  #sent = 0;
  #isOver = false;
  #startMs = 0;
  #lastAtMs = 0;

  /** Resolves when all connections are open. */
  static async prepare(plan: HttpLoadPlan, source: RequestSource): Promise<HttpLoad> {
    const load = new HttpLoad(plan, source);
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

  private constructor(plan: HttpLoadPlan, source: RequestSource) {
    this.#plan = plan;
    this.#source = source;
    this.#since = new Float64Array(plan.connections).fill(Number.NaN);
  }

  async run(): Promise<LoadAnswer> {
    const { requestsPerSecond } = this.#plan;
    this.#startMs = monotonicMs();
    this.#lastAtMs = this.#startMs;
    if (requestsPerSecond === null) this.#beginClosedLoop();
    else await this.#openLoop(1_000 / requestsPerSecond);
    while (!this.#isOver || this.#latencies.count < this.#sent) {
      const unanswered = this.#sent - this.#latencies.count;
      if (monotonicMs() > this.#lastAtMs + ANSWER_TIMEOUT_MS)
        throw new Error(`${unanswered} requests without an answer`);
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
    for (let index = 0; index < this.#connections.length; index++) this.#sendNext(index, monotonicMs());
  }

  async #openLoop(periodMs: number): Promise<void> {
    for (let index = 0; index < this.#connections.length; index++) this.#idle.push(index);
    for (let dueMs = this.#startMs; ; dueMs += periodMs) {
      const request = this.#next(dueMs);
      if (request === null) return;
      await sleepUntil(dueMs);
      const free = this.#idle.pop();
      if (free !== undefined) this.#send(free, { request, dueMs });
      else if (this.#backlog.push({ request, dueMs }) > BACKLOG_MAX) throw new Error('the server does not keep up');
    }
  }

  #next(dueMs: number): Buffer | null {
    const request = this.#isOver ? null : this.#source.next(dueMs);
    this.#isOver = request === null;
    return request;
  }

  #sendNext(index: number, dueMs: number): void {
    const request = this.#next(dueMs);
    if (request !== null) this.#send(index, { request, dueMs });
  }

  #send(index: number, { request, dueMs }: Due): void {
    this.#since[index] = dueMs;
    this.#connections[index]!.send(request);
    this.#sent += 1;
  }

  #answered(index: number, status: number, answer: Buffer): void {
    const nowMs = monotonicMs();
    const us = (nowMs - this.#since[index]!) * 1_000;
    this.#source.answered(status, answer, us);
    this.#latencies.add(us);
    this.#lastAtMs = nowMs;
    if (this.#plan.requestsPerSecond === null) {
      this.#sendNext(index, nowMs);
      return;
    }
    const due = this.#backlog.shift();
    if (due === undefined) this.#idle.push(index);
    else this.#send(index, due);
  }
}
