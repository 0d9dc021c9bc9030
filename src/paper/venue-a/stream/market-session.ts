// The public market channel as a path of venue A's server, and one client's session on it (venue-a.md §5.1). Commands come in, without
// acknowledgements; an initial dump and then events go out. Thread of the paper exchanges.

import { isObject, type JsonObject, parseJson, stringsOf } from '../../../core/domain/json.ts';
import type { SocketRoute } from '../../../core/net/listen.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
import type { Faults } from '../../faults/faults.ts';
import type { VenueAExchange } from '../exchange.ts';
import { MarketChannel } from './market-channel.ts';
import { type Session, type SessionOutlet, sessionRoute } from './session.ts';
import type { MarketListener } from './watched-market.ts';

class MarketSession implements Session, MarketListener {
  readonly #channel: MarketChannel;
  readonly #outlet: SessionOutlet;
  /** Null until the first subscription. Only known tokens, so never more than are listed. */
  #tokens: Set<string> | null = null;
  wantsCustom = false;

  constructor(channel: MarketChannel, outlet: SessionOutlet) {
    this.#channel = channel;
    this.#outlet = outlet;
  }

  receive(text: string): void {
    if (this.#tokens === null) this.#open(parseJson(text));
    else if (text === 'PING') this.#outlet.pong();
    else this.#obey(this.#tokens, parseJson(text));
  }

  hear(frame: string, operation: string): void {
    this.#outlet.send(frame, operation);
  }

  close(): void {
    for (const token of this.#tokens ?? []) this.#channel.unsubscribe(this, token);
    this.#channel.leave(this);
  }

  #open(command: unknown): void {
    if (!isObject(command) || !isSubscription(command)) {
      this.#outlet.refuseSubscription();
      return;
    }
    this.#tokens = new Set();
    this.#subscribe(this.#tokens, command);
  }

  /** Invalid commands are ignored silently. */
  #obey(held: Set<string>, command: unknown): void {
    if (!isObject(command)) return;
    if (command.operation === 'unsubscribe') {
      for (const token of stringsOf(command.assets_ids)) {
        if (held.delete(token)) this.#channel.unsubscribe(this, token);
      }
    } else if (command.operation === 'subscribe' || isSubscription(command)) this.#subscribe(held, command);
  }

  /** Unknown tokens are ignored. Beyond this many tokens there are no initial books. */
  #subscribe(held: Set<string>, command: JsonObject): void {
    if (command.custom_feature_enabled === true) {
      this.wantsCustom = true;
      this.#channel.discover(this);
    }
    const added = new Set(
      stringsOf(command.assets_ids).filter(token => !held.has(token) && this.#channel.knows(token)),
    );
    const subscriptions = [...added].map(token => this.#channel.subscribe(this, token));
    for (const token of added) held.add(token);
    const isDumped = command.initial_dump !== false && held.size <= limits.paperVenueATokensWithBookMax;
    if (!isDumped || subscriptions.length === 0) return;
    this.#outlet.send(`[${subscriptions.map(({ initialBook }) => initialBook()).join(',')}]`, 'book');
  }
}

/** `level` asks for a depth of the book; no recording shows an effect, so there is none here. */
function isSubscription({ type, assets_ids, initial_dump, level, custom_feature_enabled }: JsonObject): boolean {
  return (
    type === 'market' &&
    Array.isArray(assets_ids) &&
    assets_ids.every(token => typeof token === 'string') &&
    (initial_dump === undefined || typeof initial_dump === 'boolean') &&
    (custom_feature_enabled === undefined || typeof custom_feature_enabled === 'boolean') &&
    (level === undefined || level === 1 || level === 2 || level === 3)
  );
}

interface MarketStreamParts {
  readonly exchange: VenueAExchange;
  readonly faults: Faults;
  readonly timers: Timers;
}

/** Observes the exchange from now on. */
export function marketStreamRoute({ exchange, faults, timers }: MarketStreamParts): SocketRoute<never> {
  const channel = new MarketChannel(exchange, timers);
  return sessionRoute('/ws/market', faults, outlet => new MarketSession(channel, outlet));
}
