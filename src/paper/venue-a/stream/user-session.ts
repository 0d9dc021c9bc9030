// The user channel as a path of venue A's server, and one client's session on it (venue-a.md §6.1). The first frame has the credentials of
// a key. Events of that key's orders and trades follow. Thread of the paper exchanges.

import { isObject, type JsonObject, parseJson, stringsOf, textOf } from '../../../core/domain/json.ts';
import { formatMicroShares, formatTicks, type UnixMillis } from '../../../core/domain/numbers.ts';
import { unreachable } from '../../../core/domain/result.ts';
import type { SocketRoute } from '../../../core/net/listen.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import type { Faults } from '../../faults/faults.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { MakerFill, OrderRecord, TradeRecord, VenueAEvent } from '../records.ts';
import { makerCommon, sideText } from '../rest/order-routes.ts';
import { type Caller, secondsText } from '../rest/route.ts';
import { type Session, type SessionOutlet, sessionRoute } from './session.ts';

interface StreamAccess {
  /** Returns the caller whose API key has these credentials. Null means that there is no such key. */
  findByCredentials(apiKey: string, secret: string, passphrase: string): Caller | null;
}

interface UserSessionParts {
  readonly channel: UserChannel;
  readonly access: StreamAccess;
  readonly outlet: SessionOutlet;
}

class UserSession implements Session, UserListener {
  readonly #parts: UserSessionParts;
  #apiKey: string | null = null;
  /** The condition ids of the subscribed markets. Null means all markets. */
  #markets: Set<string> | null = null;

  constructor(parts: UserSessionParts) {
    this.#parts = parts;
  }

  receive(text: string): void {
    if (this.#apiKey === null) this.#open(parseJson(text));
    else if (text === 'PING') this.#parts.outlet.pong();
    else this.#runCommand(parseJson(text));
  }

  deliver(market: VenueAMarket, frame: string, operation: string): void {
    if (this.#markets?.has(market.conditionId) === false) return;
    this.#parts.outlet.send(frame, operation);
  }

  close(): void {
    if (this.#apiKey !== null) this.#parts.channel.leave(this, this.#apiKey);
  }

  #open(command: unknown): void {
    const { channel, access, outlet } = this.#parts;
    if (!isObject(command) || !isSubscription(command)) {
      outlet.refuseSubscription();
      return;
    }
    const { apiKey, secret, passphrase } = command.auth as JsonObject;
    const caller = access.findByCredentials(textOf(apiKey), textOf(secret), textOf(passphrase));
    if (caller === null) {
      outlet.refuseCredentials();
      return;
    }
    this.#apiKey = caller.apiKey;
    const markets = stringsOf(command.markets);
    if (markets.length > 0) this.#markets = new Set(this.#known(markets));
    outlet.identify(caller.apiKey);
    channel.join(this, caller.apiKey);
  }

  /** Runs a command. A subscription to all markets cannot change. Invalid commands are ignored without an answer. */
  #runCommand(command: unknown): void {
    if (!isObject(command) || this.#markets === null) return;
    const markets = this.#known(stringsOf(command.markets));
    if (command.operation === 'subscribe') for (const market of markets) this.#markets.add(market);
    if (command.operation === 'unsubscribe') for (const market of markets) this.#markets.delete(market);
  }

  #known(markets: readonly string[]): string[] {
    return markets.filter(market => this.#parts.channel.knows(market));
  }
}

function isSubscription({ type, auth, markets }: JsonObject): boolean {
  return (
    type === 'user' &&
    isObject(auth) &&
    (markets === undefined || (Array.isArray(markets) && markets.every(market => typeof market === 'string')))
  );
}

interface UserStreamParts {
  readonly exchange: VenueAExchange;
  readonly access: StreamAccess;
  readonly faults: Faults;
  readonly timers: Timers;
}

/** Makes the route. Its channel observes the exchange from now on. */
export function userStreamRoute({ exchange, access, faults, timers }: UserStreamParts): SocketRoute<never> {
  const channel = new UserChannel(exchange, timers);
  return sessionRoute('/ws/user', faults, outlet => new UserSession({ channel, access, outlet }));
}

/** One client of the user channel. */
interface UserListener {
  /** Gets a frame for the client. `operation` is the event's type. */
  deliver(market: VenueAMarket, frame: string, operation: string): void;
}

class UserChannel {
  readonly #exchange: VenueAExchange;
  readonly #timers: Timers;
  /** The listeners by API key. */
  readonly #listeners = new Map<string, Set<UserListener>>();

  constructor(exchange: VenueAExchange, timers: Timers) {
    this.#exchange = exchange;
    this.#timers = timers;
    exchange.observe(event => this.#on(event));
  }

  knows(conditionId: string): boolean {
    return this.#exchange.markets.has(conditionId);
  }

  join(listener: UserListener, apiKey: string): void {
    const listeners = this.#listeners.get(apiKey);
    if (listeners === undefined) this.#listeners.set(apiKey, new Set([listener]));
    else listeners.add(listener);
  }

  leave(listener: UserListener, apiKey: string): void {
    const listeners = this.#listeners.get(apiKey);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#listeners.delete(apiKey);
  }

  #on(event: VenueAEvent): void {
    switch (event.type) {
      case 'order': {
        const { order, change } = event;
        this.#sendToOwner(order.owner, order.market, 'order', () => orderFrame(order, change));
        return;
      }
      case 'trade':
      case 'trade-status':
        this.#trade(event.trade);
        return;
      case 'level':
      case 'tick-size':
      case 'created':
      case 'forgotten':
      case 'resolved':
        return;
      default:
        unreachable(event);
    }
  }

  /** Sends a trade to the taker and to each of the makers. A key that is both taker and maker gets the taker's message. */
  #trade(trade: TradeRecord): void {
    const at = this.#timers.now();
    this.#sendToOwner(trade.owner, trade.market, 'trade', () => tradeFrame(trade, 'TAKER', at));
    const makers = new Set(trade.makers.map(maker => maker.owner));
    makers.delete(trade.owner);
    for (const maker of makers) this.#sendToOwner(maker, trade.market, 'trade', () => tradeFrame(trade, 'MAKER', at));
  }

  /** Sends a message to the key's listeners. Without listeners the message is not written at all. */
  #sendToOwner(apiKey: string, market: VenueAMarket, operation: string, write: () => string): void {
    const listeners = this.#listeners.get(apiKey);
    if (listeners === undefined) return;
    const frame = write();
    for (const listener of listeners) listener.deliver(market, frame, operation);
  }
}

type OrderChange = 'PLACEMENT' | 'UPDATE' | 'CANCELLATION';

export function orderFrame(order: OrderRecord, change: OrderChange): string {
  const { market, token, reason } = order;
  const { listing } = market;
  // An order that was refused at once was never open, so the fields of open orders stay empty.
  const isRefused = change === 'CANCELLATION' && reason !== '' && order.status !== 'INVALID';
  return JSON.stringify({
    id: order.orderId,
    owner: order.owner,
    market: listing.conditionId,
    asset_id: listing.tokens[token],
    side: sideText(order.isBuy),
    order_owner: order.owner,
    original_size: formatMicroShares(order.size),
    size_matched: isRefused ? '' : formatMicroShares(order.matched),
    price: formatTicks(order.price),
    associate_trades: order.tradeIds,
    outcome: isRefused ? '' : listing.outcomes[token],
    type: change,
    created_at: isRefused ? '' : secondsText(order.createdAt),
    expiration: String(order.expirationS),
    order_type: order.type,
    status: reason === '' ? order.status : `${order.status}_${reason}`,
    maker_address: order.makerAddress,
    timestamp: String(order.updatedAt),
    event_type: 'order',
  });
}

/** Writes the taker's trade, for all listeners. A maker finds its own part in `maker_orders`. */
export function tradeFrame(trade: TradeRecord, role: 'TAKER' | 'MAKER', at: UnixMillis): string {
  const { market, token } = trade;
  const { listing } = market;
  return JSON.stringify({
    type: 'TRADE',
    id: trade.tradeId,
    taker_order_id: trade.takerOrderId,
    market: listing.conditionId,
    asset_id: listing.tokens[token],
    side: sideText(trade.isBuy),
    size: formatMicroShares(trade.size),
    price: formatTicks(trade.price),
    fee_rate_bps: '0',
    status: trade.status,
    match_time: secondsText(trade.matchedAt),
    last_update: secondsText(trade.updatedAt),
    outcome: listing.outcomes[token],
    owner: trade.owner,
    trade_owner: trade.owner,
    maker_address: trade.makerAddress,
    transaction_hash: trade.transactionHash,
    bucket_index: 0,
    maker_orders: trade.makers.map(maker => makerOrder(maker, market)),
    trader_side: role,
    timestamp: String(at),
    event_type: 'trade',
  });
}

function makerOrder(maker: MakerFill, market: VenueAMarket): object {
  return { ...makerCommon(maker, market), outcome_index: maker.token, side: sideText(maker.isBuy) };
}
