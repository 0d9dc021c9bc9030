// Inbound sockets: HTTP and WebSockets on TCP, with or without TLS, and on a Unix domain socket. The gateway and the replay servers use
// this module. Routes are fixed at the start. Listening thread.
//
// uWebSockets.js itself answers malformed requests and closes their connections. 400: invalid length, both lengths, or no Host. 431: header
// block too large, or over 99 headers. 505: unknown request line or version, or a version that the end of a segment cuts. It takes an
// unreadable header for an incomplete header, and closes the connection when its timer ends.

import { accessSync, constants } from 'node:fs';
import type { TlsFiles } from '../../config.ts';
import { limits } from '../../limits.ts';
import { Door, newApp, type TemplatedApp } from './door.ts';
import { Traffic } from './exchange.ts';
import type { Header, HttpRoute, Refusals, Reply, SocketRoute } from './inbound.ts';
import { PLAIN_REFUSALS, Responder } from './responder.ts';
import { clearSocketPath, type SocketFile } from './unix-socket-path.ts';

export type {
  Acceptance,
  Answering,
  Connection,
  Header,
  HttpRoute,
  InboundRequest,
  Refusals,
  Reply,
  SocketRoute,
} from './inbound.ts';

/** The header of answers that belong to one caller or one moment. No cache may store such answers (RFC 9111 §5.2.2.5). */
export const NO_STORE: Header = ['Cache-Control', 'no-store'];

export const JSON_TYPE = 'application/json';

export function jsonReply(status: number, value: unknown): Reply & { readonly body: string } {
  return jsonText(status, JSON.stringify(value));
}

/** Returns a reply with a body that is JSON text already. */
export function jsonText(status: number, body: string): Reply & { readonly body: string } {
  return { status, contentType: JSON_TYPE, body };
}

/** Returns the route in the type of `ListenOptions.sockets`, where the routes have different contexts. */
export function socketRoute<Context>(route: SocketRoute<Context>): SocketRoute<never> {
  return route as unknown as SocketRoute<never>;
}

export interface ListenOptions {
  readonly host: string;
  /** The port on TCP. 0 picks a free port. Null means that the listener does not listen on TCP. */
  readonly port: number | null;
  /** The path of a Unix socket with the same routes and no TLS, for processes of the same user. */
  readonly unixSocketPath?: string;
  /** PEM files. With these files, TCP speaks TLS only. */
  readonly tls?: TlsFiles;
  readonly http: readonly HttpRoute[];
  readonly sockets: readonly SocketRoute<never>[];
  readonly refuse?: Partial<Refusals>;
  readonly bodyBytesMax?: number;
  /** The largest number of connections on TCP, and the largest number on the Unix socket. Further connections are closed on arrival. */
  readonly connectionsMax?: number;
  /** The default is the value in `limits`. */
  readonly webSocketEndMs?: number;
  readonly webSocketEndedMs?: number;
}

export interface Listener {
  /** The port on TCP; 0 without TCP. */
  readonly port: number;
  /** The number of open sockets, WebSockets included. */
  readonly connections: number;
  /** The number of connections so far that were closed on arrival, because `connectionsMax` were open. */
  readonly connectionsRefused: number;
  /** The number of requests that await their answers. */
  readonly requestsInFlight: number;
  /** Sends one frame to every subscriber of `topic`. */
  publish(topic: string, frame: Uint8Array, isBinary: boolean): void;
  /**
   * Makes later connections on TCP use this certificate; open connections keep theirs. If this throws a `ListenError`, nothing has changed.
   */
  renewTls(files: TlsFiles): void;
  /**
   * Stops accepting, and makes each answer from now on end its connection. Resolves when no request is in flight. The routes themselves
   * close open WebSockets.
   */
  drain(): Promise<void>;
  /** Stops accepting and drops every connection, with its requests in flight. */
  close(): void;
}

/** The option that cannot be used. */
export type ListenFault = 'address' | 'metricsAddress' | 'tradeAddress' | 'unixSocketPath' | 'tradeSocketPath' | 'tls';

/** The error of an address that cannot be bound, or of TLS files that cannot be used. */
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

/** Opens the listener. Rejects with a `ListenError`. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { host, port, unixSocketPath, tls } = options;
  const traffic = new Traffic();
  const refuse = { ...PLAIN_REFUSALS, ...options.refuse };
  const responder = new Responder({ refuse, bodyBytesMax: options.bodyBytesMax ?? limits.bodyBytesMax, traffic });
  const open = (app: TemplatedApp, isUnix = false): Door => new Door({ ...options, app, isUnix, responder, refuse });
  const doors: Door[] = [];
  let boundPort = 0;
  let tcp: Door | null = null;
  if (port !== null) {
    tcp = open(tls === undefined ? newApp(null) : tlsApp(tls, port));
    doors.push(tcp);
    boundPort = await listenOn(tcp, host, port);
  }
  let socketFile: SocketFile | null = null;
  if (unixSocketPath !== undefined) {
    const unix = open(newApp(null), true);
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
      for (const door of doors) door.publish(topic, frame, isBinary);
    },
    renewTls: files => tcp?.renew(tlsApp(files, boundPort)),
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

async function listenOn(door: Door, host: string, port: number): Promise<number> {
  const bound = await door.listen(host, port);
  if (bound !== null) return bound;
  // uWebSockets.js gives no reason, so the text names both.
  const why = 'the port is taken, or the address is not this machine’s';
  throw new ListenError('address', port, `cannot listen on ${host}:${port}: ${why}`);
}

function tlsApp({ keyFile, certFile }: TlsFiles, port: number): TemplatedApp {
  for (const file of [keyFile, certFile]) {
    try {
      accessSync(file, constants.R_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new ListenError('tls', port, `TLS: cannot read ${file} (${code})`, error);
    }
  }
  try {
    return newApp({ keyFile, certFile });
  } catch (error) {
    const why = 'are not a PEM key and certificate that belong together';
    throw new ListenError('tls', port, `TLS: ${keyFile} and ${certFile} ${why}`, error);
  }
}
