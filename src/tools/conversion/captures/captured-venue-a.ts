// Venue A by its capture: its frames byte for byte, and the facts of its markets that the capture shows. The command line's process.

import type { HttpAnswer, HttpGet } from '../../../core/net/http.ts';
import type { Connect } from '../../../core/net/websocket.ts';
import { limits } from '../../../limits.ts';
import type { VenueAFacts } from '../../../paper/replay/venue-a-book.ts';
import type { FoundFacts } from '../../../paper/replay/venue-a-facts.ts';
import type { CaptureClock } from './capture-clock.ts';
import type { CapturedFrame } from './capture-frames.ts';
import { CapturedSocket, type CapturedVenue } from './captured-venue.ts';

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

  get isHeard(): boolean {
    return this.#pinged.size === 0 && (this.#sockets.size === 0 || this.#open() !== undefined);
  }

  /** Both tokens of a market, whose books say the same, so that a reader may ask for either. */
  booksIn({ books }: CapturedFrame): readonly string[] {
    return books.flatMap(({ market, type }) => (type === 'book' ? (this.#byCondition.get(market)?.named ?? []) : []));
  }

  /** The markets may be on several connections: the feed finds them from any. Without a connection it wants no more of them. */
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

  /** Late, as from a venue that does not answer: meanwhile the stream may prove the book. */
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
