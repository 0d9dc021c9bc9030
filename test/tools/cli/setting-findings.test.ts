// Settings and options: the mistakes that are found before a start, and the help that names them.

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { callersAddresses, helpFor, readConfig } from '../../../src/config.ts';
import { CALL_USAGE } from '../../../src/tools/cli/call.ts';
import { CATALOG_USAGE } from '../../../src/tools/cli/catalog.ts';
import { dataDirOf, readArguments } from '../../../src/tools/cli/command-io.ts';
import { API_KEYS_USAGE, KEYS_USAGE } from '../../../src/tools/cli/keys.ts';
import { LIMITS_USAGE } from '../../../src/tools/cli/limits.ts';
import { PAPER_USAGE } from '../../../src/tools/cli/paper.ts';
import { PODS_USAGE } from '../../../src/tools/cli/pods.ts';
import { addressFindings, settingFindings } from '../../../src/tools/cli/setting-findings.ts';
import { STORE_USAGE } from '../../../src/tools/cli/store.ts';
import { BOOK_USAGE } from '../../../src/tools/cli/watch-book.ts';
import { AlertServer } from '../../core/alerts/alert-server.ts';
import { selfSigned } from '../../support/self-signed.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

// The gateway's own help listed a setting that only tests read.
it.each([
  ['api-keys', API_KEYS_USAGE],
  ['book', BOOK_USAGE],
  ['call', CALL_USAGE],
  ['catalog', CATALOG_USAGE],
  ['keys', KEYS_USAGE],
  ['limits', LIMITS_USAGE],
  ['paper', PAPER_USAGE],
  ['pods', PODS_USAGE],
  ['store', STORE_USAGE],
])('0161: help %s tells where the data is', (_name, usage) => {
  expect(usage).toContain('--data-dir DIR');
});

it('0161: the gateway helps with what it reads', () => {
  expect(helpFor(['--help'])).toContain('  CROSSBOOK_DATA_DIR\n');
  expect(helpFor(['--help'])).not.toContain('  CROSSBOOK_DATA\n');
});

// The gateway created a data directory with the quotes or spaces in its name, and started without its orders and its secrets. No message said so.
describe('3204: settings as files leave them', () => {
  const NAMES = ['DATA_DIR', 'UNIX_SOCKET', 'TRADE_SOCKET', 'SHM', 'RECORD_DIR', 'AUDIT_LOG'].map(
    it => `CROSSBOOK_${it}`,
  );
  const WRAPPED = [
    '"/var/lib/crossbook"',
    "'/var/lib/crossbook'",
    '/var/lib/crossbook ',
    ' /var/lib/crossbook',
    '/x\r',
  ];
  const RULE = 'must not be in quotes, nor begin or end with white space';

  it.each(NAMES)('%s is the path alone', name => {
    for (const text of WRAPPED) expect(() => readConfig([], { [name]: text })).toThrow(`${name}: ${RULE}`);
    expect(() => readConfig([], { [name]: '/a folder/of "mine" here' })).not.toThrow();
  });

  it('a command takes no other data directory either', () => {
    const args = readArguments([], { options: ['data-dir'] });
    for (const CROSSBOOK_DATA_DIR of WRAPPED) {
      const io = { env: { CROSSBOOK_DATA_DIR }, out: () => {}, err: () => {} };
      expect(() => dataDirOf(args, io)).toThrow(`--data-dir, CROSSBOOK_DATA_DIR: ${RULE}`);
    }
  });
});

// The doctor did not check the Unix domain sockets, nor whether the key belongs to the certificate. For a wrong host it advised another port. It also
// counted fewer addresses than the gateway listens on.
describe('3253: what keeps a gateway from listening', () => {
  const folder = temporaryFolder();
  afterAll(() => removeFolder(folder));
  const at = (name: string): string => join(folder, name);
  const ANY_PORT = { CROSSBOOK_PORT: '0' };
  const addresses = (env: Record<string, string>) => addressFindings(readConfig([], { ...ANY_PORT, ...env }));

  describe.each(['CROSSBOOK_UNIX_SOCKET', 'CROSSBOOK_TRADE_SOCKET'])('%s', setting => {
    it('may be new, or left behind by a process that has ended', async () => {
      expect(await addresses({ [setting]: at('new.sock') })).toEqual([]);
    });

    it.each([
      ['in no folder', () => at('none/x.sock'), 'there is no folder'],
      ['a file', () => at('file'), 'it exists and is not a socket'],
      ['too long', () => at('x'.repeat(104)), 'its name is longer than 103 bytes'],
    ])('is named if it is %s', async (_what, path, problem) => {
      writeFileSync(at('file'), '');
      const says = expect.stringContaining(`${path()}: ${problem}`);
      const advice = expect.stringContaining(setting);
      expect(await addresses({ [setting]: path() })).toEqual([{ about: 'address', level: 'fail', says, advice }]);
    });

    it('is named if another process listens there, and goes on listening', async () => {
      const path = at(`${setting}.sock`);
      const server = createServer().listen(path);
      await once(server, 'listening');
      const found = await addresses({ [setting]: path });
      expect(found).toMatchObject([{ level: 'fail', says: `${path}: another process listens there` }]);
      expect(await addresses({ [setting]: path })).toEqual(found);
      server.close();
    });
  });

  it('a host that this machine does not have is to be changed, and not the port', async () => {
    const [found, ...more] = await addresses({ CROSSBOOK_METRICS_HOST: '192.0.2.1', CROSSBOOK_METRICS_PORT: '0' });
    expect(more).toEqual([]);
    expect(found).toMatchObject({ level: 'fail', advice: 'give an address of this machine: CROSSBOOK_METRICS_HOST' });
  });

  it('a key that is not that of the certificate is named', async () => {
    const [one, other] = [selfSigned(), selfSigned()];
    writeFileSync(at('one.pem'), one.key, { mode: 0o600 });
    writeFileSync(at('other.pem'), other.key, { mode: 0o600 });
    writeFileSync(at('cert.pem'), one.cert);
    const levelOf = async (key: string) => {
      const env = { CROSSBOOK_TLS_KEY_FILE: at(key), CROSSBOOK_TLS_CERT_FILE: at('cert.pem') };
      return (await settingFindings(readConfig([], env))).map(({ about, level }) => [about, level]);
    };
    expect(await levelOf('one.pem')).toEqual([['tls', 'ok']]);
    expect(await levelOf('other.pem')).toEqual([['tls', 'fail']]);
  });

  it('an address of alarms is asked whether it answers, and not shown', async () => {
    const server = await AlertServer.start();
    const config = readConfig([], { CROSSBOOK_ALERT_URL: server.url });
    const find = () => settingFindings(config);
    const found = await find();
    expect(found).toMatchObject([{ about: 'alarms', level: 'ok' }]);
    server.close();
    const [lost] = await find();
    expect(lost).toMatchObject({ about: 'alarms', level: 'warn' });
    expect(JSON.stringify([found, lost])).not.toContain('token-of-mine');
  });

  it('every address and socket of callers counts', () => {
    const count = (env: Record<string, string>) => callersAddresses(readConfig([], env));
    const trade = { CROSSBOOK_TRADE_PORT: '0', CROSSBOOK_TRADE_SOCKET: '/x' };
    expect([count({}), count({ CROSSBOOK_UNIX_SOCKET: '/y' }), count(trade)]).toEqual([1, 2, 3]);
  });
});
