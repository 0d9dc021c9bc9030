// Opens sockets to one origin, with or without TLS: certificate checked, HTTP/1.1 and nothing else negotiated, sessions
// resumed, so that only the first handshake is a full one. All of them read into one buffer. Any thread.

import { connect, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { type ConnectionOptions, connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';

/** Larger than the usual answer, so that it comes in one piece. */
const READ_BYTES = 64 * 1024;

export interface DialHandlers {
  /** Connected, and greeted if that is the way of the origin. */
  onOpen(): void;
  /** `bytes` are borrowed: valid until the handler returns. */
  onBytes(bytes: Buffer): void;
}

export class OutboundDialer {
  /** As in the Host header: without the scheme's own port. */
  readonly host: string;
  readonly #hostname: string;
  readonly #port: number;
  /** Null: no TLS. Made once: it holds a hundred certificates. */
  readonly #secureContext: SecureContext | null;
  /** A handler has done with it before any other socket is read: one buffer serves all. */
  readonly #readBuffer = Buffer.allocUnsafeSlow(READ_BYTES);
  #session: Buffer | undefined;

  /** Throws if `origin` is none. */
  constructor(origin: string, authorities: string | undefined) {
    const { protocol, host, hostname, port, pathname, search, username } = new URL(origin);
    if (!/^https?:$/.test(protocol) || pathname + search + username !== '/')
      throw new TypeError(`no origin: ${protocol}//${host}`);
    this.host = host;
    this.#hostname = hostname.replace(/^\[|\]$/g, '');
    const isTls = protocol === 'https:';
    this.#port = port === '' ? (isTls ? 443 : 80) : Number(port);
    this.#secureContext = isTls ? createSecureContext(authorities === undefined ? {} : { ca: authorities }) : null;
  }

  /** Errors come as the socket's events. */
  dial({ onOpen, onBytes }: DialHandlers): Socket {
    const buffer = this.#readBuffer;
    const tcp: TcpNetConnectOpts = {
      host: this.#hostname,
      port: this.#port,
      noDelay: true,
      onread: {
        buffer,
        callback: count => {
          onBytes(buffer.subarray(0, count));
          return true;
        },
      },
    };
    return this.#secureContext === null ? connect(tcp, onOpen) : this.#dialTls(tcp, this.#secureContext, onOpen);
  }

  #dialTls(tcp: TcpNetConnectOpts, secureContext: SecureContext, onOpen: () => void): Socket {
    const options: ConnectionOptions = {
      ...tcp,
      secureContext,
      ALPNProtocols: ['http/1.1'],
      // A name that is an address is checked against the certificate, too, but must not be sent.
      ...(isIP(this.#hostname) === 0 && { servername: this.#hostname }),
      ...(this.#session !== undefined && { session: this.#session }),
    };
    const socket = connectTls(options, onOpen);
    socket.on('session', session => {
      this.#session = session;
    });
    return socket;
  }
}
