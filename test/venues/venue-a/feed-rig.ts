// A venue A feed on a desk, with small implementations of the ports Connect, HttpGet, Timers and BookSink. REST answers come from twin
// markets, sockets are in memory, time stands still, and the sink records all that is published.

import { expect } from 'vitest';
import { ASK, BID, COMPLEMENT, PRIMARY } from '../../../src/core/domain/market.ts';
import { assert } from '../../../src/core/domain/result.ts';
import { FeedCounters } from '../../../src/core/metrics/feed-counters.ts';
import type { HttpAnswer, HttpGet } from '../../../src/core/net/http.ts';
import type { Connect, SocketHandlers } from '../../../src/core/net/websocket.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { createVenueAFeed } from '../../../src/venues/venue-a/feed.ts';
import { type RecordedBook, RecordingSink } from '../../support/recording-sink.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { pictureOf, SHARE, TwinMarket } from './twin-market.ts';

interface Subscription {
  readonly type?: 'market';
  readonly operation?: 'subscribe' | 'unsubscribe';
  readonly assets_ids: readonly string[];
}

/** A connection as the venue sees it. */
class DeskSocket {
  readonly url: string;
  readonly sent: string[] = [];
  isOpen = false;
  /** Whether the connection is still to be opened. */
  isNew = true;
  readonly #handlers: SocketHandlers;

  constructor(url: string, handlers: SocketHandlers) {
    this.url = url;
    this.#handlers = handlers;
  }

  get subscriptions(): Subscription[] {
    return this.sent.filter(text => text !== 'PING').map(text => JSON.parse(text) as Subscription);
  }

  open(): void {
    this.isOpen = true;
    this.isNew = false;
    this.#handlers.onOpen();
  }

  /** Sends events in one frame: a single event as a bare object, several events as an array. */
  send(...events: readonly object[]): void {
    this.sendText(JSON.stringify(events.length === 1 ? events[0] : events));
  }

  sendText(text: string): void {
    this.sendBytes(new TextEncoder().encode(text));
  }

  sendBytes(bytes: Uint8Array): void {
    assert(this.isOpen, 'a frame on a socket that is not open');
    this.#handlers.onFrame(bytes, false);
  }

  close(detail = 'code 1006'): void {
    this.isOpen = false;
    this.isNew = false;
    this.#handlers.onClose(detail);
  }
}

export class FeedRig {
  readonly sink = new RecordingSink();
  readonly timers = new VirtualTimers();
  /** The markets whose terms for orders are to be read again. */
  readonly outdated: string[] = [];
  readonly counters = new FeedCounters();
  readonly sockets: DeskSocket[] = [];
  readonly requests: string[] = [];
  /** The REST answers by URL that replace the twins' own answers. A promise answers late. */
  readonly answers = new Map<string, HttpAnswer | Error | Promise<HttpAnswer>>();
  readonly markets: TwinMarket[] = [];
  readonly feed;

  constructor(...markets: readonly TwinMarket[]) {
    this.markets.push(...markets);
    this.feed = createVenueAFeed(
      {
        sink: this.sink,
        expireFacts: address => this.outdated.push(address),
        connect: this.#connect,
        get: this.#get,
        timers: this.timers,
        random: () => 0,
        counters: this.counters,
        log: silentLog,
      },
      { restUrl: 'rest', streamUrl: 'stream' },
    );
    this.feed.start();
  }

  /** Returns a rig that has subscribed these markets on an open connection. No book has come yet. */
  static async opened(...markets: readonly TwinMarket[]): Promise<FeedRig> {
    const rig = new FeedRig(...markets);
    for (const { tokens } of markets) await rig.feed.subscribe(tokens[PRIMARY]);
    await rig.timers.settle();
    rig.socket.open();
    return rig;
  }

  /** Returns a rig in which these markets are LIVE on one connection. */
  static async live(...markets: readonly TwinMarket[]): Promise<FeedRig> {
    const rig = new FeedRig(...markets);
    await rig.live(...markets);
    return rig;
  }

  /** The latest connection. */
  get socket(): DeskSocket {
    const socket = this.sockets.at(-1);
    assert(socket !== undefined, 'nothing is connected');
    return socket;
  }

  /** Subscribes to the markets, connects, and answers with the initial books of the first subscription. */
  async live(...markets: readonly TwinMarket[]): Promise<void> {
    for (const market of markets) await this.feed.subscribe(market.tokens[PRIMARY]);
    await this.timers.settle();
    if (!this.socket.isOpen) this.socket.open();
    this.socket.send(...markets.flatMap(market => [market.bookEvent(PRIMARY), market.bookEvent(COMPLEMENT)]));
  }

  /** Returns the book of a market. Markets are subscribed in the order in which the rig was given them. */
  book(market: TwinMarket = this.markets[0]!): RecordedBook {
    const book = this.sink.books[this.markets.indexOf(market)];
    assert(book !== undefined, 'the market has no book');
    return book;
  }

  picture(market?: TwinMarket): string {
    const { bids, asks } = this.book(market);
    return pictureOf(bids, asks);
  }

  /** Expects that a market's book is LIVE, has the venue's levels, and has these fields. */
  expectLive(market: TwinMarket, fields: object = {}): void {
    expect(this.book(market)).toMatchObject({ state: 'LIVE', ...fields });
    expect(this.picture(market)).toBe(market.picture());
  }

  /** Returns each state of a book so far, with its reason. */
  states(): string[] {
    return this.sink.events.flatMap(event => (event.kind === 'state' ? [`${event.state} ${event.reason}`] : []));
  }

  readonly #connect: Connect = ({ url }, handlers) => {
    const socket = new DeskSocket(url, handlers);
    this.sockets.push(socket);
    return {
      send: data => socket.sent.push(Buffer.from(data).toString()),
      // The close event of a real socket comes in a later turn of the event loop.
      terminate: () => {
        this.timers.after(0, () => socket.close('terminated'));
      },
    };
  };

  readonly #get: HttpGet = async url => {
    this.requests.push(url);
    // The venue answers with its state at the arrival of the request, and not at the time of the call.
    await Promise.resolve();
    const given = this.answers.get(url);
    if (given instanceof Error) throw given;
    if (given !== undefined) return given;
    const [, path, id] = /^rest\/([a-z-]+)(?:\/|\?token_id=)(.+)$/.exec(url) ?? [];
    const market = this.markets.find(({ conditionId, tokens }) => conditionId === id || tokens.includes(id ?? ''));
    if (market === undefined) return { status: 404, body: '{"error":"market not found"}' };
    return { status: 200, body: JSON.stringify(restAnswer(market, path ?? '', id ?? '')) };
  };
}

function restAnswer(market: TwinMarket, path: string, id: string): object {
  const [primary, complement] = market.tokens;
  switch (path) {
    case 'markets-by-token':
      return { condition_id: market.conditionId, primary_token_id: primary, secondary_token_id: complement };
    case 'clob-markets':
      return {
        ...{
          c: market.conditionId,
          t: [primary, complement].map((t, index) => ({ t, o: index === 0 ? 'Yes' : 'No' })),
        },
        ...{ mts: Number(market.tickSize), mos: market.minOrderSize, ao: true },
        ...(market.negRisk ? { nr: true } : {}),
      };
    default:
      return market.restBook(id === primary ? PRIMARY : COMPLEMENT);
  }
}

/** Returns a market with a bid at 0.52 and an ask at 0.54. */
export function twinOf(number = 0): TwinMarket {
  return new TwinMarket(number).seed([
    [BID, 5_200, 20 * SHARE],
    [ASK, 5_400, 30 * SHARE],
  ]);
}

/** Returns a rig with one LIVE market: bids at 0.51 and 0.52, asks at 0.54 and 0.55. */
export async function liveRig(): Promise<{ twin: TwinMarket; rig: FeedRig; restUrl: string }> {
  const twin = new TwinMarket(0).seed([
    [BID, 5_100, 10 * SHARE],
    [BID, 5_200, 20 * SHARE],
    [ASK, 5_400, 30 * SHARE],
    [ASK, 5_500, 40 * SHARE],
  ]);
  const rig = await FeedRig.live(twin);
  return { twin, rig, restUrl: `rest/book?token_id=${twin.tokens[PRIMARY]}` };
}
