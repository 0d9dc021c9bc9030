// The keep-alive connections of one origin over raw sockets, and the queue of requests for them. The most recently used connection is used
// first, so that surplus connections idle out. A request is written to one connection, once. The pool reports the outcome, and leaves a
// retry to the caller. Any thread.

import { limits } from '../../limits.ts';
import type { HttpAnswer } from './http-answer-parser.ts';
import type { OutboundEvent, OutboundOutcome, OutboundPool, OutboundPoolOptions, OutboundRequest } from './outbound.ts';
import { OutboundConnection } from './outbound-connection.ts';
import { OutboundDialer } from './outbound-dialer.ts';
import { headBeginning } from './outbound-request.ts';
import { gateOf, type OutboundGate } from './read-only-hosts.ts';

type Done = (outcome: OutboundOutcome) => void;

interface Job {
  readonly request: OutboundRequest;
  readonly done: Done;
  readonly timeoutMs: number;
  /** The time at which the outcome is due, by performance.now(). */
  readonly deadlineMs: number;
  /** The time after which the request must not be sent, by performance.now(). */
  readonly sendUntilMs: number;
  readonly queue: Set<Job>;
  isSettled: boolean;
}

const KEEP_ALIVE_TIMEOUT = /(?:^|[ ,])timeout=(\d{1,6})/i;

export class HttpOutboundPool implements OutboundPool {
  readonly #options: OutboundPoolOptions;
  readonly #count: (event: OutboundEvent) => void;
  /** Decides which requests may leave. Null means that every request may leave. */
  readonly #gate: OutboundGate | null;
  readonly #dialer: OutboundDialer;
  readonly #headBeginning: string;
  readonly #opening = new Set<OutboundConnection>();
  /** The idle connections, as a stack: the connection that was used last is taken first. */
  readonly #idle: OutboundConnection[] = [];
  /** The jobs of the open connections. Null means that the connection is idle: a map that got empty would allocate for each lone request. */
  readonly #jobs = new Map<OutboundConnection, Job | null>();
  #busy = 0;
  /** The queues. Requests are first in, first out; urgent requests come before all others. */
  readonly #urgent = new Set<Job>();
  readonly #waiting = new Set<Job>();
  /** The largest number of connections for requests that are not urgent, and the number that these requests use now. */
  readonly #usualMax: number;
  #usualBusy = 0;
  #idleTimer: NodeJS.Timeout | null = null;
  /** One timer for all jobs, set for the earliest deadline. Most jobs are over long before their deadlines. */
  #deadlineTimer: NodeJS.Timeout | undefined;
  /** The time for which the timer is set, by performance.now(). Infinity means that no timer is set. */
  #deadlineTimerMs = Number.POSITIVE_INFINITY;
  #closing: PromiseWithResolvers<void> | null = null;

  /** Throws if `origin` is invalid. */
  constructor(options: OutboundPoolOptions) {
    this.#options = options;
    this.#count = options.count ?? (() => {});
    this.#gate = gateOf(options.origin);
    this.#usualMax = options.connectionsMax - (options.connectionsKept ?? 0);
    this.#dialer = new OutboundDialer(options.origin, options.authorities);
    this.#headBeginning = headBeginning(this.#dialer.host);
  }

  request(request: OutboundRequest, timeoutMs: number): Promise<OutboundOutcome> {
    return new Promise(resolve => this.send(request, timeoutMs, resolve));
  }

  send(request: OutboundRequest, timeoutMs: number, done: Done): void {
    const refused = this.#gate === null ? null : this.#gate(request);
    if (refused !== null) {
      done(notSent(refused));
      return;
    }
    const held = this.#options.before?.(request) ?? null;
    if (held === null) this.#take(request, timeoutMs, done);
    else void held.then(() => this.#take(request, timeoutMs, done));
  }

  #take(request: OutboundRequest, timeoutMs: number, done: Done): void {
    const { sendWithinMs = timeoutMs, isUrgent = false } = request;
    const isInTime = timeoutMs > 0 && sendWithinMs >= 0;
    if (this.#closing !== null || !isInTime) {
      done(notSent(isInTime ? 'the pool is closed' : 'no time left'));
      return;
    }
    const queue = isUrgent ? this.#urgent : this.#waiting;
    const nowMs = performance.now();
    const deadlineMs = nowMs + timeoutMs;
    const sendUntilMs = nowMs + sendWithinMs;
    const job: Job = { request, done, timeoutMs, deadlineMs, sendUntilMs, queue, isSettled: false };
    this.#setTimer(deadlineMs, nowMs);
    const connection = this.#mayBeSent(queue) ? this.#takeIdle(nowMs) : null;
    if (connection === null) this.#wait(job);
    else this.#send(connection, job, nowMs);
  }

  async warmUp(connections: number): Promise<void> {
    const wanted = this.#gate === null ? Math.min(connections, this.#options.connectionsMax) : 0;
    while (this.#closing === null && this.#connections < wanted) this.#dial();
    await Promise.all([...this.#opening].map(it => it.opening));
  }

  close(): Promise<void> {
    if (this.#closing !== null) return this.#closing.promise;
    this.#closing = Promise.withResolvers();
    this.#refuseWaiting('the pool is closed');
    for (const connection of this.#opening) connection.drop();
    this.#opening.clear();
    while (this.#idle.length > 0) this.#drop(this.#idle.pop()!);
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#resolveIfClosed();
    return this.#closing.promise;
  }

  /** Closes the pool as `close` does, but requests in flight are lost. */
  destroy(): void {
    void this.close();
    for (const [connection, job] of this.#jobs) {
      this.#drop(connection);
      if (job !== null) this.#settle(job, { type: 'lost', message: 'the pool is closed' });
    }
    this.#busy = 0;
    this.#resolveIfClosed();
  }

  get #connections(): number {
    return this.#opening.size + this.#idle.length + this.#busy;
  }

  #wait(job: Job): void {
    if (job.queue.size < limits.outboundWaitingMax) {
      job.queue.add(job);
      this.#dialForWaiting();
    } else this.#settle(job, notSent('too many requests wait for a connection (outboundWaitingMax)'));
  }

  #send(connection: OutboundConnection, job: Job, nowMs: number): void {
    const refusal = connection.send(job.request);
    if (refusal !== '') {
      this.#settle(job, notSent(refusal));
      this.#free(connection, this.#options.idleMs, nowMs);
      return;
    }
    this.#jobs.set(connection, job);
    this.#busy += 1;
    if (job.queue === this.#waiting) this.#usualBusy += 1;
  }

  /** Takes the job of a connection. Returns null if the connection was idle. */
  #takeJob(connection: OutboundConnection): Job | null {
    const job = this.#jobs.get(connection) ?? null;
    if (job === null) return null;
    this.#jobs.set(connection, null);
    this.#busy -= 1;
    if (job.queue === this.#waiting) this.#usualBusy -= 1;
    return job;
  }

  #settle(job: Job, outcome: OutboundOutcome): void {
    job.isSettled = true;
    job.done(outcome);
  }

  /** Sets the timer so that jobs are checked at this deadline, or before. */
  #setTimer(deadlineMs: number, nowMs: number): void {
    if (deadlineMs >= this.#deadlineTimerMs) return;
    clearTimeout(this.#deadlineTimer);
    this.#deadlineTimerMs = deadlineMs;
    this.#deadlineTimer = setTimeout(this.#onDeadline, Math.ceil(deadlineMs - nowMs));
  }

  readonly #onDeadline = (): void => {
    this.#deadlineTimerMs = Number.POSITIVE_INFINITY;
    const nowMs = performance.now();
    const isDue = (job: Job): boolean => {
      if (job.deadlineMs <= nowMs) return true;
      this.#setTimer(job.deadlineMs, nowMs);
      return false;
    };
    for (const queue of [this.#urgent, this.#waiting]) {
      for (const job of queue) {
        if (!isDue(job)) continue;
        queue.delete(job);
        this.#settle(job, notSent(`no connection within ${job.timeoutMs} ms`));
      }
    }
    // If the loop ran late, the answer may have arrived: read the sockets once more before the timeout.
    for (const [connection, job] of this.#jobs)
      if (job !== null && isDue(job)) setImmediate(this.#onTimeUp, job, connection);
  };

  readonly #onTimeUp = (job: Job, connection: OutboundConnection): void => {
    if (job.isSettled) return;
    this.#count('timeout');
    this.#takeJob(connection);
    this.#drop(connection);
    this.#settle(job, { type: 'timeout', message: `no answer within ${job.timeoutMs} ms` });
    this.#dialForWaiting();
    this.#resolveIfClosed();
  };

  #dialForWaiting(): void {
    const { connectionsMax } = this.#options;
    const usual = Math.min(this.#waiting.size, this.#usualMax - this.#usualBusy);
    while (this.#opening.size < this.#urgent.size + usual && this.#connections < connectionsMax) this.#dial();
  }

  #mayBeSent(queue: Set<Job>): boolean {
    return queue === this.#urgent || this.#usualBusy < this.#usualMax;
  }

  #dial(): void {
    const { answerBytesMax } = this.#options;
    this.#opening.add(new OutboundConnection(this.#dialer, this.#headBeginning, answerBytesMax, this.#handlers));
  }

  readonly #handlers = {
    onOpen: (connection: OutboundConnection): void => {
      this.#opening.delete(connection);
      this.#count('opened');
      this.#free(connection, this.#options.idleMs, performance.now());
    },
    onAnswer: (connection: OutboundConnection, answer: HttpAnswer): void => {
      const job = this.#takeJob(connection)!;
      const nowMs = performance.now();
      this.#options.measure?.(job.request.method, (nowMs - connection.sentAtMs) * 1_000);
      this.#free(connection, idleMsOf(answer, this.#options.idleMs), nowMs);
      this.#settle(job, answer);
      this.#resolveIfClosed();
    },
    onEnd: (connection: OutboundConnection, message: string): void => {
      if (this.#opening.delete(connection)) this.#dialFailed(message);
      else this.#handleLoss(connection, message);
    },
  };

  #handleLoss(connection: OutboundConnection, message: string): void {
    this.#count('closed');
    const job = this.#takeJob(connection);
    this.#jobs.delete(connection);
    if (job === null) this.#idle.splice(this.#idle.indexOf(connection), 1);
    else {
      this.#count('lost');
      this.#settle(job, { type: 'lost', message });
    }
    this.#dialForWaiting();
    this.#resolveIfClosed();
  }

  /**
   * Handles a failed dial. Waiting requests go on waiting for the other connections. If no other connection exists, all fail now rather
   * than at their deadlines.
   */
  #dialFailed(message: string): void {
    this.#count('unreachable');
    if (this.#opening.size + this.#busy > 0) return;
    this.#refuseWaiting(message);
  }

  #refuseWaiting(message: string): void {
    for (const queue of [this.#urgent, this.#waiting]) {
      for (const job of queue) this.#settle(job, notSent(message));
      queue.clear();
    }
  }

  /** Takes a job from its queue, or returns null. Jobs past their deadline fail on the way. */
  #nextWaiting(nowMs: number): Job | null {
    return this.#nextOf(this.#urgent, nowMs) ?? this.#nextOf(this.#waiting, nowMs);
  }

  #nextOf(queue: Set<Job>, nowMs: number): Job | null {
    if (queue.size === 0) return null;
    for (const job of queue) {
      if (!this.#mayBeSent(queue)) break;
      queue.delete(job);
      if (nowMs <= job.sendUntilMs) return job;
      this.#settle(job, notSent('no connection in time'));
    }
    return null;
  }

  #takeIdle(nowMs: number): OutboundConnection | null {
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (connection.isIdle && nowMs < connection.idleUntilMs) return connection;
      this.#drop(connection);
    }
    return null;
  }

  #free(connection: OutboundConnection, idleMs: number, nowMs: number): void {
    if (!connection.isIdle || this.#closing !== null) {
      this.#drop(connection);
      this.#dialForWaiting();
      return;
    }
    const next = this.#nextWaiting(nowMs);
    if (next !== null) this.#send(connection, next, nowMs);
    else if (idleMs <= 0) this.#drop(connection);
    else {
      connection.idleUntilMs = nowMs + idleMs;
      this.#idle.push(connection);
      this.#idleTimer ??= setTimeout(this.#dropExpired, idleMs);
    }
  }

  #drop(connection: OutboundConnection): void {
    this.#count('closed');
    this.#jobs.delete(connection);
    connection.drop();
  }

  readonly #dropExpired = (): void => {
    const nowMs = performance.now();
    const kept = this.#idle.filter(it => it.idleUntilMs > nowMs);
    const expired = this.#idle.filter(it => it.idleUntilMs <= nowMs);
    this.#idle.splice(0, this.#idle.length, ...kept);
    for (const connection of expired) this.#drop(connection);
    const nextMs = kept.reduce((first, it) => Math.min(first, it.idleUntilMs), Number.POSITIVE_INFINITY);
    this.#idleTimer = kept.length === 0 ? null : setTimeout(this.#dropExpired, Math.ceil(nextMs - nowMs));
  };

  #resolveIfClosed(): void {
    if (this.#busy > 0 || this.#closing === null) return;
    clearTimeout(this.#deadlineTimer);
    this.#closing.resolve();
  }
}

function notSent(message: string): OutboundOutcome {
  return { type: 'not-sent', message };
}

/** Returns how long the connection may idle: our bound, or a little less than the timeout that the server states. */
function idleMsOf({ headers }: HttpAnswer, idleMs: number): number {
  const stated = headers.get('keep-alive');
  const seconds = stated === undefined ? undefined : KEEP_ALIVE_TIMEOUT.exec(stated)?.[1];
  return seconds === undefined ? idleMs : Math.min(idleMs, 1_000 * Number(seconds) - limits.outboundKeepAliveMarginMs);
}
