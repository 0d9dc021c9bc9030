// The pod's journal in JetStream: one writer appends, and a record counts once the stream has acknowledged it (ADR 0024). The stream is
// the fence: it stores each record only behind the record that this writer stored before. So a gateway whose pod was taken over is refused,
// and learns of the take-over. Records that were published but not acknowledged are published again, under the same id, once the stream
// answers. Engine thread.
//
// Two facts of JetStream decide the form of a record's headers:
// - JetStream looks at ids before sequences, and acknowledges a known id as a duplicate. So an id names the owner. With pod and sequence
//   alone, a former owner would get an acknowledgement for a record of its successor.
// - Records are published before the records ahead of them are acknowledged. If a record is refused because a successor has taken its place,
//   the next record would find the sequence that it expects. So each record also expects the id of the record ahead of it.

import { wordsOf } from '../../core/domain/error-words.ts';
import type { NatsStream, Stored } from '../../core/nats/stream.ts';
import { StoreError } from '../../core/store/store-error.ts';
import type { JournalTimers } from './journal.ts';

/** A record that has no acknowledgement after this time counts as not kept, and its orders are given up. */
const ACKNOWLEDGED_MS = 1_000;
/** The pause before the stream is asked again after a fault. */
const RETRY_MS = 250;
/**
 * The most bytes of payloads that wait for an acknowledgement: enough for an outage in which thousands of orders are cancelled and filled.
 */
const WAITING_BYTES_MAX = 32 * 1024 * 1024;

/** The greatest age of a proof of ownership that lets a cancel pass. A standby waits longer before it takes the pod over. */
const PROVEN_MS = 1_000;
/** A stream that has answered nothing for this long counts as out of reach, and cancels pass without a proof. */
const CUT_OFF_MS = 1_000;
/**
 * The most time for an unanswered look at the stream, and for the pause before the next look. If either takes longer, the process was
 * paused.
 */
const LOOK_MS = 2_500;

const SILENT = `has acknowledged nothing for ${ACKNOWLEDGED_MS} ms`;

export type StreamPort = Pick<
  NatsStream,
  'name' | 'recordBytesMax' | 'end' | 'record' | 'publish' | 'onForeign' | 'onDown' | 'onStored'
>;

interface StreamTimers extends JournalTimers {
  /** Returns monotonic milliseconds, which also pass while the process is paused. */
  elapsed(): number;
}

interface ReplicatedLogParts {
  readonly stream: StreamPort;
  readonly timers: StreamTimers;
  /** A random term of this ownership. No other process, and no other run of this process, has the same term. */
  readonly term: string;
  /** The sequence of the stream's last record. This gateway has read the stream up to it. */
  readonly from: number;
  /** Called with each acknowledged record, in sequence. */
  readonly onKept: (payload: Uint8Array) => void;
  /** Called once when the pod has another owner, or the stream has lost records. Nothing may be sent any more. */
  readonly onLost: (words: string) => void;
}

interface WaitingRecord {
  readonly sequence: number;
  readonly payload: Uint8Array;
  /** The time of publishing by `elapsed()`. If the stream stores the record, this gateway owned the pod until then. */
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
  /** The records without an acknowledgement, oldest first. */
  #waiting: WaitingRecord[] = [];
  #waitingBytes = 0;
  #waiters: Waiter[] = [];
  /** The number of the present attempt. Answers to earlier attempts do not count, because the stream is asked for its end instead. */
  #attempt = 0;
  /** Why nothing is published now. Null means that records are published as they are appended. */
  #fault: StoreError | null = null;
  #lost: StoreError | null = null;
  #isClosed = false;
  /** The latest time, by `elapsed()`, at which this gateway is known to have owned the stream. */
  #provenAt = Number.NEGATIVE_INFINITY;
  /**
   * The time by `elapsed()` since which the stream has not answered, and the time of the latest unanswered look. Null means that it has
   * answered.
   */
  #unanswered: { readonly from: number; readonly until: number } | null = null;
  /** The next look of a repair at the stream. */
  #look = Promise.withResolvers<void>();
  /** Called with the result of the one record that a repair publishes alone. */
  #onAlone: ((problem: string | null) => void) | null = null;
  #cancelWatch: () => void = () => {};

  constructor(parts: ReplicatedLogParts) {
    const { stream, from } = parts;
    this.#parts = parts;
    this.#appended = this.#kept = from;
    this.#inbox = stream.onStored((tag, stored) => this.#handle(tag, stored));
    this.#stops = [
      () => this.#inbox.stop(),
      stream.onForeign(() => this.#pause('another gateway publishes to it')),
      stream.onDown(() => this.#pause('NATS cannot be reached')),
    ];
  }

  /** The sequence of the next record. */
  get next(): number {
    return this.#appended + 1;
  }

  /** Why a record would not be acknowledged now. Null means that no reason is known. */
  get problem(): StoreError | null {
    return this.#lost ?? this.#fault;
  }

  /**
   * Appends a record, which waits while there is a problem. Throws a StoreError if the record cannot wait, or if the pod has another owner.
   */
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
    // The payload is copied, because the caller uses its buffer again.
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
   * The fence for an action without a record of its own. Null means that the action need not wait. Otherwise resolves once everything
   * appended is acknowledged, or there is a problem. Never resolves if the pod has another owner.
   */
  fence(): Promise<void> | null {
    if (this.#lost === null && this.#kept === this.#appended) return null;
    return this.durable().catch(() => (this.#lost === null ? undefined : new Promise<void>(() => {})));
  }

  /** Like `fence`, but for a cancel. Without a recent proof of ownership, as after a pause of the process, the stream is asked first. */
  cancelFence(): Promise<void> | null {
    const isKept = this.#kept === this.#appended;
    return this.#lost === null && isKept && this.#isProven ? null : this.#waitForFence();
  }

  close(): void {
    this.#isClosed = true;
    this.#look.resolve();
    this.#cancelWatch();
    for (const stop of this.#stops) stop();
  }

  async #waitForFence(): Promise<void> {
    while (!this.#isOver) {
      await this.durable().catch(() => {});
      // The log may have ended meanwhile.
      if (this.#isOver || this.#isProven || this.#isCutOff) break;
      await this.#lookNow();
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

  /** Looks at the stream. Resolves once the stream was asked, whether it has answered or not. */
  async #lookNow(): Promise<void> {
    if (this.#fault !== null) return this.#look.promise;
    const kept = this.#kept;
    try {
      const { last, askedAt } = await this.#readEnd();
      if (last > this.#appended || last < kept) this.#pause(`ends at record ${last}`);
      else if (last <= this.#kept) this.#provenAt = askedAt;
    } catch (error) {
      this.#pause(wordsOf(error));
    }
  }

  /** Asks for the sequence of the stream's last record. Resolves to this sequence and the time of asking. */
  async #readEnd(): Promise<{ readonly last: number; readonly askedAt: number }> {
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

  /** Publishes a record. `isBehind` means that the record ahead of this record may not be stored yet. */
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

  #handle(tag: string, stored: Stored): void {
    const [attempt, sequence] = tag.split('-').map(Number);
    if (attempt !== this.#attempt || this.#isOver) return;
    const isKept = stored.type === 'stored' && stored.sequence === sequence;
    if (isKept) this.#keepUpTo(stored.sequence);
    const problem = isKept
      ? null
      : stored.type === 'stored'
        ? `stored record ${sequence} as ${stored.sequence}`
        : stored.message;
    if (this.#onAlone !== null) this.#onAlone(problem);
    else if (problem !== null) this.#pause(problem);
  }

  /**
   * Keeps the records up to a stored record. Each stored record proves that the records ahead of it are stored, because it expects their
   * ids.
   */
  #keepUpTo(sequence: number): void {
    for (let first = this.#waiting[0]; first !== undefined && first.sequence <= sequence; first = this.#waiting[0]) {
      this.#waiting.shift();
      this.#waitingBytes -= first.payload.length;
      this.#kept = first.sequence;
      this.#provenAt = Math.max(this.#provenAt, first.publishedAt);
      this.#parts.onKept(first.payload);
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
      const why = await this.#catchUp().catch(wordsOf);
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

  /**
   * Compares the stream's end with the waiting records, and publishes the first of them alone. Resolves to null if the other records may
   * follow.
   */
  async #catchUp(): Promise<string | null> {
    const { stream } = this.#parts;
    const { last, askedAt } = await this.#readEnd();
    for (let first = this.#waiting[0]; first !== undefined && first.sequence <= last; first = this.#waiting[0]) {
      const { sequence } = first;
      const stored = await stream.record(sequence);
      if (stored?.id !== this.#idOf(sequence)) return this.#fail(`record ${sequence} is not ours: it is ${stored?.id}`);
      this.#keepUpTo(sequence);
    }
    if (last > this.#kept) return this.#fail(`goes on to record ${last}, and this gateway appended ${this.#appended}`);
    if (last < this.#kept) return this.#fail(`ends at record ${last}, and had acknowledged ${this.#kept}`);
    this.#provenAt = askedAt;
    const first = this.#waiting[0];
    return first === undefined ? null : this.#storeAlone(first);
  }

  /** Publishes a record alone. Resolves to null if it is stored, otherwise to the reason why it is not. */
  #storeAlone(record: WaitingRecord): Promise<string | null> {
    this.#attempt += 1;
    return new Promise(resolve => {
      const cancel = this.#parts.timers.after(ACKNOWLEDGED_MS, () => this.#onAlone?.(SILENT));
      this.#onAlone = problem => {
        cancel();
        this.#onAlone = null;
        resolve(problem);
      };
      this.#publish(record, false);
    });
  }

  #fail(why: string): null {
    if (this.#isOver) return null;
    this.#lost = this.#faultOf(`${why}: this gateway does not own the pod any more`);
    this.#giveUp(this.#lost);
    this.#look.resolve();
    this.#parts.onLost(this.#lost.message);
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
