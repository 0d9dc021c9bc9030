// The requests about markets that the stream's client sends. It retries refused requests market by market. If the gateway took no part of a
// message, it retries the whole message. Portable.

import { type MarketKey, marketAddress } from '../../core/domain/market.ts';
import {
  type Acknowledgement,
  CHANNELS,
  type Channel,
  type ChannelOptions,
  type ClientMessage,
  OUTCOME,
  type OutcomesAcknowledgement,
  type Rejection,
  type ServerMessage,
} from '../../core/wire/messages.ts';
import { limits } from '../../limits.ts';
import { retryPauseMs, SubscriptionRequests } from './subscription-requests.ts';

export type ErrorMessage = Extract<ServerMessage, { type: 'error' }>;

/** A request that the gateway refused. `market` is null if the refusal is about the whole request. */
export interface StreamRefusal {
  readonly code: string;
  readonly message: string;
  readonly market: MarketKey | null;
  /** The time in milliseconds after which the client asks again. Null means that it does not ask again. */
  readonly asksAgainInMs: number | null;
}

interface MarketRequestsParts {
  send(message: ClientMessage): void;
  nextId(): string;
  isUp(): boolean;
  readonly timers: { after(delayMs: number, task: () => void): () => void };
  onRefused(refusal: StreamRefusal): void;
  /** Is called when the gateway does not know the market. The client no longer subscribes to the market then. */
  onForgotten(channel: Channel, market: MarketKey): void;
}

type Op = 'subscribe' | 'unsubscribe';

/** A request that has no answer yet. */
type PendingRequest =
  | { readonly op: Op; readonly channel: Channel; readonly markets: readonly MarketKey[] }
  | { readonly op: 'snapshot'; readonly market: MarketKey; readonly refusals: number };

export class MarketRequests {
  readonly #parts: MarketRequestsParts;
  readonly #subscriptions: Readonly<Record<Channel, SubscriptionRequests>> = {
    book: new SubscriptionRequests(),
    trade: new SubscriptionRequests(),
    quote: new SubscriptionRequests(),
  };
  /** The requests by id. They are kept because an error message does not repeat its request. */
  readonly #asked = new Map<string, PendingRequest>();
  /** The functions that cancel the retries that are due on this connection. */
  readonly #repeats = new Set<() => void>();

  constructor(parts: MarketRequestsParts) {
    this.#parts = parts;
  }

  /** Subscribes now, and after every reconnection. */
  subscribe(channel: Channel, markets: readonly MarketKey[], options: ChannelOptions): void {
    for (const market of markets) {
      if (isNamed(market)) this.#subscriptions[channel].add(market, options);
      else this.#refuseUnnamed(channel, market);
    }
    this.#requestSubscriptions(channel, markets.filter(isNamed));
  }

  unsubscribe(channel: Channel, markets: readonly MarketKey[]): void {
    for (const market of markets) this.#subscriptions[channel].remove(market);
    this.#request('unsubscribe', channel, markets.filter(isNamed), {});
  }

  snapshot(market: MarketKey): void {
    this.#requestSnapshot(market, 0);
  }

  /** Must be called when a connection opens. */
  subscribeAll(): void {
    for (const channel of CHANNELS) this.#requestSubscriptions(channel, this.#subscriptions[channel].markets);
  }

  /** Must be called when the connection is lost. Drops the connection's requests and retries. */
  reset(): void {
    for (const cancel of this.#repeats) cancel();
    this.#repeats.clear();
    this.#asked.clear();
  }

  answered({ id, accepted, rejected }: Pick<Acknowledgement, 'accepted' | 'rejected'> & { id: string | null }): void {
    const asked = this.#take(id);
    if (asked?.op === 'subscribe') this.#subscriptions[asked.channel].accept(id ?? '', accepted);
    this.#refuseMarkets(id ?? '', asked, rejected);
  }

  /** Notes that every snapshot of this request has arrived. */
  done(id: string): void {
    this.#asked.delete(id);
  }

  refused({ id, code, message, rejected }: ErrorMessage): void {
    const asked = this.#take(id);
    if (rejected.length > 0) this.#refuseMarkets(id ?? '', asked, rejected);
    else this.#parts.onRefused({ code, message, market: null, asksAgainInMs: this.#repeat(id ?? '', asked) });
  }

  #take(id: string | null): PendingRequest | undefined {
    const asked = this.#asked.get(id ?? '');
    this.#asked.delete(id ?? '');
    return asked;
  }

  #requestSubscriptions(channel: Channel, markets: readonly MarketKey[]): void {
    for (const [options, alike] of this.#subscriptions[channel].byOptions(markets)) {
      this.#request('subscribe', channel, alike, options);
    }
  }

  #request(op: Op, channel: Channel, markets: readonly MarketKey[], options: ChannelOptions): void {
    const { isUp, nextId, send } = this.#parts;
    if (!isUp()) return;
    for (let start = 0; start < markets.length; start += limits.marketsPerSubscribeMax) {
      const id = nextId();
      const part = markets.slice(start, start + limits.marketsPerSubscribeMax);
      this.#asked.set(id, { op, channel, markets: part });
      if (op === 'subscribe') this.#subscriptions[channel].ask(id, part);
      send({ op, id, channel, ...options, markets: part.map(market => ({ market, side: null })) });
    }
  }

  #requestSnapshot(market: MarketKey, refusals: number): void {
    const { isUp, nextId, send } = this.#parts;
    if (!isUp()) return;
    const id = nextId();
    this.#asked.set(id, { op: 'snapshot', market, refusals });
    send({ op: 'snapshot', id, market: { market, side: null } });
  }

  /** Refuses a market without a valid name. The gateway would refuse the whole message for it, with all other markets in the message. */
  #refuseUnnamed(channel: Channel, market: MarketKey): void {
    const message = `its name: must be 1 to ${limits.marketAddressCharactersMax} characters (marketAddressCharactersMax)`;
    this.#parts.onForgotten(channel, market);
    this.#parts.onRefused({ code: 'UNKNOWN_MARKET', message, market, asksAgainInMs: null });
  }

  #refuseMarkets(id: string, request: PendingRequest | undefined, rejected: readonly Rejection[]): void {
    if (request?.op === 'subscribe') {
      this.#refuseSubscriptions(id, request.channel, rejected);
      return;
    }
    for (const { market, code, message } of rejected) {
      this.#parts.onRefused({ code, message, market, asksAgainInMs: null });
    }
  }

  #refuseSubscriptions(id: string, channel: Channel, rejected: readonly Rejection[]): void {
    const subscriptions = this.#subscriptions[channel];
    const repeats = new Map<number, MarketKey[]>();
    for (const { market, code, message } of rejected) {
      // Since the request, the market was unsubscribed, or subscribed again.
      if (!subscriptions.isLatestRequest(id, market)) continue;
      const asksAgainInMs = subscriptions.refuse(market, code);
      if (asksAgainInMs === null) this.#parts.onForgotten(channel, market);
      else repeats.set(asksAgainInMs, [...(repeats.get(asksAgainInMs) ?? []), market]);
      this.#parts.onRefused({ code, message, market, asksAgainInMs });
    }
    for (const [pauseMs, markets] of repeats) this.#subscribeAgain(pauseMs, id, channel, markets);
  }

  #subscribeAgain(pauseMs: number, id: string, channel: Channel, markets: readonly MarketKey[]): number {
    const subscriptions = this.#subscriptions[channel];
    return this.#repeatAfter(pauseMs, () =>
      this.#requestSubscriptions(
        channel,
        markets.filter(market => subscriptions.isLatestRequest(id, market)),
      ),
    );
  }

  /** Sends a refused request again, as far as it still applies. Returns the delay in milliseconds, or null if nothing is sent again. */
  #repeat(id: string, request: PendingRequest | undefined): number | null {
    if (request === undefined) return null;
    if (request.op === 'snapshot') {
      const { market } = request;
      const refusals = request.refusals + 1;
      return this.#repeatAfter(retryPauseMs(refusals), () => {
        if (this.#subscriptions.book.has(market)) this.#requestSnapshot(market, refusals);
      });
    }
    const { op, channel, markets } = request;
    const subscriptions = this.#subscriptions[channel];
    if (op === 'unsubscribe') {
      const unwanted = (): MarketKey[] => markets.filter(market => !subscriptions.has(market));
      return this.#repeatAfter(limits.streamRetryMs, () => this.#request(op, channel, unwanted(), {}));
    }
    const still = markets.filter(market => subscriptions.isLatestRequest(id, market));
    const pauses = still.map(market => subscriptions.refuse(market, 'INVALID_REQUEST') ?? 0);
    return this.#subscribeAgain(Math.max(limits.streamRetryMs, ...pauses), id, channel, still);
  }

  #repeatAfter(pauseMs: number, ask: () => void): number {
    const cancel = this.#parts.timers.after(pauseMs, () => {
      this.#repeats.delete(cancel);
      ask();
    });
    this.#repeats.add(cancel);
    return pauseMs;
  }
}

function isNamed(market: MarketKey): boolean {
  const { length } = marketAddress(market);
  return length > 0 && length <= limits.marketAddressCharactersMax;
}

interface OutcomeRequestsParts {
  send(message: ClientMessage): void;
  nextId(): string;
  readonly timers: { after(delayMs: number, task: () => void): () => void };
  onRefused(refusal: { code: string; message: string; market: null; asksAgainInMs: number | null }): void;
}

/** A subscription that has no answer yet. */
interface PendingOutcomes {
  readonly catalogMarkets: readonly string[];
  /** The number of refusals of the whole message in a row. */
  readonly refusals: number;
}

export class OutcomeRequests {
  readonly #parts: OutcomeRequestsParts;
  /** The wanted interval in milliseconds, by market of the catalog. */
  readonly #wanted = new Map<string, number>();
  /** The requests by id. They are kept because an error message does not repeat its request. */
  readonly #asked = new Map<string, PendingOutcomes>();
  readonly #repeats = new Set<() => void>();

  constructor(parts: OutcomeRequestsParts) {
    this.#parts = parts;
  }

  subscribe(catalogMarkets: readonly string[], minIntervalMs: number): void {
    for (const id of catalogMarkets) this.#wanted.set(id, minIntervalMs);
    this.#request(catalogMarkets);
  }

  unsubscribe(catalogMarkets: readonly string[]): void {
    for (const id of catalogMarkets) this.#wanted.delete(id);
    for (const part of partsOf(catalogMarkets)) {
      this.#parts.send({ op: 'unsubscribe', id: this.#parts.nextId(), channel: OUTCOME, catalogMarkets: part });
    }
  }

  /** Must be called when a connection opens. */
  subscribeAll(): void {
    this.#asked.clear();
    this.#request([...this.#wanted.keys()]);
  }

  /** Must be called when the connection is lost. */
  reset(): void {
    for (const cancel of this.#repeats) cancel();
    this.#repeats.clear();
    this.#asked.clear();
  }

  answered({ type, id, rejected }: Pick<OutcomesAcknowledgement, 'type' | 'id' | 'rejected'>): void {
    if (type === 'unsubscribed') return;
    this.#asked.delete(id);
    const again: string[] = [];
    for (const { catalogMarket, code, message } of rejected) {
      const isOver = code === 'UNKNOWN_MARKET';
      if (isOver) this.#wanted.delete(catalogMarket);
      else again.push(catalogMarket);
      const asksAgainInMs = isOver ? null : limits.streamRetryMs;
      this.#parts.onRefused({ code, message: `${catalogMarket}: ${message}`, market: null, asksAgainInMs });
    }
    if (again.length > 0) this.#scheduleRetry(limits.streamRetryMs, { catalogMarkets: again, refusals: 0 });
  }

  /**
   * Takes in the refusal of a whole subscription, as for the rate of reads, or of each of its markets. Returns false if the message is
   * about something else.
   */
  refused({ id, code, message, rejectedCatalogMarkets: rejected }: ErrorMessage): boolean {
    const asked = this.#asked.get(id ?? '');
    if (rejected !== undefined) {
      // An error without an id says that the catalog no longer has the markets.
      const isWanted = asked !== undefined || id === null;
      this.answered({ type: isWanted ? 'subscribed' : 'unsubscribed', id: id ?? '', rejected });
      return true;
    }
    if (asked === undefined) return false;
    this.#asked.delete(id ?? '');
    const refusals = asked.refusals + 1;
    const asksAgainInMs = retryPauseMs(refusals);
    this.#scheduleRetry(asksAgainInMs, { ...asked, refusals });
    this.#parts.onRefused({ code, message, market: null, asksAgainInMs });
    return true;
  }

  #scheduleRetry(pauseMs: number, { catalogMarkets, refusals }: PendingOutcomes): void {
    const cancel = this.#parts.timers.after(pauseMs, () => {
      this.#repeats.delete(cancel);
      const wanted = catalogMarkets.filter(it => this.#wanted.has(it));
      this.#request(wanted, refusals);
    });
    this.#repeats.add(cancel);
  }

  #request(catalogMarkets: readonly string[], refusals = 0): void {
    const byInterval = Map.groupBy(catalogMarkets, id => this.#wanted.get(id) ?? 0);
    for (const [minIntervalMs, alike] of byInterval) {
      for (const part of partsOf(alike)) {
        const request = { op: 'subscribe', id: this.#parts.nextId(), channel: OUTCOME } as const;
        this.#asked.set(request.id, { catalogMarkets: part, refusals });
        this.#parts.send({ ...request, minIntervalMs, catalogMarkets: part });
      }
    }
  }
}

function* partsOf(ids: readonly string[]): Iterable<readonly string[]> {
  const max = limits.marketsPerSubscribeMax;
  for (let start = 0; start < ids.length; start += max) yield ids.slice(start, start + max);
}
