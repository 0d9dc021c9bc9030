// Found by review: `crossbook doctor` ended with 0 where the gateway does not start. It did not look at the Unix domain sockets, nor whether
// the key is that of the certificate. To a wrong host it advised another port. And it counted fewer addresses than the gateway listens on.

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { addressFindings, settingFindings } from '../../src/cli/setting-findings.ts';
import { callersAddresses, readConfig } from '../../src/config.ts';
import { selfSigned } from '../support/self-signed.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

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
    ['a file', () => at('file'), 'it exists and is no socket'],
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

it('every address and socket of callers counts', () => {
  const count = (env: Record<string, string>) => callersAddresses(readConfig([], env));
  const trade = { CROSSBOOK_TRADE_PORT: '0', CROSSBOOK_TRADE_SOCKET: '/x' };
  expect([count({}), count({ CROSSBOOK_UNIX_SOCKET: '/y' }), count(trade)]).toEqual([1, 2, 3]);
});
