// Venue B's WebSocket (venue-b.md §10). A signed upgrade opens a session for any channels, which gets a ping every ten seconds. Thread of
// the paper exchanges.

import type { MicroShares } from '../../../core/domain/numbers.ts';
import { type Result, unreachable } from '../../../core/domain/result.ts';
import {
  type Connection,
  type InboundRequest,
  type Reply,
  type SocketRoute,
  socketRoute,
} from '../../../core/net/listen.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import type { Faults } from '../../faults/faults.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { VenueBMarket } from '../market.ts';
import type { VenueBEvent } from '../records.ts';
import type { Caller } from '../rest/access.ts';
import { tooManyRequests } from '../rest/errors.ts';
import { STREAM_PATH } from '../wire-text.ts';
import type { MarketNames, Message } from './command.ts';
import {
  deltaMessage,
  fillMessage,
  groupMessage,
  lifecycleMessages,
  orderMessage,
  positionMessage,
  tickerFacts,
  tickerMessage,
  tradeMessage,
} from './market-messages.ts';
import { Outbox, Session, type StreamMarkets } from './session.ts';

interface StreamParts {
  readonly exchange: VenueBExchange;
  /** Returns the caller of an upgrade, or the refusal, as for REST. */
  readonly authenticate: (request: InboundRequest) => Result<Caller, Reply>;
  readonly faults: Faults;
  readonly timers: Timers;
}

interface Stream {
  readonly caller: Caller;
  /** The session. Null until the connection is open. */
  session: Session | null;
  endPings: () => void;
}

const decoder = new TextDecoder();

export function streamRoute({ exchange, authenticate, faults, timers }: StreamParts): SocketRoute<never> {
  const hub = new StreamHub(exchange);
  return socketRoute<Stream>({
    pattern: STREAM_PATH,
    messageBytesMax: limits.paperStreamCommandBytesMax,
    unsentBytesMax: limits.paperStreamUnsentBytesMax,
    idleTimeoutS: limits.paperStreamIdleTimeoutS,
    accept: request => {
      const caller = authenticate(request);
      if (!caller.ok) return { refusal: caller.error };
      if (hub.streamsOf(caller.value.userId) >= limits.paperStreamsPerUserMax) return { refusal: tooManyRequests() };
      return { context: { caller: caller.value, session: null, endPings: () => {} }, subprotocol: '' };
    },
    open: connection => {
      const { caller } = connection.context;
      const outbox = new Outbox(connection, caller.keyId, faults, timers);
      const session = new Session({ caller, markets: hub, outbox, timers });
      connection.context.session = session;
      connection.context.endPings = sendPings(connection, timers);
      hub.join(session);
    },
    message: ({ context }, frame) => context.session?.receive(decoder.decode(frame)),
    drain: () => {},
    close: ({ context }) => {
      context.endPings();
      if (context.session !== null) hub.leave(context.session);
    },
  });
}

/**
 * Sends pings by the exchange's time. In a backtest, the pings of uWebSockets.js would follow the machine's clock. Returns a function that
 * ends the pings.
 */
function sendPings(connection: Pick<Connection<Stream>, 'ping'>, timers: Timers): () => void {
  let cancel: () => void;
  const wait = (): void => {
    cancel = timers.after(limits.paperStreamPingMs, () => {
      connection.ping('heartbeat');
      wait();
    });
  };
  wait();
  return () => cancel();
}

export class StreamHub implements StreamMarkets {
  readonly #exchange: VenueBExchange;
  readonly #sessions = new Set<Session>();
  #stopListening: () => void = () => {};
  #isTurnBegun = false;
  /** The markets whose ticker may have changed since the turn began. */
  readonly #moved = new Set<VenueBMarket>();
  /** The last ticker sent for each market, as JSON. */
  readonly #tickers = new Map<VenueBMarket, string>();

  constructor(exchange: VenueBExchange) {
    this.#exchange = exchange;
  }

  join(session: Session): void {
    if (this.#sessions.size === 0) this.#stopListening = this.#exchange.observe(event => this.#sendEvent(event));
    this.#sessions.add(session);
  }

  leave(session: Session): void {
    if (!this.#sessions.delete(session) || this.#sessions.size > 0) return;
    this.#stopListening();
    this.#tickers.clear();
  }

  streamsOf(userId: string): number {
    return [...this.#sessions].filter(({ caller }) => caller.userId === userId).length;
  }

  get(by: MarketNames['by'], name: string): VenueBMarket | undefined {
    return (by === 'ticker' ? this.#exchange.markets : this.#exchange.marketsById).get(name);
  }

  all(): Iterable<VenueBMarket> {
    return this.#exchange.markets.values();
  }

  ticker(market: VenueBMarket): Message {
    return tickerMessage(market, this.#factsOf(market), this.#exchange.now());
  }

  #sendEvent(event: VenueBEvent): void {
    // This is scheduled before any message is sent, so that tickers leave in one write with the changes that they sum up.
    if (!this.#isTurnBegun) queueMicrotask(() => this.#endTurn());
    this.#isTurnBegun = true;
    if (event.type === 'level') this.#moved.add(event.market);
    else if (event.type === 'trade') this.#moved.add(event.trade.market);
    else if (event.type === 'forgotten') this.#forget(event.market);
    for (const message of messagesOf(event)) this.#sendToSubscribers(message);
  }

  #forget(market: VenueBMarket): void {
    this.#moved.delete(market);
    this.#tickers.delete(market);
  }

  #sendToSubscribers(message: Message): void {
    for (const session of this.#sessions) session.deliver(message);
  }

  #endTurn(): void {
    this.#isTurnBegun = false;
    const markets = [...this.#moved];
    this.#moved.clear();
    if (![...this.#sessions].some(session => session.carries('ticker'))) return;
    for (const market of markets) {
      const facts = this.#factsOf(market);
      const text = JSON.stringify(facts);
      if (this.#tickers.get(market) === text) continue;
      this.#tickers.set(market, text);
      this.#sendToSubscribers(tickerMessage(market, facts, this.#exchange.now()));
    }
  }

  #factsOf(market: VenueBMarket): object {
    const [last] = this.#exchange.trades(market);
    return tickerFacts(market, last?.size ?? (0 as MicroShares));
  }
}

function messagesOf(event: VenueBEvent): readonly Message[] {
  switch (event.type) {
    case 'level':
      return [deltaMessage(event)];
    case 'trade':
      return [tradeMessage(event.trade)];
    case 'fill':
      return [fillMessage(event.fill)];
    case 'order':
      return [orderMessage(event.order, event.reason)];
    case 'position':
      return [positionMessage(event.position)];
    case 'group':
      return [groupMessage(event)];
    case 'forgotten':
      return [];
    case 'lifecycle':
      return lifecycleMessages(event);
    default:
      return unreachable(event);
  }
}
