// Venue A on a loopback port: the market channel and the public REST of market data (venue-a.md §4, §5.1–5.2). Tests.

import { isObject, type JsonObject, parseJson, stringsOf } from '../../../src/core/domain/json.ts';
import { isTokenId } from '../../../src/core/domain/market.ts';
import { type HttpRoute, jsonReply, type Reply } from '../../../src/core/net/listen.ts';
import {
  type MarketFrame,
  parseMarketFrame,
  VenueABook,
  type VenueAFacts,
} from '../../../src/paper/replay/venue-a-book.ts';
import { type Fault, Loopback, type VenueServer } from './loopback.ts';

interface VenueAServerOptions {
  readonly facts: readonly VenueAFacts[];
  /** The frames that make the starting books. */
  readonly initial: readonly string[];
  readonly faults: readonly Fault[];
  /** Called when conditions get a subscriber. */
  readonly onWanted: (conditions: Iterable<string>) => void;
}

/** Starts the venue on a free port. */
export async function startVenueAServer(options: VenueAServerOptions): Promise<VenueServer> {
  const books = new Books(options.facts, options.initial);
  const loopback = await Loopback.start<VenueASession>({
    streamPath: '/ws/market',
    http: routes(books),
    faults: options.faults,
    refusal: () => null,
    openSession: outlet =>
      new VenueASession({
        ...outlet,
        booksByToken: books.byToken,
        onWanted: tokens =>
          options.onWanted([...tokens].flatMap(token => books.byToken.get(token)?.facts.conditionId ?? [])),
      }),
  });
  return {
    restUrl: `http://${loopback.host}`,
    streamUrl: `ws://${loopback.host}/ws/market`,
    markets: books.opened().map(({ tokens }) => ({ venue: 'venue_a', tokenId: tokens[0] })),
    play: text => {
      const frame = parseMarketFrame(text);
      if (frame === null) return;
      books.apply(frame);
      for (const session of loopback.sessions()) session.broadcast(frame);
    },
    isCongested: () => loopback.isCongested(),
    close: () => loopback.close(),
  };
}

/** The venue's own view of its markets. */
class Books {
  readonly byToken = new Map<string, VenueABook>();
  readonly byCondition = new Map<string, VenueABook>();
  readonly #facts: readonly VenueAFacts[];
  readonly #initial: readonly MarketFrame[];

  constructor(facts: readonly VenueAFacts[], initial: readonly string[]) {
    this.#facts = facts;
    this.#initial = initial.flatMap(text => parseMarketFrame(text) ?? []);
    for (const own of facts) {
      const book = new VenueABook(own);
      this.byCondition.set(own.conditionId, book);
      for (const token of own.tokens) this.byToken.set(token, book);
    }
    for (const frame of this.#initial) this.apply(frame);
  }

  /** Returns the markets whose book is known from the start. */
  opened(): readonly VenueAFacts[] {
    const stated = new Set(this.#initial.flatMap(frame => [...frame.tokens]));
    return this.#facts.filter(({ tokens }) => tokens.some(token => stated.has(token)));
  }

  apply(frame: MarketFrame): void {
    for (const message of frame.messages) this.byCondition.get(String(message.market))?.apply(message);
  }
}

function routes(books: Books): HttpRoute[] {
  const route = (pattern: string, handle: HttpRoute['handle']): HttpRoute => ({ method: 'get', pattern, handle });
  const orNotFound = (value: JsonObject | undefined, error: string): Reply =>
    value === undefined ? jsonReply(404, { error }) : jsonReply(200, value);
  return [
    route('/ok', () => jsonReply(200, 'OK')),
    route('/time', () => jsonReply(200, Math.floor(Date.now() / 1000))),
    route('/markets-by-token/:token', (_, [token = '']) =>
      orNotFound(conditionOf(books.byToken.get(token)), 'market not found'),
    ),
    route('/clob-markets/:condition', (_, [condition = '']) =>
      orNotFound(shortMarket(books.byCondition.get(condition)), 'market not found'),
    ),
    route('/markets/:condition', (_, [condition = '']) =>
      orNotFound(longMarket(books.byCondition.get(condition)), 'market not found'),
    ),
    route('/book', ({ query }) => {
      const token = new URLSearchParams(query).get('token_id') ?? '';
      if (!isTokenId(token)) return jsonReply(400, { error: 'Invalid token id' });
      const book = books.byToken.get(token);
      return orNotFound(
        book?.isResolved === false ? book.restBook(token) : undefined,
        'No orderbook exists for the requested token id',
      );
    }),
  ];
}

function conditionOf(book: VenueABook | undefined): JsonObject | undefined {
  if (book === undefined) return undefined;
  const { conditionId, tokens } = book.facts;
  return { condition_id: conditionId, primary_token_id: tokens[0], secondary_token_id: tokens[1] };
}

/** Returns the long form of a market, as far as clients read it: whether the market is over. */
function longMarket(book: VenueABook | undefined): JsonObject | undefined {
  return book === undefined ? undefined : { condition_id: book.facts.conditionId, closed: book.isResolved };
}

/** Returns the short form of a market. False values are left out; numbers are JSON numbers (venue-a.md §4). */
function shortMarket(book: VenueABook | undefined): JsonObject | undefined {
  if (book === undefined) return undefined;
  const { conditionId, tokens, outcomes, minOrderSize, negRisk } = book.facts;
  return {
    c: conditionId,
    t: tokens.map((token, index) => ({ t: token, o: outcomes[index] })),
    mts: Number(book.tickSize),
    mos: Number(minOrderSize),
    ...(negRisk ? { nr: true } : {}),
    mbf: 0,
    tbf: 0,
    ...(book.isResolved ? {} : { ao: true }),
  };
}

interface VenueASessionParts {
  readonly booksByToken: ReadonlyMap<string, VenueABook>;
  readonly send: (frame: string) => void;
  /** Ends the connection with a WebSocket close code. */
  readonly end: (code: number, reason: string) => void;
  /** Called when tokens get a subscriber. */
  readonly onWanted: (tokens: Iterable<string>) => void;
}

class VenueASession {
  readonly #parts: VenueASessionParts;
  /** The tokens of the subscription. Null until the first subscription. */
  #tokens: Set<string> | null = null;
  #wantsCustom = false;

  constructor(parts: VenueASessionParts) {
    this.#parts = parts;
  }

  receive(text: string): void {
    const command = text === 'PING' ? undefined : parseJson(text);
    if (this.#tokens === null) this.#open(command);
    else if (text === 'PING') this.#parts.send('PONG');
    else if (isObject(command)) this.#runCommand(this.#tokens, command.operation, command);
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

  /** The first frame must be the subscription: anything else, even a PING, ends the connection. */
  #open(command: unknown): void {
    if (!isObject(command) || command.type !== 'market' || !Array.isArray(command.assets_ids)) {
      this.#parts.end(1008, 'invalid subscription payload');
      return;
    }
    this.#tokens = new Set();
    this.#runCommand(this.#tokens, 'subscribe', command);
  }

  #runCommand(held: Set<string>, operation: unknown, command: JsonObject): void {
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
