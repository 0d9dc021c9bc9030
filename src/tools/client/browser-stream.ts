// The stream for browsers, over their WebSocket. A browser's WebSocket cannot send headers, so the URL of every attempt has a single-use
// ticket from the REST client (contract §8). Works with any global WebSocket. Portable.

import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { Connect, ConnectOptions, OutboundSocket, SocketHandlers } from '../../core/net/websocket.ts';
import type { StreamCodec } from '../../core/wire/messages.ts';
import type { CrossbookClient } from './crossbook-client.ts';
import { OrderbookStream } from './orderbook-stream.ts';

export interface BrowserStreamOptions {
  /** The REST client that requests tickets. The stream connects to that client's gateway. */
  readonly client: CrossbookClient;
  readonly codec?: StreamCodec;
}

export function createBrowserStream({ client, ...codec }: BrowserStreamOptions): OrderbookStream {
  const takeTicket: TakeTicket = async () => {
    const ticket = await client.call('createStreamTicket');
    return ticket.ok ? ok(ticket.value.value.ticket) : fail(`no ticket: ${ticket.error.message}`);
  };
  // A ticket opens a stream only at the gateway that issued it. By then that gateway is the owner of the key's pod.
  const connect = browserConnect(takeTicket, () => streamUrl(client.origin));
  return new OrderbookStream({ url: streamUrl(client.url), connect, follow: owner => client.follow(owner), ...codec });
}

function streamUrl(origin: string): string {
  const url = new URL('/v1/orderbook', origin);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/** Gets a fresh ticket, or the reason why there is none. */
type TakeTicket = () => Promise<Result<string, string>>;

/**
 * Connects with a fresh ticket in the URL. `urlOfTicket` is the URL at which the last ticket is valid. By default it is the URL of the
 * connection.
 */
function browserConnect(takeTicket: TakeTicket, urlOfTicket?: () => string): Connect {
  return (options, handlers) => {
    const socket = new TicketSocket(options, handlers);
    takeTicket().then(
      ticket => (ticket.ok ? socket.open(urlOfTicket?.() ?? options.url, ticket.value) : socket.end(ticket.error)),
      error => socket.end(String(error)),
    );
    return socket;
  };
}

const encoder = new TextEncoder();

class TicketSocket implements OutboundSocket {
  readonly #options: ConnectOptions;
  readonly #handlers: SocketHandlers;
  readonly #handshake: ReturnType<typeof setTimeout>;
  #socket: WebSocket | null = null;
  #isOver = false;

  constructor(options: ConnectOptions, handlers: SocketHandlers) {
    this.#options = options;
    this.#handlers = handlers;
    const { handshakeTimeoutMs } = options;
    this.#handshake = setTimeout(() => this.end(`not connected within ${handshakeTimeoutMs} ms`), handshakeTimeoutMs);
  }

  open(address: string, ticket: string): void {
    if (this.#isOver) return;
    const url = new URL(address);
    url.searchParams.set('ticket', ticket);
    const socket = this.#make(url);
    if (socket === null) return;
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => {
      if (this.#isOver) return;
      clearTimeout(this.#handshake);
      this.#handlers.onOpen();
    });
    socket.addEventListener('message', ({ data }) => this.#read(data));
    // A browser's error event has no text, and `close` follows it. In Node the event has a text, and no `close` follows a failed handshake.
    socket.addEventListener('error', event => this.end(wordsOf(event)));
    socket.addEventListener('close', ({ code, reason }) => this.end(`code ${code} ${reason}`.trim()));
  }

  send(frame: string | Uint8Array): void {
    // The cast is safe, because a frame is never in shared memory.
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(frame as string | Uint8Array<ArrayBuffer>);
  }

  terminate(): void {
    this.end('terminated');
  }

  /** Ends the connection. Browsers cannot drop a connection at once, so `close` goes on in the background, and we stop listening. */
  end(detail: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#handshake);
    this.#socket?.close();
    this.#handlers.onClose(detail);
  }

  /** Creates the WebSocket. Returns null if the browser throws, for instance for `ws:` on a page of https. */
  #make(url: URL): WebSocket | null {
    try {
      return new WebSocket(url, [...(this.#options.subprotocols ?? [])]);
    } catch (error) {
      this.end(String(error));
      return null;
    }
  }

  #read(data: unknown): void {
    if (this.#isOver) return;
    const isBinary = typeof data !== 'string';
    const frame = isBinary ? new Uint8Array(data as ArrayBuffer) : encoder.encode(data);
    if (frame.length > this.#options.frameBytesMax) this.end(`a frame of ${frame.length} bytes`);
    else this.#handlers.onFrame(frame, isBinary);
  }
}

function wordsOf(event: object): string {
  return 'message' in event && typeof event.message === 'string' ? event.message : 'the connection failed';
}
