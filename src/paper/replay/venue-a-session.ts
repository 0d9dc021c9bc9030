// One client's session on venue A's market channel (venue-a.md §5.1–5.2): subscriptions in, an initial dump and then
// unchanged recorded frames out. It has no socket, only a function to send. Replay thread.

import { isObject, type JsonObject, parseJson, stringsOf } from '../../core/domain/json.ts';
import type { VenueABook } from './venue-a-book.ts';
import type { MarketFrame } from './venue-a-frame.ts';

interface VenueASessionParts {
  readonly booksByToken: ReadonlyMap<string, VenueABook>;
  readonly send: (frame: string) => void;
  /** Ends the connection with a WebSocket close code. */
  readonly end: (code: number, reason: string) => void;
  /** Called when tokens get a subscriber. */
  readonly onWanted: (tokens: Iterable<string>) => void;
}

export class VenueASession {
  readonly #parts: VenueASessionParts;
  /** Null until the first subscription. */
  #tokens: Set<string> | null = null;
  #wantsCustom = false;

  constructor(parts: VenueASessionParts) {
    this.#parts = parts;
  }

  receive(text: string): void {
    const command = text === 'PING' ? undefined : parseJson(text);
    if (this.#tokens === null) this.#open(command);
    else if (text === 'PING') this.#parts.send('PONG');
    else if (isObject(command)) this.#obey(this.#tokens, command.operation, command);
  }

  /** Sends a frame if this client has subscribed to one of its tokens. */
  broadcast(frame: MarketFrame): void {
    if (this.#tokens === null || (frame.isCustom && !this.#wantsCustom)) return;
    for (const token of frame.tokens) {
      if (!this.#tokens.has(token)) continue;
      this.#parts.send(frame.text);
      return;
    }
  }

  /** Sends every subscribed book again after a restart of the session. */
  dumpAll(): void {
    this.#dump([...(this.#tokens ?? [])]);
  }

  /** The first frame must be the subscription: anything else, even a PING, ends the connection. */
  #open(command: unknown): void {
    if (!isObject(command) || command.type !== 'market' || !Array.isArray(command.assets_ids)) {
      this.#parts.end(1008, 'invalid subscription payload');
      return;
    }
    this.#tokens = new Set();
    this.#obey(this.#tokens, 'subscribe', command);
  }

  #obey(held: Set<string>, operation: unknown, command: JsonObject): void {
    const tokens = stringsOf(command.assets_ids);
    if (operation === 'unsubscribe') {
      for (const token of tokens) held.delete(token);
      return;
    }
    if (operation !== 'subscribe') return;
    if (command.custom_feature_enabled === true) this.#wantsCustom = true;
    const added = tokens.filter(token => !held.has(token));
    for (const token of added) held.add(token);
    if (command.initial_dump !== false) this.#dump(added);
    this.#parts.onWanted(added);
  }

  /** Sends one array frame with a `book` per token; unknown tokens are skipped silently. */
  #dump(tokens: readonly string[]): void {
    const books = tokens.flatMap(token => this.#parts.booksByToken.get(token)?.bookMessage(token) ?? []);
    if (books.length > 0) this.#parts.send(JSON.stringify(books));
  }
}
