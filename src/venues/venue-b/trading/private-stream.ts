// Venue B's private stream (venue-b.md §10): fills and orders of the account, and the lifecycle of all markets. A filter by market would
// have to follow every order. The stream is up once the venue has confirmed these three subscriptions. Earlier events must be read by REST;
// later events are reported. An unreadable message is reported as such, never dropped. Order groups come on a fourth subscription, which
// the venue may refuse. Engine thread.

import { decimalTextOf, isObject, type JsonObject, textOf } from '../../../core/domain/json.ts';
import { countUnknown } from '../../../core/metrics/unknown-words.ts';
import { KeptConnection, type KeptConnectionOptions } from '../../../core/net/kept-connection.ts';
import type { Log } from '../../../core/runtime/log.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import { unreadRow } from '../../unread-rows.ts';
import type { PrivateEvent } from '../../venue.ts';
import { parseJsonBytes } from '../../venue-json.ts';
import { GroupNews } from './group-news.ts';
import { logText } from './refusals.ts';
import { fillRecordOf, orderRecordOf, unreadFillOf, unreadOrderOf, venueOrderOf } from './reported-rows.ts';
import type { VenueBSettlements } from './settlements.ts';

const LIFE = 'market_lifecycle_v2';
const CHANNELS: readonly string[] = ['fill', 'user_orders', LIFE];
const GROUPS = 'order_group_updates';

interface PrivateStreamParts {
  readonly connection: Omit<KeptConnectionOptions, 'keepAlive' | 'timers'>;
  readonly settlements: VenueBSettlements;
  readonly timers: Timers;
  readonly log: Log;
  readonly onEvent: (event: PrivateEvent) => void;
}

export class VenueBPrivateStream {
  readonly #parts: PrivateStreamParts;
  readonly #connection: KeptConnection;
  /** The confirmed channels, by the number of their subscription. */
  #confirmed = new Map<unknown, string>();
  /** The last sequence number of the numbered channel. Null before the channel's first message. */
  #lastSeq: number | null = null;
  #commands = 0;
  readonly #groups: GroupNews;
  /** The number of the command that subscribes to order groups. */
  #groupsCommand = 0;
  #cancelPatience: () => void = () => {};

  constructor(parts: PrivateStreamParts) {
    this.#parts = parts;
    const { connection, timers, onEvent } = parts;
    this.#groups = new GroupNews(timers, onEvent);
    this.#connection = new KeptConnection(
      { ...connection, timers, keepAlive: null },
      {
        onUp: () => this.#subscribe(),
        onFrame: frame => this.#handle(frame),
        onDown: detail => this.#handleDown(detail),
        onSilence: () => parts.log.warn('private stream is silent', { venue: 'venue_b' }),
      },
    );
  }

  start(): void {
    this.#connection.start();
  }

  close(): void {
    this.#cancelPatience();
    this.#connection.close();
  }

  #subscribe(): void {
    this.#confirmed = new Map();
    this.#lastSeq = null;
    this.#groups.forget();
    this.#send(CHANNELS);
    this.#groupsCommand = this.#send([GROUPS]);
    this.#cancelPatience = this.#parts.timers.after(limits.upstreamSnapshotMs, () =>
      this.#giveUp('subscriptions not confirmed'),
    );
  }

  /** Sends the command and returns its number. */
  #send(channels: readonly string[]): number {
    this.#commands += 1;
    this.#connection.send(JSON.stringify({ id: this.#commands, cmd: 'subscribe', params: { channels } }));
    return this.#commands;
  }

  #handleDown(detail: string): void {
    this.#cancelPatience();
    this.#confirmed = new Map();
    this.#parts.onEvent({ type: 'down', message: logText(detail) });
  }

  #giveUp(event: string, message = ''): void {
    this.#parts.log.warn(event, { venue: 'venue_b', message });
    this.#connection.restart();
  }

  #handle(bytes: Uint8Array): void {
    const frame = parseJsonBytes(bytes);
    if (!isObject(frame)) {
      this.#parts.onEvent({ type: 'unread', row: unreadRow('message', '', frame) });
      return;
    }
    this.#checkSequence(frame);
    const message = isObject(frame.msg) ? frame.msg : {};
    switch (frame.type) {
      case 'subscribed':
        this.#handleSubscribed(message);
        break;
      case 'fill':
        this.#reportFill(message);
        break;
      case 'user_order':
        this.#reportOrder(message);
        break;
      case LIFE:
        this.#parts.settlements.handle(message);
        break;
      case GROUPS:
        this.#groups.handle(message);
        break;
      case 'error':
        this.#handleRefused(frame.id, logText(`${decimalTextOf(message.code)} ${textOf(message.msg)}`));
        break;
      case 'ok':
      case 'unsubscribed':
      // These events share the channel with the life of markets.
      case 'event_lifecycle':
      case 'event_fee_update':
        break;
      default:
        countUnknown('venue_b', 'message_type', frame.type);
    }
  }

  /**
   * Handles a refused command. A refused subscription to order groups is only logged: the refusal of an order will still say that its group
   * has triggered.
   */
  #handleRefused(command: unknown, words: string): void {
    if (command === this.#groupsCommand)
      this.#parts.log.warn('order groups are not heard', { venue: 'venue_b', message: words });
    else this.#giveUp('private stream refused', words);
  }

  #handleSubscribed({ channel, sid }: JsonObject): void {
    const isFirst = !this.#isFullyConfirmed();
    if (typeof channel === 'string' && CHANNELS.includes(channel)) this.#confirmed.set(sid, channel);
    if (!isFirst || !this.#isFullyConfirmed()) return;
    this.#cancelPatience();
    this.#parts.onEvent({ type: 'up' });
    this.#parts.settlements.readSoon();
  }

  #isFullyConfirmed(): boolean {
    return new Set(this.#confirmed.values()).size === CHANNELS.length;
  }

  #reportFill(message: JsonObject): void {
    const fill = fillRecordOf(message);
    this.#parts.onEvent(fill === null ? { type: 'unread', row: unreadFillOf(message) } : { type: 'fill', fill });
  }

  #reportOrder(message: JsonObject): void {
    // The venue itself does not know the order's state yet. Another message will follow, or a look-up will ask.
    if (message.status === 'unknown') return;
    const record = orderRecordOf(message);
    if (record === null) this.#parts.onEvent({ type: 'unread', row: unreadOrderOf(message) });
    else this.#parts.onEvent({ type: 'order', order: this.#groups.withReason(venueOrderOf(record), message) });
  }

  /**
   * Checks the numbers of the numbered channel. After a gap a settlement may be missing, so settlements are read. Fills and orders are not
   * numbered.
   */
  #checkSequence({ sid, seq }: JsonObject): void {
    if (typeof seq !== 'number' || this.#confirmed.get(sid) !== LIFE) return;
    const isGap = this.#lastSeq !== null && seq !== this.#lastSeq + 1;
    this.#lastSeq = seq;
    if (isGap) this.#parts.settlements.readSoon();
  }
}
