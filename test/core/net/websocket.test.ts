// The client of WebSockets, at the end of a connection.

import { createHash } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectWebSocket } from '../../../src/core/net/websocket.ts';
import { limits } from '../../../src/limits.ts';

// A venue sent a close frame and left its connection open. The connection counted as open for 30 s more, and its books stayed LIVE without
// updates.
describe('0188: a close frame and no end', () => {
  /** An unmasked close frame with code 1001. */
  const GOODBYE = Buffer.from([0x88, 2, 0x03, 0xe9]);

  function accept(socket: Socket, head: string): void {
    const key = /^sec-websocket-key: *(.+)\r$/im.exec(head)?.[1] ?? '';
    const proof = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${proof}\r\n\r\n`,
    );
  }

  it('a close frame ends the connection after outboundCloseMs', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timers.mockRestore());
    const sockets: Socket[] = [];
    const server = createServer({ allowHalfOpen: true }, socket => {
      sockets.push(socket);
      socket.on('error', () => {});
      socket.once('data', head => {
        accept(socket, head.toString());
        socket.write(GOODBYE);
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const closed = Promise.withResolvers<string>();
    connectWebSocket(
      {
        url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
        headers: {},
        handshakeTimeoutMs: 5_000,
        frameBytesMax: 1_000,
      },
      { onOpen: () => {}, onFrame: () => {}, onPing: () => {}, onClose: closed.resolve },
    );
    expect(await closed.promise).toBe('code 1001');
    expect(timers.mock.calls.map(([, waitMs]) => waitMs)).toContain(limits.outboundCloseMs);
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});
