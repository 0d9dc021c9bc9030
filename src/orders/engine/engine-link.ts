// The main thread's end of the engine thread. If the engine thread dies, its memory may differ from the journal. The process then ends with
// a log line, and the next start replays the journal. Main thread.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { ChurningMap } from '../../core/domain/churn.ts';
import { faultOf } from '../../core/domain/error-words.ts';
import { isObject, objectsOf, parseJson } from '../../core/domain/json.ts';
import {
  type CatalogSnapshot,
  type EngineOperation,
  isCancel,
  type NewOrderOperation,
  newOrdersOf,
  type OperationReply,
  type TimedOperation,
} from '../../core/domain/operation.ts';
import { unreachable } from '../../core/domain/result.ts';
import { whenKnown } from '../../core/domain/soon.ts';
import { HTTP_BAD_GATEWAY, HTTP_GATEWAY_TIMEOUT } from '../../core/net/http-status.ts';
import { Stopwatch } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import { PULSE_WORDS, PulseWatch } from '../../core/runtime/pulse.ts';
import { isRunnable, waitsForDisk } from '../../core/runtime/thread-state.ts';
import type { CancelAfter } from '../../core/store/order-records.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { timed } from '../../core/wire/replies.ts';
import { limits } from '../../limits.ts';
import type { SwitchSetting } from '../life/cancel-after.ts';
import type { InUse } from '../life/markets-in-use.ts';
import { Claims } from './claims.ts';
import type { DoorData } from './engine-door.ts';
import type { CancelledByGuard, EngineData, FromEngine, OpenOrder, ToEngine, Unwanted } from './engine-messages.ts';
import type { EngineThread } from './engine-thread.ts';
import { Outgoing, readFromEngine, type Turn, writeToEngine } from './turn-messages.ts';
import { TurnWaits } from './turn-waits.ts';

export interface EngineHandlers {
  /** Gets all messages except replies, and except those for the link or the guard. */
  readonly onMessage: (
    message: Exclude<
      FromEngine,
      | { readonly number: number }
      | { readonly type: 'open' | 'unusable' | 'open-orders' | 'unwanted' | 'switch' | 'switch-fired' }
    >,
  ) => void;
  /** Called when the engine misses heartbeats. */
  readonly onSilent: () => void;
  /** Called with true when the guard begins to answer for the engine, and with false when the engine answers again. */
  readonly onStall: (isStalled: boolean) => void;
  /** Called when the engine has failed, or hangs for good. It answers nothing more. */
  readonly onLost: (error: unknown) => void;
}

/** The guard: answers and cancels while the engine does not answer. */
export interface StandIn {
  /** Tells the guard orders that were open at the start of the engine, or are about to be sent. */
  addOrders(orders: readonly OpenOrder[]): void;
  setSwitch(setting: SwitchSetting): void;
  /** Tells the guard that the engine has requested all cancels of the switch. */
  dropSwitch(owner: CancelAfter): void;
  /** Tells the guard orders that the engine cancels by itself. */
  addUnwanted(unwanted: Unwanted): void;
  /** Tells the guard a submission whose outcome is unknown, or may be. */
  addBegun(operation: NewOrderOperation): void;
  /** Tells the guard that the engine does not answer. `begun` are submissions that the engine may have sent. */
  stall(begun: readonly NewOrderOperation[]): void;
  /** Tells the guard that the engine answers again, so that the engine's state is better than the guard's from now on. */
  recover(): void;
  /** Answers an operation in place of the engine. Unless `isBegun`, the engine has sent nothing for the operation and never will. */
  answer(operation: EngineOperation, isBegun: boolean): OperationReply | Promise<OperationReply>;
}

/** An operation with the callbacks of its caller. Exactly one of `done` and `failed` is called, once. */
export interface AwaitedOperation extends TimedOperation {
  done(reply: OperationReply): void;
  /** Called if the operation failed by a fault of the gateway. */
  failed(error: unknown): void;
  /** Called with the id of an order to be acknowledged, once the order is recorded and before its answer. */
  recorded(orderId: string): void;
}

interface Waiting {
  readonly replies: ChurningMap<number, AwaitedOperation>;
  readonly inUse: Map<number, (inUse: InUse | null) => void>;
}

export class EngineLink {
  readonly #handlers: EngineHandlers;
  readonly #guard: StandIn;
  readonly #log: Log;
  readonly #thread: EngineThread;
  readonly #port: MessagePort;
  readonly #outgoing: Outgoing<ToEngine>;
  readonly #waiting: Waiting = { replies: new ChurningMap(), inUse: new Map() };
  readonly #opened = Promise.withResolvers<void>();
  readonly #task: Promise<unknown>;
  readonly #claims = new Claims();
  readonly #waits = new TurnWaits();
  readonly #checkTimers: NodeJS.Timeout[] = [];
  #number = 0;
  #state: 'opening' | 'open' | 'closing' = 'opening';
  #isStalled = false;
  #isGone = false;
  #threadName: string | null = null;
  #giveUpTimer: NodeJS.Timeout | null = null;

  constructor(
    thread: EngineThread,
    data: Omit<EngineData, 'claims' | 'waits'>,
    guard: StandIn,
    handlers: EngineHandlers,
    log: Log,
  ) {
    this.#thread = thread;
    this.#handlers = handlers;
    this.#guard = guard;
    this.#log = log;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (turn: Turn) => readFromEngine(turn, this.#handle));
    this.#outgoing = new Outgoing(writeToEngine, this.#post);
    this.#task = thread.run({ ...data, claims: this.#claims.memory, waits: this.#waits.memory }, port2);
    this.#task.catch(error => this.#handleLoss(error));
    const watch = new PulseWatch();
    this.#checkTimers.push(setInterval(() => this.#checkPulse(watch), limits.threadPulseMs).unref());
  }

  /** Resolves when the engine takes operations. Rejects with a StoreError if journal or history cannot be used. */
  opened(): Promise<void> {
    return this.#opened.promise;
  }

  /**
   * Hands an operation to the engine, or to the guard while the engine does not answer. An operation is never lost otherwise: the process
   * ends with the engine.
   */
  operate(awaited: AwaitedOperation): void {
    const { operation, timedFromUs, checkedUs } = awaited;
    if (this.#isStalled && operation.name !== 'stop') {
      this.#giveToGuard(awaited, false);
      return;
    }
    const number = this.#claims.offer();
    this.#outgoing.send({ type: 'operate', number, operation, timedFromUs, checkedUs });
    // A stop goes to both: the guard answers it now, and the engine takes it once it goes on, before all later submissions.
    if (this.#isStalled) this.#giveToGuard(awaited, false);
    else this.#waiting.replies.set(number, awaited);
  }

  /** Performs an operation that is rare enough for a promise. */
  ask(operation: EngineOperation): Promise<OperationReply> {
    return new Promise((done, failed) =>
      this.operate({ operation, timedFromUs: null, checkedUs: null, done, failed, recorded: () => {} }),
    );
  }

  /** Returns markets with an open order or a holding, and the holdings by owner. Rejects with a StoreError if they cannot be read. */
  async inUse(): Promise<InUse> {
    const number = ++this.#number;
    const inUse = await new Promise<InUse | null>(resolve => {
      this.#waiting.inUse.set(number, resolve);
      this.#outgoing.send({ type: 'in-use', number });
    });
    if (inUse === null) throw new StoreError('the engine cannot read which markets are held');
    return inUse;
  }

  /** Tells the engine why the order ended. The engine reads the message once it goes on. */
  cancelledByGuard(cancelled: CancelledByGuard): void {
    this.#outgoing.send({ type: 'cancelled-by-guard', ...cancelled });
  }

  /** Sets whether the news of the actor's events carry the whole events. */
  follow(actorId: string, isFollowed: boolean): void {
    this.#outgoing.send({ type: 'follow', actorId, isFollowed });
  }

  /** Tells the engine the latest catalog. Null means that there is no catalog. */
  sendCatalog(snapshot: CatalogSnapshot | null): void {
    this.#outgoing.send({ type: 'catalog', snapshot });
  }

  /** Opens a door on the engine's thread, once the engine takes operations. The door's messages arrive at the other end of `port`. */
  openDoor(data: DoorData, port: MessagePort): void {
    this.#post([{ type: 'door', data, port }] satisfies ToEngine[], [port]);
  }

  /** How long the oldest turn that the engine has not handled has waited, in milliseconds. 0 means that no turn waits. */
  get waitMs(): number {
    return this.#waits.oldestMs(performance.now());
  }

  /**
   * Closes the engine. Resolves when all begun operations are answered and the journal is on disk. The thread stays for the next engine.
   */
  async close(): Promise<void> {
    if (this.#state !== 'closing') {
      this.#state = 'closing';
      this.#outgoing.send({ type: 'close' });
    }
    await this.#task.catch(() => {});
    for (const looks of this.#checkTimers) clearInterval(looks);
    this.#setStalled(false);
    this.#port.close();
  }

  readonly #post = (turn: Turn, transferred: readonly MessagePort[] = []): void => {
    this.#waits.countSent(performance.now());
    this.#port.postMessage(turn, transferred);
  };

  readonly #handle = (message: FromEngine): void => {
    switch (message.type) {
      case 'open':
        if (this.#state === 'opening') this.#state = 'open';
        this.#threadName = message.thread;
        this.#watchPulse();
        this.#opened.resolve();
        break;
      case 'unusable':
        this.#opened.reject(new StoreError(message.message));
        break;
      case 'reply':
        this.#settle(message.number, message.reply);
        break;
      case 'recorded':
        this.#waiting.replies.get(message.number)?.recorded(message.orderId);
        break;
      case 'in-use':
        this.#waiting.inUse.get(message.number)?.(message.inUse);
        this.#waiting.inUse.delete(message.number);
        break;
      case 'open-orders':
        this.#guard.addOrders(message.orders);
        break;
      case 'switch':
        this.#guard.setSwitch(message.setting);
        break;
      case 'switch-fired':
        this.#guard.dropSwitch(message.owner);
        break;
      case 'unwanted':
        this.#guard.addUnwanted(message);
        break;
      case 'events':
      case 'halt':
      case 'read':
      case 'news':
      case 'recording':
      case 'owner':
      case 'follow-stopped':
      case 'stops':
        this.#handlers.onMessage(message);
        break;
      default:
        unreachable(message);
    }
  };

  #handleLoss(error: unknown): void {
    if (this.#state === 'opening') {
      this.#opened.reject(error);
      return;
    }
    if (this.#state === 'closing') {
      this.#log.warn('engine failed while it closed', faultOf(error));
      return;
    }
    this.#handlers.onLost(error);
  }

  #checkPulse(watch: PulseWatch): void {
    const news = watch.look(this.#thread.pulse.beats);
    if (news !== null) {
      this.#log.warn(`engine thread ${PULSE_WORDS[news]}`);
      if (news === 'silent') this.#handlers.onSilent();
      this.#isGone = news === 'gone';
    }
    // While the disk is frozen, the process waits: a new process would wait for the disk as well, and would have no guard.
    if (this.#isGone && !waitsForDisk(this.#threadName)) this.#handlers.onLost(new Error('it hangs'));
  }

  /** Passes a reply on to its caller. The reply to an operation that was given up is dropped. */
  #settle(number: number, reply: OperationReply): void {
    const awaited = this.#waiting.replies.get(number);
    if (awaited === undefined) return;
    // Frees the operation's slot. It is still taken if the engine refused the submission before it claimed it.
    this.#claims.take(number);
    const { operation } = awaited;
    unknownIn(operation, reply)?.forEach(it => void this.#guard.addBegun(it));
    this.#waiting.replies.delete(number);
    awaited.done(reply);
  }

  #giveToGuard(awaited: AwaitedOperation, isBegun: boolean): void {
    whenKnown(
      this.#guard.answer(awaited.operation, isBegun),
      reply => awaited.done(timed(reply, new Stopwatch(awaited.timedFromUs).text())),
      error => awaited.failed(error),
    );
  }

  #watchPulse(): void {
    const watch = new PulseWatch(limits.engineBeatsMissedMax);
    const look = (): void => {
      // A thread that can run on a busy machine is late, not stalled.
      const news = watch.look(this.#thread.pulse.beats, () => isRunnable(this.#threadName));
      if (news === 'silent' && this.#state === 'open') this.#stall();
      if (news === 'back') this.#setStalled(false);
    };
    this.#checkTimers.push(setInterval(look, limits.engineBeatMs).unref());
  }

  /**
   * Takes operations that the engine has not begun away from it, and gives them to the guard. The guard repeats begun cancels as well,
   * which is harmless.
   */
  #stall(): void {
    this.#setStalled(true);
    const waiting = [...this.#waiting.replies];
    const unbegun = waiting.filter(([number, { operation }]) => this.#claims.take(number) || isCancel(operation));
    for (const [number] of unbegun) this.#waiting.replies.delete(number);
    const begun = [...this.#waiting.replies.values()].flatMap(({ operation }) => newOrdersOf(operation));
    this.#guard.stall(begun);
    for (const [, awaited] of unbegun) this.#giveToGuard(awaited, false);
    this.#giveUpTimer = setTimeout(() => {
      const left = [...this.#waiting.replies.values()];
      this.#waiting.replies.clear();
      for (const awaited of left) this.#giveToGuard(awaited, true);
    }, limits.engineGiveUpMs).unref();
  }

  #setStalled(isStalled: boolean): void {
    if (isStalled === this.#isStalled) return;
    this.#isStalled = isStalled;
    this.#handlers.onStall(isStalled);
    this.#log.warn(isStalled ? 'engine does not answer: the guard cancels' : 'engine answers again', {
      waiting: this.#waiting.replies.size,
    });
    if (isStalled) return;
    clearTimeout(this.#giveUpTimer ?? undefined);
    this.#guard.recover();
  }
}

/** Returns the new orders of the operation whose outcome the reply calls unknown. Null means that the reply has no unknown outcome. */
function unknownIn(operation: EngineOperation, { status, body }: OperationReply): readonly NewOrderOperation[] | null {
  const isOne = operation.name === 'submit' || operation.name === 'replace';
  if (isOne) return isUnknown(status) ? [operation] : null;
  if (operation.name !== 'submit-batch' || !UNKNOWN.some(it => body.includes(`"status":${it}`))) return null;
  const reply = parseJson(body);
  const results = objectsOf(isObject(reply) ? reply.results : []);
  return newOrdersOf(operation).filter((_, index) => isUnknown(results[index]?.status));
}

/** The statuses of orders that the venue may have, though the gateway does not know it. */
const UNKNOWN: readonly unknown[] = [HTTP_BAD_GATEWAY, HTTP_GATEWAY_TIMEOUT];

function isUnknown(status: unknown): boolean {
  return UNKNOWN.includes(status);
}
