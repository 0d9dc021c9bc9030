// Inbound sockets: HTTP and WebSockets on TCP, with or without TLS, and on a Unix domain socket. The only importer of
// uWebSockets.js: gateway and replay servers stand on it. Routes are fixed when it starts. Whatever thread listens.
//
// uWebSockets.js answers by itself, and closes, what never becomes a request: 400 (a length that is none, both lengths, no
// Host), 431 (header block too large, over 99 headers), 505 (a request line or version that it does not know, or whose version
// is cut by the end of a segment). A header that it cannot read it takes for incomplete, and closes at its timer.

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
import { limits } from '../limits.ts';
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

/** For answers that are one caller's, or one moment's: no cache on the way may keep them (RFC 9111 §5.2.2.5). */
export const NO_STORE: Header = ['Cache-Control', 'no-store'];

export function jsonReply(status: number, value: unknown): Reply & { readonly body: string } {
  return jsonText(status, JSON.stringify(value));
}

/** For what is JSON text already. */
export function jsonText(status: number, body: string): Reply & { readonly body: string } {
  return { status, contentType: 'application/json', body };
}

/** For `ListenOptions.sockets`, whose routes differ in their contexts. */
export function socketRoute<Context>(route: SocketRoute<Context>): SocketRoute<never> {
  return route as unknown as SocketRoute<never>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** Listens there too: same routes, no TLS, for processes of the same user. */
  readonly unixSocketPath?: string;
  /** PEM files; TCP then speaks TLS only. */
  readonly tls?: { readonly keyFile: string; readonly certFile: string };
  readonly http: readonly HttpRoute[];
  readonly sockets: readonly SocketRoute<never>[];
  readonly refuse?: Partial<Refusals>;
  readonly bodyBytesMax?: number;
  /** Sockets on TCP and sockets on the Unix socket, each; those beyond are closed as they come. */
  readonly connectionsMax?: number;
  /** Those of `limits` by default. */
  readonly webSocketEndMs?: number;
  readonly webSocketEndedMs?: number;
}

export interface Listener {
  readonly port: number;
  /** Sockets that are open now, WebSockets included. */
  readonly connections: number;
  /** Connections closed as they came, ever, because `connectionsMax` were open. */
  readonly connectionsRefused: number;
  /** Requests that wait for their answer. */
  readonly requestsInFlight: number;
  /** Sends one frame to every connection that is subscribed to `topic`. */
  publish(topic: string, frame: Uint8Array, isBinary: boolean): void;
  /**
   * Stops accepting; from now on every answer ends its connection. Resolves when no request is in flight. Open WebSockets
   * are their routes' affair.
   */
  drain(): Promise<void>;
  /** Stops accepting and drops every connection, whatever is in flight. */
  close(): void;
}

/** What of the options cannot be used. */
export type ListenFault = 'address' | 'unixSocketPath' | 'tls';

/** An address that cannot be bound, or TLS files that do not serve. */
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
  const tcp = open(tls === undefined ? App() : tlsApp(tls, port), peerOf);
  const doors = [tcp];
  const boundPort = await tcp.listen(host, port);
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
      throw new ListenError('unixSocketPath', port, `cannot listen on ${unixSocketPath}: ${why}`, error);
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

/** Address of the peer as text. */
type AddressOf = (response: HttpResponse) => string;

const peerOf: AddressOf = response => remoteAddressText(new Uint8Array(response.getRemoteAddress()));

/** LIBUS_LISTEN_EXCLUSIVE_PORT: without it a second process on the same port shares its connections, and nobody is told. */
const EXCLUSIVE_PORT = 1;
/** The native `listen` takes host and options together; its typings do not say so. */
type ListenExclusively = (
  host: string,
  port: number,
  options: typeof EXCLUSIVE_PORT,
  listening: (token: us_listen_socket | false) => void,
) => void;

const NATIVE_METHODS = { get: 'get', head: 'head', post: 'post', put: 'put', delete: 'del' } as const;
/** How uWebSockets.js tells of a WebSocket that is gone; every other one was ended by a close frame, and may live on. */
const ABNORMAL = 1006;
/** But for this one, which was ended as well. */
const INVALID_CLOSE = 'Received invalid close payload';
const NO_PARAMETERS: readonly string[] = [];

/** uWebSockets.js copies the fields of what it is given onto its own object, so ours travels inside one. */
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
  /** Null before it listens and after it has stopped: closing a listening socket twice ends the process. */
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
          // uWebSockets.js does not say why.
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
    asOwnerOnly(() =>
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
        // It looks at Sec-WebSocket-Key only.
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

  /** A WebSocket has closed, which the filter does not hear of. */
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
