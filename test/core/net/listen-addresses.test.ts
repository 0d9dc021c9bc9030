// The addresses of a server: TCP, TLS, a Unix socket beside either; refusals at the start, and files left at the end.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  type HttpRoute,
  jsonReply,
  type Listener,
  type ListenOptions,
  listen,
  socketRoute,
} from '../../../src/core/net/listen.ts';
import { RawHttp } from '../../support/raw-http.ts';
import { type SelfSigned, selfSigned } from '../../support/self-signed.ts';

const whoAsks: HttpRoute = {
  method: 'get',
  pattern: '/who',
  handle: ({ remoteAddress }) => jsonReply(200, remoteAddress),
};
const GET_WHO = 'GET /who HTTP/1.1\r\nHost: x\r\n\r\n';

let folder: string;
let path: string;
let certificate: SelfSigned;
const listeners: Listener[] = [];

async function open(options: Partial<ListenOptions>): Promise<Listener> {
  const listener = await listen({ host: '127.0.0.1', port: 0, http: [whoAsks], sockets: [], ...options });
  listeners.push(listener);
  return listener;
}

async function ask(to: { readonly port: number } | { readonly path: string }): Promise<string | undefined> {
  const client = await RawHttp.connect(to);
  const [answer] = await client.send(GET_WHO).hear(1);
  client.destroy();
  return answer?.body;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'listen-'));
  path = join(folder, 'gateway.sock');
  certificate = selfSigned();
  writeFileSync(join(folder, 'key.pem'), certificate.key);
  writeFileSync(join(folder, 'cert.pem'), certificate.cert);
  writeFileSync(join(folder, 'other-key.pem'), selfSigned().key);
});
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a Unix socket', () => {
  it('serves the same routes as TCP, to its owner only, and leaves nothing behind', async () => {
    const umask = process.umask(0);
    const listener = await open({ unixSocketPath: path }).finally(() => process.umask(umask));
    expect([await ask({ path }), await ask(listener)]).toEqual(['"unix"', '"127.0.0.1"']);
    // The mode is the same from the moment at which the socket is bound, because nothing changes it afterwards.
    expect(statSync(path).mode & 0o777).toBe(0o600);
    listener.close();
    expect(existsSync(path)).toBe(false);
  });

  it('takes no more callers once it drains, and its path is free for the next process', async () => {
    const listener = await open({ unixSocketPath: path });
    await listener.drain();
    expect(existsSync(path)).toBe(false);
    const next = await open({ unixSocketPath: path });
    listener.close();
    expect(await ask({ path })).toBe('"unix"');
    next.close();
  });

  it('replaces what a dead process has left', async () => {
    const leave = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', leave]);
    expect(statSync(path).isSocket()).toBe(true);
    await open({ unixSocketPath: path });
    expect(await ask({ path })).toBe('"unix"');
  });

  it('of a living process is not taken from it', async () => {
    const owner = createServer().listen(path);
    await once(owner, 'listening');
    await expect(open({ unixSocketPath: path })).rejects.toThrow('another process listens there');
    expect(statSync(path).isSocket()).toBe(true);
    owner.close();
    await once(owner, 'close');
  });

  it.each([
    ['a file', (at: string) => writeFileSync(at, 'precious')],
    ['a link', (at: string) => symlinkSync(join(folder, 'key.pem'), at)],
  ])('does not delete %s that has its name', async (_, create) => {
    create(path);
    await expect(open({ unixSocketPath: path })).rejects.toThrow('exists and is not a socket');
    expect(existsSync(path)).toBe(true);
    rmSync(path);
  });

  it('is refused where it cannot be', async () => {
    const long = join(folder, 'x'.repeat(104));
    await expect(open({ unixSocketPath: long })).rejects.toThrow('longer than 103 bytes');
    const none = join(folder, 'none');
    await expect(open({ unixSocketPath: join(none, 'a.sock') })).rejects.toThrow(
      `cannot listen on ${none}/a.sock: there is no folder ${none}`,
    );
    const file = join(folder, 'key.pem');
    await expect(open({ unixSocketPath: join(file, 'a.sock') })).rejects.toThrow(/a\.sock: .*(EACCES|ENOTDIR)/);
    await expect(open({ unixSocketPath: long })).rejects.toMatchObject({ name: 'ListenError', of: 'unixSocketPath' });
  });
});

describe('TLS', () => {
  const files = () => ({ keyFile: join(folder, 'key.pem'), certFile: join(folder, 'cert.pem') });
  const news = socketRoute<null>({
    pattern: '/stream',
    messageBytesMax: 1_000,
    unsentBytesMax: 1_000,
    idleTimeoutS: 0,
    accept: () => ({ context: null, subprotocol: '' }),
    open: connection => connection.subscribe('news'),
    message: () => {},
    drain: () => {},
    close: () => {},
  });

  it('is spoken on TCP, and the Unix socket beside it stays plain', async () => {
    const { port } = await open({ tls: files(), unixSocketPath: path });
    const [answer] = await once(
      request({ host: '127.0.0.1', port, path: '/who', ca: certificate.cert }).end(),
      'response',
    );
    expect([answer.statusCode, await text(answer), await ask({ path })]).toEqual([200, '"127.0.0.1"', '"unix"']);
  });

  it('carries WebSockets, and what is published reaches both sides', async () => {
    const listener: Listener = await open({
      tls: files(),
      unixSocketPath: path,
      sockets: [news],
    });
    const clients = [
      new WebSocket(`wss://127.0.0.1:${listener.port}/stream`, { ca: certificate.cert }),
      new WebSocket(`ws+unix:${path}:/stream`),
    ];
    const heard = clients.map(client => once(client, 'message'));
    await Promise.all(clients.map(client => once(client, 'open')));
    expect(listener.connections).toBe(2);
    listener.publish('news', Buffer.from('hello'), false);
    expect((await Promise.all(heard)).map(([frame]) => String(frame))).toEqual(['hello', 'hello']);
    for (const client of clients) client.terminate();
  });

  it('closes what is not TLS, and connections beyond the bound', async () => {
    const listener = await open({ tls: files(), connectionsMax: 1 });
    const plain = await RawHttp.connect(listener);
    await plain.send(GET_WHO).until(() => false);
    expect(plain.heard).not.toContain('HTTP/1.1');
    const first = connectTls({ host: '127.0.0.1', port: listener.port, ca: certificate.cert });
    await once(first, 'secureConnect');
    const second = await RawHttp.connect(listener);
    expect(await second.end()).toEqual([]);
    expect(listener.connections).toBe(1);
    first.destroy();
  });

  it.each(['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const)('of version %s: 1.2 and 1.3 only', async version => {
    const { port } = await open({ tls: files() });
    // Without this setting our own client would not offer the old versions.
    const ciphers = 'DEFAULT@SECLEVEL=0';
    const versions = { minVersion: version, maxVersion: version };
    const client = connectTls({ host: '127.0.0.1', port, ca: certificate.cert, ciphers, ...versions });
    const spoken = await once(client, 'secureConnect').then(
      () => client.getProtocol(),
      (error: NodeJS.ErrnoException) => error.code,
    );
    client.destroy();
    const isOld = ['TLSv1', 'TLSv1.1'].includes(version);
    expect(spoken).toBe(isOld ? 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' : version);
  });

  /** Opens a kept connection that trusts only this certificate. */
  async function connected({ port }: Listener, { cert }: SelfSigned) {
    const socket = connectTls({ host: '127.0.0.1', port, ca: cert });
    await once(socket, 'secureConnect');
    return socket;
  }

  it('gets another certificate: later connections have it, and open ones go on', async () => {
    const listener: Listener = await open({ tls: files(), sockets: [news], connectionsMax: 8 });
    const others = [certificate, selfSigned(), selfSigned(), selfSigned()];
    const kept: TLSSocket[] = [];
    const streams: WebSocket[] = [];
    for (const [index, trusted] of others.entries()) {
      const [keyFile, certFile] = [join(folder, `key-${index}.pem`), join(folder, `cert-${index}.pem`)];
      writeFileSync(keyFile, trusted.key);
      writeFileSync(certFile, trusted.cert);
      if (index > 0) listener.renewTls({ keyFile, certFile });
      if (index === 1) await expect(connected(listener, certificate)).rejects.toThrow('self-signed certificate');
      kept.push(await connected(listener, trusted));
      const stream = new WebSocket(`wss://127.0.0.1:${listener.port}/stream`, { ca: trusted.cert });
      await once(stream, 'open');
      streams.push(stream);
    }
    const answers = kept.map(socket => once(socket, 'data'));
    for (const socket of kept) socket.write(GET_WHO);
    for (const [bytes] of await Promise.all(answers)) expect(String(bytes)).toContain('"127.0.0.1"');
    const heard = streams.map(stream => once(stream, 'message'));
    listener.publish('news', Buffer.from('hello'), false);
    expect((await Promise.all(heard)).map(([frame]) => String(frame))).toEqual(others.map(() => 'hello'));
    // The bound and the count belong to the address, and not to a certificate.
    expect(listener.connections).toBe(8);
    const refused = await RawHttp.connect(listener);
    expect([await refused.end(), listener.connectionsRefused]).toEqual([[], 1]);
    const closed = [...kept, ...streams].map(it => once(it, 'close'));
    listener.close();
    await Promise.all(closed);
  });

  it('keeps its certificate if the other one does not serve', async () => {
    const listener: Listener = await open({ tls: files() });
    const { keyFile, certFile } = files();
    expect(() => listener.renewTls({ keyFile: join(folder, 'other-key.pem'), certFile })).toThrow('belong together');
    expect(() => listener.renewTls({ keyFile, certFile: join(folder, 'absent.pem') })).toThrow('cannot read');
    (await connected(listener, certificate)).destroy();
  });

  it('is refused at the start if its files do not serve', async () => {
    const { keyFile, certFile } = files();
    const absent = join(folder, 'absent.pem');
    await expect(open({ tls: { keyFile: absent, certFile } })).rejects.toThrow(`TLS: cannot read ${absent} (ENOENT)`);
    await expect(open({ tls: { keyFile, certFile: keyFile } })).rejects.toThrow('not a PEM key and certificate');
    const otherKey = join(folder, 'other-key.pem');
    await expect(open({ tls: { keyFile: otherKey, certFile } })).rejects.toThrow('belong together');
    await expect(open({ tls: { keyFile: otherKey, certFile } })).rejects.toMatchObject({ of: 'tls' });
  });
});
