// Outbound WebSocket connections. The only importer of `ws`.

import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { limits } from '../../limits.ts';
import { streamRefusal } from './read-only-hosts.ts';

// The package is CommonJS: an `import` would make each thread first scan its text for export names (docs/PERFORMANCE.md, Starting).
const { WebSocket } = createRequire(import.meta.url)('ws') as typeof import('ws');

/** The option stands apart from the other options, because the types of `ws` omit it. */
const CLOSING = { closeTimeout: limits.outboundCloseMs };

export interface OutboundSocket {
  /** Sends text as a text frame, and bytes as a binary frame. The frame is ignored once the socket is closing. */
  send(frame: string | Uint8Array): void;
  /** Closes without waiting for the peer. `onClose` follows. */
  terminate(): void;
}

export interface SocketHandlers {
  onOpen(): void;
  /** Hears one complete frame. `data` is borrowed: valid until the handler returns. */
  onFrame(data: Uint8Array, isBinary: boolean): void;
  /** Hears that the peer sent a ping control frame (the pong is already on its way). */
  onPing(): void;
  /** Called exactly once per connection, even if it never opened. `detail` names the cause. */
  onClose(detail: string): void;
}

export interface ConnectOptions {
  readonly url: string;
  /** The path of a Unix domain socket, used instead of host and port of `url`. */
  readonly socketPath?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly subprotocols?: readonly string[];
  readonly handshakeTimeoutMs: number;
  readonly frameBytesMax: number;
  /**
   * Hears that the peer answers the handshake with another status. `header` takes a lower-case name; empty means absent. `onClose` follows.
   */
  readonly onRefused?: (answer: { readonly status: number; header(name: string): string }) => void;
}

export type Connect = (options: ConnectOptions, handlers: SocketHandlers) => OutboundSocket;

const NO_SOCKET: OutboundSocket = { send: () => {}, terminate: () => {} };

/** Opens a WebSocket without compression. Frames arrive as the bytes that the peer sent; their UTF-8 is not checked. */
export const connectWebSocket: Connect = (options, handlers) => {
  const { socketPath, onRefused } = options;
  const refused = socketPath === undefined ? streamRefusal(options.url) : null;
  if (refused !== null) {
    queueMicrotask(() => handlers.onClose(refused));
    return NO_SOCKET;
  }
  const socket = new WebSocket(options.url, [...(options.subprotocols ?? [])], {
    ...CLOSING,
    headers: options.headers,
    handshakeTimeout: options.handshakeTimeoutMs,
    maxPayload: options.frameBytesMax,
    perMessageDeflate: false,
    skipUTF8Validation: true,
    ...(socketPath !== undefined && { createConnection: () => connect(socketPath) }),
  });
  socket.binaryType = 'nodebuffer';
  let detail = '';
  socket.on('open', () => handlers.onOpen());
  socket.on('message', (data, isBinary) => handlers.onFrame(data as Buffer, isBinary));
  socket.on('ping', () => handlers.onPing());
  socket.on('error', error => {
    detail ||= error.message;
  });
  if (onRefused !== undefined) {
    socket.on('unexpected-response', (_request, { statusCode: status = 0, headersDistinct }) => {
      detail = `Unexpected server response: ${status}`;
      onRefused({ status, header: name => headersDistinct[name]?.join(', ') ?? '' });
      socket.terminate();
    });
  }
  socket.on('close', (code, reason) => handlers.onClose(detail || `code ${code} ${reason.toString()}`.trim()));
  return {
    send: frame => {
      if (socket.readyState === WebSocket.OPEN) socket.send(frame);
    },
    terminate: () => socket.terminate(),
  };
};
