// The main thread's end of the engine: one lasting task of a piscina pool of one thread. When that thread dies, what it had in memory
// may differ from its journal: the process ends in words, and the next start folds the journal again. Main thread.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { faultOf, wordsOf } from '../domain/error-words.ts';
import type { MarketKey } from '../domain/market.ts';
import { unreachable } from '../domain/result.ts';
import { limits } from '../limits.ts';
import type { Log } from '../runtime/log.ts';
import { endByForce } from '../runtime/process-end.ts';
import { PULSE_WORDS, Pulse, PulseWatch } from '../runtime/pulse.ts';
import { nameThreads } from '../runtime/thread-memory.ts';
import { StoreError } from '../store/store-error.ts';
import { type AskedOperation, type FromEngine, Outgoing, type ToEngine } from './engine-messages.ts';
import type { EngineData, EngineTask } from './engine-worker.ts';
import type { OperationReply } from './order-tasks.ts';
import { createThreadPool, type ThreadPool } from './thread-pool.ts';

export interface EngineHandlers {
  /** Replies aside. */
  readonly hear: (
    message: Exclude<FromEngine, { readonly number: number } | { readonly type: 'open' | 'unusable' }>,
  ) => void;
  /** It does not answer. */
  readonly onSilent: () => void;
}

interface Waiting {
  readonly replies: Map<number, (reply: OperationReply) => void>;
  readonly markets: Map<number, (markets: readonly MarketKey[] | null) => void>;
}

export class EngineLink {
  readonly #handlers: EngineHandlers;
  readonly #log: Log;
  readonly #pool: ThreadPool;
  readonly #port: MessagePort;
  readonly #outgoing: Outgoing<ToEngine>;
  readonly #waiting: Waiting = { replies: new Map(), markets: new Map() };
  readonly #opened = Promise.withResolvers<void>();
  readonly #task: Promise<unknown>;
  readonly #pulse = new Pulse();
  readonly #mainPulse = new Pulse();
  readonly #looks: NodeJS.Timeout;
  #number = 0;
  #state: 'opening' | 'open' | 'closing' = 'opening';

  constructor(data: Omit<EngineData, 'pulse' | 'mainPulse'>, handlers: EngineHandlers, log: Log) {
    this.#handlers = handlers;
    this.#log = log;
    const workerData: EngineData = { ...data, pulse: this.#pulse.memory, mainPulse: this.#mainPulse.memory };
    const url = new URL('./engine-worker.ts', import.meta.url);
    this.#pool = createThreadPool({ url, workerData, threads: 1, tasksPerThreadMax: 1 });
    nameThreads(this.#pool.threads, 'engine');
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (messages: readonly FromEngine[]) => {
      for (const message of messages) this.#hear(message);
    });
    this.#outgoing = new Outgoing(messages => port1.postMessage(messages));
    this.#task = this.#pool.run({ port: port2 } satisfies EngineTask, { name: 'engine', transferList: [port2] });
    this.#task.catch(error => this.#lost(error));
    const watch = new PulseWatch();
    this.#looks = setInterval(() => this.#look(watch), limits.threadPulseMs).unref();
  }

  /** Operations that are not answered yet. */
  get inFlight(): number {
    return this.#waiting.replies.size;
  }

  /** Resolves when it takes operations; rejects with a StoreError if its journal or history cannot be used. */
  opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** Never rejects: the process ends with the engine. */
  operate(asked: Omit<AskedOperation, 'type' | 'number'>): Promise<OperationReply> {
    const number = ++this.#number;
    return new Promise(resolve => {
      this.#waiting.replies.set(number, resolve);
      this.#outgoing.send({ type: 'operate', number, ...asked });
    });
  }

  /** Markets with an open order or a holding. Rejects with a StoreError if they cannot be read. */
  async heldMarkets(): Promise<readonly MarketKey[]> {
    const number = ++this.#number;
    const markets = await new Promise<readonly MarketKey[] | null>(resolve => {
      this.#waiting.markets.set(number, resolve);
      this.#outgoing.send({ type: 'held-markets', number });
    });
    if (markets === null) throw new StoreError('the engine cannot read which markets are held');
    return markets;
  }

  /** Resolves when what it has begun is answered, and its journal is on disk. */
  async close(): Promise<void> {
    if (this.#state !== 'closing') {
      this.#state = 'closing';
      this.#outgoing.send({ type: 'close' });
    }
    await this.#task.catch(() => {});
    clearInterval(this.#looks);
    this.#port.close();
    await this.#pool.destroy();
  }

  #hear(message: FromEngine): void {
    switch (message.type) {
      case 'open':
        if (this.#state === 'opening') this.#state = 'open';
        this.#opened.resolve();
        break;
      case 'unusable':
        this.#opened.reject(new StoreError(message.message));
        break;
      case 'reply':
        settle(this.#waiting.replies, message.number, message.reply);
        break;
      case 'markets':
        settle(this.#waiting.markets, message.number, message.markets);
        break;
      case 'events':
      case 'read':
      case 'news':
      case 'recording':
        this.#handlers.hear(message);
        break;
      default:
        unreachable(message);
    }
  }

  #lost(error: unknown): void {
    if (this.#state === 'opening') {
      this.#opened.reject(error);
      return;
    }
    if (this.#state === 'closing') {
      this.#log.warn('engine failed while it closed', faultOf(error));
      return;
    }
    this.#log.warn('engine failed: the process ends', faultOf(error));
    process.stderr.write(`crossbook: the engine failed: ${wordsOf(error)}\n`);
    endByForce(this.#log);
  }

  #look(watch: PulseWatch): void {
    this.#mainPulse.beat();
    const news = watch.look(this.#pulse.beats);
    if (news === null) return;
    this.#log.warn(`engine thread ${PULSE_WORDS[news]}`);
    if (news === 'silent') this.#handlers.onSilent();
    if (news === 'gone') endByForce(this.#log);
  }
}

function settle<T>(waiting: Map<number, (value: T) => void>, number: number, value: T): void {
  const resolve = waiting.get(number);
  waiting.delete(number);
  resolve?.(value);
}
