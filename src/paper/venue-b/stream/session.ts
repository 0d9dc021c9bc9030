// One client's stream. It executes the client's commands, and sends the messages of its subscriptions, as measured in venue-b.md
// §10.1–10.3. It writes to an outbox, not to a socket. Thread of the paper exchanges.

import { unreachable } from '../../../core/domain/result.ts';
import type { Connection } from '../../../core/net/listen.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import type { Faults } from '../../faults/faults.ts';
import { MessageOutlet } from '../../faults/with-faults.ts';
import type { VenueBMarket } from '../market.ts';
import type { Caller } from '../rest/access.ts';
import {
  type Channel,
  type Command,
  isAction,
  isOwn,
  type MarketNames,
  type Message,
  type Order,
  readCommand,
  STREAM_ERRORS,
  type StreamErrorCode,
  traitsOf,
} from './command.ts';
import { snapshotText } from './market-messages.ts';

/** The exchange as a session sees it. */
export interface StreamMarkets {
  get(names: MarketNames['by'], name: string): VenueBMarket | undefined;
  all(): Iterable<VenueBMarket>;
  ticker(market: VenueBMarket): Message;
}

interface SessionParts {
  readonly caller: Caller;
  readonly markets: StreamMarkets;
  readonly outbox: Outbox;
  readonly timers: Timers;
}

/** The reason why a command is refused. `unknown` lists the markets that do not exist. */
interface Refusal {
  readonly code: StreamErrorCode;
  readonly sid?: number;
  readonly unknown?: readonly string[];
}

type OrderOf<Name extends Order['cmd']> = Extract<Order, { cmd: Name }>;

export class Session {
  readonly caller: Caller;
  readonly #parts: SessionParts;
  /** The subscriptions by channel: a second subscription to a channel merges with the first. */
  readonly #byChannel = new Map<Channel, Subscription>();
  #sidLast = 0;
  #second = 0;
  #commandsInSecond = 0;

  constructor(parts: SessionParts) {
    this.caller = parts.caller;
    this.#parts = parts;
  }

  /** Executes a command of the client, or answers why it is refused. */
  receive(text: string): void {
    const command = readCommand(text);
    const refusal = this.#isTooFast() ? { code: 27 as const } : this.#runCommand(command);
    if (refusal !== null) this.#refuse(command.id, refusal);
  }

  carries(channel: Channel): boolean {
    return this.#byChannel.has(channel);
  }

  /** Sends a message, if the client has subscribed to it and may see it. */
  deliver(message: Message): void {
    const subscription = this.#byChannel.get(message.channel);
    if (subscription?.carries(message.market) !== true) return;
    if (message.owner !== null && !isOwn(this.caller, message.owner)) return;
    if (this.#parts.outbox.isLagging) {
      this.#byChannel.delete(subscription.channel);
      this.#refuse(undefined, { code: 25, sid: subscription.sid });
      return;
    }
    const text = message.text({ caller: this.caller, usesYesPrice: subscription.usesYesPrice });
    this.#parts.outbox.push(subscription.frame(message.type, text), message.type);
  }

  #isTooFast(): boolean {
    const second = Math.floor(this.#parts.timers.now() / 1_000);
    if (second !== this.#second) this.#commandsInSecond = 0;
    this.#second = second;
    this.#commandsInSecond += 1;
    return this.#commandsInSecond > limits.paperStreamCommandsPerS;
  }

  #runCommand({ id, order }: Command): Refusal | null {
    if (!order.ok) return { code: order.error };
    switch (order.value.cmd) {
      case 'subscribe':
        return this.#subscribe(id, order.value);
      case 'unsubscribe':
        return this.#unsubscribe(id, order.value);
      case 'update_subscription':
        return this.#update(id, order.value);
      case 'list_subscriptions':
        this.#reply('ok', { id, msg: [...this.#byChannel.values()].map(({ channel, sid }) => ({ channel, sid })) });
        return null;
      default:
        return unreachable(order.value);
    }
  }

  #subscribe(id: number | undefined, order: OrderOf<'subscribe'>): Refusal | null {
    const mayHearPrivate = this.caller.scopes.includes('read');
    const channels = [...order.channels];
    if (!mayHearPrivate && channels.some(channel => traitsOf(channel).isPrivate)) return { code: 9 };
    const filtered = channels.filter(channel => traitsOf(channel).filter !== 'ignored').length;
    const markets = filtered === 0 ? [] : this.#find(order.markets);
    if (!Array.isArray(markets)) return markets;
    if (this.#marketCount + filtered * markets.length > limits.paperStreamMarketsMax) return { code: 26 };
    // All acknowledgements come before all snapshots (recorded).
    const begun = channels.map(channel => this.#begin(id, channel, markets, order));
    for (const { subscription, added } of begun) this.#showInitially(subscription, added, order);
    return null;
  }

  /** Subscribes to a channel. `added` are the markets that are new to the subscription. */
  #begin(
    id: number | undefined,
    channel: Channel,
    markets: readonly VenueBMarket[],
    { usesYesPrice, skipsTickerAck }: OrderOf<'subscribe'>,
  ): { readonly subscription: Subscription; readonly added: readonly VenueBMarket[] } {
    const held = this.#byChannel.get(channel);
    if (held !== undefined) {
      const added = held.add(markets);
      this.#acknowledge(id, held, skipsTickerAck);
      return { subscription: held, added };
    }
    this.#sidLast += 1;
    const terms = { sid: this.#sidLast, channel, usesYesPrice, skipsTickerAck };
    const subscription = new Subscription(terms, markets);
    this.#byChannel.set(channel, subscription);
    this.#reply('subscribed', { id, msg: { channel, sid: subscription.sid } });
    return { subscription, added: markets };
  }

  #showInitially(
    subscription: Subscription,
    added: readonly VenueBMarket[],
    { markets, wantsInitialSnapshot }: OrderOf<'subscribe'>,
  ): void {
    if (subscription.channel === 'orderbook_delta') this.#showBooks(subscription, added);
    if (subscription.channel !== 'ticker' || !wantsInitialSnapshot) return;
    const shown = markets.names.size === 0 ? this.#parts.markets.all() : added;
    for (const market of shown) this.deliver(this.#parts.markets.ticker(market));
  }

  #unsubscribe(id: number | undefined, { sids }: OrderOf<'unsubscribe'>): Refusal | null {
    const ending = [...sids].map(sid => this.#bySid(sid));
    if (ending.includes(undefined)) return { code: 7 };
    for (const subscription of ending) {
      if (subscription === undefined) continue;
      this.#byChannel.delete(subscription.channel);
      this.#reply('unsubscribed', { id, sid: subscription.sid, seq: subscription.nextSeq() });
    }
    return null;
  }

  #update(id: number | undefined, order: OrderOf<'update_subscription'>): Refusal | null {
    const { sid, action } = order;
    const subscription = this.#bySid(sid);
    if (subscription === undefined) return { code: 7, sid };
    if (action === undefined) return { code: 15, sid };
    const isSupported =
      action === 'get_snapshot'
        ? subscription.channel === 'orderbook_delta'
        : traitsOf(subscription.channel).filter !== 'ignored';
    if (!isAction(action) || !isSupported) return { code: 13, sid };
    if (order.markets.names.size === 0) return { code: 14, sid };
    if (order.markets.by === 'id' && subscription.channel !== 'ticker') return { code: 11, sid };
    const markets = this.#find(order.markets);
    if (!Array.isArray(markets)) return { ...markets, sid };
    switch (action) {
      case 'add_markets': {
        if (this.#marketCount + markets.length > limits.paperStreamMarketsMax) return { code: 26, sid };
        const added = subscription.add(markets);
        this.#acknowledge(id, subscription, order.skipsTickerAck);
        if (subscription.channel === 'orderbook_delta') this.#showBooks(subscription, added);
        return null;
      }
      case 'delete_markets':
        subscription.delete(markets);
        this.#acknowledge(id, subscription, order.skipsTickerAck);
        return null;
      case 'get_snapshot':
        this.#showBooks(subscription, markets, id);
        return null;
      default:
        return unreachable(action);
    }
  }

  /**
   * Returns the markets with these names. The venue's answer to unknown markets is not known (venue-b.md §13), so the whole command is
   * refused and the unknown markets are named.
   */
  #find({ by, names }: MarketNames): VenueBMarket[] | Refusal {
    const markets = [...names].map(name => this.#parts.markets.get(by, name));
    const known = markets.filter(market => market !== undefined);
    if (known.length === markets.length) return known;
    return { code: 11, unknown: [...names].filter(name => this.#parts.markets.get(by, name) === undefined) };
  }

  get #marketCount(): number {
    return [...this.#byChannel.values()].reduce((sum, subscription) => sum + subscription.marketCount, 0);
  }

  #bySid(sid: number): Subscription | undefined {
    return [...this.#byChannel.values()].find(subscription => subscription.sid === sid);
  }

  /** Sends the books of markets. `id` is that of the command that asked for them. */
  #showBooks(subscription: Subscription, markets: readonly VenueBMarket[], id?: number): void {
    const asked = id === undefined ? '' : `,"id":${id}`;
    for (const market of markets) {
      const head = `{"type":"orderbook_snapshot"${asked},"sid":${subscription.sid},"seq":${subscription.nextSeq()}`;
      const frame = `${head},"msg":${snapshotText(market, subscription.usesYesPrice)}}`;
      this.#parts.outbox.push(frame, 'orderbook_snapshot');
    }
  }

  #acknowledge(id: number | undefined, subscription: Subscription, skipsTickers: boolean): void {
    const isFiltered = traitsOf(subscription.channel).filter !== 'ignored';
    const msg =
      subscription.skipsTickerAck || skipsTickers || !isFiltered ? {} : { market_tickers: subscription.tickers };
    this.#reply('ok', { id, sid: subscription.sid, seq: subscription.nextSeq(), msg });
  }

  #refuse(id: number | undefined, { code, sid, unknown }: Refusal): void {
    const about = unknown === undefined ? {} : { market_tickers: unknown };
    this.#reply('error', { id, sid, msg: { code, msg: STREAM_ERRORS[code], ...about } });
  }

  #reply(type: 'subscribed' | 'unsubscribed' | 'ok' | 'error', rest: object): void {
    this.#parts.outbox.push(JSON.stringify({ type, ...rest }), type);
  }
}

interface SubscriptionTerms {
  readonly sid: number;
  readonly channel: Channel;
  readonly usesYesPrice: boolean;
  readonly skipsTickerAck: boolean;
}

class Subscription {
  readonly sid: number;
  readonly channel: Channel;
  readonly usesYesPrice: boolean;
  readonly skipsTickerAck: boolean;
  readonly #isNumbered: boolean;
  /** The markets of the subscription. Null means all markets. */
  readonly #markets: Set<VenueBMarket> | null;
  #seq = 0;

  /** A subscription that begins without markets carries all of them. */
  constructor(terms: SubscriptionTerms, markets: readonly VenueBMarket[]) {
    this.sid = terms.sid;
    this.channel = terms.channel;
    this.usesYesPrice = terms.usesYesPrice;
    this.skipsTickerAck = terms.skipsTickerAck;
    const { isNumbered, filter } = traitsOf(terms.channel);
    this.#isNumbered = isNumbered;
    this.#markets = filter === 'ignored' || markets.length === 0 ? null : new Set(markets);
  }

  /** The number of markets that the client asked for. 0 means all markets. */
  get marketCount(): number {
    return this.#markets?.size ?? 0;
  }

  get tickers(): readonly string[] {
    return [...(this.#markets ?? [])].map(({ ticker }) => ticker).sort();
  }

  carries(market: VenueBMarket | null): boolean {
    return market === null || this.#markets === null || this.#markets.has(market);
  }

  /** Adds markets. Returns those that are new. A subscription to all markets has no new ones. */
  add(markets: readonly VenueBMarket[]): readonly VenueBMarket[] {
    const added = markets.filter(market => !this.carries(market));
    for (const market of added) this.#markets?.add(market);
    return added;
  }

  /** Removes markets. A subscription that loses its last market carries nothing. */
  delete(markets: readonly VenueBMarket[]): void {
    for (const market of markets) this.#markets?.delete(market);
  }

  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  /** Writes a message, with a sequence number if the channel has them. */
  frame(type: string, text: string): string {
    const seq = this.#isNumbered ? `,"seq":${this.nextSeq()}` : '';
    return `{"type":"${type}","sid":${this.sid}${seq},"msg":${text}}`;
  }
}

interface Waiting {
  readonly frame: string;
  readonly type: string;
}

type OutboxConnection = Pick<Connection<unknown>, 'send' | 'batch' | 'terminate' | 'bufferedBytes'>;

export class Outbox {
  readonly #connection: OutboxConnection;
  readonly #outlet: MessageOutlet;
  readonly #timers: Timers;
  #waiting: Waiting[] = [];
  #isLagging = false;

  constructor(connection: OutboxConnection, key: string, faults: Faults, timers: Timers) {
    this.#connection = connection;
    this.#timers = timers;
    this.#outlet = new MessageOutlet({ connection, venue: 'venue_b', key, faults });
  }

  /** Whether too many bytes are unsent. Once this is so, each look measures again. */
  get isLagging(): boolean {
    if (this.#isLagging) this.#measure();
    return this.#isLagging;
  }

  /** Sends a frame, which must be a JSON object. `type` is the type of the message, to which fault rules refer. */
  push(frame: string, type: string): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#flush());
    this.#waiting.push({ frame, type });
    if (this.#waiting.length === limits.paperStreamPackMax) this.#flush();
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    // Every frame of the venue ends with the time of its sending and a newline.
    const end = `,"sending_ts_ms":${this.#timers.now()}}\n`;
    this.#outlet.batch(() => {
      for (const { frame, type } of waiting) this.#outlet.send(frame.slice(0, -1) + end, type);
    });
    this.#measure();
  }

  #measure(): void {
    this.#isLagging = this.#connection.bufferedBytes() > limits.paperStreamLagBytes;
  }
}
