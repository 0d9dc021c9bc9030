// What the main thread and the engine's thread send each other: several at once, in one message a turn, in their order. Events come in
// a message of their own behind it: no answer waits until they are copied.

import type { MarketKey } from '../domain/market.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { AccountNews } from '../orders/account-parts.ts';
import type { Account, CancelAfter, OrderEventRecord } from '../store/order-records.ts';
import type { OpenOrder } from './guard-orders.ts';
import type { EngineOperation, OperationReply } from './order-tasks.ts';

/** An operation of a caller whose signature is right. Times by monotonicUs(). */
export interface AskedOperation {
  readonly type: 'operate';
  readonly number: number;
  readonly operation: EngineOperation;
  /** When the request was there. */
  readonly startedAtUs: number;
  /** Its signature was checked from the first of these times to the second; null: before it was an operation. */
  readonly checkedUs: readonly [from: number, to: number] | null;
}

export type ToEngine =
  | AskedOperation
  | { readonly type: 'held-markets'; readonly number: number }
  | { readonly type: 'close' };

/** Whether the journal takes records: `refused` while the disk is full, `failed` until the gateway is started anew. */
export type Recording = 'taken' | 'refused' | 'failed';

/** A dead man's switch as it was set last; `deadline` null: it was taken away. */
export interface SwitchSetting extends Omit<CancelAfter, 'deadline'> {
  readonly deadline: UnixMillis | null;
}

export type FromEngine =
  /** `thread`: as `ownThread` has it. */
  | { readonly type: 'open'; readonly thread: string | null }
  /** Its journal or history cannot be used, in words; it ends. */
  | { readonly type: 'unusable'; readonly message: string }
  | { readonly type: 'reply'; readonly number: number; readonly reply: OperationReply }
  /** At the start: some of the orders that are open. */
  | { readonly type: 'open-orders'; readonly orders: readonly OpenOrder[] }
  | { readonly type: 'switch'; readonly setting: SwitchSetting }
  | { readonly type: 'events'; readonly events: readonly OrderEventRecord[] }
  /** All that was open before the start is known now. */
  | { readonly type: 'read'; readonly account: Account }
  | { readonly type: 'news'; readonly account: Account; readonly news: AccountNews }
  | { readonly type: 'recording'; readonly recording: Recording }
  /** Null: they could not be read. */
  | { readonly type: 'markets'; readonly number: number; readonly markets: readonly MarketKey[] | null };

/** Collects what one turn of the event loop sends. */
export class Outgoing<Message> {
  readonly #post: (messages: readonly Message[]) => void;
  #waiting: Message[] = [];
  #behind: Message[] = [];
  #isDue = false;

  constructor(post: (messages: readonly Message[]) => void) {
    this.#post = post;
  }

  send(message: Message): void {
    this.#waiting.push(message);
    this.#flushSoon();
  }

  /** Behind all that the turn sends otherwise. */
  sendBehind(message: Message): void {
    this.#behind.push(message);
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    // After all microtasks: they go on with other orders of this turn.
    process.nextTick(() => this.#flush());
  }

  #flush(): void {
    const [messages, behind] = [this.#waiting, this.#behind];
    [this.#waiting, this.#behind, this.#isDue] = [[], [], false];
    if (messages.length > 0) this.#post(messages);
    if (behind.length > 0) this.#post(behind);
  }
}
