// What the main thread and the engine thread send each other in one turn of the event loop, as one list. To copy objects between threads
// costs more than all else in a message. So messages about single orders are flat: their kind, then their fields. All others stand in the
// list as they are. Main and engine thread.

import type { Venue } from '../../core/domain/market.ts';
import type {
  Caller,
  NewOrderOperation,
  OneOrderOperation,
  OperationReply,
  SubmitOperation,
} from '../../core/domain/operation.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import { fail, ok } from '../../core/domain/result.ts';
import type { ActionEventRecord, OrderEventRecord } from '../../core/store/order-records.ts';
import type { AskedOperation, FromEngine, OpenOrder, OrderNews, ToEngine } from './engine-messages.ts';

/** Values that a message can hold: texts, numbers, and objects without methods. */
export type Turn = unknown[];

/** Appends a message to a turn. */
type Write<Message> = (turn: Turn, message: Message) => void;

/** Collects the messages of one turn of the event loop, since each message wakes both threads. */
export class Outgoing<Message> {
  readonly #write: Write<Message>;
  readonly #post: (turn: Turn) => void;
  readonly #turn: Turn = [];
  readonly #behind: Message[] = [];
  readonly #flush = (): void => {
    for (const message of this.#behind) this.#write(this.#turn, message);
    this.#behind.length = 0;
    if (this.#turn.length > 0) this.#post(this.#turn);
    // The post has copied it.
    this.#turn.length = 0;
    this.#isDue = false;
  };
  #isDue = false;

  constructor(write: Write<Message>, post: (turn: Turn) => void) {
    this.#write = write;
    this.#post = post;
  }

  send(message: Message): void {
    this.#write(this.#turn, message);
    this.#flushSoon();
  }

  /** Sends after everything else of the turn. */
  sendBehind(message: Message): void {
    this.#behind.push(message);
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    // The flush comes after all microtasks, which handle other orders of the same turn.
    process.nextTick(this.#flush);
  }
}

/** Kinds of flat messages. */
const ASKED_NEW = 1;
const ASKED_ONE = 2;
const REPLY = 3;
const EVENTS = 4;

export function writeToEngine(turn: Turn, message: ToEngine): void {
  if (message.type !== 'operate') turn.push(message);
  else {
    const { operation } = message;
    switch (operation.name) {
      case 'submit':
      case 'replace':
        turn.push(ASKED_NEW, message.number, message.timedFromUs, message.checkedUs);
        writeNewOrder(turn, operation);
        break;
      case 'get':
      case 'cancel':
        turn.push(ASKED_ONE, message.number, message.timedFromUs, message.checkedUs);
        turn.push(operation.name, operation.venue, operation.orderId);
        writeCaller(turn, operation.caller);
        break;
      default:
        turn.push(message);
    }
  }
}

export function readToEngine(turn: Turn, hear: (message: ToEngine) => void): void {
  const reader = new TurnReader(turn);
  while (!reader.isAtEnd) {
    const first = reader.next<ToEngine | number>();
    if (typeof first === 'object') hear(first);
    else {
      const [number, timedFromUs, checkedUs] = [
        reader.next<number>(),
        reader.next<number | null>(),
        reader.next<AskedOperation['checkedUs']>(),
      ];
      const operation = first === ASKED_NEW ? readNewOrder(reader) : readOneOrder(reader);
      hear({ type: 'operate', number, timedFromUs, checkedUs, operation });
    }
  }
}

export function writeFromEngine(turn: Turn, message: FromEngine): void {
  if (message.type === 'reply') {
    const { status, body, headers } = message.reply;
    turn.push(REPLY, message.number, status, body, headers.length);
    for (const header of headers) turn.push(header[0], header[1]);
  } else if (message.type === 'events') {
    turn.push(EVENTS, message.news.length);
    for (const news of message.news) writeNews(turn, news);
  } else turn.push(message);
}

export function readFromEngine(turn: Turn, hear: (message: FromEngine) => void): void {
  const reader = new TurnReader(turn);
  while (!reader.isAtEnd) {
    const first = reader.next<FromEngine | number>();
    if (typeof first === 'object') hear(first);
    else if (first === REPLY) hear({ type: 'reply', number: reader.next(), reply: readReply(reader) });
    else hear({ type: 'events', news: reader.many(readNews) });
  }
}

/** Reads values in the order in which they were written. */
class TurnReader {
  readonly #turn: Turn;
  #at = 0;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#turn.length;
  }

  next<T>(): T {
    return this.#turn[this.#at++] as T;
  }

  /** The values behind their count. */
  many<T>(read: (reader: TurnReader) => T): T[] {
    const values: T[] = [];
    for (let left = this.next<number>(); left > 0; left -= 1) values.push(read(this));
    return values;
  }
}

function writeCaller(turn: Turn, { podId, actorId, keyId }: Caller): void {
  turn.push(podId, actorId, keyId);
}

function readCaller(reader: TurnReader): Caller {
  return { podId: reader.next(), actorId: reader.next(), keyId: reader.next() };
}

function writeNewOrder(turn: Turn, operation: NewOrderOperation): void {
  const { venue, caller, body, bodySha256Hex, idempotencyKey, isTradable, limits, notAfter, names } = operation;
  turn.push(operation.name === 'replace' ? operation.orderId : null, venue);
  writeCaller(turn, caller);
  turn.push(body.ok, body.ok ? body.value : body.error, bodySha256Hex, idempotencyKey, isTradable);
  turn.push(limits.notionalMax, limits.openOrdersMax, limits.positionMax, notAfter);
  turn.push(names.idempotencyKey, names.notAfter, operation.acknowledges);
}

function readNewOrder(reader: TurnReader): NewOrderOperation {
  const orderId = reader.next<string | null>();
  const submission: SubmitOperation = {
    name: 'submit',
    venue: reader.next(),
    caller: readCaller(reader),
    body: reader.next<boolean>() ? ok(reader.next()) : fail(reader.next()),
    bodySha256Hex: reader.next(),
    idempotencyKey: reader.next(),
    isTradable: reader.next(),
    limits: { notionalMax: reader.next(), openOrdersMax: reader.next(), positionMax: reader.next() },
    notAfter: reader.next(),
    names: { idempotencyKey: reader.next(), notAfter: reader.next() },
    acknowledges: reader.next(),
  };
  return orderId === null ? submission : { ...submission, name: 'replace', orderId };
}

function readOneOrder(reader: TurnReader): OneOrderOperation {
  return { name: reader.next(), venue: reader.next(), orderId: reader.next(), caller: readCaller(reader) };
}

function readReply(reader: TurnReader): OperationReply {
  return { status: reader.next(), body: reader.next(), headers: reader.many(readHeader) };
}

function readHeader(reader: TurnReader): readonly [string, string] {
  return [reader.next(), reader.next()];
}

function writeNews(turn: Turn, { actorId, podId, cursor, order, record }: OrderNews): void {
  turn.push(actorId, podId, cursor, record, order === null);
  if (order === null) return;
  const { orderId, keyId, status, createdAt, venueOrderId, traded, request } = order;
  turn.push(orderId, keyId, status, createdAt, venueOrderId, traded, request.venue, addressOf(request));
  if (request.venue === 'venue_b') turn.push(request.size);
}

function readNews(reader: TurnReader): OrderNews {
  const [actorId, podId, cursor] = [reader.next<string>(), reader.next<string>(), reader.next<number>()];
  const record = reader.next<ActionEventRecord | OrderEventRecord | null>();
  const isAction = reader.next<boolean>();
  if (isAction) return { actorId, podId, cursor, order: null, record: record as ActionEventRecord };
  return {
    actorId,
    podId,
    cursor,
    order: readOrder(reader, podId, actorId),
    record: record as OrderEventRecord | null,
  };
}

function readOrder(reader: TurnReader, podId: string, actorId: string): OpenOrder {
  return {
    podId,
    actorId,
    orderId: reader.next(),
    keyId: reader.next(),
    status: reader.next(),
    createdAt: reader.next(),
    venueOrderId: reader.next(),
    traded: reader.next(),
    request:
      reader.next<Venue>() === 'venue_a'
        ? { venue: 'venue_a', tokenId: reader.next() }
        : { venue: 'venue_b', ticker: reader.next(), size: reader.next() },
  };
}
