// One listening address: its socket, and the apps of uWebSockets.js that serve its connections. The only importer of uWebSockets.js.
// Listening thread.

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
import type { TlsFiles } from '../../config.ts';
import { limits } from '../../limits.ts';
import { allowedMethods } from './allowed-methods.ts';
import type { Handle, HttpRoute, Refusals, Reply, SocketRoute } from './inbound.ts';
import { bareRequest, CopiedRequest, isSimple, parametersOf } from './inbound-request.ts';
import { InboundSocket } from './inbound-socket.ts';
import { remoteAddressText } from './remote-address.ts';
import type { Responder } from './responder.ts';
import { asOwnerOnly, SocketFile } from './unix-socket-path.ts';

export type { TemplatedApp } from 'uWebSockets.js';

/** The methods that pass connections on to another app. The package's typings omit them. */
interface Acceptor {
  getDescriptor(): unknown;
  addChildAppDescriptor(descriptor: unknown): void;
  removeChildAppDescriptor(descriptor: unknown): void;
}

/** LIBUS_LISTEN_EXCLUSIVE_PORT. Without this option, a second process silently shares the port's connections. */
const EXCLUSIVE_PORT = 1;
/** The native `listen`, which takes host and options together. The package's typings omit this form. */
type ListenExclusively = (
  host: string,
  port: number,
  options: typeof EXCLUSIVE_PORT,
  listening: (token: us_listen_socket | false) => void,
) => void;

const NATIVE_METHODS = { get: 'get', head: 'head', post: 'post', put: 'put', delete: 'del' } as const;
/**
 * The code with which uWebSockets.js reports a lost WebSocket. Any other code means that a close frame came; the socket may then still be
 * open.
 */
const ABNORMAL = 1006;
/**
 * The reason of the one exception: after an invalid close frame, uWebSockets.js reports code 1006, too, though the socket may still be
 * open.
 */
const INVALID_CLOSE = 'Received invalid close payload';
const NO_PARAMETERS: readonly string[] = [];

/** uWebSockets.js copies the fields of the user data onto its own object, so our object travels inside a carrier. */
interface Carrier {
  readonly connection: InboundSocket;
}

interface DoorParts {
  readonly app: TemplatedApp;
  readonly isUnix: boolean;
  readonly responder: Responder;
  readonly refuse: Required<Refusals>;
  readonly http: readonly HttpRoute[];
  readonly sockets: readonly SocketRoute<never>[];
  readonly connectionsMax?: number;
  readonly webSocketEndMs?: number;
  readonly webSocketEndedMs?: number;
}

/** An app with its certificate, and the number of its open connections. */
interface Serving {
  readonly app: TemplatedApp & Acceptor;
  connections: number;
}

/** Makes an app. With TLS files, the app speaks TLS. Throws if the files cannot be used. */
export function newApp(tls: TlsFiles | null): TemplatedApp {
  return tls === null ? App() : SSLApp({ key_file_name: tls.keyFile, cert_file_name: tls.certFile });
}

export class Door {
  readonly #parts: DoorParts;
  readonly #endMs: number;
  readonly #endedMs: number;
  connectionsRefused = 0;
  #connections = 0;
  /** The app that has the listening socket. It serves connections itself until the first renewal. */
  readonly #first: Serving;
  /** The first app, and all other apps with connections. The last app gets the new connections. */
  #serving: readonly Serving[];
  /** The listening socket. Null before listening and after the stop: closing a listening socket twice ends the process. */
  #token: us_listen_socket | null = null;
  #isClosed = false;

  constructor(parts: DoorParts) {
    this.#parts = parts;
    this.#endMs = parts.webSocketEndMs ?? limits.webSocketEndMs;
    this.#endedMs = parts.webSocketEndedMs ?? limits.webSocketEndedMs;
    this.#first = this.#serve(parts.app);
    this.#serving = [this.#first];
  }

  get connections(): number {
    return this.#connections;
  }

  publish(topic: string, frame: Uint8Array, isBinary: boolean): void {
    for (const { app } of this.#serving) app.publish(topic, frame, isBinary);
  }

  /**
   * Makes later connections use this app, with its certificate. The listening socket stays, so that no connection is refused meanwhile: the
   * app with the listening socket passes each new connection on.
   */
  renew(app: TemplatedApp): void {
    const former = this.#serving.at(-1)!;
    const renewed = this.#serve(app);
    this.#first.app.addChildAppDescriptor(renewed.app.getDescriptor());
    if (former !== this.#first) this.#first.app.removeChildAppDescriptor(former.app.getDescriptor());
    // A connection may be on its way to the former app, but no longer to the apps before it.
    const isOver = (it: Serving): boolean => it !== this.#first && it !== former && it.connections === 0;
    for (const { app } of this.#serving.filter(isOver)) app.close();
    this.#serving = [...this.#serving.filter(it => !isOver(it)), renewed];
  }

  #serve(app: TemplatedApp): Serving {
    const serving = { app: app as TemplatedApp & Acceptor, connections: 0 };
    const { connectionsMax = limits.httpConnectionsMax } = this.#parts;
    const count = (response: HttpResponse, change: number): void => {
      this.#count(serving, change);
      if (this.#connections <= connectionsMax || change < 0) return;
      this.connectionsRefused += 1;
      response.close();
    };
    app.filter(count);
    this.#register(serving);
    return serving;
  }

  #count(serving: Serving, change: number): void {
    serving.connections += change;
    this.#connections += change;
  }

  #register(serving: Serving): void {
    const { app } = serving;
    const { http, sockets, refuse } = this.#parts;
    for (const route of http) {
      const add = app[NATIVE_METHODS[route.method]].bind(app);
      if (route.isBare === true) add(route.pattern, this.#bareHandler(route));
      else add(route.pattern, this.#handler(route.pattern, route.handle));
    }
    for (const route of sockets) {
      this.#registerSocket(serving, route as unknown as SocketRoute<unknown>);
      const notUpgraded: Handle = request => route.notUpgraded?.(request) ?? refuse.notFound(request);
      app.get(route.pattern, this.#handler(route.pattern, notUpgraded));
    }
    const known = [
      ...http.map(({ method, pattern }) => ({ method: method.toUpperCase(), pattern })),
      ...sockets.map(({ pattern }) => ({ method: 'GET', pattern })),
    ];
    for (const [pattern, allow] of allowedMethods(known)) {
      const refused: Handle = request => withAllow(refuse.methodNotAllowed(request, allow), allow);
      app.any(pattern, this.#handler(pattern, refused));
    }
    app.any(
      '/*',
      this.#handler('/*', request => refuse.notFound(request)),
    );
  }

  /** Listens. Resolves with the port, or with null if the system refuses. */
  listen(host: string, port: number): Promise<number | null> {
    const { app } = this.#first;
    return new Promise(resolve => {
      (app.listen as unknown as ListenExclusively).call(app, host, port, EXCLUSIVE_PORT, token => {
        if (token === false) {
          resolve(null);
          return;
        }
        this.#token = token;
        resolve(us_socket_local_port(token as never));
      });
    });
  }

  listenUnix(path: string): SocketFile {
    asOwnerOnly(path, () =>
      this.#first.app.listen_unix((token: us_listen_socket | false) => {
        this.#token = token === false ? null : token;
      }, path),
    );
    if (this.#token === null) throw new Error('the system refuses a socket at that address');
    return new SocketFile(path);
  }

  stop(): void {
    if (this.#token !== null) us_listen_socket_close(this.#token);
    this.#token = null;
  }

  close(): void {
    this.stop();
    if (!this.#isClosed) for (const { app } of this.#serving) app.close();
    this.#isClosed = true;
  }

  /** Returns the address of the client, as text. */
  #addressOf(response: HttpResponse): string {
    return this.#parts.isUnix ? 'unix' : remoteAddressText(new Uint8Array(response.getRemoteAddress()));
  }

  #handler(pattern: string, handle: Handle): (response: HttpResponse, native: HttpRequest) => void {
    const parameterCount = pattern.split('/:').length - 1;
    return (response, native) => {
      const parameters = parameterCount === 0 ? NO_PARAMETERS : parametersOf(native, parameterCount);
      const request = new CopiedRequest(native, this.#addressOf(response));
      this.#parts.responder.serve(response, request, parameters, handle);
    };
  }

  #bareHandler(route: HttpRoute): (response: HttpResponse, native: HttpRequest) => void {
    const request = bareRequest(route.method.toUpperCase(), route.pattern);
    const handle: Handle = (_request, parameters, answering) => route.handle(request, parameters, answering);
    return (response, native) => {
      const { responder } = this.#parts;
      if (isSimple(native)) responder.serveBare(response, request, handle);
      else responder.serve(response, new CopiedRequest(native, this.#addressOf(response)), NO_PARAMETERS, handle);
    };
  }

  #registerSocket(serving: Serving, route: SocketRoute<unknown>): void {
    serving.app.ws<Carrier>(route.pattern, {
      maxPayloadLength: route.messageBytesMax,
      maxBackpressure: route.unsentBytesMax,
      idleTimeout: route.idleTimeoutS,
      sendPingsAutomatically: true,
      upgrade: (response, native, context) => {
        // uWebSockets.js itself checks Sec-WebSocket-Key only.
        if (native.getHeader('upgrade').toLowerCase() !== 'websocket') {
          native.setYield(true);
          return;
        }
        const key = native.getHeader('sec-websocket-key');
        const extensions = native.getHeader('sec-websocket-extensions');
        const request = new CopiedRequest(native, this.#addressOf(response));
        const accept = () => route.accept(request);
        this.#parts.responder.serveUpgrade(response, request, accept, accepted => {
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
        connection.noteDropped(() => route.dropped?.(connection));
      },
      drain: socket => {
        const connection = socket.getUserData().connection;
        if (connection.isEnded) connection.closeIfSent();
        else route.drain(connection);
      },
      close: (socket, code, reason) => {
        const connection = socket.getUserData().connection;
        this.#countClosed(serving, code, reason);
        connection.noteClosed();
        route.close(connection, code);
      },
    });
  }

  /** Counts a WebSocket that has closed, because the connection filter does not report its end. */
  #countClosed(serving: Serving, code: number, reason: ArrayBuffer): void {
    const isGone = code === ABNORMAL && Buffer.from(reason).toString() !== INVALID_CLOSE;
    if (isGone) this.#count(serving, -1);
    else setTimeout(() => this.#count(serving, -1), this.#endedMs).unref();
  }
}

function withAllow(reply: Reply, allow: string): Reply {
  return { ...reply, headers: [...(reply.headers ?? []), ['Allow', allow]] };
}
