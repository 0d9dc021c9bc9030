// Opens sockets to one origin, with or without TLS. The dialer verifies the certificate, negotiates HTTP/1.1 only and resumes sessions, so
// that only the first handshake is full. All sockets share one read buffer. Any thread.

import { connect, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { type ConnectionOptions, connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { NameMemory } from './name-memory.ts';

/** The size of the read buffer: larger than the usual answer, so that one read takes the whole answer. */
const READ_BYTES = 64 * 1024;

interface DialHandlers {
  /** Hears that the socket is connected. With TLS, the handshake is done. */
  onOpen(): void;
  /** Hears bytes. They are borrowed: valid until the handler returns. */
  onBytes(bytes: Buffer): void;
}

export class OutboundDialer {
  /** The value of the Host header, without the scheme's default port. */
  readonly host: string;
  readonly #hostname: string;
  readonly #port: number;
  /** The TLS context; null without TLS. It is created once, since it holds a hundred certificates. */
  readonly #secureContext: SecureContext | null;
  /** One buffer serves all sockets: a handler finishes with it before another socket is read. */
  readonly #readBuffer = Buffer.allocUnsafeSlow(READ_BYTES);
  readonly #names = new NameMemory();
  #session: Buffer | undefined;

  /** Throws if `origin` is invalid. */
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

  /** Opens a socket. Errors arrive as events of the socket. */
  dial({ onOpen, onBytes }: DialHandlers): Socket {
    const buffer = this.#readBuffer;
    const tcp: TcpNetConnectOpts = {
      host: this.#hostname,
      port: this.#port,
      lookup: this.#names.lookup,
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
      // An IP address, too, is checked against the certificate, but must not be sent as SNI.
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
