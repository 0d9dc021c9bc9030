// The control socket: a Unix domain socket in the data directory, which only its owner can use. A command sends one line of JSON on it, and
// gets one line of JSON back. The gateway opens the socket at its start, so that a full disk later does not keep an operator away. Main
// thread.

import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { wordsOf } from '../../core/domain/error-words.ts';
import { asOwnerOnly, clearSocketPath } from '../../core/net/unix-socket-path.ts';
import type { Log } from '../../core/runtime/log.ts';
import {
  CONTROL_REQUEST_BYTES_MAX,
  CONTROL_SOCKET,
  type ControlAnswer,
  type ControlRequest,
  readControlRequest,
} from '../../core/wire/control.ts';

const CONNECTIONS_MAX = 16;
/** A connection is closed after this time without traffic. The time is longer than a stop waits for its cancels. */
const IDLE_MS = 30_000;
const NEWLINE = 0x0a;

export type AnswerControl = (request: ControlRequest) => Promise<ControlAnswer>;

/**
 * Listens until the returned function is called. If the socket cannot be made, the gateway goes on without it, and logs why. The caller
 * owns the data directory, so no other gateway uses the socket.
 */
export async function openControlSocket(dataDir: string, answer: AnswerControl, log: Log): Promise<() => void> {
  const path = join(dataDir, CONTROL_SOCKET);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, answer);
  });
  server.maxConnections = CONNECTIONS_MAX;
  try {
    await clearSocketPath(path);
    await listenOn(server, path);
    // The gateway may be out of file descriptors, for example. A later connection may be accepted again.
    server.on('error', error => log.warn('the control socket accepts no connection', { error: wordsOf(error) }));
  } catch (error) {
    log.warn('no control socket: crossbook stop and crossbook status do not work', { path, error: wordsOf(error) });
    return () => {};
  }
  return () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
}

async function listenOn(server: Server, path: string): Promise<void> {
  const listening = once(server, 'listening');
  asOwnerOnly(path, () => server.listen(path));
  await listening;
}

/** Answers one request on each connection. */
function serve(socket: Socket, answer: AnswerControl): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  // The client has gone away. Its request is carried out nevertheless.
  socket.on('error', () => {});
  socket.on('data', chunk => {
    chunks.push(chunk);
    bytes += chunk.length;
    const isWhole = chunk.includes(NEWLINE);
    if (!isWhole && bytes <= CONTROL_REQUEST_BYTES_MAX) return;
    socket.pause();
    const tooLong = { type: 'usage', message: `a request has at most ${CONTROL_REQUEST_BYTES_MAX} bytes` } as const;
    const answered =
      bytes > CONTROL_REQUEST_BYTES_MAX ? Promise.resolve(tooLong) : answerTo(Buffer.concat(chunks), answer);
    void answered.then(it => socket.end(`${JSON.stringify(it)}\n`));
  });
}

async function answerTo(bytes: Buffer, answer: AnswerControl): Promise<ControlAnswer> {
  const [line = ''] = bytes.toString('utf8').split('\n');
  const request = readControlRequest(line);
  return request.ok ? answer(request.value) : { type: 'usage', message: request.error };
}
