// Inbound sockets: HTTP and WebSockets on TCP, with or without TLS, and on a Unix domain socket. The only importer of
// uWebSockets.js; the gateway and the replay servers use it. Routes are fixed at the start. Listening thread.
//
// uWebSockets.js answers and closes malformed requests itself. 400: invalid length, both lengths, or no Host. 431: header
// block too large, or over 99 headers. 505: unknown request line or version, or a version that a segment's end cuts. It takes
// an unreadable header for an incomplete one and closes at its timer.

import './header-block-limit.ts';
import {
  App,
  type HttpRequest,
  type HttpResponse,
  SSLApp,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js';
import { accessSync, constants } from 'node:fs';
import { limits } from '../../limits.ts';
import { allowedMethods } from './allowed-methods.ts';
import { Traffic } from './exchange.ts';
import type { Handle, Header, HttpRoute, Refusals, Reply, SocketRoute } from './inbound.ts';
import { bareRequest, CopiedRequest, isSimple, parametersOf } from './inbound-request.ts';
import { InboundSocket } from './inbound-socket.ts';
import { remoteAddressText } from './remote-address.ts';
import { PLAIN_REFUSALS, Responder } from './responder.ts';
import { asOwnerOnly, clearSocketPath, SocketFile } from './unix-socket-path.ts';

export type {
  Acceptance,
  Connection,
  Header,
  HttpRoute,
  InboundRequest,
  Refusals,
  Reply,
  SocketRoute,
} from './inbound.ts';

/** The header of answers that belong to one caller or one moment: no cache may store them (RFC 9111 §5.2.2.5). */
export const NO_STORE: Header = ['Cache-Control', 'no-store'];

export const JSON_TYPE = 'application/json';

export function jsonReply(status: number, value: unknown): Reply & { readonly body: string } {
  return jsonText(status, JSON.stringify(value));
}

/** A reply whose body is JSON text already. */
export function jsonText(status: number, body: string): Reply & { readonly body: string } {
  return { status, contentType: JSON_TYPE, body };
}

/** A route for `ListenOptions.sockets`, whose routes have different contexts. */
export function socketRoute<Context>(route: SocketRoute<Context>): SocketRoute<never> {
  return route as unknown as SocketRoute<never>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 picks a free port; null: not on TCP. */
  readonly port: number | null;
  /** A Unix socket with the same routes and no TLS, for processes of the same user. */
  readonly unixSocketPath?: string;
  /** PEM files; with them TCP speaks TLS only. */
  readonly tls?: { readonly keyFile: string; readonly certFile: string };
  readonly http: readonly HttpRoute[];
  readonly sockets: readonly SocketRoute<never>[];
  readonly refuse?: Partial<Refusals>;
  readonly bodyBytesMax?: number;
  /** The most sockets on TCP, and the most on the Unix socket. Connections beyond that are closed on arrival. */
  readonly connectionsMax?: number;
  /** The default is that of `limits`. */
  readonly webSocketEndMs?: number;
  readonly webSocketEndedMs?: number;
}

export interface Listener {
  /** 0 without TCP. */
  readonly port: number;
  /** The number of open sockets, WebSockets included. */
  readonly connections: number;
  /** Connections closed on arrival, ever, because `connectionsMax` were open. */
  readonly connectionsRefused: number;
  /** Requests that await their answers. */
  readonly requestsInFlight: number;
  /** Sends one frame to every subscriber of `topic`. */
  publish(topic: string, frame: Uint8Array, isBinary: boolean): void;
  /**
   * Stops accepting; from now on each answer ends its connection. Resolves when no request is in flight. The routes close open
   * WebSockets themselves.
   */
  drain(): Promise<void>;
  /** Stops accepting and drops every connection, with its requests in flight. */
  close(): void;
}

/** An option that cannot be used. */
export type ListenFault = 'address' | 'metricsAddress' | 'tradeAddress' | 'unixSocketPath' | 'tradeSocketPath' | 'tls';

/** An address that cannot be bound, or unusable TLS files. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly of: ListenFault;
  readonly port: number;

  constructor(of: ListenFault, port: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.of = of;
    this.port = port;
  }
}

/** Rejects with a `ListenError`. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { host, port, unixSocketPath, tls } = options;
  const traffic = new Traffic();
  const refuse = { ...PLAIN_REFUSALS, ...options.refuse };
  const responder = new Responder({ refuse, bodyBytesMax: options.bodyBytesMax ?? limits.bodyBytesMax, traffic });
  const open = (app: TemplatedApp, addressOf: AddressOf): Door => {
    const door = new Door(app, addressOf, responder, options);
    door.register(options.http, options.sockets, refuse);
    return door;
  };
  const doors: Door[] = [];
  let boundPort = 0;
  if (port !== null) {
    const tcp = open(tls === undefined ? App() : tlsApp(tls, port), peerOf);
    doors.push(tcp);
    boundPort = await tcp.listen(host, port);
  }
  let socketFile: SocketFile | null = null;
  if (unixSocketPath !== undefined) {
    const unix = open(App(), () => 'unix');
    doors.push(unix);
    try {
      await clearSocketPath(unixSocketPath);
      socketFile = unix.listenUnix(unixSocketPath);
    } catch (error) {
      for (const door of doors) door.close();
      const why = error instanceof Error ? error.message : String(error);
      throw new ListenError('unixSocketPath', boundPort, `cannot listen on ${unixSocketPath}: ${why}`, error);
    }
  }
  const stop = (): void => {
    for (const door of doors) door.stop();
    socketFile?.remove();
    socketFile = null;
  };
  return {
    port: boundPort,
    get connections() {
      return doors.reduce((sum, door) => sum + door.connections, 0);
    },
    get connectionsRefused() {
      return doors.reduce((sum, door) => sum + door.connectionsRefused, 0);
    },
    get requestsInFlight() {
      return traffic.inFlight;
    },
    publish: (topic, frame, isBinary) => {
      for (const door of doors) door.app.publish(topic, frame, isBinary);
    },
    drain: () => {
      stop();
      return traffic.drain();
    },
    close: () => {
      stop();
      for (const door of doors) door.close();
    },
  };
}

/** The peer's address as text. */
type AddressOf = (response: HttpResponse) => string;

const peerOf: AddressOf = response => remoteAddressText(new Uint8Array(response.getRemoteAddress()));

/** LIBUS_LISTEN_EXCLUSIVE_PORT: without it a second process silently shares the port's connections. */
const EXCLUSIVE_PORT = 1;
/** The native `listen` takes host and options together, which its typings omit. */
type ListenExclusively = (
  host: string,
  port: number,
  options: typeof EXCLUSIVE_PORT,
  listening: (token: us_listen_socket | false) => void,
) => void;

const NATIVE_METHODS = { get: 'get', head: 'head', post: 'post', put: 'put', delete: 'del' } as const;
/** The code with which uWebSockets.js reports a lost WebSocket. Any other code means a close frame; the socket may then still be open. */
const ABNORMAL = 1006;
/** The exception: this one ended with code 1006 too. */
const INVALID_CLOSE = 'Received invalid close payload';
const NO_PARAMETERS: readonly string[] = [];

/** uWebSockets.js copies the fields of the user data onto its own object, so our object travels inside a carrier. */
interface Carrier {
  readonly connection: InboundSocket;
}

/** One app on one address. */
class Door {
  readonly app: TemplatedApp;
  readonly #addressOf: AddressOf;
  readonly #responder: Responder;
  readonly #endMs: number;
  readonly #endedMs: number;
  connectionsRefused = 0;
  #connections = 0;
  /** Null before listening and after the stop: closing a listening socket twice ends the process. */
  #token: us_listen_socket | null = null;
  #isClosed = false;

  constructor(app: TemplatedApp, addressOf: AddressOf, responder: Responder, options: ListenOptions) {
    const { connectionsMax = limits.httpConnectionsMax } = options;
    this.app = app;
    this.#addressOf = addressOf;
    this.#responder = responder;
    this.#endMs = options.webSocketEndMs ?? limits.webSocketEndMs;
    this.#endedMs = options.webSocketEndedMs ?? limits.webSocketEndedMs;
    const count = (response: HttpResponse, change: number): void => {
      this.#connections += change;
      if (this.#connections <= connectionsMax || change < 0) return;
      this.connectionsRefused += 1;
      response.close();
    };
    app.filter(count);
  }

  get connections(): number {
    return this.#connections;
  }

  register(http: readonly HttpRoute[], sockets: readonly SocketRoute<never>[], refuse: Required<Refusals>): void {
    for (const route of http) {
      const add = this.app[NATIVE_METHODS[route.method]].bind(this.app);
      if (route.isBare === true) add(route.pattern, this.#bareHandler(route));
      else
        add(
          route.pattern,
          this.#handler(route.pattern, (request, parameters) => route.handle(request, parameters)),
        );
    }
    for (const route of sockets) {
      this.#registerSocket(route as unknown as SocketRoute<unknown>);
      const notUpgraded: Handle = request => route.notUpgraded?.(request) ?? refuse.notFound(request);
      this.app.get(route.pattern, this.#handler(route.pattern, notUpgraded));
    }
    const known = [
      ...http.map(({ method, pattern }) => ({ method: method.toUpperCase(), pattern })),
      ...sockets.map(({ pattern }) => ({ method: 'GET', pattern })),
    ];
    for (const [pattern, allow] of allowedMethods(known)) {
      const refused: Handle = request => withAllow(refuse.methodNotAllowed(request, allow), allow);
      this.app.any(pattern, this.#handler(pattern, refused));
    }
    this.app.any(
      '/*',
      this.#handler('/*', request => refuse.notFound(request)),
    );
  }

  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      (this.app.listen as unknown as ListenExclusively).call(this.app, host, port, EXCLUSIVE_PORT, token => {
        if (token === false) {
          // uWebSockets.js gives no reason.
          const why = 'the port is taken, or the address is not this machine’s';
          reject(new ListenError('address', port, `cannot listen on ${host}:${port}: ${why}`));
          return;
        }
        this.#token = token;
        resolve(us_socket_local_port(token as never));
      });
    });
  }

  listenUnix(path: string): SocketFile {
    asOwnerOnly(path, () =>
      this.app.listen_unix((token: us_listen_socket | false) => {
        this.#token = token === false ? null : token;
      }, path),
    );
    if (this.#token === null) throw new Error('the system refuses a socket there');
    return new SocketFile(path);
  }

  stop(): void {
    if (this.#token !== null) us_listen_socket_close(this.#token);
    this.#token = null;
  }

  close(): void {
    this.stop();
    if (!this.#isClosed) this.app.close();
    this.#isClosed = true;
  }

  #handler(pattern: string, handle: Handle): (response: HttpResponse, native: HttpRequest) => void {
    const parameterCount = pattern.split('/:').length - 1;
    return (response, native) => {
      const parameters = parameterCount === 0 ? NO_PARAMETERS : parametersOf(native, parameterCount);
      const request = new CopiedRequest(native, this.#addressOf(response));
      this.#responder.serve(response, request, () => handle(request, parameters));
    };
  }

  #bareHandler(route: HttpRoute): (response: HttpResponse, native: HttpRequest) => void {
    const request = bareRequest(route.method.toUpperCase(), route.pattern);
    const handle = () => route.handle(request, NO_PARAMETERS);
    return (response, native) => {
      if (isSimple(native)) this.#responder.serveBare(response, request, handle);
      else this.#responder.serve(response, new CopiedRequest(native, this.#addressOf(response)), handle);
    };
  }

  #registerSocket(route: SocketRoute<unknown>): void {
    this.app.ws<Carrier>(route.pattern, {
      maxPayloadLength: route.messageBytesMax,
      maxBackpressure: route.unsentBytesMax,
      idleTimeout: route.idleTimeoutS,
      sendPingsAutomatically: true,
      upgrade: (response, native, context) => {
        // uWebSockets.js checks Sec-WebSocket-Key only.
        if (native.getHeader('upgrade').toLowerCase() !== 'websocket') {
          native.setYield(true);
          return;
        }
        const key = native.getHeader('sec-websocket-key');
        const extensions = native.getHeader('sec-websocket-extensions');
        const request = new CopiedRequest(native, this.#addressOf(response));
        const accept = () => route.accept(request);
        this.#responder.serveUpgrade(response, request, accept, accepted => {
          const connection = new InboundSocket(accepted.context, this.#endMs);
          response.writeStatus('101 Switching Protocols');
          for (const [name, value] of accepted.headers ?? []) response.writeHeader(name, value);
          response.upgrade<Carrier>({ connection }, key, accepted.subprotocol, extensions, context);
        });
      },
      open: socket => {
        const connection = socket.getUserData().connection;
        connection.socket = socket;
        route.open(connection);
      },
      message: (socket, frame, isBinary) => {
        const connection = socket.getUserData().connection;
        if (!connection.isEnded) route.message(connection, new Uint8Array(frame), isBinary);
      },
      dropped: socket => {
        const connection = socket.getUserData().connection;
        connection.dropped(() => route.dropped?.(connection));
      },
      drain: socket => {
        const connection = socket.getUserData().connection;
        if (connection.isEnded) connection.sayGoodbye();
        else route.drain(connection);
      },
      close: (socket, code, reason) => {
        const connection = socket.getUserData().connection;
        this.#discount(code, reason);
        connection.closed();
        route.close(connection, code);
      },
    });
  }

  /** A WebSocket has closed; the connection filter does not report that. */
  #discount(code: number, reason: ArrayBuffer): void {
    const isGone = code === ABNORMAL && Buffer.from(reason).toString() !== INVALID_CLOSE;
    if (isGone) this.#connections -= 1;
    else
      setTimeout(() => {
        this.#connections -= 1;
      }, this.#endedMs).unref();
  }
}

function withAllow(reply: Reply, allow: string): Reply {
  return { ...reply, headers: [...(reply.headers ?? []), ['Allow', allow]] };
}

function tlsApp({ keyFile, certFile }: NonNullable<ListenOptions['tls']>, port: number): TemplatedApp {
  for (const file of [keyFile, certFile]) {
    try {
      accessSync(file, constants.R_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new ListenError('tls', port, `TLS: cannot read ${file} (${code})`, error);
    }
  }
  try {
    return SSLApp({ key_file_name: keyFile, cert_file_name: certFile });
  } catch (error) {
    const why = 'are no PEM key and certificate that belong together';
    throw new ListenError('tls', port, `TLS: ${keyFile} and ${certFile} ${why}`, error);
  }
}
