// Applies a fault to one request of a paper exchange: whether the exchange performs it, the caller's answer, and its time. Without a fault
// the answer is the exchange's: nearly always at once, without a promise. Thread of the paper exchanges.

import { isObject, type JsonObject, parseJson } from '../../core/domain/json.ts';
import type { Venue } from '../../core/domain/market.ts';
import { unreachable } from '../../core/domain/result.ts';
import { type Connection, NO_ANSWER, type Reply, type SocketRoute } from '../../core/net/inbound.ts';
import { pause, type Timers } from '../../core/runtime/timers.ts';
import type { Asked, Faults, RequestFault } from './faults.ts';

/** Handles the request. */
type Act = () => Reply | Promise<Reply>;

/** A venue's texts for faults. */
export interface FaultReplies {
  /** The venue's 429. */
  rateLimited(): Reply;
  /** The answer of the venue's edge with a status 4xx or 5xx. */
  status(status: number): Reply;
}

/** Lets `act` handle the request, or not, by the fault of `asked`. */
export function withFaults(
  faults: Faults,
  asked: Asked,
  timers: Timers,
  act: Act,
  replies: FaultReplies,
): Reply | Promise<Reply> {
  const fault = faults.ofRequest(asked);
  if (fault === null) return act();
  switch (fault.kind) {
    case 'lost':
      return fault.isApplied ? instead(act(), NO_ANSWER) : NO_ANSWER;
    case 'hung':
      return hung(timers, fault.hangMs, fault.isApplied ? instead(act(), NO_ANSWER) : NO_ANSWER);
    case 'status': {
      const reply = replies.status(fault.status);
      return fault.isApplied ? instead(act(), reply) : reply;
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

/** Answers `reply` instead of the exchange's; fails if the exchange fails. */
function instead(acted: Reply | Promise<Reply>, reply: Reply): Reply | Promise<Reply> {
  return acted instanceof Promise ? acted.then(() => reply) : reply;
}

async function hung(timers: Timers, hangMs: number, acted: Reply | Promise<Reply>): Promise<Reply> {
  const [reply] = await Promise.all([acted, later(timers, hangMs, () => NO_ANSWER)]);
  return reply;
}

/** Without a delay on the way there, the exchange acts before the next request is looked at. */
async function delayed(timers: Timers, beforeMs: number, afterMs: number, act: Act): Promise<Reply> {
  const reply = await (beforeMs === 0 ? act() : later(timers, beforeMs, act));
  return afterMs === 0 ? reply : later(timers, afterMs, () => reply);
}

/** Rejects with the error of `produce`. */
async function later(timers: Timers, delayMs: number, produce: Act): Promise<Reply> {
  await pause(timers, delayMs);
  return produce();
}

type RowsFault = Extract<RequestFault, { readonly kind: 'rows' }>;

/**
 * Changes rows of a list as a venue sometimes does. A field is empty, absent or of an unknown form, or the list has one more such row.
 * Leaves text that is not JSON of objects unchanged. The exchange's own records do not change.
 */
function withChangedRows(reply: Reply, fault: RowsFault): Reply {
  const body = parseJson(Buffer.from(reply.body).toString());
  if (!isObject(body) && !Array.isArray(body)) return reply;
  const changed = Array.isArray(body)
    ? changedList(body as readonly unknown[], fault)
    : changedBody(body as JsonObject, fault);
  return { ...reply, body: JSON.stringify(changed) };
}

/** Lists of objects, and single objects such as `{"order": {…}}` or the whole answer. */
function changedBody(body: JsonObject, fault: RowsFault): JsonObject {
  const parts = Object.entries(body).map(([name, value]) => {
    if (Array.isArray(value) && value.every(isObject)) return [name, changedList(value, fault)];
    return [name, isObject(value) && isMeant(value, fault) ? { ...value, ...fault.set } : value];
  });
  const whole = Object.fromEntries(parts) as JsonObject;
  return Object.keys(fault.where).length > 0 && isMeant(body, fault) ? { ...whole, ...fault.set } : whole;
}

function changedList(rows: readonly unknown[], fault: RowsFault): readonly unknown[] {
  return rows.flatMap(row => {
    if (!isObject(row) || !isMeant(row, fault)) return [row];
    const changed = { ...row, ...fault.set };
    return fault.isMore ? [changed, row] : [changed];
  });
}

function isMeant(row: JsonObject, { where }: RowsFault): boolean {
  return Object.entries(where).every(([name, text]) => row[name] === text);
}

/** The connection, as an outlet needs it. */
type OutletConnection = Pick<Connection<unknown>, 'send' | 'batch' | 'terminate'>;

interface MessageOutletParts {
  readonly connection: OutletConnection;
  readonly venue: Venue;
  /** API key id; empty for a public stream. */
  readonly key: string;
  readonly faults: Faults;
}

/** Current key of a connection's messages. */
const keys = new WeakMap<object, string>();

/** Key of the connection's last outlet; empty without one, or for a public stream. */
function keyOfStream(connection: object): string {
  return keys.get(connection) ?? '';
}

export class MessageOutlet {
  readonly #connection: OutletConnection;
  readonly #who: Pick<Asked, 'venue' | 'key'>;
  readonly #faults: Faults;
  /** A frame that waits for the one that overtakes it. */
  #overtaken: string | null = null;

  constructor({ connection, venue, key, faults }: MessageOutletParts) {
    this.#connection = connection;
    this.#who = { venue, key };
    this.#faults = faults;
    keys.set(connection, key);
  }

  /** `operation`: the type of the message, such as `fill`. */
  send(frame: string, operation: string): void {
    const { venue, key } = this.#who;
    const fault = this.#faults.ofMessage({ venue, key, operation });
    switch (fault) {
      case null:
        break;
      case 'drop':
        return;
      case 'disconnect':
        // The frame is lost with its connection, and so is a waiting one.
        this.#overtaken = null;
        this.#connection.terminate();
        return;
      case 'swap':
        if (this.#overtaken !== null) break;
        this.#overtaken = frame;
        return;
      case 'duplicate':
        this.#deliver(frame);
        break;
      default:
        unreachable(fault);
    }
    this.#deliver(frame);
    if (this.#overtaken === null) return;
    const overtaken = this.#overtaken;
    this.#overtaken = null;
    this.#deliver(overtaken);
  }

  /** Batches all sends of `task` into as few writes as possible. */
  batch(task: () => void): void {
    this.#connection.batch(task);
  }

  /**
   * A frame beyond the hard bound of unsent bytes ends the connection: dropping it silently is not a requested fault.
   */
  #deliver(frame: string): void {
    if (!this.#connection.send(frame, false)) this.#connection.terminate();
  }
}

/** Open streams of a venue. It wraps a stream's route; neither the route nor the listener is aware of it. */
export class OpenStreams {
  /** At most as many as the listener accepts. */
  readonly #connections = new Set<Pick<Connection<unknown>, 'terminate'>>();

  get count(): number {
    return this.#connections.size;
  }

  /** The route to listen on instead of `route`, a plain object. */
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

  /** Drops the streams of a key, or all if null, without a close frame; returns how many. */
  disconnect(key: string | null): number {
    const meant = [...this.#connections].filter(connection => key === null || keyOfStream(connection) === key);
    for (const connection of meant) connection.terminate();
    return meant.length;
  }
}
