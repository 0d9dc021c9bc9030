// Command line and environment: accepted values, and the message for each other one.

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { helpFor, readConfig } from '../src/config.ts';
import { USUAL_TERMS } from '../src/core/runtime/paper-terms.ts';
import { ConfigError } from '../src/core/runtime/setting-values.ts';
import { limits, rateProfiles } from '../src/limits.ts';
import { MarketChoice } from '../src/market-data/recording/recorder-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'crossbook-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function keyFile(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const pemOf = (pair: { readonly privateKey: KeyObject }) =>
  pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** A key to the one who signs with it, and no API key. */
const PEM_FILE = keyFile('key.pem', pemOf(generateKeyPairSync('ed25519')));
const EC_FILE = keyFile('ec.pem', pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' })));
const SHORT_FILE = keyFile('short.pem', pemOf(generateKeyPairSync('rsa', { modulusLength: 512 })));
const API_KEY_FILE = keyFile('api-key', 'k-1\n');
const OPEN_FILE = keyFile('open', 'k-1', 0o640);
const LONG_FILE = keyFile('long', 'k'.repeat(limits.keyFileBytesMax + 1));
const VENUE_C = { CROSSBOOK_VENUE_C_URL: 'https://c.example/partner' };
const VENUE_E = { CROSSBOOK_VENUE_E_URL: 'https://e.example' };
const VENUES = {
  CROSSBOOK_VENUE_A_REST_URL: 'https://a.example/',
  CROSSBOOK_VENUE_A_STREAM_URL: 'wss://a.example/ws/market',
  CROSSBOOK_VENUE_A_GAMMA_URL: 'https://gamma.example/',
  CROSSBOOK_VENUE_B_REST_URL: 'https://b.example/trade-api/v2',
  CROSSBOOK_VENUE_B_STREAM_URL: 'wss://b.example/trade-api/ws/v2',
  CROSSBOOK_VENUE_B_KEY_ID: 'key',
  CROSSBOOK_VENUE_B_KEY_FILE: PEM_FILE,
};

describe('the configuration', () => {
  it('runs on the paper exchanges and listens on loopback port 8080 by default', () => {
    expect(readConfig([], {})).toEqual({
      alerts: null,
      host: '127.0.0.1',
      port: 8_080,
      unixSocketPath: null,
      sharedFilePath: null,
      recorder: null,
      tls: null,
      tradeDoor: null,
      metricsAddress: null,
      isAwaitedBySystemd: false,
      dataDir: './data',
      rateProfile: rateProfiles.default,
      poolThreads: 2,
      usesMainThread: true,
      spins: false,
      warmsUp: true,
      durability: 'process-safe',
      replicated: null,
      keyStream: null,
      podsFile: null,
      redeemsWinners: false,
      corsOrigins: [],
      auditLog: null,
      dayZone: 'UTC',
      envFile: null,
      logLevel: 'info',
      relay: null,
      source: { kind: 'paper', seed: 1, recording: null, terms: USUAL_TERMS },
      isFresh: false,
      mode: 'PAPER',
      venueNames: { venue_a: null, venue_b: null },
      unknownVariables: [],
    });
  });

  it('names variables that look like its own and are not', () => {
    expect(readConfig([], { CROSSBOOK_DATADIR: 'x', HOME: 'y' }).unknownVariables).toEqual(['CROSSBOOK_DATADIR']);
  });

  it('takes what an operator sets', () => {
    const config = readConfig([], {
      CROSSBOOK_HOST: '::',
      CROSSBOOK_UNIX_SOCKET: 'run/crossbook.sock',
      CROSSBOOK_SHM: '/dev/shm/crossbook',
      CROSSBOOK_RECORD_DIR: 'recording',
      CROSSBOOK_TLS_KEY_FILE: PEM_FILE,
      CROSSBOOK_TLS_CERT_FILE: 'cert.pem',
      CROSSBOOK_TRADE_HOST: '::1',
      CROSSBOOK_TRADE_PORT: '8081',
      CROSSBOOK_METRICS_HOST: '::1',
      CROSSBOOK_METRICS_PORT: '9464',
      NOTIFY_SOCKET: '@notify',
      CROSSBOOK_DATA_DIR: 'elsewhere',
      CROSSBOOK_RATE_PROFILE: 'bench',
      CROSSBOOK_POOL_THREADS: '4',
      CROSSBOOK_MAIN_DESK: 'off',
      CROSSBOOK_SPIN: 'on',
      CROSSBOOK_WARM_UP: 'off',
      CROSSBOOK_CORS_ORIGINS: 'https://desk.example, http://localhost:5173',
      CROSSBOOK_AUDIT_LOG: 'audit.log',
      CROSSBOOK_LOG: 'debug',
    });
    expect(config).toMatchObject({
      host: '::',
      unixSocketPath: 'run/crossbook.sock',
      sharedFilePath: '/dev/shm/crossbook',
      recorder: { folder: 'recording', markets: MarketChoice.ALL, bytesMax: 50e9 },
      tls: { keyFile: PEM_FILE, certFile: 'cert.pem' },
      tradeDoor: { address: { host: '::1', port: 8_081 }, unixSocketPath: null },
      metricsAddress: { host: '::1', port: 9_464 },
      isAwaitedBySystemd: true,
      dataDir: 'elsewhere',
      rateProfile: rateProfiles.bench,
      poolThreads: 4,
      usesMainThread: false,
      spins: true,
      warmsUp: false,
      corsOrigins: ['https://desk.example', 'http://localhost:5173'],
      auditLog: 'audit.log',
      logLevel: 'debug',
    });
  });

  it.each([
    [{}, false],
    [{ CROSSBOOK_REDEEM: 'off' }, false],
    [{ CROSSBOOK_REDEEM: 'auto' }, true],
  ])('redeems winners without a request only where %j says so', (env, redeemsWinners) => {
    const config = readConfig([], { ...VENUES, CROSSBOOK_PODS_FILE: 'pods.json', ...env });
    expect(config.redeemsWinners).toBe(redeemsWinners);
  });

  it.each([
    [{ CROSSBOOK_TRADE_PORT: '0' }, { address: { host: '127.0.0.1', port: 0 }, unixSocketPath: null }],
    [
      { CROSSBOOK_HOST: '10.0.0.1', CROSSBOOK_TRADE_PORT: '1', CROSSBOOK_TRADE_SOCKET: 'run/trade.sock' },
      { address: { host: '10.0.0.1', port: 1 }, unixSocketPath: 'run/trade.sock' },
    ],
    [{ CROSSBOOK_TRADE_SOCKET: 'run/trade.sock' }, { address: null, unixSocketPath: 'run/trade.sock' }],
  ])('opens a door for orders where %j says', (env, tradeDoor) => {
    expect(readConfig([], env).tradeDoor).toEqual(tradeDoor);
  });

  it('records the markets that it names, up to a number of gigabytes', () => {
    const recorder = (more: Record<string, string>) => readConfig([], { CROSSBOOK_RECORD_DIR: 'r', ...more }).recorder!;
    const { markets, bytesMax } = recorder({
      CROSSBOOK_RECORD_MARKETS: 'venue_b:KX-1, venue_b:KXNBA*,venue_a:*',
      CROSSBOOK_RECORD_GB: '7',
    });
    expect(bytesMax).toBe(7e9);
    expect(markets.named).toEqual([{ venue: 'venue_b', ticker: 'KX-1' }]);
    const has = (venue: 'venue_a' | 'venue_b', address: string) => markets.has(venue, address);
    expect([has('venue_b', 'KX-1'), has('venue_b', 'KXNBAGAME-1'), has('venue_a', '77')]).toEqual([true, true, true]);
    expect([has('venue_b', 'KX-11'), has('venue_b', 'KXNB')]).toEqual([false, false]);
    for (const odd of ['KX-1', 'venue_c:1', 'venue_b:', 'venue_b:KX*1', '', 'venue_a:1,']) {
      expect(() => recorder({ CROSSBOOK_RECORD_MARKETS: odd })).toThrow(/^CROSSBOOK_RECORD_MARKETS: /);
    }
    expect(() => recorder({ CROSSBOOK_RECORD_GB: '0' })).toThrow(/^CROSSBOOK_RECORD_GB: /);
    expect(() => readConfig([], { CROSSBOOK_RECORD_GB: '7' })).toThrow(
      'CROSSBOOK_RECORD_GB: requires CROSSBOOK_RECORD_DIR',
    );
  });

  it('plays a folder alone, and exactly', () => {
    expect(readConfig(['--replay', folder, '--speed', '2'], {}).source).toEqual({
      kind: 'recorded',
      seed: 1,
      terms: USUAL_TERMS,
      folder,
      speed: 2,
      loop: false,
      backtest: null,
    });
    expect(
      readConfig(['--replay', folder, '--backtest', '--speed', 'max', '--from', '7', '--to', '9'], {}).source,
    ).toMatchObject({ speed: Number.POSITIVE_INFINITY, backtest: { from: 7, to: 9, stepMs: 0 } });
    expect(readConfig(['--replay', folder, '--backtest', '--step', '10'], {}).source).toMatchObject({
      backtest: { stepMs: 10 },
    });
    expect(() => readConfig(['--replay', folder, '--step', '7'], {})).toThrow('--step: requires --backtest');
    expect(() => readConfig(['--replay', folder, '--speed', 'max'], {})).toThrow('--speed: must be a number above 0');
    expect(() => readConfig(['--replay', folder, '--from', '7'], {})).toThrow('--from: requires --backtest');
    expect(() => readConfig(['--replay', 'b.json', '--backtest'], {})).toThrow(
      '--replay: must be the folder of a recording',
    );
    expect(() => readConfig(['--replay', folder, 'b.json'], {})).toThrow(
      `--replay: the recording in the folder ${folder} plays alone`,
    );
  });

  it('answers --help, with every option and setting', () => {
    const help = helpFor(['--seed', '1', '--help']);
    for (const name of ['--fresh', '--seed', '--replay', '--speed', '--loop', '--live-paper'])
      expect(help).toContain(`  ${name} `);
    for (const name of Object.keys(VENUES)) expect(help).toContain(`  ${name}\n`);
    expect(helpFor(['--seed', '1'])).toBeNull();
  });

  it('takes several recordings after one --replay or after several', () => {
    const recording = { files: ['a.json', 'b.jsonl'], speed: 10, loop: true };
    const source = { kind: 'paper', seed: 1, recording, terms: USUAL_TERMS };
    expect(readConfig(['--replay', 'a.json', 'b.jsonl', '--speed', '10', '--loop'], {}).source).toEqual(source);
    expect(readConfig(['--replay', 'a.json', '--replay', 'b.jsonl', '--speed=10', '--loop'], {}).source).toEqual(
      source,
    );
  });

  it('points the feeds at the venues when all of their settings are given', () => {
    const { source } = readConfig([], VENUES);
    expect(source).toMatchObject({
      kind: 'venues',
      venueA: { restUrl: 'https://a.example', streamUrl: 'wss://a.example/ws/market' },
      gammaUrl: 'https://gamma.example',
      account: { keyId: 'key' },
    });
  });

  it('publishes books on NATS, or takes them from there in place of the venues', () => {
    const onNats = (books: string, env = {}) =>
      readConfig([], { CROSSBOOK_BOOKS: books, CROSSBOOK_NATS: 'nats://n1:4222,nats://n2:4222', ...env });
    const nats = { servers: ['nats://n1:4222', 'nats://n2:4222'], credentials: null };
    const [publisher, reader] = [onNats('publish'), onNats('nats')];
    expect(publisher).toMatchObject({ relay: { role: 'publisher', nats }, source: { kind: 'paper' } });
    expect(reader).toMatchObject({ relay: { role: 'reader', nats }, source: { kind: 'relay' } });
    expect(onNats('nats', VENUES)).toMatchObject({ relay: { role: 'reader' }, source: { kind: 'venues' } });
  });

  it('has the keys of all gateways by a stream where it is set to, or its pod is replicated', () => {
    const nats = { servers: ['nats://n:1'], credentials: null };
    const keyStreamOf = (env: object) => readConfig([], { CROSSBOOK_NATS: 'nats://n:1', ...env }).keyStream;
    expect(keyStreamOf({ CROSSBOOK_KEYS: 'stream' })).toEqual(nats);
    const replicated = { CROSSBOOK_DURABILITY: 'replicated', CROSSBOOK_PUBLIC_URL: 'http://a:1' };
    expect(keyStreamOf(replicated)).toEqual(nats);
    expect(keyStreamOf({ CROSSBOOK_BOOKS: 'publish' })).toBeNull();
  });

  it('reads single markets of venues D and E where it is set to', () => {
    expect(readConfig([], VENUES).source).toMatchObject({ venueDUrl: null, venueE: null });
    const urls = { CROSSBOOK_VENUE_D_URL: 'https://d.example/', CROSSBOOK_VENUE_E_URL: 'https://e.example/openapi' };
    expect(readConfig([], { ...VENUES, ...urls }).source).toMatchObject({
      venueDUrl: 'https://d.example',
      venueE: { url: 'https://e.example/openapi', apiKey: null },
    });
    const { source } = readConfig([], { ...VENUES, ...urls, CROSSBOOK_VENUE_E_KEY_FILE: API_KEY_FILE });
    expect(source).toMatchObject({ venueE: { apiKey: 'k-1' } });
  });

  it('reads the listings of venue C where it is set to, with a key', () => {
    expect(readConfig([], VENUES).source).toMatchObject({ venueC: null });
    const { source } = readConfig([], { ...VENUES, ...VENUE_C, CROSSBOOK_VENUE_C_KEY_FILE: API_KEY_FILE });
    expect(source).toMatchObject({ venueC: { url: 'https://c.example/partner', apiKey: 'k-1' } });
  });

  it.each([
    [['stray'], {}, 'stray'],
    [['--sped', '2'], {}, "Unknown option '--sped'; the options are --replay, --speed, --loop, --seed, --fresh,"],
    [['--port', '2'], {}, 'CROSSBOOK_PORT'],
    [['--speed', '0'], {}, '--speed'],
    [['--speed', '2'], {}, '--speed: requires --replay'],
    [['--loop'], {}, '--loop: requires --replay'],
    [['--seed', '-1'], {}, '--seed'],
    [[], { CROSSBOOK_PORT: '70000' }, 'CROSSBOOK_PORT'],
    [[], { CROSSBOOK_PORT: '' }, 'CROSSBOOK_PORT'],
    ...['0x50', '8e3', ' 80', '+80', '80.0'].map<[string[], object, string]>(text => [
      [],
      { CROSSBOOK_PORT: text },
      'CROSSBOOK_PORT: must be an integer from 0 to 65535',
    ]),
    [['--seed', '0b1'], {}, '--seed'],
    [['--replay', 'x', '--speed', '0x2'], {}, '--speed'],
    [[], { CROSSBOOK_DATA_DIR: '' }, 'CROSSBOOK_DATA_DIR: must not be empty'],
    [[], { CROSSBOOK_PODS_FILE: '' }, 'CROSSBOOK_PODS_FILE: must not be empty'],
    [[], { ...VENUES, CROSSBOOK_VENUE_B_KEY_ID: '' }, 'CROSSBOOK_VENUE_B_KEY_ID: must not be empty'],
    [[], { CROSSBOOK_HOST: 'everywhere' }, 'CROSSBOOK_HOST'],
    [[], { CROSSBOOK_METRICS_PORT: '65536' }, 'CROSSBOOK_METRICS_PORT'],
    [[], { CROSSBOOK_METRICS_PORT: '1', CROSSBOOK_METRICS_HOST: 'everywhere' }, 'CROSSBOOK_METRICS_HOST'],
    [[], { CROSSBOOK_METRICS_HOST: '::1' }, 'CROSSBOOK_METRICS_HOST: requires CROSSBOOK_METRICS_PORT'],
    [[], { CROSSBOOK_TRADE_PORT: '8e3' }, 'CROSSBOOK_TRADE_PORT: must be an integer from 0 to 65535'],
    [[], { CROSSBOOK_TRADE_PORT: '1', CROSSBOOK_TRADE_HOST: 'everywhere' }, 'CROSSBOOK_TRADE_HOST'],
    [[], { CROSSBOOK_TRADE_HOST: '::1' }, 'CROSSBOOK_TRADE_HOST: requires CROSSBOOK_TRADE_PORT'],
    [[], { CROSSBOOK_TRADE_SOCKET: 'x', CROSSBOOK_UNIX_SOCKET: 'x' }, 'CROSSBOOK_TRADE_SOCKET: must differ'],
    [[], { CROSSBOOK_TLS_KEY_FILE: 'key.pem' }, 'CROSSBOOK_TLS_CERT_FILE'],
    [[], { CROSSBOOK_RATE_PROFILE: 'none' }, 'default, bench'],
    [[], { CROSSBOOK_POOL_THREADS: '0' }, 'CROSSBOOK_POOL_THREADS'],
    [[], { CROSSBOOK_MAIN_DESK: 'no' }, 'CROSSBOOK_MAIN_DESK'],
    [[], { CROSSBOOK_SPIN: '1' }, 'CROSSBOOK_SPIN'],
    [[], { CROSSBOOK_WARM_UP: 'no' }, 'CROSSBOOK_WARM_UP'],
    [[], { CROSSBOOK_LOG: 'loud' }, 'debug, info, warn'],
    [[], { CROSSBOOK_BOOKS: 'all' }, 'venues, publish, nats'],
    [[], { CROSSBOOK_KEYS: 'theirs' }, 'CROSSBOOK_KEYS: must be one of own, stream'],
    [[], { CROSSBOOK_KEYS: 'stream' }, 'CROSSBOOK_NATS: requires'],
    [
      [],
      {
        ...{ CROSSBOOK_KEYS: 'own', CROSSBOOK_NATS: 'nats://n:1' },
        ...{ CROSSBOOK_DURABILITY: 'replicated', CROSSBOOK_PUBLIC_URL: 'http://a:1' },
      },
      'CROSSBOOK_KEYS: must be stream with CROSSBOOK_DURABILITY=replicated',
    ],
    [[], { CROSSBOOK_BOOKS: 'nats' }, 'CROSSBOOK_BOOKS: nats requires CROSSBOOK_NATS'],
    [['--replay', 'x'], { CROSSBOOK_BOOKS: 'nats', CROSSBOOK_NATS: 'nats://n:1' }, '--replay: conflicts with'],
    [
      [],
      { CROSSBOOK_BOOKS: 'nats', CROSSBOOK_NATS: 'nats://n:1', CROSSBOOK_PODS_FILE: 'pods.json' },
      'CROSSBOOK_PODS_FILE: requires the addresses of the venues',
    ],
    ...['*', 'null', 'desk.example', 'https://desk.example/', 'https://a.example,'].map<[string[], object, string]>(
      text => [[], { CROSSBOOK_CORS_ORIGINS: text }, 'CROSSBOOK_CORS_ORIGINS: must be origins such as'],
    ),
    [[], { ...VENUES, CROSSBOOK_VENUE_B_KEY_ID: undefined }, 'CROSSBOOK_VENUE_B_KEY_ID'],
    [[], { ...VENUES, CROSSBOOK_VENUE_A_REST_URL: 'nonsense' }, 'CROSSBOOK_VENUE_A_REST_URL'],
    [[], { ...VENUES, CROSSBOOK_VENUE_A_REST_URL: 'ftp://a' }, 'CROSSBOOK_VENUE_A_REST_URL: must be a URL of http'],
    [[], { ...VENUES, CROSSBOOK_VENUE_A_STREAM_URL: 'http://a' }, 'CROSSBOOK_VENUE_A_STREAM_URL: must be a URL of ws'],
    [[], { ...VENUES, CROSSBOOK_VENUE_A_GAMMA_URL: 'ws://a' }, 'CROSSBOOK_VENUE_A_GAMMA_URL: must be a URL of http'],
    [[], { ...VENUES, CROSSBOOK_VENUE_B_REST_URL: 'wss://b' }, 'CROSSBOOK_VENUE_B_REST_URL: must be a URL of http'],
    [[], { ...VENUES, CROSSBOOK_VENUE_B_STREAM_URL: 'https://b' }, 'CROSSBOOK_VENUE_B_STREAM_URL: must be a URL of ws'],
    [[], { ...VENUES, CROSSBOOK_VENUE_B_REST_URL: 'https://b ' }, 'CROSSBOOK_VENUE_B_REST_URL: must be a URL of http'],
    [[], { ...VENUES, CROSSBOOK_VENUE_B_KEY_FILE: '/nowhere.pem' }, 'CROSSBOOK_VENUE_B_KEY_FILE'],
    [
      [],
      { ...VENUES, CROSSBOOK_VENUE_B_KEY_FILE: LONG_FILE },
      `CROSSBOOK_VENUE_B_KEY_FILE: ${LONG_FILE} is longer than ${limits.keyFileBytesMax} bytes`,
    ],
    [
      [],
      { ...VENUES, CROSSBOOK_VENUE_B_KEY_FILE: API_KEY_FILE },
      `CROSSBOOK_VENUE_B_KEY_FILE: ${API_KEY_FILE} is not readable PEM of a private key`,
    ],
    [
      [],
      { ...VENUES, CROSSBOOK_VENUE_B_KEY_FILE: EC_FILE },
      `CROSSBOOK_VENUE_B_KEY_FILE: ${EC_FILE} is of type ec, not RSA or Ed25519`,
    ],
    [
      [],
      { ...VENUES, CROSSBOOK_VENUE_B_KEY_FILE: SHORT_FILE },
      `CROSSBOOK_VENUE_B_KEY_FILE: ${SHORT_FILE} cannot sign: is it too short?`,
    ],
    // It becomes a header, and what cannot be one would end the threads that read venue B.
    ...['a\nb', 'ключ', ' ', 'key\u200b', 'two words'].map<[string[], object, string]>(text => [
      [],
      { ...VENUES, CROSSBOOK_VENUE_B_KEY_ID: text },
      'CROSSBOOK_VENUE_B_KEY_ID: must be visible ASCII characters, without spaces',
    ]),
    // Else it would trade at the paper exchanges while its operator believes otherwise.
    [[], { CROSSBOOK_PODS_FILE: 'pods.json' }, 'CROSSBOOK_PODS_FILE: requires the addresses of the venues'],
    [['--replay', 'x'], { ...VENUES, CROSSBOOK_PODS_FILE: 'pods.json' }, 'CROSSBOOK_PODS_FILE: requires'],
    [[], { CROSSBOOK_REDEEM: 'auto' }, 'CROSSBOOK_REDEEM: requires CROSSBOOK_PODS_FILE'],
    [['--replay', 'x'], { ...VENUES, CROSSBOOK_REDEEM: 'auto' }, 'CROSSBOOK_REDEEM: requires CROSSBOOK_PODS_FILE'],
    [[], { ...VENUES, CROSSBOOK_REDEEM: 'auto' }, 'CROSSBOOK_REDEEM: requires CROSSBOOK_PODS_FILE'],
    [[], { ...VENUES, CROSSBOOK_PODS_FILE: 'p', CROSSBOOK_REDEEM: 'on' }, 'CROSSBOOK_REDEEM: must be one of off, auto'],
    [[], { CROSSBOOK_DAY_ZONE: 'Vienna' }, 'CROSSBOOK_DAY_ZONE: must be a time zone, such as Europe/Vienna'],
    [[], { CROSSBOOK_VENUE_D_URL: 'https://d.example' }, 'CROSSBOOK_VENUE_D_URL: requires'],
    [[], { ...VENUES, CROSSBOOK_PAPER_QUEUE: 'optimistic' }, 'CROSSBOOK_PAPER_QUEUE: requires the paper exchanges'],
    [['--replay', 'x'], { ...VENUES, CROSSBOOK_VENUE_E_URL: 'https://e.example' }, 'CROSSBOOK_VENUE_E_URL: requires'],
    [[], VENUE_C, 'CROSSBOOK_VENUE_C_URL: requires'],
    [[], { ...VENUES, ...VENUE_C }, 'CROSSBOOK_VENUE_C_URL, CROSSBOOK_VENUE_C_KEY_FILE: set both or neither'],
    [[], { ...VENUES, CROSSBOOK_VENUE_C_KEY_FILE: PEM_FILE }, 'CROSSBOOK_VENUE_C_URL, CROSSBOOK_VENUE_C_KEY_FILE'],
    [[], { ...VENUES, ...VENUE_C, CROSSBOOK_VENUE_C_KEY_FILE: PEM_FILE }, 'CROSSBOOK_VENUE_C_KEY_FILE: must hold'],
    [[], { ...VENUES, CROSSBOOK_VENUE_D_URL: 'd' }, 'CROSSBOOK_VENUE_D_URL: must be a URL'],
    [[], { ...VENUES, CROSSBOOK_VENUE_D_URL: 'ftp://d' }, 'CROSSBOOK_VENUE_D_URL: must be a URL of http'],
    [[], { ...VENUES, CROSSBOOK_VENUE_D_URL: 'https://u:p@d' }, 'CROSSBOOK_VENUE_D_URL: must be a URL of http'],
    [[], { ...VENUES, CROSSBOOK_VENUE_E_KEY_FILE: '/nowhere' }, 'CROSSBOOK_VENUE_E_KEY_FILE: requires'],
    [
      [],
      { ...VENUES, ...VENUE_E, CROSSBOOK_VENUE_E_KEY_FILE: '/nowhere' },
      'CROSSBOOK_VENUE_E_KEY_FILE: /nowhere cannot be read (ENOENT)',
    ],
    [[], { ...VENUES, ...VENUE_E, CROSSBOOK_VENUE_E_KEY_FILE: PEM_FILE }, 'CROSSBOOK_VENUE_E_KEY_FILE: must hold'],
    [
      [],
      { CROSSBOOK_TLS_KEY_FILE: '/nowhere', CROSSBOOK_TLS_CERT_FILE: 'cert.pem' },
      'CROSSBOOK_TLS_KEY_FILE: /nowhere',
    ],
  ])('refuses %j %j, naming %s', (argv, env, name) => {
    const read = () => readConfig(argv, env);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(name);
  });

  it.each([
    { ...VENUES, CROSSBOOK_VENUE_B_KEY_FILE: OPEN_FILE },
    { ...VENUES, ...VENUE_C, CROSSBOOK_VENUE_C_KEY_FILE: OPEN_FILE },
    { ...VENUES, ...VENUE_E, CROSSBOOK_VENUE_E_KEY_FILE: OPEN_FILE },
    { CROSSBOOK_TLS_KEY_FILE: OPEN_FILE, CROSSBOOK_TLS_CERT_FILE: 'cert.pem' },
  ])('refuses a key that others may read: %j', env => {
    expect(() => readConfig([], env)).toThrow(`_KEY_FILE: ${OPEN_FILE} is open to others than its owner (mode 640)`);
  });
});
