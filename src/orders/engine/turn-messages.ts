// The messages that main thread and engine thread send to each other in one turn of the event loop, as one list. Copying objects between
// threads costs more than everything else in a message. So messages about single orders are flat: their kind, then their fields. All other
// messages stand in the list as objects. Main and engine thread.

import { type ActorLimits, LIMIT_NAMES, NO_LIMITS } from '../../core/domain/identity.ts';
import { withItem } from '../../core/domain/lists.ts';
import type {
  Caller,
  NewOrderOperation,
  OneOrderOperation,
  OperationReply,
  SubmitOperation,
} from '../../core/domain/operation.ts';
import { fail, ok } from '../../core/domain/result.ts';
import type { FromEngine, NumberedOperation, OrderNews, ToEngine } from './engine-messages.ts';

/** The values of a turn's messages: texts, numbers, and objects without methods. */
export type Turn = unknown[];

/**
 * A place in a list. Values are read by index, in the order in which they were written, because destructuring a list would make an
 * iterator. `at` is the place of the next value.
 */
export interface Cursor {
  readonly turn: Turn;
  at: number;
}

/** Writes a message behind the cursor. */
type Write<Message> = (to: Cursor, message: Message) => void;

/** Collects the messages of one turn of the event loop into one post, because each post wakes the other thread. */
export class Outgoing<Message> {
  readonly #write: Write<Message>;
  readonly #post: (turn: Turn) => void;
  /** The post copies the list, so that the next turn is written over it: a list that is emptied would grow anew in each turn. */
  readonly #written: Cursor = { turn: [], at: 0 };
  #behind: Message[] | null = null;
  readonly #flush = (): void => {
    const written = this.#written;
    if (this.#behind !== null) for (const message of this.#behind) this.#write(written, message);
    this.#behind = null;
    this.#isDue = false;
    written.turn.length = written.at;
    written.at = 0;
    if (written.turn.length > 0) this.#post(written.turn);
  };
  #isDue = false;

  constructor(write: Write<Message>, post: (turn: Turn) => void) {
    this.#write = write;
    this.#post = post;
  }

  send(message: Message): void {
    this.#write(this.#written, message);
    this.#flushSoon();
  }

  /** Sends the message behind all other messages of the turn. */
  sendBehind(message: Message): void {
    this.#behind = withItem(this.#behind, message);
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    // The flush runs after all microtasks, because they handle other orders of the same turn.
    process.nextTick(this.#flush);
  }
}

/** The kinds of flat messages. */
const ASKED_NEW = 1;
const ASKED_ONE = 2;
const REPLY = 3;
const EVENTS = 4;

export function writeToEngine(to: Cursor, message: ToEngine): void {
  const operation = message.type === 'operate' ? message.operation : null;
  switch (operation?.name) {
    case 'submit':
    case 'replace':
      writeOperation(to, ASKED_NEW, message as NumberedOperation);
      writeNewOrder(to, operation as NewOrderOperation);
      break;
    case 'get':
    case 'cancel':
      writeOperation(to, ASKED_ONE, message as NumberedOperation);
      writeOneOrder(to, operation as OneOrderOperation);
      break;
    default:
      to.turn[to.at++] = message;
  }
}

function writeOperation(to: Cursor, kind: number, { number, timedFromUs, checkedUs }: NumberedOperation): void {
  const { turn, at } = to;
  turn[at] = kind;
  turn[at + 1] = number;
  turn[at + 2] = timedFromUs;
  turn[at + 3] = checkedUs;
  to.at = at + 4;
}

export function readToEngine(turn: Turn, onMessage: (message: ToEngine) => void): void {
  const cursor: Cursor = { turn, at: 0 };
  while (cursor.at < turn.length) {
    const first = turn[cursor.at++] as ToEngine | number;
    if (typeof first === 'object') onMessage(first);
    else {
      const { at } = cursor;
      const number = turn[at] as number;
      const timedFromUs = turn[at + 1] as number | null;
      const checkedUs = turn[at + 2] as NumberedOperation['checkedUs'];
      cursor.at = at + 3;
      const operation = first === ASKED_NEW ? readNewOrder(cursor) : readOneOrder(cursor);
      onMessage({ type: 'operate', number, timedFromUs, checkedUs, operation });
    }
  }
}

export function writeFromEngine(to: Cursor, message: FromEngine): void {
  const { turn, at } = to;
  if (message.type === 'reply') {
    const { status, body, headers } = message.reply;
    turn[at] = REPLY;
    turn[at + 1] = message.number;
    turn[at + 2] = status;
    turn[at + 3] = body;
    turn[at + 4] = headers.length;
    for (let index = 0; index < headers.length; index += 1) {
      turn[at + 5 + 2 * index] = headers[index]![0];
      turn[at + 6 + 2 * index] = headers[index]![1];
    }
    to.at = at + 5 + 2 * headers.length;
  } else if (message.type === 'events') {
    const { news } = message;
    turn[at] = EVENTS;
    turn[at + 1] = news.length;
    to.at = at + 2;
    for (let index = 0; index < news.length; index += 1) writeNews(to, news[index]!);
  } else {
    turn[at] = message;
    to.at = at + 1;
  }
}

export function readFromEngine(turn: Turn, onMessage: (message: FromEngine) => void): void {
  const cursor: Cursor = { turn, at: 0 };
  while (cursor.at < turn.length) {
    const first = turn[cursor.at++] as FromEngine | number;
    if (typeof first === 'object') onMessage(first);
    else if (first === REPLY) onMessage(readReply(cursor));
    else onMessage(readEvents(cursor));
  }
}

function writeCaller(to: Cursor, { podId, actorId, keyId }: Caller): void {
  const { turn, at } = to;
  turn[at] = podId;
  turn[at + 1] = actorId;
  turn[at + 2] = keyId;
  to.at = at + 3;
}

function readCaller({ turn }: Cursor, at: number): Caller {
  return { podId: turn[at], actorId: turn[at + 1], keyId: turn[at + 2] } as Caller;
}

function writeNewOrder(to: Cursor, operation: NewOrderOperation): void {
  const { turn, at } = to;
  const { body, names } = operation;
  turn[at] = operation.name === 'replace' ? operation.orderId : null;
  turn[at + 1] = operation.venue;
  to.at = at + 2;
  writeCaller(to, operation.caller);
  turn[at + 5] = body.ok;
  turn[at + 6] = body.ok ? body.value : body.error;
  turn[at + 7] = operation.bodySha256Hex;
  turn[at + 8] = operation.idempotencyKey;
  turn[at + 9] = operation.isTradable;
  to.at = at + 10;
  writeLimits(to, operation.limits);
  const behind = to.at;
  turn[behind] = operation.notAfter;
  turn[behind + 1] = names.idempotencyKey;
  turn[behind + 2] = names.notAfter;
  turn[behind + 3] = operation.acknowledges;
  to.at = behind + 4;
}

function readNewOrder(cursor: Cursor): NewOrderOperation {
  const { turn, at } = cursor;
  const orderId = turn[at] as string | null;
  cursor.at = at + 10;
  const limits = readLimits(cursor);
  const behind = cursor.at;
  cursor.at = behind + 4;
  const submission = {
    name: 'submit',
    venue: turn[at + 1],
    caller: readCaller(cursor, at + 2),
    body: turn[at + 5] === true ? ok(turn[at + 6]) : fail(turn[at + 6]),
    bodySha256Hex: turn[at + 7],
    idempotencyKey: turn[at + 8],
    isTradable: turn[at + 9],
    limits,
    notAfter: turn[behind],
    names: { idempotencyKey: turn[behind + 1], notAfter: turn[behind + 2] },
    acknowledges: turn[behind + 3],
  } as SubmitOperation;
  return orderId === null ? submission : { ...submission, name: 'replace', orderId };
}

/** Writes only the limits that are set, because most actors have few limits or none. */
function writeLimits(to: Cursor, limits: ActorLimits): void {
  const { turn, at } = to;
  turn[at] = 0;
  let end = at + 1;
  for (let index = 0; index < LIMIT_NAMES.length; index += 1) {
    const value = limits[LIMIT_NAMES[index]!];
    if (value === null) continue;
    turn[end] = index;
    turn[end + 1] = value;
    end += 2;
  }
  turn[at] = (end - at - 1) / 2;
  to.at = end;
}

function readLimits(cursor: Cursor): ActorLimits {
  const { turn, at } = cursor;
  const end = at + 1 + 2 * (turn[at] as number);
  cursor.at = end;
  if (end === at + 1) return NO_LIMITS;
  const own: Record<string, unknown> = { ...NO_LIMITS };
  for (let place = at + 1; place < end; place += 2) own[LIMIT_NAMES[turn[place] as number]!] = turn[place + 1];
  return own as unknown as ActorLimits;
}

function writeOneOrder(to: Cursor, { name, venue, orderId, caller, rate = null }: OneOrderOperation): void {
  const { turn, at } = to;
  turn[at] = name;
  turn[at + 1] = venue;
  turn[at + 2] = orderId;
  to.at = at + 3;
  writeCaller(to, caller);
  turn[at + 6] = rate?.perS ?? null;
  turn[at + 7] = rate?.burstMax ?? null;
  to.at = at + 8;
}

function readOneOrder(cursor: Cursor): OneOrderOperation {
  const { turn, at } = cursor;
  cursor.at = at + 8;
  const perS = turn[at + 6] as number | null;
  const rate = perS === null ? null : { perS, burstMax: turn[at + 7] };
  const caller = readCaller(cursor, at + 3);
  return { name: turn[at], venue: turn[at + 1], orderId: turn[at + 2], caller, rate } as OneOrderOperation;
}

function readReply(cursor: Cursor): Extract<FromEngine, { type: 'reply' }> {
  const { turn, at } = cursor;
  const headers = new Array<readonly [string, string]>(turn[at + 3] as number);
  cursor.at = at + 4 + 2 * headers.length;
  for (let index = 0; index < headers.length; index += 1) {
    const place = at + 4 + 2 * index;
    headers[index] = [turn[place] as string, turn[place + 1] as string];
  }
  const reply = { status: turn[at + 1], body: turn[at + 2], headers } as OperationReply;
  return { type: 'reply', number: turn[at] as number, reply };
}

function writeNews(to: Cursor, { actorId, podId, cursor, order, record }: OrderNews): void {
  const { turn, at } = to;
  turn[at] = actorId;
  turn[at + 1] = podId;
  turn[at + 2] = cursor;
  turn[at + 3] = record;
  turn[at + 4] = order === null;
  to.at = at + 5;
  if (order === null) return;
  turn[at + 5] = order.orderId;
  turn[at + 6] = order.keyId;
  turn[at + 7] = order.status;
  turn[at + 8] = order.createdAt;
  turn[at + 9] = order.venueOrderId;
  turn[at + 10] = order.traded;
  turn[at + 11] = order.cost;
  const { request } = order;
  const isOfB = request.venue === 'venue_b';
  turn[at + 12] = request.venue;
  turn[at + 13] = request.side;
  turn[at + 14] = isOfB ? request.ticker : request.tokenId;
  turn[at + 15] = 'size' in request ? request.size : request.dollars;
  turn[at + 16] = 'price' in request ? request.price : request.worstPrice;
  turn[at + 17] = isOfB ? request.action : 'size' in request ? request.type : 'DOLLARS';
  to.at = at + 18;
}

function readEvents(cursor: Cursor): Extract<FromEngine, { type: 'events' }> {
  const news = new Array<OrderNews>(cursor.turn[cursor.at++] as number);
  for (let index = 0; index < news.length; index += 1) news[index] = readNews(cursor);
  return { type: 'events', news };
}

function readNews(cursor: Cursor): OrderNews {
  const { turn, at } = cursor;
  const actorId = turn[at];
  const podId = turn[at + 1];
  const isAction = turn[at + 4] === true;
  cursor.at = at + (isAction ? 5 : 18);
  const order = isAction
    ? null
    : {
        podId,
        actorId,
        orderId: turn[at + 5],
        keyId: turn[at + 6],
        status: turn[at + 7],
        createdAt: turn[at + 8],
        venueOrderId: turn[at + 9],
        traded: turn[at + 10],
        cost: turn[at + 11],
        request: readRequest(turn, at + 12),
      };
  return { actorId, podId, cursor: turn[at + 2], record: turn[at + 3], order } as OrderNews;
}

function readRequest(turn: Turn, at: number): object {
  const venue = turn[at];
  const side = turn[at + 1];
  const address = turn[at + 2];
  const size = turn[at + 3];
  const price = turn[at + 4];
  const kind = turn[at + 5];
  if (venue === 'venue_b') return { venue, ticker: address, side, action: kind, size, price };
  if (kind === 'LIMIT') return { venue, tokenId: address, type: kind, side, size, price };
  const market = { venue, tokenId: address, type: 'MARKET', side, worstPrice: price };
  return kind === 'DOLLARS' ? { ...market, dollars: size } : { ...market, size };
}
