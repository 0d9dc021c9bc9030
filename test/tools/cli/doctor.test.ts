// `crossbook doctor` as a process: its findings for the given settings and the given data directory.

import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openKeyStore } from '../../../src/core/store/key-store.ts';
import { CONTROL_SOCKET } from '../../../src/core/wire/control.ts';
import type { Finding } from '../../../src/tools/cli/finding.ts';
import { lacksNats, NatsServer } from '../../support/nats-server.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
let dataDir: string;
const servers: Server[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  dataDir = join(folder, 'data');
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  removeFolder(folder);
});

interface Diagnosis {
  readonly code: number;
  readonly stdout: string;
}

async function doctor(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Diagnosis> {
  const environment = { PATH: process.env.PATH, CROSSBOOK_DATA_DIR: dataDir, ...env };
  const child = promisify(execFile)('bin/crossbook', ['doctor', ...args], { env: environment });
  return child.then(
    ({ stdout }) => ({ code: 0, stdout }),
    error => ({ code: error.code, stdout: error.stdout }),
  );
}

async function findings(env: Readonly<Record<string, string>> = {}): Promise<readonly Finding[]> {
  return JSON.parse((await doctor(['--json'], env)).stdout);
}

/** Starts a server of a venue with a clock that is this far ahead of ours. */
async function venue(aheadMs: number): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(404, { Date: new Date(Date.now() + aheadMs).toUTCString() }).end();
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await new Promise(resolve => server.once('listening', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function realVenues(a: string, b: string): Readonly<Record<string, string>> {
  const keyFile = join(folder, 'b.pem');
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return {
    CROSSBOOK_VENUE_A_REST_URL: `http://${a}`,
    CROSSBOOK_VENUE_A_STREAM_URL: `ws://${a}/ws/market`,
    CROSSBOOK_VENUE_A_GAMMA_URL: `http://${a}`,
    CROSSBOOK_VENUE_B_REST_URL: `http://${b}`,
    CROSSBOOK_VENUE_B_STREAM_URL: `ws://${b}/ws`,
    CROSSBOOK_VENUE_B_KEY_ID: 'key',
    CROSSBOOK_VENUE_B_KEY_FILE: keyFile,
  };
}

it('finds nothing that keeps a first start from trading on the paper exchanges', async () => {
  const { code, stdout } = await doctor([]);
  expect([code, stdout]).toEqual([0, expect.not.stringMatching(/^fail/m)]);
  expect(stdout).toMatch(/^ok {4}settings {2}for the paper exchanges: no venue is set$/m);
  expect(stdout).toMatch(/^ok {4}disk {6}a write is on disk after [\d.]+ ms$|^warn {2}disk {6}a write/m);
  expect(stdout).toMatch(/^warn {2}keys {6}there are none in .*\n {16}→ the first start makes a demo$/m);
  expect(stdout).toMatch(/^ok {4}gateway {3}does not run here/m);
});

it('6201: a gateway that runs and does not answer is a failure', async () => {
  mkdirSync(dataDir, { mode: 0o700 });
  const mute = createSocketServer(socket => socket.end()).listen(join(dataDir, CONTROL_SOCKET));
  await once(mute, 'listening');
  const says = expect.stringMatching(/^does not answer: .*the gateway has ended before its answer$/);
  expect(await findings()).toContainEqual({ about: 'gateway', level: 'fail', says, advice: 'read its log' });
  mute.close();
});

it('names what is wrong with settings and data directory, and what to do', async () => {
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o755);
  const wrong = await findings({ CROSSBOOK_PORT: '70000' });
  expect(wrong).toContainEqual({
    about: 'settings',
    level: 'fail',
    says: 'CROSSBOOK_PORT: must be an integer from 0 to 65535',
  });
  expect(wrong).toContainEqual(expect.objectContaining({ level: 'warn', advice: `chmod 700 ${dataDir}` }));
  const misspelt = await findings({ CROSSBOOK_PROT: '1' });
  expect(misspelt).toContainEqual(expect.objectContaining({ level: 'warn', says: 'CROSSBOOK_PROT is not a setting' }));
  expect((await doctor([], { CROSSBOOK_PORT: '70000' })).code).toBe(1);
});

it('reads the certificate, and says when it ends', async () => {
  const { key, cert } = selfSigned();
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  writeFileSync(keyFile, key, { mode: 0o600 });
  writeFileSync(certFile, cert);
  const env = { CROSSBOOK_TLS_KEY_FILE: keyFile, CROSSBOOK_TLS_CERT_FILE: certFile };
  const of = async () => (await findings(env)).filter(({ about }) => about === 'tls');
  expect(await of()).toMatchObject([{ says: expect.stringMatching(/^the certificate ends in \d+ days, /) }]);
  writeFileSync(certFile, 'none');
  expect(await of()).toMatchObject([{ level: 'fail', says: expect.stringContaining('CROSSBOOK_TLS_CERT_FILE') }]);
});

it('looks at the folders of recordings, audit log and shared file', async () => {
  const found = await findings({
    CROSSBOOK_RECORD_DIR: join(folder, 'recordings'),
    CROSSBOOK_RECORD_GB: '100000',
    CROSSBOOK_AUDIT_LOG: join(folder, 'none/audit.log'),
    CROSSBOOK_SHM: join(folder, 'shared'),
  });
  const says = expect.stringMatching(/GB free for recordings in .*, which may grow to 100000 GB$/);
  expect(found).toContainEqual(expect.objectContaining({ about: 'recording', level: 'warn', says }));
  const faults = found.filter(({ level }) => level === 'fail');
  expect(faults).toMatchObject([{ says: expect.stringContaining('CROSSBOOK_AUDIT_LOG: ENOENT') }]);
});

it('names an address that another program has', async () => {
  const [, port = ''] = (await venue(0)).split(':');
  const says = expect.stringMatching(`^127.0.0.1:${port}: .*EADDRINUSE`);
  const env = { CROSSBOOK_PORT: '0', CROSSBOOK_METRICS_PORT: port };
  expect(await findings(env)).toContainEqual({
    ...{ about: 'address', level: 'fail', says },
    advice: 'end what listens there, or choose another: CROSSBOOK_METRICS_PORT',
  });
});

const ASKS_NATS = [
  ['where a pod is replicated', { CROSSBOOK_DURABILITY: 'replicated', CROSSBOOK_PUBLIC_URL: 'http://127.0.0.1:1' }],
  ['where books are published', { CROSSBOOK_BOOKS: 'publish' }],
] as const;

it.skipIf(lacksNats).each(ASKS_NATS)('asks NATS, %s', async (_where, settings) => {
  const nats = await NatsServer.start();
  const env = { ...settings, CROSSBOOK_NATS: nats.url };
  const of = async () => (await findings(env)).filter(({ about }) => about === 'nats');
  expect(await of()).toEqual([
    { about: 'nats', level: 'ok', says: expect.stringMatching(`^${nats.url}: one answers`) },
  ]);
  await nats.close();
  expect(await of()).toMatchObject([{ level: 'fail', says: expect.stringContaining(nats.url) }]);
});

it('asks the venues, and compares their clocks', async () => {
  const [right, wrong] = [await venue(0), await venue(60_000)];
  const found = (await findings(realVenues(right, wrong))).filter(({ about }) => about === 'venues');
  const at = (origin: string) => found.find(({ says }) => says.startsWith(origin));
  expect(at(`http://${right}`)).toMatchObject({ level: 'ok' });
  expect(at(`ws://${right}`)).toMatchObject({ level: 'ok' });
  expect(at(`http://${wrong}`)).toMatchObject({
    level: 'fail',
    says: expect.stringMatching(/its clock is (59|60)(\.\d)? s ahead of ours$/),
  });
});

it('names a venue that cannot be reached', async () => {
  const gone = await venue(0);
  servers.pop()!.close();
  const found = await findings(realVenues(gone, await venue(0)));
  expect(found).toContainEqual(
    expect.objectContaining({ level: 'fail', says: expect.stringMatching(`^http://${gone}: .*ECONNREFUSED`) }),
  );
});

it('reads the venues’ public objects where it is asked for their drift, and nothing else', async () => {
  const at = await venue(0);
  const { code, stdout } = await doctor(['--venues', '--json'], realVenues(at, at));
  const found: readonly Finding[] = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(found.map(({ about, level }) => [about, level])).toEqual(found.map(() => ['drift', 'warn']));
  expect(found.map(({ says }) => says)).toContainEqual(
    expect.stringMatching(/^venue_b \/events: not read: venue_b: HTTP 404/),
  );
  expect(await doctor(['--venues'])).toMatchObject({ code: 1, stdout: expect.stringContaining('no venue is set') });
});

it('reads the pods file, and misses the pods without keys', async () => {
  const at = await venue(0);
  const podsFile = join(folder, 'pods.json');
  const env = { ...realVenues(at, at), CROSSBOOK_PODS_FILE: podsFile };
  const account = {
    restUrl: `http://${at}`,
    streamUrl: `ws://${at}`,
    keyId: 'k',
    privateKeyPemFile: join(folder, 'b.pem'),
  };
  writeFileSync(podsFile, JSON.stringify({ pods: [{ podId: 'desk', venueB: account }] }), { mode: 0o600 });
  const keys = openKeyStore(join(dataDir, 'keys'));
  keys.createPod({ podId: 'dsek', createdAt: 1 as never });
  await keys.close();
  const found = await findings(env);
  expect(found).toContainEqual({ about: 'pods', level: 'ok', says: `accounts of desk in ${podsFile}` });
  expect(found).toContainEqual(expect.objectContaining({ says: 'the pod desk has accounts and no keys' }));
  chmodSync(podsFile, 0o644);
  expect(await findings(env)).toContainEqual(
    expect.objectContaining({ about: 'pods', level: 'fail', says: expect.stringContaining('chmod 600 it') }),
  );
});

it('4006: warns ahead of the end of a location that venue B has attested', async () => {
  const inDays = (days: number): number => Math.floor(Date.now() / 1_000) + days * 86_400;
  let until = inDays(30);
  const server = createServer(({ url, headers }, response) => {
    const isSigned = url === '/trade-api/v2/api_keys' && headers['kalshi-access-signature'] !== undefined;
    response.writeHead(isSigned ? 200 : 404);
    response.end(JSON.stringify({ api_keys: [], api_key_region_expiration_ts: until }));
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await new Promise(resolve => server.once('listening', resolve));
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const podsFile = join(folder, 'pods.json');
  const urls = { restUrl: `http://${at}/trade-api/v2`, streamUrl: `ws://${at}` };
  const env = { ...realVenues(at, at), CROSSBOOK_PODS_FILE: podsFile };
  const account = { ...urls, keyId: 'k', privateKeyPemFile: join(folder, 'b.pem') };
  writeFileSync(podsFile, JSON.stringify({ pods: [{ podId: 'desk', venueB: account }] }), { mode: 0o600 });
  const found = async () => (await findings(env)).filter(({ says }) => says.includes('location'));
  expect(await found()).toMatchObject([{ about: 'venues', level: 'ok' }]);
  until = inDays(3);
  expect(await found()).toMatchObject([{ about: 'venues', level: 'warn', says: expect.stringContaining('desk') }]);
});

it.each([
  [['read'], 'ok', 'the key of live-paper only reads at venue B: read'],
  [['read::portfolio_balance'], 'ok', 'the key of live-paper only reads at venue B: read::portfolio_balance'],
  [['read', 'write::trade'], 'warn', 'the key of live-paper may do more than read at venue B: read, write::trade'],
  [undefined, 'ok', 'venue B does not say what the key of live-paper may do'],
])('says whether the key of live-paper, which has the scopes %j, can trade', async (scopes, level, says) => {
  const rows = [
    { api_key_id: 'other', scopes: ['write'] },
    { api_key_id: 'key', scopes },
  ];
  const server = createServer((_request, response) => response.end(JSON.stringify({ api_keys: rows })));
  servers.push(server.listen(0, '127.0.0.1'));
  await new Promise(resolve => server.once('listening', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { CROSSBOOK_VENUE_B_KEY_FILE: file } = realVenues(host, host);
  const all = await findings({
    CROSSBOOK_SOURCE: 'live-paper',
    CROSSBOOK_LIVE_PAPER_OFF: 'venue_a',
    CROSSBOOK_VENUE_B_REST_URL: `http://${host}`,
    CROSSBOOK_VENUE_B_STREAM_URL: `ws://${host}/ws`,
    CROSSBOOK_VENUE_B_READ_KEY_ID: 'key',
    CROSSBOOK_VENUE_B_READ_KEY_FILE: file!,
  });
  expect(all.find(it => it.says.includes('of live-paper'))).toMatchObject({ about: 'venues', level, says });
});
