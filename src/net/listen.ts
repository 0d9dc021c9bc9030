// Inbound sockets. The only importer of uWebSockets.js: gateway and replay servers stand on it. It keeps the native
// objects' rules in one place: a request is copied before it can die, a reply is sent once, frames are borrowed.

import {
  App,
  type HttpRequest,
  type HttpResponse,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
  type WebSocket,
} from 'uWebSockets.js';

const text = new TextDecoder();

/** LIBUS_LISTEN_EXCLUSIVE_PORT: without it a second process on the same port shares its connections, and nobody is told. */
const EXCLUSIVE_PORT = 1;
/** The native `listen` takes host and options together; its typings do not say so. */
type ListenExclusively = (
  host: string,
  port: number,
  options: typeof EXCLUSIVE_PORT,
  listening: (token: us_listen_socket | false) => void,
) => void;

/** What is left of a request after its native object is gone. */
export interface InboundRequest {
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** Raw query, without `?`; empty if none. */
  readonly query: string;
  readonly remoteAddress: string;
  /** Value of a header by lower-case name; empty if absent. */
  header(name: string): string;
}

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export function jsonReply(status: number, value: unknown): Reply {
  return { status, contentType: 'application/json', body: JSON.stringify(value) };
}

const INTERNAL_ERROR = jsonReply(500, { error: { code: 'INTERNAL_ERROR', message: 'a fault of the server' } });

export interface HttpRoute {
  readonly method: 'get';
  /** uWebSockets.js pattern: `/a/:b`. `*` matches the rest. */
  readonly pattern: string;
  handle(request: InboundRequest, parameters: readonly string[]): Reply | Promise<Reply>;
}

/** One accepted WebSocket. Every method is harmless after the connection has closed. */
export interface Connection<Context> {
  readonly context: Context;
  /** Sends one frame; returns false if it was dropped at the hard backpressure bound. */
  send(frame: Uint8Array | string, isBinary: boolean): boolean;
  /** Packs every send of `task` into as few writes as possible. */
  batch(task: () => void): void;
  subscribe(topic: string): void;
  unsubscribe(topic: string): void;
  /** Bytes handed over but not yet taken by the kernel. */
  bufferedBytes(): number;
  /** Says goodbye with a close code (RFC 6455 §7.4); `close` of the route follows. */
  end(code: number, reason: string): void;
  /** Drops the connection without a close frame. */
  terminate(): void;
}

export type Acceptance<Context> =
  | { readonly context: Context; readonly subprotocol: string }
  | { readonly refusal: Reply };

export interface SocketRoute<Context> {
  readonly pattern: string;
  readonly messageBytesMax: number;
  /** Frames beyond this much unsent data are dropped for that connection. */
  readonly unsentBytesMax: number;
  /** Seconds of silence before the connection is closed: 0 (never) or 8 to 960. Pings are sent by themselves. */
  readonly idleTimeoutS: number;
  accept(request: InboundRequest): Acceptance<Context>;
  open(connection: Connection<Context>): void;
  /** `frame` is borrowed: valid until the handler returns. */
  message(connection: Connection<Context>, frame: Uint8Array, isBinary: boolean): void;
  /** A frame to this connection was dropped at `unsentBytesMax`. */
  dropped?(connection: Connection<Context>): void;
  /** Unsent data went down. */
  drain(connection: Connection<Context>): void;
  close(connection: Connection<Context>, code: number): void;
}

export interface Listener {
  readonly port: number;
  /** Sends one frame to every connection that is subscribed to `topic`. */
  publish(topic: string, frame: Uint8Array, isBinary: boolean): void;
  /** Stops accepting and drops every connection. */
  close(): void;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly http: readonly HttpRoute[];
  /** What every other path is answered with; a bare 404 if absent. */
  readonly notFound?: Reply;
  readonly sockets: readonly SocketRoute<never>[];
}

/** For `ListenOptions.sockets`, whose routes differ in their contexts. */
export function socketRoute<Context>(route: SocketRoute<Context>): SocketRoute<never> {
  return route as unknown as SocketRoute<never>;
}

/** Listens on TCP. Rejects if the address cannot be bound. */
export function listen(options: ListenOptions): Promise<Listener> {
  const app = App();
  const notFound = options.notFound ?? { status: 404, contentType: 'text/plain', body: '' };
  for (const route of options.http) {
    const parameterCount = (route.pattern.match(/:/g) ?? []).length;
    app[route.method](route.pattern, (response, request) => {
      const parameters = Array.from({ length: parameterCount }, (_, index) => request.getParameter(index) ?? '');
      answer(response, copyRequest(response, request), parameters, route);
    });
  }
  for (const route of options.sockets) registerSocket(app, route as unknown as SocketRoute<unknown>);
  app.any('/*', response => writeReply(response, notFound));
  return new Promise((resolve, reject) => {
    (app.listen as unknown as ListenExclusively).call(app, options.host, options.port, EXCLUSIVE_PORT, token => {
      if (token === false) {
        reject(new Error(`cannot listen on ${options.host}:${options.port}`));
        return;
      }
      resolve({
        port: us_socket_local_port(token as never),
        publish: (topic, frame, isBinary) => {
          app.publish(topic, frame, isBinary);
        },
        close: () => {
          us_listen_socket_close(token);
          app.close();
        },
      });
    });
  });
}

function copyRequest(response: HttpResponse, request: HttpRequest): InboundRequest {
  const headers = new Map<string, string>();
  request.forEach((name, value) => {
    headers.set(name, value);
  });
  return {
    method: request.getCaseSensitiveMethod(),
    path: request.getUrl(),
    query: request.getQuery() ?? '',
    remoteAddress: text.decode(response.getRemoteAddressAsText()),
    header: name => headers.get(name) ?? '',
  };
}

function answer(
  response: HttpResponse,
  request: InboundRequest,
  parameters: readonly string[],
  route: HttpRoute,
): void {
  let isOver = false;
  response.onAborted(() => {
    isOver = true;
  });
  const send = (reply: Reply): void => {
    if (isOver) return;
    isOver = true;
    response.cork(() => writeReply(response, reply));
  };
  // Inside a promise, so that nothing a handler throws passes through the native callback.
  new Promise<Reply>(resolve => resolve(route.handle(request, parameters))).then(send, () => send(INTERNAL_ERROR));
}

function writeReply(response: HttpResponse, reply: Reply): void {
  response.writeStatus(String(reply.status)).writeHeader('Content-Type', reply.contentType).end(reply.body);
}

/** uWebSockets.js copies the fields of what it is given onto its own object, so ours travels inside one. */
interface Carrier {
  readonly connection: NativeConnection;
}

class NativeConnection implements Connection<unknown> {
  readonly context: unknown;
  /** Null until `open` and again from `close` on: a native socket must not be touched then. */
  socket: WebSocket<Carrier> | null = null;

  constructor(context: unknown) {
    this.context = context;
  }

  send(frame: Uint8Array | string, isBinary: boolean): boolean {
    return this.socket !== null && this.socket.send(frame, isBinary) !== 2;
  }

  batch(task: () => void): void {
    this.socket?.cork(task);
  }

  subscribe(topic: string): void {
    this.socket?.subscribe(topic);
  }

  unsubscribe(topic: string): void {
    this.socket?.unsubscribe(topic);
  }

  bufferedBytes(): number {
    return this.socket?.getBufferedAmount() ?? 0;
  }

  end(code: number, reason: string): void {
    this.socket?.end(code, reason);
  }

  terminate(): void {
    this.socket?.close();
  }
}

function registerSocket(app: ReturnType<typeof App>, route: SocketRoute<unknown>): void {
  app.ws<Carrier>(route.pattern, {
    maxPayloadLength: route.messageBytesMax,
    maxBackpressure: route.unsentBytesMax,
    idleTimeout: route.idleTimeoutS,
    sendPingsAutomatically: true,
    upgrade: (response, request, context) => {
      const key = request.getHeader('sec-websocket-key');
      const extensions = request.getHeader('sec-websocket-extensions');
      const acceptance = route.accept(copyRequest(response, request));
      if ('refusal' in acceptance) {
        writeReply(response, acceptance.refusal);
        return;
      }
      const connection = new NativeConnection(acceptance.context);
      response.upgrade<Carrier>({ connection }, key, acceptance.subprotocol, extensions, context);
    },
    open: socket => {
      const connection = socket.getUserData().connection;
      connection.socket = socket;
      route.open(connection);
    },
    message: (socket, frame, isBinary) =>
      route.message(socket.getUserData().connection, new Uint8Array(frame), isBinary),
    dropped: socket => route.dropped?.(socket.getUserData().connection),
    drain: socket => route.drain(socket.getUserData().connection),
    close: (socket, code) => {
      const connection = socket.getUserData().connection;
      connection.socket = null;
      route.close(connection, code);
    },
  });
}
