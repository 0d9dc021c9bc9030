// One client's session on venue B: commands in; acknowledgements, snapshots and numbered messages out, as measured in
// venue-b.md §10.1–10.3. It has no socket, only a function to send. Replay thread.

import { isObject, type JsonObject, parseJson, stringsOf, textOf } from '../../core/domain/json.ts';
import { repriceNo, type VenueBBook } from './venue-b-book.ts';
import {
  BOOK_CHANNEL,
  type Broadcast,
  isChannel,
  renderMessage,
  STREAM_ERRORS,
  type StreamErrorCode,
} from './venue-b-frame.ts';

interface Refusal {
  readonly code: StreamErrorCode;
  readonly tickers?: readonly string[];
}

interface Subscription {
  readonly sid: number;
  readonly channel: string;
  readonly useYesPrice: boolean;
  readonly skipTickerAck: boolean;
  /** Null means every market. */
  tickers: Set<string> | null;
  /** Number of the last numbered frame. */
  seq: number;
}

interface VenueBSessionParts {
  /** Markets that exist; one without a book is subscribed without a snapshot. */
  readonly books: Pick<ReadonlyMap<string, VenueBBook>, 'has' | 'get'>;
  readonly send: (frame: string) => void;
  /** Called when markets get a subscriber. */
  readonly onWanted: (tickers: Iterable<string>) => void;
}

export class VenueBSession {
  readonly #parts: VenueBSessionParts;
  readonly #bySid = new Map<number, Subscription>();
  #sidLast = 0;

  constructor(parts: VenueBSessionParts) {
    this.#parts = parts;
  }

  /** Executes one command of the client, or answers why not. */
  receive(text: string): void {
    const command = parseJson(text);
    const refusal = isObject(command) ? this.#runCommand(command) : { code: 1 as const };
    if (refusal === null) return;
    const { code, tickers } = refusal;
    const about = tickers === undefined ? {} : { market_tickers: tickers };
    const id = isObject(command) ? command.id : undefined;
    this.#reply({ type: 'error', id, msg: { code, msg: STREAM_ERRORS[code], ...about } });
  }

  /** Sends a message if this client has subscribed to it. */
  broadcast(message: Broadcast): void {
    for (const subscription of this.#bySid.values()) {
      if (subscription.channel !== message.channel) continue;
      if (message.ticker !== '' && subscription.tickers?.has(message.ticker) === false) continue;
      if (message.isNumbered) subscription.seq += 1;
      this.#parts.send(message.render(subscription.sid, subscription.seq, subscription.useYesPrice));
    }
  }

  /** A frame of the books is lost: its number is used up. */
  loseBookFrame(): void {
    for (const subscription of this.#bySid.values()) if (subscription.channel === BOOK_CHANNEL) subscription.seq += 1;
  }

  /** Sends every subscribed book again after a restart of the session. */
  snapshotAll(): void {
    for (const subscription of this.#bySid.values()) this.#snapshots(subscription, subscription.tickers ?? []);
  }

  #runCommand({ id, cmd, params }: JsonObject): Refusal | null {
    if (cmd === 'list_subscriptions') return this.#list(id);
    if (cmd !== 'subscribe' && cmd !== 'unsubscribe' && cmd !== 'update_subscription') return { code: 5 };
    if (!isObject(params)) return { code: 2 };
    if (cmd === 'subscribe') return this.#subscribe(id, params);
    if (cmd === 'unsubscribe') return this.#unsubscribe(id, params);
    return this.#update(id, params);
  }

  #subscribe(id: unknown, parameters: JsonObject): Refusal | null {
    const channels = stringsOf(parameters.channels);
    const tickers = tickersOf(parameters);
    if (channels.length === 0) return { code: 3 };
    if (!channels.every(isChannel)) return { code: 8 };
    if (channels.includes(BOOK_CHANNEL) && tickers.length === 0) return { code: 14 };
    const unknown = this.#unknown(tickers);
    if (unknown !== null) return unknown;
    for (const channel of channels) {
      const held = [...this.#bySid.values()].find(subscription => subscription.channel === channel);
      if (held === undefined) this.#open(id, channel, tickers, parameters);
      else this.#add(id, held, tickers);
    }
    this.#parts.onWanted(tickers);
    return null;
  }

  #open(id: unknown, channel: string, tickers: readonly string[], parameters: JsonObject): void {
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
    this.#snapshots(subscription, tickers);
  }

  #unsubscribe(id: unknown, parameters: JsonObject): Refusal | null {
    const sids: readonly unknown[] = Array.isArray(parameters.sids) ? parameters.sids : [];
    if (sids.length === 0) return { code: 4 };
    const ending = sids.map(sid => this.#bySid.get(Number(sid)));
    for (const subscription of ending) {
      if (subscription === undefined) return { code: 7 };
      this.#bySid.delete(subscription.sid);
      subscription.seq += 1;
      this.#reply({ type: 'unsubscribed', id, sid: subscription.sid, seq: subscription.seq });
    }
    return null;
  }

  #update(id: unknown, parameters: JsonObject): Refusal | null {
    const sids: readonly unknown[] = Array.isArray(parameters.sids) ? parameters.sids : [parameters.sid];
    const tickers = tickersOf(parameters);
    if (sids.length !== 1 || sids[0] === undefined) return { code: 12 };
    const subscription = this.#bySid.get(Number(sids[0]));
    if (subscription === undefined) return { code: 7 };
    if (parameters.action === undefined) return { code: 15 };
    if (tickers.length === 0) return { code: 14 };
    const unknown = this.#unknown(tickers);
    if (unknown !== null) return unknown;
    switch (parameters.action) {
      case 'add_markets':
        this.#add(id, subscription, tickers);
        this.#parts.onWanted(tickers);
        return null;
      case 'delete_markets':
        for (const ticker of tickers) subscription.tickers?.delete(ticker);
        this.#acknowledge(id, subscription);
        return null;
      case 'get_snapshot':
        if (subscription.channel !== BOOK_CHANNEL) return { code: 13 };
        this.#snapshots(subscription, tickers, id);
        return null;
      default:
        return { code: 13 };
    }
  }

  /** Adds markets to a subscription: `ok` first, then a snapshot of each new one (measured, venue-b.md §10.2). */
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
      const book = this.#parts.books.get(ticker);
      if (book === undefined) continue;
      const message = subscription.useYesPrice ? repriceNo(book.snapshot()) : book.snapshot();
      subscription.seq += 1;
      const { sid, seq } = subscription;
      if (id === undefined) this.#parts.send(renderMessage('orderbook_snapshot', sid, seq, message));
      else this.#reply({ type: 'orderbook_snapshot', id, sid, seq, msg: message });
    }
  }

  #list(id: unknown): null {
    this.#reply({ type: 'ok', id, msg: [...this.#bySid.values()].map(({ channel, sid }) => ({ channel, sid })) });
    return null;
  }

  /** The venue's answer here is unknown (venue-b.md §13): we refuse the whole command and name its tickers. */
  #unknown(tickers: readonly string[]): Refusal | null {
    const unknown = tickers.filter(ticker => !this.#parts.books.has(ticker));
    return unknown.length === 0 ? null : { code: 11, tickers: unknown };
  }

  /** 0 and a missing id both mean "no id" (venue-b.md §10.1): the answer then has none. */
  #reply(frame: JsonObject): void {
    this.#parts.send(JSON.stringify(frame.id === 0 ? { ...frame, id: undefined } : frame));
  }
}

function tickersOf(parameters: JsonObject): readonly string[] {
  const one = textOf(parameters.market_ticker);
  return one === '' ? [...new Set(stringsOf(parameters.market_tickers))] : [one];
}
