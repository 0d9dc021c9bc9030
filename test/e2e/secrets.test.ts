// Secrets planted in a whole process with real-looking accounts, after orders, failures and a shutdown. No thread has logged a secret, and no answer
// or metric has one. No byte of the data directory has one, except in the files made to hold secrets.

import { createPrivateKey, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiKeysCommand } from '../../src/tools/cli/keys.ts';
import { type Actor, GatewayProcess } from '../soak/gateway-process.ts';
import { marketsToTrade } from '../soak/markets.ts';
import { PaperProcess, type PodAccount } from '../soak/paper-process.ts';
import { steadyPort } from '../soak/steady-port.ts';
import type { OwnProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, send, sendSigned, signedHeaders } from '../support/signed-requests.ts';

/** The files that are made to hold secrets; each file has only its owner's secret. */
const KEPT_FOR_SECRETS = /(^|\/)(alice|bob|carol)\.json$|\.secret$|^api-key\.txt$/;
/**
 * Canaries that may be found in orders. A signed order names the API key as its owner, as venue A requires. The key says who asks, and proves nothing
 * without secret and passphrase.
 */
const NAMED_IN_ORDERS = /^orders\/.*: \w+: API key at venue A$/;

let folder: string;
let dataDir: string;
let paper: PaperProcess;
let pods: readonly PodAccount[];
let child: OwnProcess;
const canaries: Canary[] = [];
const answers: Answer[] = [];
const addresses: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-secrets-'));
  dataDir = join(folder, 'gateway');
  paper = await PaperProcess.start({ folder, seed: 1, intensity: 0 });
  // One pod signs at venue B with an RSA key, the other pod with an Ed25519 key.
  pods = paper.pods.map(signingWith);
  const port = await steadyPort();
  const accounts = { urls: paper.urls, pods };
  const gateway = new GatewayProcess({ folder, paper: accounts, port, durability: 'process-safe', logLevel: 'debug' });
  const actors = await gateway.makeActors();
  const apiKey = await makeApiKey();
  child = gateway.begin();
  await child.said(/listening/);
  await use(gateway.url, actors, apiKey);
  expect(await gateway.stop()).toBe(0);
  plant(actors, apiKey);
});

afterAll(async () => {
  await paper.end();
  rmSync(folder, { recursive: true });
});

it('no log line of any thread has a secret', () => {
  const lines = child.stderr.trimEnd().split('\n');
  const threads = lines.map(line => JSON.parse(line).component);
  expect(threads).toEqual(expect.arrayContaining(['main', 'engine']));
  expect(canariesIn(Buffer.from(child.stdout + child.stderr), canaries)).toEqual([]);
});

it('no answer and no metric has a secret', () => {
  expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404]));
  for (const { headers, text } of answers) {
    expect(canariesIn(Buffer.from(text + JSON.stringify(headers)), canaries)).toEqual([]);
  }
});

it('only files made for secrets have them, and only their owner may read these files', () => {
  const files = filesOf(dataDir);
  const found = files.flatMap(path =>
    canariesIn(readFileSync(join(dataDir, path)), canaries).map(name => `${path}: ${name}`),
  );
  const isKept = (it: string) => KEPT_FOR_SECRETS.test(it.slice(0, it.indexOf(':'))) || NAMED_IN_ORDERS.test(it);
  expect(found.filter(it => !isKept(it))).toEqual([]);
  expect(files.filter(path => (statSync(join(dataDir, path)).mode & 0o077) !== 0)).toEqual([]);
});

it('the search finds secrets in the files that hold them, and finds other words in the stores', () => {
  expect(canaries.length).toBeGreaterThan(15);
  const held = canaries.filter(({ forms }) =>
    [folder, dataDir].some(root =>
      filesOf(root).some(path => forms.some(form => readFileSync(join(root, path)).includes(form))),
    ),
  );
  expect(held).toEqual(canaries.filter(({ name }) => !name.startsWith('sent: ')));
  const inStores = (prefix: string) => {
    const bytes = filesOf(dataDir).filter(path => path.startsWith(prefix));
    return addresses.filter(address => bytes.some(path => readFileSync(join(dataDir, path)).includes(address)));
  };
  expect(inStores('orders/journal/')).toEqual(addresses);
  expect(inStores('orders/history/')).toEqual(addresses);
});

function signingWith(pod: PodAccount, index: number): PodAccount {
  const { venueB } = pod.accounts;
  const keys = venueB.keys.filter(({ keyType }) => keyType === (index === 0 ? 'rsa' : 'ed25519'));
  return { ...pod, accounts: { ...pod.accounts, venueB: { ...venueB, keys } } };
}

async function makeApiKey(): Promise<string> {
  const path = join(dataDir, 'api-key.txt');
  const io = { out: () => {}, err: () => {}, env: { CROSSBOOK_DATA_DIR: dataDir } };
  expect(await apiKeysCommand(['create', '--actor', 'alice', '--out', path], io)).toBe(0);
  return readFileSync(path, 'utf8').trim();
}

/** Writes the secrets that must not get out. */
function plant(actors: readonly Actor[], apiKey: string): void {
  for (const { podId, accounts } of pods) {
    const { privateKey, apiKey: venueAKey, secret, passphrase } = accounts.venueA;
    canaries.push(
      byteCanary(`${podId}: private key at venue A`, Buffer.from(privateKey.replace(/^0x/, ''), 'hex')),
      textCanary(`${podId}: API key at venue A`, venueAKey),
      byteCanary(`${podId}: API secret at venue A`, Buffer.from(secret, 'base64url'), secret),
      byteCanary(`${podId}: passphrase at venue A`, Buffer.from(passphrase, 'hex')),
      pemCanary(`${podId}: key at venue B`, accounts.venueB.keys[0]!.privateKeyPem),
    );
  }
  for (const { actorId, key } of actors) canaries.push(byteCanary(`${actorId}: seed`, Buffer.from(key.seedHex, 'hex')));
  canaries.push(byteCanary('API key', Buffer.from(apiKey.slice('cbk_'.length), 'base64url')));
  for (const path of ['pages.secret', 'pods/desk.secret', 'pods/fund.secret']) {
    canaries.push(byteCanary(path, Buffer.from(readFileSync(join(dataDir, path), 'utf8').trim(), 'hex')));
  }
}

/** Uses the gateway: orders rest at both venues of both pods, each kind of refusal occurs, and venues fail. */
async function use(url: string, actors: readonly Actor[], apiKey: string): Promise<void> {
  const [alice, , carol] = actors as [Actor, Actor, Actor];
  const markets = await marketsToTrade(paper.urls);
  const submit = async ({ key }: Actor, venue: 'venue_a' | 'venue_b'): Promise<void> => {
    const market = markets.find(it => it.venue === venue)!;
    const address = market.venue === 'venue_a' ? market.tokenId : market.ticker;
    const order =
      market.venue === 'venue_a'
        ? { tokenId: address, side: 'BUY', type: 'LIMIT', size: '10', price: '0.02' }
        : { ticker: address, side: 'YES', action: 'BUY', count: 3, priceCents: 2 };
    addresses.push(address);
    const path = venue === 'venue_a' ? '/v1/venue-a/orders' : '/v1/venue-b/orders';
    const headers = { 'Content-Type': 'application/json' };
    const sending = { method: 'POST', headers, body: JSON.stringify(order), idempotencyKey: randomUUID() };
    answers.push(await sendSigned(url + path, key, sending));
  };
  for (const actor of [alice, carol]) {
    await eventually(async () => {
      const { json } = await sendSigned(`${url}/v1/whoami`, actor.key);
      expect(json).toMatchObject({ venues: [{ tradable: true }, { tradable: true }] });
    });
    for (const venue of ['venue_a', 'venue_b'] as const) await submit(actor, venue);
  }
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);

  for (const [venue, operation] of [
    ['venue_a', 'POST /order'],
    ['venue_b', 'POST /portfolio/events/orders'],
  ] as const) {
    const fault = { kind: 'status', status: 401, isApplied: false };
    await paper.control('POST', '/faults', { venue, operation, fault, countMax: 1 });
    await submit(alice, venue);
    await paper.control('POST', `/venues/${venue}/disconnect`, {});
  }

  const ticketOf = await sendSigned(`${url}/v1/orderbook/ticket`, alice.key, { method: 'POST' });
  const { ticket } = ticketOf.json as { readonly ticket: string };
  const signed = signedHeaders(alice.key, 'GET', '/v1/time');
  canaries.push(textCanary('sent: ticket', ticket), textCanary('sent: signature', signed['SVC-Signature']!));
  for (const headers of [
    signed,
    { ...signed, 'SVC-Timestamp': '1' },
    { ...signed, 'SVC-Key-Id': 'nobody' },
    { ...signed, 'SVC-Signature': signedHeaders(carol.key, 'GET', '/v1/time')['SVC-Signature'] },
  ])
    answers.push(await send(`${url}/v1/time`, { headers }));
  for (const path of ['/v1/balances', '/v1/orders', '/v1/nothing']) {
    answers.push(await send(url + path, { headers: { 'x-api-key': apiKey } }));
  }
  answers.push(await send(`${url}/v1/balances`, { headers: { 'x-api-key': `${apiKey}x` } }));
  answers.push(await send(`${url}/v1/nothing?ticket=${ticket}`), await send(`${url}/v1/orderbook?ticket=${ticket}`));
  for (const path of ['/v1/whoami', '/v1/venue-a/balance', '/v1/venue-b/balance', '/v1/venue-a/orders'])
    answers.push(await sendSigned(url + path, alice.key));
  answers.push(await send(`${url}/metrics`));
}

/** Returns the paths of all files within `root`, relative to `root`. */
function filesOf(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1));
}

// A secret is searched in every form in which it could occur: as text, in hex, in both base64s, and as bare bytes.

interface Canary {
  /** The name of the secret, for the report of a match. */
  readonly name: string;
  readonly forms: readonly Buffer[];
}

/** The least length of a searched form. Shorter forms are found by chance. */
const FORM_BYTES_MIN = 12;

/** Returns a canary for a secret that is used as it is written. */
function textCanary(name: string, text: string): Canary {
  return canary(name, [Buffer.from(text)]);
}

/** Returns a canary for a secret that consists of bytes and may be written in any form; `texts` are the known forms. */
function byteCanary(name: string, bytes: Buffer, ...texts: readonly string[]): Canary {
  const hex = bytes.toString('hex');
  const written = [hex, hex.toUpperCase(), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  return canary(name, [bytes, ...[...written, ...texts].map(text => Buffer.from(text))]);
}

/** Returns a canary for a private key: the lines of its PEM, and its secret number, which no line has as a whole. */
function pemCanary(name: string, pem: string): Canary {
  const { d = '' } = createPrivateKey(pem).export({ format: 'jwk' });
  const lines = pem.split('\n').filter(line => line !== '' && !line.startsWith('-----'));
  return byteCanary(name, Buffer.from(d, 'base64url'), ...lines);
}

/** Returns the names of the canaries that are in the bytes. */
function canariesIn(bytes: Buffer, canaries: readonly Canary[]): string[] {
  return canaries.filter(({ forms }) => forms.some(form => bytes.includes(form))).map(({ name }) => name);
}

function canary(name: string, forms: readonly Buffer[]): Canary {
  const short = forms.some(form => form.length < FORM_BYTES_MIN);
  if (short) throw new Error(`${name}: a form of it is too short to be looked for`);
  return { name, forms };
}
