// What the client of the stream asks about markets, and what it does about refusals: what was refused for now is asked for again, by the
// market or, where a message was not taken at all, by the message. Portable.

import { type MarketKey, marketAddress } from '../domain/market.ts';
import { limits } from '../limits.ts';
import type { Acknowledgement, Channel, ClientMessage, Rejection, ServerMessage } from '../wire/messages.ts';
import { MarketWishes, retryPauseMs } from './market-wishes.ts';

export type ErrorMessage = Extract<ServerMessage, { type: 'error' }>;

/** Something that the server would not do. `market` is null where it speaks of the request as a whole. */
export interface StreamRefusal {
  readonly code: string;
  readonly message: string;
  readonly market: MarketKey | null;
  /** The client asks again by itself after this; null: it does not. */
  readonly asksAgainInMs: number | null;
}

export interface MarketRequestsParts {
  send(message: ClientMessage): void;
  nextId(): string;
  isUp(): boolean;
  readonly timers: { after(delayMs: number, task: () => void): () => void };
  onRefused(refusal: StreamRefusal): void;
  /** Nobody knows the market: it is no longer wanted. */
  onForgotten(channel: Channel, market: MarketKey): void;
}

/** A request that is not answered yet. */
type Asked =
  | { readonly op: 'subscribe' | 'unsubscribe'; readonly channel: Channel; readonly markets: readonly MarketKey[] }
  | { readonly op: 'snapshot'; readonly market: MarketKey; readonly refusals: number };

export class MarketRequests {
  readonly #parts: MarketRequestsParts;
  readonly #wishes: Readonly<Record<Channel, MarketWishes>> = { book: new MarketWishes(), trade: new MarketWishes() };
  /** By id: an error does not repeat them. */
  readonly #asked = new Map<string, Asked>();
  /** What is to be asked again on this connection: calls it off. */
  readonly #repeats = new Set<() => void>();

  constructor(parts: MarketRequestsParts) {
    this.#parts = parts;
  }

  /** Wants them from now on, through every reconnection. */
  subscribe(channel: Channel, markets: readonly MarketKey[]): void {
    for (const market of markets) {
      if (isNamed(market)) this.#wishes[channel].add(market);
      else this.#refuseUnnamed(channel, market);
    }
    this.#ask('subscribe', channel, markets.filter(isNamed));
  }

  unsubscribe(channel: Channel, markets: readonly MarketKey[]): void {
    for (const market of markets) this.#wishes[channel].remove(market);
    this.#ask('unsubscribe', channel, markets.filter(isNamed));
  }

  snapshot(market: MarketKey): void {
    this.#askSnapshot(market, 0);
  }

  /** The connection is new. */
  subscribeAll(): void {
    for (const channel of ['book', 'trade'] as const) this.#ask('subscribe', channel, this.#wishes[channel].markets);
  }

  /** The connection is gone, and with it all that was asked on it. */
  reset(): void {
    for (const cancel of this.#repeats) cancel();
    this.#repeats.clear();
    this.#asked.clear();
  }

  answered({ id, accepted, rejected }: Pick<Acknowledgement, 'accepted' | 'rejected'> & { id: string | null }): void {
    const asked = this.#take(id);
    if (asked?.op === 'subscribe') this.#wishes[asked.channel].accept(id ?? '', accepted);
    this.#refuseMarkets(id ?? '', asked, rejected);
  }

  /** All that a request for snapshots asked for has come. */
  done(id: string): void {
    this.#asked.delete(id);
  }

  refused({ id, code, message, rejected }: ErrorMessage): void {
    const asked = this.#take(id);
    if (rejected.length > 0) this.#refuseMarkets(id ?? '', asked, rejected);
    else this.#parts.onRefused({ code, message, market: null, asksAgainInMs: this.#repeat(id ?? '', asked) });
  }

  #take(id: string | null): Asked | undefined {
    const asked = this.#asked.get(id ?? '');
    this.#asked.delete(id ?? '');
    return asked;
  }

  #ask(op: 'subscribe' | 'unsubscribe', channel: Channel, markets: readonly MarketKey[]): void {
    const { isUp, nextId, send } = this.#parts;
    if (!isUp()) return;
    for (let start = 0; start < markets.length; start += limits.marketsPerSubscribeMax) {
      const id = nextId();
      const part = markets.slice(start, start + limits.marketsPerSubscribeMax);
      this.#asked.set(id, { op, channel, markets: part });
      if (op === 'subscribe') this.#wishes[channel].ask(id, part);
      send({ op, id, channel, markets: part.map(market => ({ market, side: null })) });
    }
  }

  #askSnapshot(market: MarketKey, refusals: number): void {
    const { isUp, nextId, send } = this.#parts;
    if (!isUp()) return;
    const id = nextId();
    this.#asked.set(id, { op: 'snapshot', market, refusals });
    send({ op: 'snapshot', id, market: { market, side: null } });
  }

  /** The gateway would refuse the message, and with it all other markets there. */
  #refuseUnnamed(channel: Channel, market: MarketKey): void {
    const message = `its name: must be 1 to ${limits.marketAddressCharactersMax} characters (marketAddressCharactersMax)`;
    this.#parts.onForgotten(channel, market);
    this.#parts.onRefused({ code: 'UNKNOWN_MARKET', message, market, asksAgainInMs: null });
  }

  #refuseMarkets(id: string, asked: Asked | undefined, rejected: readonly Rejection[]): void {
    if (asked?.op === 'subscribe') {
      this.#refuseWishes(id, asked.channel, rejected);
      return;
    }
    for (const { market, code, message } of rejected) {
      this.#parts.onRefused({ code, message, market, asksAgainInMs: null });
    }
  }

  #refuseWishes(id: string, channel: Channel, rejected: readonly Rejection[]): void {
    const wishes = this.#wishes[channel];
    const repeats = new Map<number, MarketKey[]>();
    for (const { market, code, message } of rejected) {
      // It has been given up since, or asked for anew.
      if (!wishes.isAskedAs(id, market)) continue;
      const asksAgainInMs = wishes.refuse(market, code);
      if (asksAgainInMs === null) this.#parts.onForgotten(channel, market);
      else repeats.set(asksAgainInMs, [...(repeats.get(asksAgainInMs) ?? []), market]);
      this.#parts.onRefused({ code, message, market, asksAgainInMs });
    }
    for (const [pauseMs, markets] of repeats) this.#subscribeAgain(pauseMs, id, channel, markets);
  }

  #subscribeAgain(pauseMs: number, id: string, channel: Channel, markets: readonly MarketKey[]): number {
    const wishes = this.#wishes[channel];
    return this.#repeatAfter(pauseMs, () =>
      this.#ask(
        'subscribe',
        channel,
        markets.filter(market => wishes.isAskedAs(id, market)),
      ),
    );
  }

  /** A request that was not taken at all is made again, as far as it still means something. Returns after how long. */
  #repeat(id: string, asked: Asked | undefined): number | null {
    if (asked === undefined) return null;
    if (asked.op === 'snapshot') {
      const { market } = asked;
      const refusals = asked.refusals + 1;
      return this.#repeatAfter(retryPauseMs(refusals), () => {
        if (this.#wishes.book.has(market)) this.#askSnapshot(market, refusals);
      });
    }
    const { op, channel, markets } = asked;
    const wishes = this.#wishes[channel];
    if (op === 'unsubscribe') {
      const unwanted = (): MarketKey[] => markets.filter(market => !wishes.has(market));
      return this.#repeatAfter(limits.streamRetryMs, () => this.#ask(op, channel, unwanted()));
    }
    const still = markets.filter(market => wishes.isAskedAs(id, market));
    const pauses = still.map(market => wishes.refuse(market, 'INVALID_REQUEST') ?? 0);
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
