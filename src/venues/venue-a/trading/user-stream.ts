// Venue A's user channel (venue-a.md §6): live events of an account's orders and trades. The channel has no replay and no sequence numbers,
// so "up" means only that it is complete from now on. It is up when the venue answers our first PING, which it reads after our credentials.
// Frames keep their sequence, though a trade may wait for its market's fees. Engine thread.

import { isObject, textOf } from '../../../core/domain/json.ts';
import { plainText } from '../../../core/domain/plain-text.ts';
import type { VenueAAccount } from '../../../core/domain/pod-accounts.ts';
import { countUnknown } from '../../../core/metrics/unknown-words.ts';
import { KeptConnection } from '../../../core/net/kept-connection.ts';
import type { Connect } from '../../../core/net/websocket.ts';
import type { Log } from '../../../core/runtime/log.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import type { PrivateEvent, UnreadRow } from '../../venue.ts';
import { parseJsonBytes, REQUEST_HEADERS } from '../../venue-json.ts';
import { readShownOrder, type ShownOrder, unreadOrder } from './open-orders.ts';
import type { TradeFills } from './trade-fills.ts';
import { readTrade, type TradeRow, type Wanted } from './trades.ts';

interface UserStreamParts {
  readonly account: Pick<VenueAAccount, 'userStreamUrl' | 'apiKey' | 'secret' | 'passphrase'>;
  readonly fills: TradeFills;
  /** Says which parties of a trade belong to the account. */
  readonly isOurs: Wanted;
  readonly connect: Connect;
  readonly timers: Timers;
  readonly random: () => number;
  readonly log: Log;
  /** Called before `onEvent`. */
  noteEnd(order: ShownOrder): void;
  onEvent(event: PrivateEvent): void;
}

type Update = { readonly trade: TradeRow } | { readonly order: ShownOrder } | { readonly unread: UnreadRow };

export class UserStream {
  readonly #parts: UserStreamParts;
  readonly #connection: KeptConnection;
  #isUp = false;
  #isClosed = false;
  #waiting: Update[] = [];
  /** Whether the next events wait for a trade. */
  #isWaiting = false;

  constructor(parts: UserStreamParts) {
    this.#parts = parts;
    const { account, connect, timers, random } = parts;
    this.#connection = new KeptConnection(
      {
        url: account.userStreamUrl,
        headers: () => REQUEST_HEADERS,
        keepAlive: 'PING',
        connect,
        timers,
        random,
      },
      {
        onUp: () => this.#authenticate(),
        onFrame: data => this.#receive(parseJsonBytes(data)),
        onDown: detail => this.#down(detail),
        onSilence: () => parts.log.warn('user channel is silent', { venue: 'venue_a' }),
      },
    );
  }

  start(): void {
    this.#connection.start();
  }

  /** Closes the connection; no more events come. */
  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#connection.close();
  }

  #authenticate(): void {
    const { apiKey, secret, passphrase } = this.#parts.account;
    this.#connection.send(JSON.stringify({ auth: { apiKey, secret, passphrase }, type: 'user', markets: [] }));
    this.#connection.send('PING');
  }

  #emit(event: PrivateEvent): void {
    if (!this.#isClosed) this.#parts.onEvent(event);
  }

  #down(detail: string): void {
    this.#isUp = false;
    this.#waiting = [];
    this.#emit({ type: 'down', message: plainText(`venue A's user channel: ${detail}`, limits.venueWordsMax) });
  }

  #receive(frame: unknown): void {
    if (!this.#isUp) {
      this.#isUp = true;
      this.#emit({ type: 'up' });
    }
    // Events come singly or in a list. A text that is not JSON is an answer to our PING.
    for (const message of Array.isArray(frame) ? (frame as readonly unknown[]) : [frame]) this.#read(message);
    this.#work();
  }

  #read(message: unknown): void {
    if (!isObject(message)) return;
    const event = textOf(message.event_type) || (message.type === 'TRADE' ? 'trade' : 'order');
    if (event === 'trade') {
      this.#waiting.push({ trade: readTrade(message) });
    } else if (event === 'order') {
      const order = readShownOrder(message, this.#parts.timers.now());
      this.#waiting.push(order === null ? { unread: unreadOrder(message) } : { order });
    } else countUnknown('venue_a', 'message_type', event);
    if (this.#waiting.length > limits.venueAUserFramesWaitingMax) this.#connection.restart();
  }

  /** Handles events one by one, because a trade may have to wait for its market's fees, or be read by its id. */
  #work(): void {
    while (!this.#isWaiting && this.#waiting.length > 0) {
      const update = this.#waiting.shift()!;
      if ('order' in update) this.#emitOrder(update.order);
      else if ('unread' in update) this.#emit({ type: 'unread', row: update.unread });
      else {
        this.#isWaiting = true;
        void this.#emitTrade(update.trade).then(() => {
          this.#isWaiting = false;
          this.#work();
        });
      }
    }
  }

  #emitOrder(order: ShownOrder): void {
    if (!this.#isClosed) this.#parts.noteEnd(order);
    this.#emit({ type: 'order', order });
  }

  async #emitTrade(trade: TradeRow): Promise<void> {
    const { fills, isOurs } = this.#parts;
    const { rows, unread } = await fills.of(trade, isOurs);
    for (const fill of rows) {
      this.#emit({ type: 'fill', fill });
      if (fill.settlement !== 'MATCHED')
        this.#emit({ type: 'settlement', fillId: fill.fillId, settlement: fill.settlement });
    }
    for (const row of unread) this.#emit({ type: 'unread', row });
  }
}
