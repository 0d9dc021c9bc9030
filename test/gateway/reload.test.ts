// A reload: which changes take effect, which need a restart, and which parts stay as they were after a failure. Settings, keys and sockets
// are real.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Listener, listen } from '../../src/core/net/listen.ts';
import { createLog, type Log } from '../../src/core/runtime/log.ts';
import { type KeyStore, openKeyStore } from '../../src/core/store/key-store.ts';
import { createReload } from '../../src/gateway/reload.ts';
import { selfSigned } from '../support/self-signed.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
let keyStore: KeyStore;
let listener: Listener;
let log: Log;
let environment: Record<string, string>;

const named = (name: string): string => join(folder, name);
const settings = (...lines: readonly string[]): void => writeFileSync(named('env'), lines.join('\n'));

function certificate(): void {
  const { key, cert } = selfSigned();
  writeFileSync(named('key.pem'), key, { mode: 0o600 });
  writeFileSync(named('cert.pem'), cert);
}

beforeEach(async () => {
  folder = temporaryFolder();
  keyStore = openKeyStore(named('keys'));
  certificate();
  const tls = { keyFile: named('key.pem'), certFile: named('cert.pem') };
  listener = await listen({ host: '127.0.0.1', port: 0, tls, http: [], sockets: [] });
  log = createLog('main', { level: 'info', write: () => {} });
  settings(
    '# of the unit',
    'CROSSBOOK_LOG=info',
    'CROSSBOOK_PORT=8443',
    `CROSSBOOK_RECORD_DIR="${named('recordings')}"`,
  );
  environment = {
    ...{ CROSSBOOK_ENV_FILE: named('env'), CROSSBOOK_TLS_KEY_FILE: tls.keyFile, CROSSBOOK_TLS_CERT_FILE: tls.certFile },
    ...{ CROSSBOOK_LOG: 'info', CROSSBOOK_PORT: '8443', CROSSBOOK_RECORD_DIR: named('recordings') },
  };
});
afterEach(async () => {
  listener.close();
  await keyStore.close();
  removeFolder(folder);
});

function reloads() {
  const config = readConfig([], environment);
  return createReload({ config, environment, read: it => readConfig([], it), keyStore, listeners: [listener], log });
}

it('without a change is whole, and reads the certificate again', async () => {
  expect(await reloads()()).toEqual({
    isWhole: true,
    settings: named('env'),
    logLevel: 'info',
    certificates: 'read again',
    keys: 'in force at each change: 0 keys, limits of 0 actors',
    needRestart: [],
  });
});

it('takes the log level, and names settings that need a restart', async () => {
  const reload = reloads();
  settings('CROSSBOOK_LOG=debug', 'CROSSBOOK_PORT=9443', 'CROSSBOOK_SPIN=on');
  const needRestart = ['CROSSBOOK_PORT', 'CROSSBOOK_RECORD_DIR', 'CROSSBOOK_SPIN'];
  expect(await reload()).toMatchObject({ isWhole: false, logLevel: 'debug', needRestart });
  expect(log.isDebug).toBe(true);
  settings('CROSSBOOK_PORT=8443', `CROSSBOOK_RECORD_DIR=${named('recordings')}`);
  expect(await reload()).toMatchObject({ isWhole: true, logLevel: 'info', needRestart: [] });
  expect(log.isDebug).toBe(false);
});

it('names a file that only a start reads, if it has changed', async () => {
  writeFileSync(named('nats'), 'one', { mode: 0o600 });
  const nats = { CROSSBOOK_NATS: 'nats://127.0.0.1:4222', CROSSBOOK_NATS_CREDENTIALS_FILE: named('nats') };
  environment = { ...environment, ...nats, CROSSBOOK_BOOKS: 'publish' };
  const reload = reloads();
  expect(await reload()).toMatchObject({ needRestart: [] });
  writeFileSync(named('nats'), 'another');
  expect(await reload()).toMatchObject({ needRestart: ['CROSSBOOK_NATS_CREDENTIALS_FILE'] });
});

it.each([
  ['a bad value', () => settings('CROSSBOOK_LOG=loud')],
  ['no file of settings', () => rmSync(named('env'))],
  [
    'a key that others may read',
    () => {
      rmSync(named('key.pem'));
      writeFileSync(named('key.pem'), selfSigned().key, { mode: 0o644 });
    },
  ],
  ['no key', () => rmSync(named('key.pem'))],
])('with %s changes nothing, and a later reload can', async (_, spoil) => {
  settings('CROSSBOOK_LOG=debug', 'CROSSBOOK_PORT=8443', `CROSSBOOK_RECORD_DIR=${named('recordings')}`);
  const reload = reloads();
  spoil();
  expect([await reload(), log.isDebug]).toEqual([null, false]);
  rmSync(named('key.pem'), { force: true });
  certificate();
  settings('CROSSBOOK_LOG=debug', 'CROSSBOOK_PORT=8443', `CROSSBOOK_RECORD_DIR=${named('recordings')}`);
  expect([await reload(), log.isDebug]).toEqual([expect.objectContaining({ isWhole: true }), true]);
});

it('keeps the certificate if the other one does not belong to its key, and takes the rest', async () => {
  const reload = reloads();
  settings('CROSSBOOK_LOG=warn', 'CROSSBOOK_PORT=8443', `CROSSBOOK_RECORD_DIR=${named('recordings')}`);
  writeFileSync(named('cert.pem'), selfSigned().cert);
  const certificates = expect.stringMatching(/^kept: .* belong together$/);
  expect(await reload()).toMatchObject({ isWhole: false, certificates, logLevel: 'warn', needRestart: [] });
});

it('does not begin or end TLS', async () => {
  const reload = reloads();
  const { CROSSBOOK_TLS_KEY_FILE: _, CROSSBOOK_TLS_CERT_FILE: __, ...plain } = environment;
  environment = plain;
  const without = reloads();
  const lines = [`CROSSBOOK_TLS_KEY_FILE=${named('key.pem')}`, `CROSSBOOK_TLS_CERT_FILE=${named('cert.pem')}`];
  settings('CROSSBOOK_PORT=8443', `CROSSBOOK_RECORD_DIR=${named('recordings')}`, ...lines);
  const needRestart = ['CROSSBOOK_TLS_CERT_FILE', 'CROSSBOOK_TLS_KEY_FILE'];
  expect(await without()).toMatchObject({ isWhole: false, certificates: 'none', needRestart });
  expect(await reload()).toMatchObject({ isWhole: true, certificates: 'read again', needRestart: [] });
});

it('says that keys cannot be read', async () => {
  await keyStore.close();
  expect(await reloads()()).toMatchObject({ isWhole: false, keys: expect.stringMatching(/^kept: /) });
  keyStore = openKeyStore(named('keys'));
});

it('without a file of settings reads the certificate alone', async () => {
  delete environment.CROSSBOOK_ENV_FILE;
  const reload = reloads();
  settings('CROSSBOOK_LOG=debug');
  const settingsRead = expect.stringContaining('not read again');
  expect(await reload()).toMatchObject({ isWhole: true, settings: settingsRead, certificates: 'read again' });
  expect(log.isDebug).toBe(false);
});

it('a start refuses a file of settings that it cannot read', () => {
  rmSync(named('env'));
  expect(reloads).toThrow('CROSSBOOK_ENV_FILE: cannot be read');
});
