// Applies a fault to one request of a paper exchange. The fault decides whether the exchange performs the request, what the caller gets,
// and when. Without a fault the caller gets the exchange's answer, nearly always at once and without a promise. Thread of the paper
// exchanges.

import { isObject, type JsonObject, parseJson } from '../../core/domain/json.ts';
import type { Venue } from '../../core/domain/market.ts';
import { unreachable } from '../../core/domain/result.ts';
import { type Connection, NO_ANSWER, type Reply, type SocketRoute } from '../../core/net/inbound.ts';
import { pause, type Timers } from '../../core/runtime/timers.ts';
import type { FaultSubject, Faults, RequestFault } from './faults.ts';

/** Handles the request. */
type Act = () => Reply | Promise<Reply>;

/** The answers of a venue to requests that meet faults. */
export interface FaultReplies {
  /** The venue's 429. */
  rateLimited(): Reply;
  /** The answer of the venue's edge with a status 4xx or 5xx. */
  status(status: number): Reply;
}

/** Lets `act` handle the request, or not, as the fault for `subject` demands. */
export function withFaults(
  faults: Faults,
  subject: FaultSubject,
  timers: Timers,
  act: Act,
  replies: FaultReplies,
): Reply | Promise<Reply> {
  const fault = faults.ofRequest(subject);
  if (fault === null) return act();
  switch (fault.kind) {
    case 'lost':
      return fault.isApplied ? replaceReply(act(), NO_ANSWER) : NO_ANSWER;
    case 'hung':
      return hung(timers, fault.hangMs, fault.isApplied ? replaceReply(act(), NO_ANSWER) : NO_ANSWER);
    case 'status': {
      const reply = replies.status(fault.status);
      return fault.isApplied ? replaceReply(act(), reply) : reply;
    }
    case 'rate-limited':
      return replies.rateLimited();
    case 'rows':
      return changed(act(), fault);
    case 'delay':
      return delayed(timers, fault.beforeMs, fault.afterMs, act);
    default:
      return unreachable(fault);
  }
}

function changed(acted: Reply | Promise<Reply>, fault: Parameters<typeof withChangedRows>[1]): Reply | Promise<Reply> {
  return acted instanceof Promise ? acted.then(reply => withChangedRows(reply, fault)) : withChangedRows(acted, fault);
}

/** Answers with `reply` in place of the exchange's answer. Fails if the exchange fails. */
function replaceReply(acted: Reply | Promise<Reply>, reply: Reply): Reply | Promise<Reply> {
  return acted instanceof Promise ? acted.then(() => reply) : reply;
}

async function hung(timers: Timers, hangMs: number, acted: Reply | Promise<Reply>): Promise<Reply> {
  const [reply] = await Promise.all([acted, replyLater(timers, hangMs, () => NO_ANSWER)]);
  return reply;
}

/** Delays a request and its answer. Without a delay on the way to the exchange, the exchange acts before it gets the next request. */
async function delayed(timers: Timers, beforeMs: number, afterMs: number, act: Act): Promise<Reply> {
  const reply = await (beforeMs === 0 ? act() : replyLater(timers, beforeMs, act));
  return afterMs === 0 ? reply : replyLater(timers, afterMs, () => reply);
}

/** Waits, then returns what `produce` returns. Rejects with the error of `produce`. */
async function replyLater(timers: Timers, delayMs: number, produce: Act): Promise<Reply> {
  await pause(timers, delayMs);
  return produce();
}

type RowsFault = Extract<RequestFault, { readonly kind: 'rows' }>;

/**
 * Changes rows of a list as a venue sometimes does. A field is empty, absent or of an unknown form, or the list has one more row like this.
 * Text that is not JSON of objects stays as it is. The exchange's own records do not change.
 */
function withChangedRows(reply: Reply, fault: RowsFault): Reply {
  const body = parseJson(Buffer.from(reply.body).toString());
  if (!isObject(body) && !Array.isArray(body)) return reply;
  const changed = Array.isArray(body)
    ? changedList(body as readonly unknown[], fault)
    : changedBody(body as JsonObject, fault);
  return { ...reply, body: JSON.stringify(changed) };
}

/** Changes rows in lists of objects, and single objects such as `{"order": {…}}` or the whole answer. */
function changedBody(body: JsonObject, fault: RowsFault): JsonObject {
  const parts = Object.entries(body).map(([name, value]) => {
    if (Array.isArray(value) && value.every(isObject)) return [name, changedList(value, fault)];
    return [name, isObject(value) && matchesRule(value, fault) ? { ...value, ...fault.set } : value];
  });
  const whole = Object.fromEntries(parts) as JsonObject;
  return Object.keys(fault.where).length > 0 && matchesRule(body, fault) ? { ...whole, ...fault.set } : whole;
}

function changedList(rows: readonly unknown[], fault: RowsFault): readonly unknown[] {
  return rows.flatMap(row => {
    if (!isObject(row) || !matchesRule(row, fault)) return [row];
    const changed = { ...row, ...fault.set };
    return fault.isMore ? [changed, row] : [changed];
  });
}

function matchesRule(row: JsonObject, { where }: RowsFault): boolean {
  return Object.entries(where).every(([name, text]) => row[name] === text);
}

/** The parts of a connection that an outlet needs. */
type OutletConnection = Pick<Connection<unknown>, 'send' | 'batch' | 'terminate'>;

interface MessageOutletParts {
  readonly connection: OutletConnection;
  readonly venue: Venue;
  /** The id of the API key. It is empty for a public stream. */
  readonly key: string;
  readonly faults: Faults;
}

/** The present key of each connection's messages. */
const keys = new WeakMap<object, string>();

/** Returns the key of the connection's last outlet. It is empty without an outlet, or for a public stream. */
function keyOfStream(connection: object): string {
  return keys.get(connection) ?? '';
}

export class MessageOutlet {
  readonly #connection: OutletConnection;
  readonly #who: Pick<FaultSubject, 'venue' | 'key'>;
  readonly #faults: Faults;
  /** A frame that waits for the next frame to overtake it. */
  #heldFrame: string | null = null;

  constructor({ connection, venue, key, faults }: MessageOutletParts) {
    this.#connection = connection;
    this.#who = { venue, key };
    this.#faults = faults;
    keys.set(connection, key);
  }

  /** Sends a frame. `operation` is the type of the message, such as `fill`. */
  send(frame: string, operation: string): void {
    const { venue, key } = this.#who;
    const fault = this.#faults.ofMessage({ venue, key, operation });
    switch (fault) {
      case null:
        break;
      case 'drop':
        return;
      case 'disconnect':
        // The frame is lost with the connection, and so is a frame that waits.
        this.#heldFrame = null;
        this.#connection.terminate();
        return;
      case 'swap':
        if (this.#heldFrame !== null) break;
        this.#heldFrame = frame;
        return;
      case 'duplicate':
        this.#deliver(frame);
        break;
      default:
        unreachable(fault);
    }
    this.#deliver(frame);
    if (this.#heldFrame === null) return;
    const overtaken = this.#heldFrame;
    this.#heldFrame = null;
    this.#deliver(overtaken);
  }

  /** Sends all frames of `task` in as few writes as possible. */
  batch(task: () => void): void {
    this.#connection.batch(task);
  }

  /**
   * Sends a frame. Beyond the hard bound of unsent bytes it ends the connection, because to drop the frame silently would be a fault that
   * nobody requested.
   */
  #deliver(frame: string): void {
    if (!this.#connection.send(frame, false)) this.#connection.terminate();
  }
}

/** The open streams of a venue. This wraps a stream's route; neither the route nor the listener knows of it. */
export class OpenStreams {
  /** The open connections. There are never more than the listener accepts. */
  readonly #connections = new Set<Pick<Connection<unknown>, 'terminate'>>();

  get count(): number {
    return this.#connections.size;
  }

  /** Returns a route to listen on in place of `route`, which must be a plain object. */
  watch<Context>(route: SocketRoute<Context>): SocketRoute<Context> {
    return {
      ...route,
      open: connection => {
        this.#connections.add(connection);
        route.open(connection);
      },
      close: (connection, code) => {
        this.#connections.delete(connection);
        route.close(connection, code);
      },
    };
  }

  /** Drops the streams of a key, without a close frame. Null means all streams. Returns their number. */
  disconnect(key: string | null): number {
    const meant = [...this.#connections].filter(connection => key === null || keyOfStream(connection) === key);
    for (const connection of meant) connection.terminate();
    return meant.length;
  }
}
