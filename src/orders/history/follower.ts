// Follows the journal into the history and answers questions from it. An answer contains everything that was appended before its question.
// Missing records are applied first, and the answer is given within that transaction, before its sync. History thread.

import { wordsOf } from '../../core/domain/error-words.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { OrderReader } from '../../core/store/orders/order-reader.ts';
import { PRUNE_FROM_START, type PrunePlace, pruneSlice, type RetentionBounds } from '../../core/store/orders/prune.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import type { JournalPositions } from '../journal/positions.ts';
import type { OnRecord } from '../journal/segments.ts';
import type { JournalTail } from '../journal/tail.ts';
import { eventsOf } from '../ledger/events.ts';
import { type Look, Projection } from './projection.ts';
import type { HistoryTables } from './tables.ts';

export interface Question {
  /** Answers the question. If this throws, usually a StoreError, `failed` gets the error. */
  answer(reads: OrderReader): void;
  /** Called if the question cannot be answered now. */
  failed(error: StoreError): void;
}

interface FollowerOptions {
  readonly tables: HistoryTables;
  readonly tail: JournalTail;
  readonly positions: JournalPositions;
  readonly timers: Timers;
  readonly log: Log;
  /** Called after a batch of answers. Its rows may not be on disk yet. */
  readonly onAnswered: () => void;
  readonly retention?: RetentionBounds;
}

export class HistoryFollower {
  readonly #options: FollowerOptions;
  readonly #retention: RetentionBounds;
  #questions: Question[] = [];
  readonly #projection: Projection;
  #isDue = false;
  #cancelFollow: () => void = () => {};
  #cancelPrune: () => void = () => {};
  #prunePlace: PrunePlace = PRUNE_FROM_START;
  /** Why commits fail. Null means that they succeed. */
  #fault: string | null = null;
  /** The time by `elapsed` before which no commit is tried. */
  #retryAt = 0;
  #isClosed = false;

  constructor(options: FollowerOptions) {
    const { tables, positions, retention = limits } = options;
    this.#options = options;
    this.#projection = new Projection(tables);
    this.#retention = retention;
    positions.followed = tables.followed();
    this.#followLater();
    this.#pruneLater(false);
  }

  /** Asks a question. It is answered at the end of this turn of the event loop, together with the other questions of the turn. */
  ask(question: Question): void {
    this.#questions.push(question);
    this.#followSoon();
  }

  /** Commits everything appended, if the disk allows it. The caller then closes the tables and the tail of the journal. */
  close(): void {
    this.#cancelFollow();
    this.#cancelPrune();
    this.#retryAt = 0;
    while (this.#follow());
    this.#isClosed = true;
  }

  #followLater(): void {
    this.#cancelFollow = this.#options.timers.after(limits.historyFollowMs, () => {
      if (this.#isBehind) this.#followSoon();
      this.#followLater();
    });
  }

  get #isBehind(): boolean {
    return this.#projection.waiting > 0 || this.#options.positions.appended > this.#lastStep;
  }

  #followSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(this.#turn);
  }

  /** Follows one batch at a time, so that the thread's heartbeat continues. */
  readonly #turn = (): void => {
    this.#isDue = false;
    if (!this.#isClosed && this.#follow()) this.#followSoon();
  };

  /** Runs one transaction. Returns whether it made progress and more remains to be done. */
  #follow(): boolean {
    try {
      const { appended } = this.#options.positions;
      const fault = this.#read(appended, limits.historyStepsMax);
      if (this.#projection.waiting === 0 && fault === null) {
        this.#answerFromSnapshot();
        return false;
      }
      if (this.#projection.waiting > 0 && !this.#mayCommit()) {
        this.#answerUncommitted(appended);
        return false;
      }
      const hasAll = this.#lastStep >= appended;
      // Sound records before a fault are committed as well.
      if (this.#projection.waiting > 0) this.#commit(hasAll);
      if (fault !== null) throw fault;
      return !hasAll;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#fail(error.message);
      for (const question of this.#takeQuestions()) question.failed(error);
      this.#options.onAnswered();
      return false;
    }
  }

  /** The sequence of the last step that is in the tables, or waits to be committed. */
  get #lastStep(): number {
    return this.#options.tail.sequence;
  }

  /** Reads until `stepsMax` steps wait. Returns the fault that ended the reading early, or null. */
  #read(upTo: number, stepsMax: number): StoreError | null {
    const { tail } = this.#options;
    try {
      tail.read(upTo, stepsMax - this.#projection.waiting, this.#take);
      return null;
    } catch (error) {
      if (error instanceof StoreError) return error;
      throw error;
    }
  }

  readonly #take: OnRecord = (sequence, payload) => this.#projection.take(sequence, eventsOf(sequence, payload));

  #commit(hasAll: boolean): void {
    const { positions, log } = this.#options;
    const isAsked = hasAll && this.#questions.length > 0;
    this.#projection.follow(isAsked ? this.#answerFrom : undefined);
    positions.followed = this.#lastStep;
    if (this.#fault !== null) log.info('the history is kept again');
    this.#fault = null;
  }

  /**
   * Answers from steps that cannot be committed now. Their rows are applied for the answers, rolled back, and applied again the next time.
   */
  #answerUncommitted(appended: number): void {
    if (this.#questions.length === 0) return;
    const fault = this.#read(appended, limits.historyUnkeptStepsMax);
    if (fault !== null) throw fault;
    if (this.#lastStep < appended) throw new StoreError(this.#fault ?? 'history: is not kept');
    this.#projection.preview(this.#answerFrom);
  }

  #answerFromSnapshot(): void {
    if (this.#questions.length === 0) return;
    const { tables } = this.#options;
    tables.refresh();
    try {
      this.#answerFrom(tables);
    } finally {
      tables.release();
    }
  }

  readonly #answerFrom: Look = reader => {
    const reads = new OrderReader(reader);
    for (const question of this.#takeQuestions()) {
      try {
        question.answer(reads);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        question.failed(error);
      }
    }
    this.#options.onAnswered();
  };

  #takeQuestions(): readonly Question[] {
    const questions = this.#questions;
    this.#questions = [];
    return questions;
  }

  /** Whether a commit may be tried now. */
  #mayCommit(): boolean {
    if (this.#options.timers.elapsed() < this.#retryAt) return false;
    const full = this.#options.tables.diskFault();
    if (full !== null) this.#fail(full.message);
    return full === null;
  }

  #fail(fault: string): void {
    const { timers, log } = this.#options;
    this.#retryAt = timers.elapsed() + limits.historyRetryMs;
    if (this.#fault === null) log.warn('the history of orders is not kept', { error: fault });
    this.#fault = fault;
  }

  #pruneLater(isMore: boolean): void {
    const { timers } = this.#options;
    this.#cancelPrune = timers.after(isMore ? limits.storePruneSliceMs : limits.storeKeepMs, () => {
      this.#pruneLater(this.#prune());
    });
  }

  /** Removes a slice of expired rows. Returns whether more such rows are left. */
  #prune(): boolean {
    const { tables, timers } = this.#options;
    try {
      tables.forgetDeadReaders();
      if (!this.#mayCommit()) return false;
      let isMore = false;
      tables.change(transaction => {
        const slice = pruneSlice(transaction, timers.now(), this.#prunePlace, this.#retention);
        this.#prunePlace = slice.next;
        isMore = slice.isMore;
      });
      return isMore;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#fail(wordsOf(error));
      return false;
    }
  }
}
