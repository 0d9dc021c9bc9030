// Venue B in memory, as far as its stream and its market facts go: implementations of the Connect and HttpGet ports that a
// test drives. It answers commands as venue-b.md §10.2 measured them unless it is set silent, and numbers its frames.

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

/** Levels of a snapshot as the venue writes them; a missing side is empty. */
export interface WireBook {
  yes?: [price: string, size: string][];
  no?: [price: string, size: string][];
}

export const LINEAR_CENT = [{ start: '0.0000', end: '1.0000', step: '0.0100' }];
export const DECI_CENT = [{ start: '0.0000', end: '1.0000', step: '0.0010' }];

export class ScriptedVenue {
  /** Every handshake so far. */
  readonly handshakes: ConnectOptions[] = [];
  /** Paths asked by REST so far. */
  readonly asked: string[] = [];
  /** Commands of the present connection. */
  commands: Command[] = [];
  /** Market objects by ticker; a ticker that is not here is 404. */
  readonly markets = new Map<string, Record<string, unknown>>();
  readonly books = new Map<string, WireBook>();
  /** Books by REST; null: they cannot be read. */
  restBooks: Map<string, WireBook> | null = null;
  /** Status of REST answers instead of 200. */
  restStatus = 200;
  /** Status of answers to lists instead of 200. */
  listStatus = 200;
  /** REST answers until it says 429. */
  readsLeft = Number.POSITIVE_INFINITY;
  /** REST answers wait for it: made when asked, on their way until then. */
  restDelay: Promise<void> = Promise.resolve();
  /** Whether commands are answered by themselves. */
  isAnswering = true;
  /** Which actions are acknowledged but bring no snapshot. */
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

  /** `GET /markets/{ticker}`, or `GET /markets` with `tickers` and `limit`. */
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

  /** The upgrade succeeds. */
  open(): void {
    this.#isOpen = true;
    this.#streams = [];
    this.commands = [];
    this.#handlers?.onOpen();
  }

  /** The connection is gone. */
  drop(detail: string): void {
    const handlers = this.#handlers;
    this.#handlers = null;
    this.#isOpen = false;
    handlers?.onClose(detail);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Sends a frame as it is; objects become JSON with the venue's time of sending and newline. */
  send(frame: string | Uint8Array | object): void {
    this.#handlers?.onFrame(bytesOf(frame), false);
  }

  /** Sends its control frame of every ten seconds. */
  ping(): void {
    this.#handlers?.onPing();
  }

  /** The next sequence number of a channel, taken. */
  take(channel: string): { sid: number; seq: number } {
    const stream = this.#streams.find(candidate => candidate.channel === channel);
    if (stream === undefined) throw new Error(`the client has no subscription to ${channel}`);
    stream.seq += 1;
    return { sid: stream.sid, seq: stream.seq };
  }

  /** Tickers that a channel carries. */
  carried(channel: string): string[] {
    return this.#streams.flatMap(stream => (stream.channel === channel ? [...stream.tickers] : []));
  }

  /** Sends a message with the next number of its subscription. */
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

  /** Commands of one kind on the present connection: by verb, or by the action of an update. */
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

  /** As measured: a second `subscribe` to a channel merges into the first: `ok`, then snapshots of what is new. */
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
