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
import type { AskedOperation, FromEngine, OrderNews, ToEngine } from './engine-messages.ts';

/** The values of a turn's messages: texts, numbers, and objects without methods. */
export type Turn = unknown[];

/** Appends a message to a turn. */
type Write<Message> = (turn: Turn, message: Message) => void;

/** Collects the messages of one turn of the event loop into one post, because each post wakes the other thread. */
export class Outgoing<Message> {
  readonly #write: Write<Message>;
  readonly #post: (turn: Turn) => void;
  readonly #turn: Turn = [];
  #behind: Message[] | null = null;
  readonly #flush = (): void => {
    if (this.#behind !== null) for (const message of this.#behind) this.#write(this.#turn, message);
    this.#behind = null;
    if (this.#turn.length > 0) this.#post(this.#turn);
    // The post has copied the list, so the list can be used again.
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
        turn.push(operation.rate?.perS ?? null, operation.rate?.burstMax ?? null);
        break;
      default:
        turn.push(message);
    }
  }
}

export function readToEngine(turn: Turn, hear: (message: ToEngine) => void): void {
  const cursor: Cursor = { turn, at: 0 };
  while (cursor.at < turn.length) {
    const first = turn[cursor.at++] as ToEngine | number;
    if (typeof first === 'object') hear(first);
    else {
      const { at } = cursor;
      const number = turn[at] as number;
      const timedFromUs = turn[at + 1] as number | null;
      const checkedUs = turn[at + 2] as AskedOperation['checkedUs'];
      cursor.at = at + 3;
      const operation = first === ASKED_NEW ? readNewOrder(cursor) : readOneOrder(cursor);
      hear({ type: 'operate', number, timedFromUs, checkedUs, operation });
    }
  }
}

export function writeFromEngine(turn: Turn, message: FromEngine): void {
  if (message.type === 'reply') {
    const { status, body, headers } = message.reply;
    turn.push(REPLY, message.number, status, body, headers.length);
    for (let index = 0; index < headers.length; index += 1) turn.push(headers[index]![0], headers[index]![1]);
  } else if (message.type === 'events') {
    const { news } = message;
    turn.push(EVENTS, news.length);
    for (let index = 0; index < news.length; index += 1) writeNews(turn, news[index]!);
  } else turn.push(message);
}

export function readFromEngine(turn: Turn, hear: (message: FromEngine) => void): void {
  const cursor: Cursor = { turn, at: 0 };
  while (cursor.at < turn.length) {
    const first = turn[cursor.at++] as FromEngine | number;
    if (typeof first === 'object') hear(first);
    else if (first === REPLY) hear(readReply(cursor));
    else hear(readEvents(cursor));
  }
}

/**
 * A place in a list. Values are read by index, in the order in which they were written, because destructuring a list would make an
 * iterator. `at` is the place of the next value.
 */
interface Cursor {
  readonly turn: Turn;
  at: number;
}

function writeCaller(turn: Turn, { podId, actorId, keyId }: Caller): void {
  turn.push(podId, actorId, keyId);
}

function readCaller({ turn }: Cursor, at: number): Caller {
  return { podId: turn[at], actorId: turn[at + 1], keyId: turn[at + 2] } as Caller;
}

function writeNewOrder(turn: Turn, operation: NewOrderOperation): void {
  const { venue, caller, body, bodySha256Hex, idempotencyKey, isTradable, limits, notAfter, names } = operation;
  turn.push(operation.name === 'replace' ? operation.orderId : null, venue);
  writeCaller(turn, caller);
  turn.push(body.ok, body.ok ? body.value : body.error, bodySha256Hex, idempotencyKey, isTradable);
  writeLimits(turn, limits);
  turn.push(notAfter, names.idempotencyKey, names.notAfter, operation.acknowledges);
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
function writeLimits(turn: Turn, limits: ActorLimits): void {
  const at = turn.push(0) - 1;
  let count = 0;
  for (let index = 0; index < LIMIT_NAMES.length; index += 1) {
    const value = limits[LIMIT_NAMES[index]!];
    if (value === null) continue;
    turn.push(index, value);
    count += 1;
  }
  turn[at] = count;
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

function writeNews(turn: Turn, { actorId, podId, cursor, order, record }: OrderNews): void {
  turn.push(actorId, podId, cursor, record, order === null);
  if (order === null) return;
  const { orderId, keyId, status, createdAt, venueOrderId, traded, cost, request } = order;
  turn.push(orderId, keyId, status, createdAt, venueOrderId, traded, cost, request.venue, request.side);
  if (request.venue === 'venue_b') turn.push(request.ticker, request.size, request.price, request.action);
  else if (request.type === 'LIMIT') turn.push(request.tokenId, request.size, request.price, 'LIMIT');
  else if ('size' in request) turn.push(request.tokenId, request.size, request.worstPrice, 'MARKET');
  else turn.push(request.tokenId, request.dollars, request.worstPrice, 'DOLLARS');
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
