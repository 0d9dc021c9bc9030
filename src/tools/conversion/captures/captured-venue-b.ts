// Venue B by its capture: its messages with numbers of their own connection, and the grids of prices that the capture shows. If the numbers
// of the capture jump, so do these: the feed then acts as it does with the venue. The command line's process.

import type { HttpAnswer, HttpGet } from '../../../core/net/http.ts';
import type { Connect } from '../../../core/net/websocket.ts';
import { noPriced } from '../../../paper/replay/script.ts';
import { parseBroadcast, type VenueBListing } from '../../../paper/replay/venue-b-frame.ts';
import { VenueBSession } from '../../../paper/replay/venue-b-session.ts';
import type { CaptureClock } from './capture-clock.ts';
import type { CapturedFrame } from './capture-frames.ts';
import { CapturedSocket, type CapturedVenue } from './captured-venue.ts';

export const VENUE_B_URLS = { restUrl: 'capture:/', streamUrl: 'capture:/stream' };

interface Line {
  readonly socket: CapturedSocket;
  readonly session: VenueBSession;
  /** Messages to be sent, in this order. */
  readonly outbox: string[];
}

export class CapturedVenueB implements CapturedVenue {
  readonly #clock: CaptureClock;
  readonly #ranges: ReadonlyMap<string, VenueBListing['priceRanges']>;
  readonly #yesPriced: boolean;
  readonly #encoder = new TextEncoder();
  /** The last connection; the feed has one at a time. */
  #line: Line | null = null;

  constructor(clock: CaptureClock, ranges: ReadonlyMap<string, VenueBListing['priceRanges']>, yesPriced: boolean) {
    this.#clock = clock;
    this.#ranges = ranges;
    this.#yesPriced = yesPriced;
  }

  get isHeard(): boolean {
    return this.#line?.socket.isOpen === true && this.#line.outbox.length === 0;
  }

  booksIn({ books }: CapturedFrame): readonly string[] {
    return books.flatMap(({ market, type }) => (type === 'book' ? market : []));
  }

  play({ text, value, after }: CapturedFrame): boolean {
    const line = this.#line;
    const message = this.#yesPriced ? parseBroadcast(noPriced(text)) : parseBroadcast(text, value);
    if (line === null || message === null) return true;
    if (after === 'a reconnection') {
      line.socket.terminate('the recorder of the capture has reconnected');
      return false;
    }
    if (after === 'a gap') line.session.loseBookFrame();
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
      // Every market exists, and only the frames state books.
      books: { has: () => true, get: () => undefined },
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
      return found({ cursor: '', markets: list.split(',').flatMap(it => this.#market(it) ?? []) });
    const [, ticker = ''] = /^capture:\/\/markets\/([^/?]+)$/.exec(url) ?? [];
    const market = this.#market(ticker);
    return market === null ? { status: 404, body: '{}' } : found({ market });
  };

  #market(ticker: string): object | null {
    const ranges = this.#ranges.get(ticker);
    return ranges === undefined ? null : { ticker, status: 'active', price_ranges: ranges };
  }
}

function found(value: object): HttpAnswer {
  return { status: 200, body: JSON.stringify(value) };
}
