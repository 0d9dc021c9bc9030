// One client's session at a venue B that repeats frames (venue-b.md §10.1–10.3). It knows the commands that a feed sends, and gives the
// messages of each subscription new numbers. It sends through a function, and has no socket.

import { isObject, type JsonObject, parseJson, stringsOf, textOf } from '../../core/domain/json.ts';
import { BOOK_CHANNEL, type Broadcast, renderMessage } from './venue-b-frame.ts';

interface Subscription {
  readonly sid: number;
  readonly channel: string;
  /** The tickers of the subscription. Null means every market. */
  readonly tickers: Set<string> | null;
  /** The number of the last numbered frame. */
  seq: number;
}

interface VenueBSessionParts {
  readonly hasMarket: (ticker: string) => boolean;
  /** Returns the `msg` of a snapshot of the present book. Null means that only frames state books. */
  readonly snapshotOf: (ticker: string) => JsonObject | null;
  readonly send: (frame: string) => void;
  /** Called when markets get a subscriber. */
  readonly onWanted: (tickers: Iterable<string>) => void;
}

const INVALID = { code: 11, msg: 'Invalid parameter' };
const UNKNOWN_SID = { code: 7, msg: 'Unknown subscription ID' };

export class VenueBSession {
  readonly #parts: VenueBSessionParts;
  readonly #bySid = new Map<number, Subscription>();
  #sidLast = 0;

  constructor(parts: VenueBSessionParts) {
    this.#parts = parts;
  }

  /** Executes a command of the client. A command that names an unknown market is refused as a whole, with the name of that market. */
  receive(text: string): void {
    const command = parseJson(text);
    if (!isObject(command) || !isObject(command.params)) return;
    const { id, cmd, params } = command;
    const unknown = tickersOf(params).filter(ticker => !this.#parts.hasMarket(ticker));
    if (unknown.length > 0) this.#reply({ type: 'error', id, msg: { ...INVALID, market_tickers: unknown } });
    else if (cmd === 'subscribe') this.#subscribe(id, params);
    else if (cmd === 'unsubscribe' || cmd === 'update_subscription') {
      const sids: readonly unknown[] = Array.isArray(params.sids) ? params.sids : [params.sid];
      for (const sid of sids) {
        const subscription = this.#bySid.get(Number(sid));
        if (subscription === undefined) this.#reply({ type: 'error', id, msg: UNKNOWN_SID });
        else if (cmd === 'unsubscribe') this.#unsubscribe(id, subscription);
        else this.#update(id, subscription, params);
      }
    }
  }

  /** Sends a message if this client has subscribed to it. */
  broadcast(message: Broadcast): void {
    for (const subscription of this.#bySid.values()) {
      if (subscription.channel !== message.channel) continue;
      if (message.ticker !== '' && subscription.tickers?.has(message.ticker) === false) continue;
      if (message.isNumbered) subscription.seq += 1;
      this.#parts.send(message.render(subscription.sid, subscription.seq));
    }
  }

  /** Counts a frame of the books that is lost, because its number is used up. */
  countLostFrame(): void {
    for (const subscription of this.#bySid.values()) if (subscription.channel === BOOK_CHANNEL) subscription.seq += 1;
  }

  #subscribe(id: unknown, parameters: JsonObject): void {
    const tickers = tickersOf(parameters);
    for (const channel of stringsOf(parameters.channels)) {
      const held = [...this.#bySid.values()].find(subscription => subscription.channel === channel);
      if (held === undefined) this.#open(id, channel, tickers);
      else this.#add(id, held, tickers);
    }
    this.#parts.onWanted(tickers);
  }

  #open(id: unknown, channel: string, tickers: readonly string[]): void {
    this.#sidLast += 1;
    const sid = this.#sidLast;
    const subscription = { sid, channel, tickers: tickers.length === 0 ? null : new Set(tickers), seq: 0 };
    this.#bySid.set(sid, subscription);
    this.#reply({ type: 'subscribed', id, msg: { channel, sid } });
    this.#snapshots(subscription, tickers);
  }

  #unsubscribe(id: unknown, subscription: Subscription): void {
    this.#bySid.delete(subscription.sid);
    subscription.seq += 1;
    this.#reply({ type: 'unsubscribed', id, sid: subscription.sid, seq: subscription.seq });
  }

  #update(id: unknown, subscription: Subscription, parameters: JsonObject): void {
    const tickers = tickersOf(parameters);
    if (parameters.action === 'get_snapshot') this.#snapshots(subscription, tickers, id);
    else if (parameters.action === 'delete_markets') {
      for (const ticker of tickers) subscription.tickers?.delete(ticker);
      this.#acknowledge(id, subscription);
    } else {
      this.#add(id, subscription, tickers);
      this.#parts.onWanted(tickers);
    }
  }

  /** Adds markets to a subscription. First comes `ok`, then a snapshot of each new market (measured, venue-b.md §10.2). */
  #add(id: unknown, subscription: Subscription, tickers: readonly string[]): void {
    const added = tickers.filter(ticker => subscription.tickers?.has(ticker) === false);
    for (const ticker of added) subscription.tickers?.add(ticker);
    this.#acknowledge(id, subscription);
    this.#snapshots(subscription, added);
  }

  #acknowledge(id: unknown, subscription: Subscription): void {
    subscription.seq += 1;
    this.#reply({ type: 'ok', id, sid: subscription.sid, seq: subscription.seq, msg: {} });
  }

  #snapshots(subscription: Subscription, tickers: Iterable<string>, id?: unknown): void {
    if (subscription.channel !== BOOK_CHANNEL) return;
    for (const ticker of tickers) {
      const message = this.#parts.snapshotOf(ticker);
      if (message === null) continue;
      subscription.seq += 1;
      const { sid, seq } = subscription;
      if (id === undefined) this.#parts.send(renderMessage('orderbook_snapshot', sid, seq, message));
      else this.#reply({ type: 'orderbook_snapshot', id, sid, seq, msg: message });
    }
  }

  #reply(frame: JsonObject): void {
    this.#parts.send(JSON.stringify(frame));
  }
}

function tickersOf(parameters: JsonObject): readonly string[] {
  const one = textOf(parameters.market_ticker);
  return one === '' ? [...new Set(stringsOf(parameters.market_tickers))] : [one];
}
