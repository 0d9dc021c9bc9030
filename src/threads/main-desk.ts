// Tasks on the main thread itself: a caller who is alone would wait longer for the way to another thread and back than for its check
// (ADR 0015). Only what blocks the loop for no more than about a check at a time, and as long as the disk does not hold it up. Main
// thread.

import { proveVerification } from '../auth/ed25519.ts';
import type { PodAccounts } from '../domain/pod-accounts.ts';
import { monotonicUs } from '../runtime/clock.ts';
import { isSlowSigner } from '../venues/venue-b/auth.ts';
import type { OperateTask, OperationReply, OrderOperation, TaskRunnerData, VerifyTask } from './order-tasks.ts';
import { isQuickList } from './quick-lists.ts';
import { Stopwatch } from './stopwatch.ts';
import { openTaskRunner, type TaskRunner, type TaskRunnerParts } from './task-runner.ts';

const US_PER_MS = 1_000;

/** After an operation that the store has held up for longer than `storeUsMax`, microseconds, the pool does them all for `pauseMs`. */
export interface MainDeskBounds {
  /** Since two tasks were under way at once. */
  readonly aloneMs: number;
  readonly storeUsMax: number;
  readonly pauseMs: number;
  /** Of a catalog that is looked through here. */
  readonly marketsMax: number;
}

/** Rejects with a StoreError if the store cannot be used. */
export async function openMainDesk(
  bounds: MainDeskBounds,
  data: TaskRunnerData,
  parts: Omit<TaskRunnerParts, 'isShared'>,
): Promise<MainDesk> {
  proveVerification();
  return new MainDesk(bounds, await openTaskRunner(data, { ...parts, isShared: false }), data.desk?.pods ?? []);
}

export class MainDesk {
  readonly #bounds: MainDeskBounds;
  readonly #runner: TaskRunner;
  /** Pods whose signature for venue B takes as long as ten checks of a caller's. */
  readonly #slowAtVenueB: ReadonlySet<string>;
  #pausedUntilUs = 0;
  #hasChecked = false;
  #crowdedAtUs = Number.NEGATIVE_INFINITY;

  constructor(bounds: MainDeskBounds, runner: TaskRunner, pods: readonly PodAccounts[]) {
    this.#bounds = bounds;
    this.#runner = runner;
    const slow = pods.filter(({ venueB }) => venueB !== null && isSlowSigner(venueB.privateKeyPem));
    this.#slowAtVenueB = new Set(slow.map(({ podId }) => podId));
  }

  /** Whether an operation may be done here, if nothing else is under way. */
  takes(operation: OrderOperation): boolean {
    if (monotonicUs() < this.#pausedUntilUs) return false;
    switch (operation.name) {
      case 'submit':
      case 'cancel':
        return operation.venue === 'venue_a' || !this.#slowAtVenueB.has(operation.caller.podId);
      case 'get':
        return true;
      case 'markets':
      case 'events':
      case 'event-markets':
        return isQuickList(operation, this.#bounds.marketsMax);
      default:
        return false;
    }
  }

  /** Told of every task as it comes, whoever does it then; those in flight include it. */
  noteLoad(tasksInFlight: number, nowUs: number): void {
    // A check that was done here leaves nothing in flight, though more may have come with it.
    if (tasksInFlight > 1 || this.#hasChecked) this.#crowdedAtUs = nowUs;
  }

  /** Whether whoever asks now is alone, and has been for a while: with others it is quicker that the pool begins at once. */
  isForOne(nowUs: number): boolean {
    return nowUs - this.#crowdedAtUs > this.#bounds.aloneMs * US_PER_MS;
  }

  /** Whether a signature has been checked here in this turn of the loop. */
  get hasChecked(): boolean {
    return this.#hasChecked;
  }

  verify(task: VerifyTask): readonly boolean[] {
    this.#hasChecked = true;
    setImmediate(() => {
      this.#hasChecked = false;
    });
    return this.#runner.verifyAll(task);
  }

  /** As the pool's threads do it. */
  async operate(task: OperateTask): Promise<OperationReply | null> {
    const { storeUsMax, pauseMs } = this.#bounds;
    const stopwatch = new Stopwatch(task.startedAtUs);
    const reply = await this.#runner.operate(task, stopwatch);
    // A disk that is slow must not hold up books and everybody's requests.
    if (stopwatch.us('store') > storeUsMax) this.#pausedUntilUs = monotonicUs() + pauseMs * US_PER_MS;
    return reply;
  }

  close(): Promise<void> {
    return this.#runner.close();
  }
}
