// One client's conversation with venue B: commands in, acknowledgements, snapshots and numbered messages out, as
// venue-b.md §10.1–10.3 measured them. Knows no socket: it is handed a way to send. Replay thread.

import { isObject, type JsonObject, parseJson, stringsOf, textOf } from './json.ts';
import type { VenueBBook } from './venue-b-book.ts';
import { BOOK_CHANNEL, type Broadcast, isChannel, renderMessage } from './venue-b-frame.ts';

/** venue-b.md §10.2. */
const ERRORS = {
  1: 'Unable to process message',
  2: 'Params required',
  3: 'Channels required',
  4: 'Subscription IDs required',
  5: 'Unknown command',
  7: 'Unknown subscription ID',
  8: 'Unknown channel name',
  11: 'Invalid parameter',
  12: 'Exactly one subscription ID is required',
  13: 'Unsupported action',
  14: 'Market ticker required',
  15: 'Action required',
} as const;
type ErrorCode = keyof typeof ERRORS;

interface Subscription {
  readonly sid: number;
  readonly channel: string;
  readonly useYesPrice: boolean;
  readonly skipTickerAck: boolean;
  /** Null: every market. */
  tickers: Set<string> | null;
  /** The number of the last numbered frame. */
  seq: number;
}

export interface VenueBSessionParts {
  readonly books: ReadonlyMap<string, VenueBBook>;
  readonly send: (frame: string) => void;
  /** These markets have a subscriber now. */
  readonly onWanted: (tickers: Iterable<string>) => void;
}

export class VenueBSession {
  readonly #parts: VenueBSessionParts;
  readonly #bySid = new Map<number, Subscription>();
  #sidLast = 0;

  constructor(parts: VenueBSessionParts) {
    this.#parts = parts;
  }

  /** Obeys one command of the client, or says why not. */
  receive(text: string): void {
    const command = parseJson(text);
    if (!isObject(command)) {
      this.#refuse(undefined, 1);
      return;
    }
    const parameters = isObject(command.params) ? command.params : null;
    if (command.cmd === 'list_subscriptions') this.#list(command.id);
    else if (!['subscribe', 'unsubscribe', 'update_subscription'].includes(textOf(command.cmd))) {
      this.#refuse(command.id, 5);
    } else if (parameters === null) this.#refuse(command.id, 2);
    else if (command.cmd === 'subscribe') this.#subscribe(command.id, parameters);
    else if (command.cmd === 'unsubscribe') this.#unsubscribe(command.id, parameters);
    else this.#update(command.id, parameters);
  }

  /** Sends a message of the venue if this client has asked for it. */
  broadcast(message: Broadcast): void {
    for (const subscription of this.#bySid.values()) {
      if (subscription.channel !== message.channel) continue;
      if (message.ticker !== '' && subscription.tickers?.has(message.ticker) === false) continue;
      if (message.isNumbered) subscription.seq += 1;
      this.#parts.send(message.render(subscription.sid, subscription.seq, subscription.useYesPrice));
    }
  }

  /** Sends every subscribed book anew: the session has started over. */
  snapshotAll(): void {
    for (const subscription of this.#bySid.values()) this.#snapshots(subscription, subscription.tickers ?? []);
  }

  #subscribe(id: unknown, parameters: JsonObject): void {
    const channels = stringsOf(parameters.channels);
    const tickers = tickersOf(parameters);
    if (channels.length === 0) return this.#refuse(id, 3);
    if (!channels.every(isChannel)) return this.#refuse(id, 8);
    if (channels.includes(BOOK_CHANNEL) && tickers.length === 0) return this.#refuse(id, 14);
    if (!this.#areKnown(id, tickers)) return;
    for (const channel of channels) {
      const held = [...this.#bySid.values()].find(subscription => subscription.channel === channel);
      if (held !== undefined) {
        this.#add(id, held, tickers);
        continue;
      }
      this.#sidLast += 1;
      const subscription: Subscription = {
        sid: this.#sidLast,
        channel,
        useYesPrice: parameters.use_yes_price === true,
        skipTickerAck: parameters.skip_ticker_ack === true,
        tickers: tickers.length === 0 ? null : new Set(tickers),
        seq: 0,
      };
      this.#bySid.set(subscription.sid, subscription);
      this.#reply({ type: 'subscribed', id, msg: { channel, sid: subscription.sid } });
      this.#snapshots(subscription, subscription.tickers ?? []);
    }
    this.#parts.onWanted(tickers);
  }

  #unsubscribe(id: unknown, parameters: JsonObject): void {
    const sids = Array.isArray(parameters.sids) ? parameters.sids : [];
    if (sids.length === 0) return this.#refuse(id, 4);
    for (const sid of sids) {
      const subscription = this.#bySid.get(sid);
      if (subscription === undefined) {
        this.#refuse(id, 7);
        continue;
      }
      this.#bySid.delete(subscription.sid);
      subscription.seq += 1;
      this.#reply({ type: 'unsubscribed', id, sid: subscription.sid, seq: subscription.seq });
    }
  }

  #update(id: unknown, parameters: JsonObject): void {
    const sids = Array.isArray(parameters.sids) ? parameters.sids : [parameters.sid];
    const subscription = this.#bySid.get(sids[0]);
    const tickers = tickersOf(parameters);
    if (sids.length !== 1 || sids[0] === undefined) return this.#refuse(id, 12);
    if (subscription === undefined) return this.#refuse(id, 7);
    if (parameters.action === undefined) return this.#refuse(id, 15);
    if (tickers.length === 0) return this.#refuse(id, 14);
    if (!this.#areKnown(id, tickers)) return;
    switch (parameters.action) {
      case 'add_markets':
        this.#add(id, subscription, tickers);
        this.#parts.onWanted(tickers);
        return;
      case 'delete_markets':
        for (const ticker of tickers) subscription.tickers?.delete(ticker);
        this.#acknowledge(id, subscription);
        return;
      case 'get_snapshot':
        if (subscription.channel === BOOK_CHANNEL) this.#snapshots(subscription, tickers, id);
        else this.#refuse(id, 13);
        return;
      default:
        this.#refuse(id, 13);
    }
  }

  /** Adds markets to a held subscription: `ok` first, then a snapshot of each that is new (measured, venue-b.md §10.2). */
  #add(id: unknown, subscription: Subscription, tickers: readonly string[]): void {
    const added = tickers.filter(ticker => subscription.tickers?.has(ticker) === false);
    for (const ticker of added) subscription.tickers?.add(ticker);
    if (tickers.length === 0) subscription.tickers = null;
    this.#acknowledge(id, subscription);
    this.#snapshots(subscription, added);
  }

  #acknowledge(id: unknown, subscription: Subscription): void {
    subscription.seq += 1;
    const tickers = [...(subscription.tickers ?? [])].sort();
    const msg = subscription.skipTickerAck ? {} : { market_tickers: tickers };
    this.#reply({ type: 'ok', id, sid: subscription.sid, seq: subscription.seq, msg });
  }

  #snapshots(subscription: Subscription, tickers: Iterable<string>, id?: unknown): void {
    if (subscription.channel !== BOOK_CHANNEL) return;
    for (const ticker of tickers) {
      const message = this.#parts.books.get(ticker)?.snapshot(subscription.useYesPrice);
      if (message === undefined) continue;
      subscription.seq += 1;
      const { sid, seq } = subscription;
      if (id === undefined) this.#parts.send(renderMessage('orderbook_snapshot', sid, seq, message));
      else this.#reply({ type: 'orderbook_snapshot', id, sid, seq, msg: message });
    }
  }

  #list(id: unknown): void {
    this.#reply({ type: 'ok', id, msg: [...this.#bySid.values()].map(({ channel, sid }) => ({ channel, sid })) });
  }

  #areKnown(id: unknown, tickers: readonly string[]): boolean {
    const unknown = tickers.filter(ticker => !this.#parts.books.has(ticker));
    if (unknown.length > 0) this.#refuse(id, 11, unknown);
    return unknown.length === 0;
  }

  #refuse(id: unknown, code: ErrorCode, tickers?: readonly string[]): void {
    const about = tickers === undefined ? {} : { market_tickers: tickers };
    this.#reply({ type: 'error', id, msg: { code, msg: ERRORS[code], ...about } });
  }

  /** 0 and a missing id both mean "no id" (venue-b.md §10.1): the answer then carries none. */
  #reply(frame: JsonObject): void {
    this.#parts.send(JSON.stringify(frame.id === 0 ? { ...frame, id: undefined } : frame));
  }
}

function tickersOf(parameters: JsonObject): readonly string[] {
  const one = textOf(parameters.market_ticker);
  return one === '' ? stringsOf(parameters.market_tickers) : [one];
}
