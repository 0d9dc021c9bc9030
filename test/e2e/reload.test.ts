// SIGHUP to a gateway with open connections at both of its addresses: later connections get the new certificate, and open ones go on.

import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { OwnProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { type SelfSigned, selfSigned } from '../support/self-signed.ts';
import { signedHeaders, type TestKey } from '../support/signed-requests.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const LISTENING = /^crossbook listening on https:\/\/[\d.]+:(\d+)[\s\S]*takes orders on https:\/\/[\d.]+:(\d+)$/m;

const folder = temporaryFolder();
const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem'), env: join(folder, 'env') };
const first = selfSigned();
let gateway: OwnProcess;
/** The ports of the usual address and of the door for orders. */
let ports: readonly number[];
let key: TestKey;

function write({ key: keyPem, cert }: SelfSigned): void {
  writeFileSync(files.key, keyPem, { mode: 0o600 });
  writeFileSync(files.cert, cert);
}

beforeAll(async () => {
  write(first);
  writeFileSync(files.env, 'CROSSBOOK_LOG=warn\n');
  gateway = new OwnProcess(['src/main.ts'], {
    ...{ CROSSBOOK_PORT: '0', CROSSBOOK_TRADE_PORT: '0', CROSSBOOK_DATA_DIR: join(folder, 'data') },
    ...{ CROSSBOOK_TLS_KEY_FILE: files.key, CROSSBOOK_TLS_CERT_FILE: files.cert },
    ...{ CROSSBOOK_LOG: 'warn', CROSSBOOK_ENV_FILE: files.env },
  });
  ports = (await gateway.said(LISTENING)).slice(1).map(Number);
  key = JSON.parse(readFileSync(join(folder, 'data/demo/key.json'), 'utf8'));
});
afterAll(async () => {
  gateway.signal('SIGKILL');
  await gateway.ended;
  removeFolder(folder);
});

async function kept(port: number, { cert }: SelfSigned): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca: cert });
  await once(socket, 'secureConnect');
  return socket;
}

async function streamAt(port: number, path: string, { cert }: SelfSigned): Promise<WebSocket> {
  const headers = signedHeaders(key, 'GET', path);
  const stream = new WebSocket(`wss://127.0.0.1:${port}${path}`, { ca: cert, headers });
  await once(stream, 'open');
  return stream;
}

/** Sends a signed request on the connection; returns the status line. */
async function answerOn(socket: TLSSocket): Promise<string> {
  const headers = { Host: 'x', ...signedHeaders(key, 'GET', '/v1/time') };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write(['GET /v1/time HTTP/1.1', ...lines, '', ''].join('\r\n'));
  const [bytes] = await once(socket, 'data');
  return String(bytes).split('\r\n', 1)[0]!;
}

async function answers(stream: WebSocket): Promise<void> {
  stream.ping();
  await once(stream, 'pong');
}

it('later connections see the new certificate, and open ones go on', async () => {
  const sockets = await Promise.all(ports.map(port => kept(port, first)));
  const streams = await Promise.all([
    streamAt(ports[0]!, '/v1/orderbook', first),
    streamAt(ports[1]!, '/v1/trade', first),
  ]);
  const second = selfSigned();
  write(second);
  gateway.signal('SIGHUP');
  for (const port of ports) sockets.push(await eventually(() => kept(port, second)));
  streams.push(await streamAt(ports[0]!, '/v1/orderbook', second), await streamAt(ports[1]!, '/v1/trade', second));
  for (const port of ports) await expect(kept(port, first)).rejects.toThrow('self-signed certificate');
  for (const socket of sockets) expect(await answerOn(socket)).toBe('HTTP/1.1 200 OK');
  for (const stream of streams) await answers(stream);
  // The file gets a certificate for another key, and then the log level changes: the new level shows that the reload has ended.
  write({ ...second, cert: selfSigned().cert });
  writeFileSync(files.env, 'CROSSBOOK_LOG=debug\n');
  gateway.signal('SIGHUP');
  await eventually(async () => {
    expect(await answerOn(sockets[0]!)).toBe('HTTP/1.1 200 OK');
    expect(gateway.stderr).toContain('"level":"debug"');
  });
  for (const port of ports) (await kept(port, second)).destroy();
  for (const stream of streams) await answers(stream);
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toBe(0);
});
