// Venue B in memory, with its stream and its market facts: implementations of the Connect and HttpGet ports that a test drives. The venue
// numbers its frames, and answers commands as measured in venue-b.md §10.2 unless it is set silent.

import type { HttpAnswer, HttpGet } from '../../../src/core/net/http.ts';
import type { Connect, ConnectOptions, SocketHandlers } from '../../../src/core/net/websocket.ts';

interface Command {
  readonly id: number;
  readonly cmd: string;
  readonly params: {
    readonly channels?: readonly string[];
    readonly market_tickers?: readonly string[];
    readonly sid?: number;
    readonly sids?: readonly number[];
    readonly action?: string;
    readonly use_yes_price?: boolean;
  };
}

interface Stream {
  readonly sid: number;
  readonly channel: string;
  readonly tickers: Set<string>;
  seq: number;
}

/** The levels of a snapshot as the venue writes them. A missing side is empty. */
export interface WireBook {
  yes?: [price: string, size: string][];
  no?: [price: string, size: string][];
}

export const LINEAR_CENT = [{ start: '0.0000', end: '1.0000', step: '0.0100' }];
export const DECI_CENT = [{ start: '0.0000', end: '1.0000', step: '0.0010' }];

export class ScriptedVenue {
  /** The handshakes so far. */
  readonly handshakes: ConnectOptions[] = [];
  /** The URLs requested by REST so far. */
  readonly asked: string[] = [];
  /** The commands of the present connection. */
  commands: Command[] = [];
  /** The market objects by ticker. A ticker that is not in the map gets 404. */
  readonly markets = new Map<string, Record<string, unknown>>();
  readonly books = new Map<string, WireBook>();
  /** The books that REST shows. Null means that REST cannot read them. */
  restBooks: Map<string, WireBook> | null = null;
  /** The status of REST answers. A status other than 200 replaces the answer. */
  restStatus = 200;
  /** The status of answers to requests for lists. A status other than 200 replaces the answer. */
  listStatus = 200;
  /** The number of REST answers before the venue answers 429. */
  readsLeft = Number.POSITIVE_INFINITY;
  /** The promise for which REST answers wait. An answer has the state of the time of its request. */
  restDelay: Promise<void> = Promise.resolve();
  /** Whether the venue answers commands by itself. */
  isAnswering = true;
  /** The actions that the venue acknowledges without a snapshot. */
  readonly withoutSnapshot = new Set<string>();
  #streams: Stream[] = [];
  #handlers: SocketHandlers | null = null;
  #isOpen = false;

  addMarket(ticker: string, book: WireBook = {}, facts: Record<string, unknown> = {}): void {
    this.markets.set(ticker, { ticker, status: 'active', price_ranges: LINEAR_CENT, ...facts });
    this.books.set(ticker, book);
  }

  readonly get: HttpGet = async url => {
    this.asked.push(url);
    const answer = this.#describe(new URL(url));
    await this.restDelay;
    return answer;
  };

  /** Answers `GET /markets/{ticker}`, or `GET /markets` with `tickers` and `limit`. */
  #describe({ pathname, searchParams }: URL): HttpAnswer {
    if (this.readsLeft <= 0) return { status: 429, body: '{"error":"too many requests"}' };
    this.readsLeft -= 1;
    if (this.restStatus !== 200) return { status: this.restStatus, body: 'service unavailable' };
    if (pathname.endsWith('/markets')) {
      if (this.listStatus !== 200) return { status: this.listStatus, body: 'bad request' };
      const named = (searchParams.get('tickers') ?? '').split(',').slice(0, Number(searchParams.get('limit')));
      const markets = named.flatMap(ticker => this.markets.get(ticker) ?? []);
      return { status: 200, body: JSON.stringify({ cursor: '', markets }) };
    }
    if (pathname.endsWith('/orderbooks')) {
      if (this.restBooks === null) return { status: 503, body: 'service unavailable' };
      const orderbooks = searchParams.getAll('tickers').flatMap(ticker => {
        const book = this.restBooks?.get(ticker);
        const shown = { yes_dollars: book?.yes ?? [], no_dollars: book?.no ?? [] };
        return book === undefined ? [] : [{ ticker, orderbook_fp: shown }];
      });
      return { status: 200, body: JSON.stringify({ orderbooks }) };
    }
    const market = this.markets.get(pathname.slice(pathname.lastIndexOf('/') + 1));
    return market === undefined
      ? { status: 404, body: '{"error":{"code":"not_found","message":"not found"}}' }
      : { status: 200, body: JSON.stringify({ market }) };
  }

  readonly connect: Connect = (options, handlers) => {
    this.handshakes.push(options);
    this.#handlers = handlers;
    return {
      send: text => {
        const command = JSON.parse(String(text)) as Command;
        this.commands.push(command);
        if (this.isAnswering) this.answer(command);
      },
      terminate: () => this.drop('terminated'),
    };
  };

  /** Lets the upgrade succeed. */
  open(): void {
    this.#isOpen = true;
    this.#streams = [];
    this.commands = [];
    this.#handlers?.onOpen();
  }

  /** Ends the connection. */
  drop(detail: string): void {
    const handlers = this.#handlers;
    this.#handlers = null;
    this.#isOpen = false;
    handlers?.onClose(detail);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Sends a frame unchanged. An object becomes JSON with the venue's time of sending and a newline. */
  send(frame: string | Uint8Array | object): void {
    this.#handlers?.onFrame(bytesOf(frame), false);
  }

  /** Sends the control frame that the venue sends every ten seconds. */
  ping(): void {
    this.#handlers?.onPing();
  }

  /** Takes the next sequence number of a channel. */
  take(channel: string): { sid: number; seq: number } {
    const stream = this.#streams.find(candidate => candidate.channel === channel);
    if (stream === undefined) throw new Error(`the client has no subscription to ${channel}`);
    stream.seq += 1;
    return { sid: stream.sid, seq: stream.seq };
  }

  /** Returns the tickers of a channel. */
  carried(channel: string): string[] {
    return this.#streams.flatMap(stream => (stream.channel === channel ? [...stream.tickers] : []));
  }

  /** Sends a message with the next sequence number of its subscription. */
  say(type: 'orderbook_delta' | 'orderbook_snapshot' | 'trade' | 'market_lifecycle_v2', msg: object): void {
    this.send({ type, ...this.take(type === 'orderbook_snapshot' ? 'orderbook_delta' : type), msg });
  }

  delta(ticker: string, side: 'yes' | 'no', price: string, change: string, time = 1_781_159_489_957): void {
    this.send(this.deltaFrame(ticker, side, price, change, time));
  }

  deltaFrame(ticker: string, side: 'yes' | 'no', price: string, change: string, time = 1_781_159_489_957): object {
    const market = { market_ticker: ticker, market_id: MARKET_ID };
    const times = { ts: new Date(time).toISOString(), ts_ms: time };
    const msg = { ...market, price_dollars: price, delta_fp: change, side, ...times };
    return { type: 'orderbook_delta', ...this.take('orderbook_delta'), msg };
  }

  snapshot(ticker: string, id?: number): void {
    const { yes, no } = this.books.get(ticker) ?? {};
    const msg = {
      market_ticker: ticker,
      market_id: MARKET_ID,
      ...(yes === undefined ? {} : { yes_dollars_fp: yes }),
      ...(no === undefined ? {} : { no_dollars_fp: no }),
    };
    const about = id === undefined ? {} : { id };
    this.send({ type: 'orderbook_snapshot', ...about, ...this.take('orderbook_delta'), msg });
  }

  lifecycle(ticker: string, event: string, more: object = {}): void {
    this.say('market_lifecycle_v2', { event_type: event, market_ticker: ticker, ...more });
  }

  error(code: number, about: { id?: number; sid?: number }): void {
    this.send({ type: 'error', ...about, msg: { code, msg: 'words of the venue' } });
  }

  /** Returns the commands of a kind on the present connection. The kind is a verb, or the action of an update. */
  commandsOf(kind: string, channel?: string): Command[] {
    return this.commands.filter(({ cmd, params }) => {
      const stream = this.#streams.find(({ sid }) => sid === (params.sid ?? params.sids?.[0]));
      const on = params.channels?.[0] ?? stream?.channel;
      return (params.action ?? cmd) === kind && (channel === undefined || on === channel);
    });
  }

  answer(command: Command): void {
    const { id, cmd, params } = command;
    if (cmd === 'subscribe') this.#subscribe(command);
    if (cmd === 'unsubscribe') {
      const stream = this.#streams.find(({ sid }) => sid === params.sids?.[0]);
      this.#streams = this.#streams.filter(other => other !== stream);
      if (stream !== undefined) this.send({ type: 'unsubscribed', id, sid: stream.sid, seq: stream.seq + 1 });
    }
    if (cmd === 'update_subscription') this.#update(command);
  }

  /**
   * Answers a `subscribe` as measured: a second `subscribe` to a channel merges into the first, with `ok` and snapshots of the new markets.
   */
  #subscribe({ id, params }: Command): void {
    const [channel = ''] = params.channels ?? [];
    const tickers = params.market_tickers ?? [];
    const held = this.#streams.find(stream => stream.channel === channel);
    if (held !== undefined) {
      this.#add(held, id, tickers, 'subscribe');
      return;
    }
    const sid = this.#streams.length + 1;
    this.#streams.push({ sid, channel, tickers: new Set(tickers), seq: 0 });
    this.send({ type: 'subscribed', id, msg: { channel, sid } });
    if (channel === 'orderbook_delta' && !this.withoutSnapshot.has('subscribe')) {
      for (const ticker of tickers) this.snapshot(ticker);
    }
  }

  #update({ id, params }: Command): void {
    const stream = this.#streams.find(({ sid }) => sid === params.sid);
    const tickers = params.market_tickers ?? [];
    if (stream === undefined) {
      this.error(7, { id });
      return;
    }
    if (params.action === 'get_snapshot') {
      if (!this.withoutSnapshot.has('get_snapshot')) for (const ticker of tickers) this.snapshot(ticker, id);
    } else if (params.action === 'delete_markets') {
      for (const ticker of tickers) stream.tickers.delete(ticker);
      this.#acknowledge(stream, id);
    } else this.#add(stream, id, tickers, 'add_markets');
  }

  #add(stream: Stream, id: number, tickers: readonly string[], action: string): void {
    const fresh = tickers.filter(ticker => !stream.tickers.has(ticker));
    for (const ticker of fresh) stream.tickers.add(ticker);
    this.#acknowledge(stream, id);
    if (stream.channel !== 'orderbook_delta' || this.withoutSnapshot.has(action)) return;
    for (const ticker of fresh) this.snapshot(ticker);
  }

  #acknowledge(stream: Stream, id: number): void {
    this.send({ type: 'ok', id, ...this.take(stream.channel), msg: { market_tickers: [...stream.tickers].sort() } });
  }
}

function bytesOf(frame: string | Uint8Array | object): Uint8Array {
  if (frame instanceof Uint8Array) return frame;
  return Buffer.from(typeof frame === 'string' ? frame : `${JSON.stringify({ ...frame, sending_ts_ms: SENT_MS })}\n`);
}

const SENT_MS = 1_781_159_489_960;
const MARKET_ID = 'f5ed38e2-0991-4c8f-817e-08c4fd9cbfdb';
