// The pool over TLS: trust, the handshake's messages, and the shorter second handshake. Certificates are real and made for the run.

import { once } from 'node:events';
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { OutboundEvent, OutboundPoolOptions } from '../../../src/core/net/outbound.ts';
import { HttpOutboundPool } from '../../../src/core/net/outbound-pool.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { turnsUntil } from '../../support/turns.ts';
import { answerText, brief, post } from './outbound-rig.ts';

const LONG_MS = 50_000;
const certificate = selfSigned();
const AUTHORITIES = { authorities: certificate.cert };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listening(server: Server): Promise<number> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** Answers every read with `ok`. */
async function tlsServer(options: TlsOptions = {}) {
  const sockets: TLSSocket[] = [];
  const server = createServer({ ...certificate, ...options }, socket => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', () => socket.write(answerText('ok')));
  });
  return { sockets, port: await listening(server) };
}

function poolOf(origin: string, options: Partial<OutboundPoolOptions> = AUTHORITIES): HttpOutboundPool {
  const pool = new HttpOutboundPool({
    origin,
    connectionsMax: 4,
    idleMs: 60_000,
    answerBytesMax: 1024 * 1024,
    ...options,
  });
  closers.push(() => pool.close());
  return pool;
}

describe('over TLS', () => {
  it('keeps connections, negotiates HTTP/1.1, and resumes the session for the next one', async () => {
    const { sockets, port } = await tlsServer({ ALPNProtocols: ['h2', 'http/1.1'] });
    const pool = poolOf(`https://127.0.0.1:${port}`);
    for (let index = 0; index < 5; index++) expect(brief(await pool.request(post('x'), LONG_MS))).toBe('200 ok');
    expect(sockets.map(it => [it.alpnProtocol, it.isSessionReused()])).toEqual([['http/1.1', false]]);
    await pool.warmUp(2);
    await turnsUntil(() => sockets.length === 2);
    expect(sockets.map(it => it.isSessionReused())).toEqual([false, true]);
  });

  it('reads an answer of many records', async () => {
    const body = 'abcdefgh'.repeat(50_000);
    const server = createServer(certificate, socket => socket.on('data', () => socket.write(answerText(body))));
    const pool = poolOf(`https://127.0.0.1:${await listening(server)}`);
    expect(brief(await pool.request(post('x'), LONG_MS))).toBe(`200 ${body}`);
    expect(brief(await pool.request(post('y'), LONG_MS))).toBe(`200 ${body}`);
  });

  it('sends nothing to a server without a trusted certificate', async () => {
    const { sockets, port } = await tlsServer();
    const outcome = await poolOf(`https://127.0.0.1:${port}`, {}).request(post('x'), LONG_MS);
    expect(outcome).toMatchObject({ type: 'not-sent', message: expect.stringContaining('self-signed') });
    expect(sockets.every(it => it.bytesRead === 0)).toBe(true);
  });

  it('sends nothing to a server by another name, but tells the name that it wants', async () => {
    const names: (string | undefined)[] = [];
    const { sockets, port } = await tlsServer({
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    });
    const outcome = await poolOf(`https://localhost:${port}`).request(post('x'), LONG_MS);
    expect(outcome).toMatchObject({ type: 'not-sent', message: expect.stringContaining('localhost') });
    expect(names).toEqual(['localhost']);
    expect(sockets.every(it => it.bytesRead === 0)).toBe(true);
  });

  it('sends nothing where TLS is not spoken', async () => {
    const port = await listening(
      createPlainServer(socket => socket.once('data', () => socket.end('HTTP/1.1 400 x\r\n\r\n'))),
    );
    expect(brief(await poolOf(`https://127.0.0.1:${port}`).request(post('x'), LONG_MS))).toBe('not-sent');
  });

  it('sends nothing where only HTTP/2 is spoken', async () => {
    const { port } = await tlsServer({ ALPNProtocols: ['h2'] });
    expect(brief(await poolOf(`https://127.0.0.1:${port}`).request(post('x'), LONG_MS))).toBe('not-sent');
  });

  it('sends nothing to a server that never greets', async () => {
    let heard = '';
    const server = createPlainServer(socket => socket.on('data', bytes => (heard += bytes.toString('latin1'))));
    const pool = poolOf(`https://127.0.0.1:${await listening(server)}`);
    expect(brief(await pool.request(post('x'), 50))).toBe('not-sent');
    expect(heard).not.toContain('POST');
  });

  it('does not use a connection that the server has ended', async () => {
    const { sockets, port } = await tlsServer();
    const counted: OutboundEvent[] = [];
    const pool = poolOf(`https://127.0.0.1:${port}`, { ...AUTHORITIES, count: event => counted.push(event) });
    expect(brief(await pool.request(post('x'), LONG_MS))).toBe('200 ok');
    sockets[0]!.end();
    await turnsUntil(() => counted.includes('closed'));
    expect(brief(await pool.request(post('x'), LONG_MS))).toBe('200 ok');
    expect(counted).toEqual(['opened', 'closed', 'opened']);
  });
});
