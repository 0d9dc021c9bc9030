// The pod's journal in JetStream: one writer appends, and a record counts once the stream has acknowledged it (ADR 0024). The stream is
// the fence: it stores each record only behind the one that this writer stored before. So a gateway whose pod was taken over is refused,
// and learns it. What was published and not acknowledged is published again under its id once the stream answers. Engine thread.
//
// Two facts of JetStream decide the form of a record's headers:
// - It looks at ids before it looks at sequences, and acknowledges a known id as a duplicate. So an id names the owner: with pod and sequence
//   alone, a former owner would be acknowledged for a record of its successor.
// - Records are published before the ones ahead of them are acknowledged. If the first of them is refused, because a successor has taken its
//   place, the next one would find the sequence that it expects. So it expects the id ahead of it, too.

import { wordsOf } from '../../core/domain/error-words.ts';
import type { NatsStream, Stored } from '../../core/nats/stream.ts';
import { StoreError } from '../../core/store/store-error.ts';
import type { JournalTimers } from './journal.ts';

/** A record without an acknowledgement for so long: its orders are given up. */
const ACKNOWLEDGED_MS = 1_000;
/** Pause before the stream is asked again after a fault. */
const RETRY_MS = 250;
/** Payloads in memory without an acknowledgement: an outage in which thousands of orders are cancelled and filled. */
const WAITING_BYTES_MAX = 32 * 1024 * 1024;

/** A proof of ownership of this age lets a cancel pass: a standby waits longer before it takes the pod. */
const PROVEN_MS = 1_000;
/** A stream that has answered nothing for so long cannot be reached: cancels pass without a proof. */
const CUT_OFF_MS = 1_000;
/** An unanswered look at the stream takes less, and so does the pause before the next: else the process was paused. */
const LOOK_MS = 2_500;

const SILENT = `has acknowledged nothing for ${ACKNOWLEDGED_MS} ms`;

export type StreamPort = Pick<
  NatsStream,
  'name' | 'recordBytesMax' | 'end' | 'record' | 'publish' | 'onForeign' | 'onDown' | 'onStored'
>;

interface StreamTimers extends JournalTimers {
  /** Monotonic milliseconds, which pass while the process is paused, too. */
  elapsed(): number;
}

interface ReplicatedLogParts {
  readonly stream: StreamPort;
  readonly timers: StreamTimers;
  /** A random term of this ownership, which no other process and no other run of this one has. */
  readonly term: string;
  /** Sequence of the stream's last record, up to which this gateway has read it. */
  readonly from: number;
  /** Gets each acknowledged record, in sequence. */
  readonly kept: (payload: Uint8Array) => void;
  /** The pod has another owner, or the stream has lost records: nothing may be sent any more. Called once. */
  readonly lost: (words: string) => void;
}

interface WaitingRecord {
  readonly sequence: number;
  readonly payload: Uint8Array;
  /** The time of publishing by `elapsed()`: if the stream stores the record, the pod was ours until then. */
  publishedAt: number;
}

interface Waiter {
  readonly sequence: number;
  resolve(): void;
  reject(error: StoreError): void;
}

export class ReplicatedLog {
  readonly #parts: ReplicatedLogParts;
  readonly #inbox: ReturnType<StreamPort['onStored']>;
  readonly #stops: readonly (() => void)[];
  #appended: number;
  #kept: number;
  /** Records without an acknowledgement, oldest first. */
  #waiting: WaitingRecord[] = [];
  #waitingBytes = 0;
  #waiters: Waiter[] = [];
  /** The number of the present attempt. Answers to earlier attempts do not count: the stream is asked for its end. */
  #attempt = 0;
  /** Why nothing is published now; null: records are published as they are appended. */
  #fault: StoreError | null = null;
  #lost: StoreError | null = null;
  #isClosed = false;
  /** When the stream was ours, by `elapsed()`. */
  #provenAt = Number.NEGATIVE_INFINITY;
  /** The time since which the stream has not answered, and up to which it was asked, by `elapsed()`; null if it has answered. */
  #unanswered: { readonly from: number; readonly until: number } | null = null;
  /** The next look of a repair. */
  #look = Promise.withResolvers<void>();
  /** Gets the result of the one record that a repair publishes. */
  #alone: ((problem: string | null) => void) | null = null;
  #cancelWatch: () => void = () => {};

  constructor(parts: ReplicatedLogParts) {
    const { stream, from } = parts;
    this.#parts = parts;
    this.#appended = this.#kept = from;
    this.#inbox = stream.onStored((tag, stored) => this.#hear(tag, stored));
    this.#stops = [
      () => this.#inbox.stop(),
      stream.onForeign(() => this.#pause('another gateway publishes to it')),
      stream.onDown(() => this.#pause('NATS cannot be reached')),
    ];
  }

  /** Sequence of the next record. */
  get next(): number {
    return this.#appended + 1;
  }

  /** Why no record would be acknowledged now; null: no reason is known. */
  get problem(): StoreError | null {
    return this.#lost ?? this.#fault;
  }

  /** While there is a problem, the record waits. Throws a StoreError if it cannot, or if the pod has another owner. */
  append(payload: Uint8Array): void {
    if (this.#lost !== null) throw this.#lost;
    const { recordBytesMax } = this.#parts.stream;
    if (payload.length > recordBytesMax)
      throw this.#faultOf(
        `takes records of ${recordBytesMax} bytes (max_payload of NATS), and one has ${payload.length}`,
      );
    if (this.#waitingBytes + payload.length > WAITING_BYTES_MAX)
      throw this.#faultOf(`more than ${WAITING_BYTES_MAX} bytes wait to be acknowledged`);
    this.#appended += 1;
    // The caller uses its buffer again.
    const record = { sequence: this.#appended, payload: Uint8Array.from(payload), publishedAt: 0 };
    const isBehind = this.#waiting.length > 0;
    this.#waiting.push(record);
    this.#waitingBytes += payload.length;
    if (this.#fault === null) this.#publish(record, isBehind);
  }

  /** Resolves once everything appended so far is acknowledged. Rejects with a StoreError as soon as there is a problem. */
  durable(): Promise<void> {
    if (this.#lost !== null) return Promise.reject(this.#lost);
    if (this.#kept === this.#appended) return Promise.resolve();
    if (this.#fault !== null) return Promise.reject(this.#fault);
    return new Promise((resolve, reject) => this.#waiters.push({ sequence: this.#appended, resolve, reject }));
  }

  /**
   * The fence for an action without a record: null, or resolves once everything appended is acknowledged or there is a problem. Never
   * resolves if the pod has another owner.
   */
  fence(): Promise<void> | null {
    if (this.#lost === null && this.#kept === this.#appended) return null;
    return this.durable().catch(() => (this.#lost === null ? undefined : new Promise<void>(() => {})));
  }

  /** Like `fence`, for a cancel. Without a recent proof of ownership, as after a pause of the process, the stream is asked first. */
  cancelFence(): Promise<void> | null {
    const isKept = this.#kept === this.#appended;
    return this.#lost === null && isKept && this.#isProven ? null : this.#passed();
  }

  close(): void {
    this.#isClosed = true;
    this.#look.resolve();
    this.#cancelWatch();
    for (const stop of this.#stops) stop();
  }

  async #passed(): Promise<void> {
    while (!this.#isOver) {
      await this.durable().catch(() => {});
      // The log has ended meanwhile.
      if (this.#isOver || this.#isProven || this.#isCutOff) break;
      await this.#looked();
    }
    if (this.#lost !== null) return new Promise(() => {});
  }

  get #isProven(): boolean {
    return this.#now() - this.#provenAt <= PROVEN_MS;
  }

  get #isCutOff(): boolean {
    const silence = this.#unanswered;
    return silence !== null && this.#now() - silence.until <= LOOK_MS && silence.until - silence.from >= CUT_OFF_MS;
  }

  #now(): number {
    return this.#parts.timers.elapsed();
  }

  /** Resolves once the stream has been asked, with an answer or without. */
  async #looked(): Promise<void> {
    if (this.#fault !== null) return this.#look.promise;
    const kept = this.#kept;
    try {
      const { last, askedAt } = await this.#end();
      if (last > this.#appended || last < kept) this.#pause(`ends at record ${last}`);
      else if (last <= this.#kept) this.#provenAt = askedAt;
    } catch (error) {
      this.#pause(wordsOf(error));
    }
  }

  /** Sequence of the stream's last record, and when it was asked for. */
  async #end(): Promise<{ readonly last: number; readonly askedAt: number }> {
    const askedAt = this.#now();
    try {
      const { last } = await this.#parts.stream.end();
      this.#unanswered = null;
      return { last, askedAt };
    } catch (error) {
      const until = this.#now();
      const from = until - askedAt <= LOOK_MS ? askedAt : until;
      const before = this.#unanswered;
      this.#unanswered = { from: before !== null && from - before.until <= LOOK_MS ? before.from : from, until };
      throw error;
    }
  }

  #idOf(sequence: number): string {
    return [this.#parts.stream.name, sequence, this.#parts.term].join('.');
  }

  /** `isBehind`: the one ahead of it may not be stored yet. */
  #publish(record: WaitingRecord, isBehind: boolean): void {
    const { sequence, payload } = record;
    record.publishedAt = this.#now();
    const expected = {
      id: this.#idOf(sequence),
      lastSequence: sequence - 1,
      lastId: isBehind ? this.#idOf(sequence - 1) : null,
    };
    try {
      this.#parts.stream.publish(payload, expected, `${this.#inbox.prefix}${this.#attempt}-${sequence}`);
    } catch (error) {
      this.#pause(wordsOf(error));
    }
    if (!isBehind) this.#watch();
  }

  #hear(tag: string, stored: Stored): void {
    const [attempt, sequence] = tag.split('-').map(Number);
    if (attempt !== this.#attempt || this.#isOver) return;
    const isKept = stored.type === 'stored' && stored.sequence === sequence;
    if (isKept) this.#keepUpTo(stored.sequence);
    const problem = isKept
      ? null
      : stored.type === 'stored'
        ? `stored record ${sequence} as ${stored.sequence}`
        : stored.message;
    if (this.#alone !== null) this.#alone(problem);
    else if (problem !== null) this.#pause(problem);
  }

  /** Each stored record proves that the records ahead of it are stored, because it expects their ids. */
  #keepUpTo(sequence: number): void {
    for (let first = this.#waiting[0]; first !== undefined && first.sequence <= sequence; first = this.#waiting[0]) {
      this.#waiting.shift();
      this.#waitingBytes -= first.payload.length;
      this.#kept = first.sequence;
      this.#provenAt = Math.max(this.#provenAt, first.publishedAt);
      this.#parts.kept(first.payload);
    }
    const done = this.#waiters.filter(it => it.sequence <= this.#kept);
    this.#waiters = this.#waiters.filter(it => it.sequence > this.#kept);
    for (const { resolve } of done) resolve();
    this.#watch();
  }

  #watch(): void {
    this.#cancelWatch();
    if (this.#waiting.length > 0 && this.#fault === null)
      this.#cancelWatch = this.#parts.timers.after(ACKNOWLEDGED_MS, () => this.#pause(SILENT));
  }

  #pause(why: string): void {
    if (this.#fault !== null || this.#isOver) return;
    this.#cancelWatch();
    this.#attempt += 1;
    this.#giveUp(this.#faultOf(why));
    void this.#repair();
  }

  async #repair(): Promise<void> {
    for (;;) {
      const why = await this.#caughtUp().catch(wordsOf);
      this.#look.resolve();
      this.#look = Promise.withResolvers();
      if (this.#isOver) return;
      if (why === null) break;
      this.#giveUp(this.#faultOf(why));
      await new Promise<void>(resolve => void this.#parts.timers.after(RETRY_MS, resolve));
    }
    this.#fault = null;
    for (const [index, record] of this.#waiting.entries()) this.#publish(record, index > 0);
  }

  /** Compares the stream’s end with the waiting records, and publishes the first of them alone. Null if the others may follow. */
  async #caughtUp(): Promise<string | null> {
    const { stream } = this.#parts;
    const { last, askedAt } = await this.#end();
    for (let first = this.#waiting[0]; first !== undefined && first.sequence <= last; first = this.#waiting[0]) {
      const { sequence } = first;
      const stored = await stream.record(sequence);
      if (stored?.id !== this.#idOf(sequence)) return this.#lose(`record ${sequence} is not ours: it is ${stored?.id}`);
      this.#keepUpTo(sequence);
    }
    if (last > this.#kept) return this.#lose(`goes on to record ${last}, and this gateway appended ${this.#appended}`);
    if (last < this.#kept) return this.#lose(`ends at record ${last}, and had acknowledged ${this.#kept}`);
    this.#provenAt = askedAt;
    const first = this.#waiting[0];
    return first === undefined ? null : this.#stored(first);
  }

  /** Why it is not stored; null: it is. */
  #stored(record: WaitingRecord): Promise<string | null> {
    this.#attempt += 1;
    return new Promise(resolve => {
      const cancel = this.#parts.timers.after(ACKNOWLEDGED_MS, () => this.#alone?.(SILENT));
      this.#alone = problem => {
        cancel();
        this.#alone = null;
        resolve(problem);
      };
      this.#publish(record, false);
    });
  }

  #lose(why: string): null {
    if (this.#isOver) return null;
    this.#lost = this.#faultOf(`${why}: this gateway does not own the pod any more`);
    this.#giveUp(this.#lost);
    this.#look.resolve();
    this.#parts.lost(this.#lost.message);
    return null;
  }

  #giveUp(fault: StoreError): void {
    this.#fault = fault;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(fault);
  }

  get #isOver(): boolean {
    return this.#lost !== null || this.#isClosed;
  }

  #faultOf(why: string): StoreError {
    return new StoreError(`stream ${this.#parts.stream.name}: ${why}`);
  }
}
