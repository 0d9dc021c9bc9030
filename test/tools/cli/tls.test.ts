// Commands to a gateway with TLS.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { localOrigin } from '../../../src/tools/cli/command-io.ts';
import { OwnProcess } from '../../support/child-process.ts';
import { startRunningGateway } from '../../support/running-gateway.ts';
import { selfSigned } from '../../support/self-signed.ts';

// The commands used plain HTTP, always to 127.0.0.1, and said `socket hang up`, or that a cancel might have taken effect.
it('0204: the commands speak TLS where the gateway does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const { key, cert } = selfSigned();
  writeFileSync(keyFile, key);
  writeFileSync(certFile, cert);
  const unixSocketPath = join(folder, 'api.sock');
  const tls = { keyFile, certFile };
  const gateway = await startRunningGateway({ source: { kind: 'synthetic', seed: 1 }, tls, unixSocketPath });
  onTestFinished(() => gateway.close());
  const settings = {
    CROSSBOOK_PORT: `${gateway.port}`,
    CROSSBOOK_DATA_DIR: gateway.dataDir,
    CROSSBOOK_TLS_KEY_FILE: keyFile,
    CROSSBOOK_TLS_CERT_FILE: certFile,
    NODE_EXTRA_CA_CERTS: certFile,
  };
  const request = ['src/tools/cli/crossbook.ts', 'call', 'GET', '/v1/whoami'];
  const call = new OwnProcess(request, settings);
  const local = new OwnProcess([...request, '--unix', unixSocketPath], settings);
  const book = new OwnProcess(['src/tools/cli/crossbook.ts', 'book', 'venue_b', 'KXNONE', '--once'], settings);
  expect([await call.ended, call.stderr]).toEqual([0, '']);
  // The Unix domain socket never has TLS.
  expect([await local.ended, local.stderr]).toEqual([0, '']);
  expect([await book.ended, book.stderr]).toEqual([1, expect.stringContaining('UNKNOWN_MARKET')]);
});

it.each([
  [undefined, 'http://127.0.0.1:8080'],
  ['localhost', 'http://localhost:8080'],
  ['192.0.2.7', 'http://192.0.2.7:8080'],
  ['2001:db8::7', 'http://[2001:db8::7]:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::', 'http://127.0.0.1:8080'],
])('0204: a gateway at the host %s is asked at %s', (host, origin) => {
  const settings = host === undefined ? {} : { CROSSBOOK_HOST: host };
  expect(localOrigin({ out: () => {}, err: () => {}, env: settings })).toBe(origin);
});
