// A venue that repeats its capture: the port into which captured-feed.ts plays frames, and the sockets of both venues. Data that the
// capture lacks, such as a book that the feed requests again, never comes. The command line's process.

import type { HttpAnswer, HttpGet } from '../../../core/net/http.ts';
import type { Connect, OutboundSocket, SocketHandlers } from '../../../core/net/websocket.ts';
import { limits } from '../../../limits.ts';
import type { FoundFacts, VenueAFacts } from '../../../paper/replay/venue-a-book.ts';
import { type PriceRanges, parseBroadcast, withNoPrices } from '../../../paper/replay/venue-b-frame.ts';
import { VenueBSession } from '../../../paper/replay/venue-b-session.ts';
import type { CaptureClock, CapturedFrame } from './capture-frames.ts';

export interface CapturedVenue {
  readonly connect: Connect;
  readonly get: HttpGet;
  /** The addresses of the books that the frame states. They must be subscribed before the frame is played. */
  booksIn(frame: CapturedFrame): readonly string[];
  /** Sends a frame to the feed. Returns false if the feed has given up its connection, and did not take the frame. */
  play(frame: CapturedFrame): boolean;
  /** Sends the answers that the feed waits for. Must be called between tasks of the feed, never within one. */
  drain(): void;
  /** Whether the feed has its answers, and has a connection unless it wants none. */
  readonly isSettled: boolean;
}

/** The interval of the venue's control frames. It is shorter than the silence that the feeds tolerate. */
const PING_MS = 10_000;

/** The venue's end of a connection in memory. */
class CapturedSocket implements OutboundSocket {
  isOpen = false;
  /** Whether the socket has ended for good. */
  isOver = false;
  readonly #clock: CaptureClock;
  readonly #handlers: SocketHandlers;
  readonly #onText: (text: string) => void;
  #cancelPing: () => void = () => {};

  /** Creates the socket, which opens in a later turn of the clock. */
  constructor(clock: CaptureClock, handlers: SocketHandlers, hear: (text: string) => void) {
    this.#clock = clock;
    this.#handlers = handlers;
    this.#onText = hear;
    clock.after(0, () => {
      if (this.isOver) return;
      this.isOpen = true;
      this.#ping();
      handlers.onOpen();
    });
  }

  send(frame: string | Uint8Array): void {
    if (this.isOpen) this.#onText(typeof frame === 'string' ? frame : Buffer.from(frame).toString());
  }

  /** Ends the socket. Either side may do so. As with a real socket, the feed hears of it in a later turn. */
  terminate(detail = 'terminated'): void {
    if (this.isOver) return;
    this.isOver = true;
    this.isOpen = false;
    this.#cancelPing();
    this.#clock.after(0, () => this.#handlers.onClose(detail));
  }

  deliver(bytes: Uint8Array): void {
    if (this.isOpen) this.#handlers.onFrame(bytes, false);
  }

  #ping(): void {
    this.#cancelPing = this.#clock.after(PING_MS, () => {
      this.#handlers.onPing();
      this.#ping();
    });
  }
}

export const VENUE_A_URLS = { restUrl: 'capture:/', streamUrl: 'capture:/stream' };
const PONG = Buffer.from('PONG');

export class CapturedVenueA implements CapturedVenue {
  readonly #clock: CaptureClock;
  readonly #byCondition: ReadonlyMap<string, FoundFacts>;
  readonly #byToken: ReadonlyMap<string, VenueAFacts>;
  readonly #sockets = new Set<CapturedSocket>();
  readonly #pinged = new Set<CapturedSocket>();
  readonly #encoder = new TextEncoder();

  constructor(clock: CaptureClock, facts: readonly FoundFacts[]) {
    this.#clock = clock;
    this.#byCondition = new Map(facts.map(it => [it.conditionId, it]));
    this.#byToken = new Map(facts.flatMap(it => it.tokens.map(token => [token, it] as const)));
  }

  get isSettled(): boolean {
    return this.#pinged.size === 0 && (this.#sockets.size === 0 || this.#open() !== undefined);
  }

  /** Both tokens of the market of each book. The books of both tokens have the same content, so a reader may ask for either. */
  booksIn({ books }: CapturedFrame): readonly string[] {
    return books.flatMap(({ market, type }) => (type === 'book' ? (this.#byCondition.get(market)?.named ?? []) : []));
  }

  /**
   * Plays the frame on any open connection. The markets may be on several connections, but the feed finds a market from each of them.
   * Without a connection the feed wants no more frames.
   */
  play({ text }: CapturedFrame): boolean {
    this.#open()?.deliver(this.#encoder.encode(text));
    return true;
  }

  drain(): void {
    for (const socket of this.#pinged) socket.deliver(PONG);
    this.#pinged.clear();
    for (const socket of this.#sockets) if (socket.isOver) this.#sockets.delete(socket);
  }

  readonly connect: Connect = (_options, handlers) => {
    const socket: CapturedSocket = new CapturedSocket(this.#clock, handlers, text => {
      if (text === 'PING') this.#pinged.add(socket);
    });
    this.#sockets.add(socket);
    return socket;
  };

  readonly get: HttpGet = async url => {
    const [, path = '', name = ''] = /^capture:\/\/([a-z-]+)[/?](?:token_id=)?(.*)$/.exec(url) ?? [];
    if (path === 'book') return this.#noBook();
    const facts = path === 'markets-by-token' ? this.#byToken.get(name) : this.#byCondition.get(name);
    if (facts === undefined) return NOT_FOUND;
    return { status: 200, body: JSON.stringify(path === 'clob-markets' ? shortMarket(facts) : longMarket(facts)) };
  };

  #open(): CapturedSocket | undefined {
    for (const socket of this.#sockets) if (socket.isOpen) return socket;
    return undefined;
  }

  /** Answers late, like a venue that does not answer. In the meantime the stream may prove the book. */
  #noBook(): Promise<HttpAnswer> {
    return new Promise(resolve => {
      this.#clock.after(limits.upstreamRestTimeoutMs, () => resolve(NOT_FOUND));
    });
  }
}

const NOT_FOUND: HttpAnswer = { status: 404, body: '{"error":"not in the capture"}' };

function longMarket({ conditionId }: VenueAFacts): object {
  return { condition_id: conditionId, closed: false };
}

/** The market in the venue's short form (venue-a.md §4). */
function shortMarket({ conditionId, tokens, outcomes, tickSize, minOrderSize, negRisk }: VenueAFacts): object {
  return {
    c: conditionId,
    t: tokens.map((token, index) => ({ t: token, o: outcomes[index] })),
    mts: Number(tickSize),
    mos: Number(minOrderSize),
    ...(negRisk ? { nr: true } : {}),
    ao: true,
  };
}

export const VENUE_B_URLS = { restUrl: 'capture:/', streamUrl: 'capture:/stream' };

interface Line {
  readonly socket: CapturedSocket;
  readonly session: VenueBSession;
  /** The messages to be sent, in this order. */
  readonly outbox: string[];
}

export class CapturedVenueB implements CapturedVenue {
  readonly #clock: CaptureClock;
  readonly #ranges: ReadonlyMap<string, PriceRanges>;
  readonly #yesPriced: boolean;
  readonly #encoder = new TextEncoder();
  /** The last connection. The feed has only one connection at a time. */
  #line: Line | null = null;

  constructor(clock: CaptureClock, ranges: ReadonlyMap<string, PriceRanges>, yesPriced: boolean) {
    this.#clock = clock;
    this.#ranges = ranges;
    this.#yesPriced = yesPriced;
  }

  get isSettled(): boolean {
    return this.#line?.socket.isOpen === true && this.#line.outbox.length === 0;
  }

  booksIn({ books }: CapturedFrame): readonly string[] {
    return books.flatMap(({ market, type }) => (type === 'book' ? market : []));
  }

  play({ text, value, after }: CapturedFrame): boolean {
    const line = this.#line;
    const message = this.#yesPriced ? parseBroadcast(withNoPrices(text)) : parseBroadcast(text, value);
    if (line === null || message === null) return true;
    if (after === 'a reconnection') {
      line.socket.terminate('the recorder of the capture has reconnected');
      return false;
    }
    if (after === 'a gap') line.session.countLostFrame();
    line.session.broadcast(message);
    this.drain();
    return !line.socket.isOver;
  }

  drain(): void {
    const line = this.#line;
    for (let text = line?.outbox.shift(); line !== null && text !== undefined; text = line.outbox.shift()) {
      line.socket.deliver(this.#encoder.encode(`${text}\n`));
    }
  }

  readonly connect: Connect = (_options, handlers) => {
    const outbox: string[] = [];
    const session = new VenueBSession({
      // The paper session accepts every market, and only the frames state books.
      hasMarket: () => true,
      snapshotOf: () => null,
      send: text => void outbox.push(text),
      onWanted: () => {},
    });
    const socket = new CapturedSocket(this.#clock, handlers, text => session.receive(text));
    this.#line = { socket, session, outbox };
    return socket;
  };

  readonly get: HttpGet = async url => {
    const [, list] = /^capture:\/\/markets\?tickers=([^&]*)/.exec(url) ?? [];
    if (list !== undefined)
      return okAnswer({ cursor: '', markets: list.split(',').flatMap(it => this.#market(it) ?? []) });
    const [, ticker = ''] = /^capture:\/\/markets\/([^/?]+)$/.exec(url) ?? [];
    const market = this.#market(ticker);
    return market === null ? { status: 404, body: '{}' } : okAnswer({ market });
  };

  #market(ticker: string): object | null {
    const ranges = this.#ranges.get(ticker);
    return ranges === undefined ? null : { ticker, status: 'active', price_ranges: ranges };
  }
}

function okAnswer(value: object): HttpAnswer {
  return { status: 200, body: JSON.stringify(value) };
}
