// The user channel as a path of venue A's server, and one client's session on it (venue-a.md §6.1). The first frame has credentials; then
// events of that key's orders and trades follow. Thread of the paper exchanges.

import { isObject, type JsonObject, parseJson, stringsOf, textOf } from '../../../core/domain/json.ts';
import type { SocketRoute } from '../../../core/net/listen.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import type { Faults } from '../../faults/faults.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { Caller } from '../rest/route.ts';
import { type Session, type SessionOutlet, sessionRoute } from './session.ts';
import { UserChannel, type UserListener } from './user-channel.ts';

/** The API key of these credentials. */
interface StreamAccess {
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
  /** Known condition ids; null means all markets. */
  #markets: Set<string> | null = null;

  constructor(parts: UserSessionParts) {
    this.#parts = parts;
  }

  receive(text: string): void {
    if (this.#apiKey === null) this.#open(parseJson(text));
    else if (text === 'PING') this.#parts.outlet.pong();
    else this.#obey(parseJson(text));
  }

  hear(market: VenueAMarket, frame: string, operation: string): void {
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

  /** A subscription to all markets cannot change; invalid commands are ignored silently. */
  #obey(command: unknown): void {
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

/** Observes the exchange from now on. */
export function userStreamRoute({ exchange, access, faults, timers }: UserStreamParts): SocketRoute<never> {
  const channel = new UserChannel(exchange, timers);
  return sessionRoute('/ws/user', faults, outlet => new UserSession({ channel, access, outlet }));
}
