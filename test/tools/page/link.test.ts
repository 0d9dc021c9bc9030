// The link to the page: only a start on a terminal prints it, and only on loopback.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { createKeyPair } from '../../../src/core/auth/key-pair.ts';
import { OwnProcess } from '../../support/child-process.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { send, sendSigned } from '../../support/signed-requests.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

const WITHOUT_LINK = /^web page: a start on a terminal.* docs\/PAGE\.md says\r?$/m;
const LISTENS = /listening on .*\r?\n/;
const settings = () => ({ CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: folder, CROSSBOOK_WARM_UP: 'off' });

/** The examples of a first start are printed last. */
const start = (environment: Readonly<Record<string, string>> = {}) =>
  onTerminal([], { ...settings(), ...environment }, said => LISTENS.test(said) && said.includes('crossbook book '));

it('registers the key of the first browser that opens it', async () => {
  const { said, end } = await start();
  const [, origin, token] = /^web page, once within 10 minutes: (http:\/\/127\.0\.0\.1:\d+)\/#([\w-]{43})\r?$/m.exec(
    said,
  )!;
  const { seedHex, publicKeyHex: publicKey } = await createKeyPair();
  const enrolled = await send(`${origin}/page/enrolment`, {
    method: 'POST',
    body: JSON.stringify({ token, publicKey }),
    headers: { 'Content-Type': 'application/json' },
  });
  expect(enrolled.status).toBe(201);
  const { keyId } = enrolled.json as { readonly keyId: string };
  expect((await sendSigned(`${origin}/v1/pod`, { keyId, seedHex })).status).toBe(200);
  await end();
});

it('is not printed for a gateway that other machines reach', async () => {
  const { said, end } = await start({ CROSSBOOK_HOST: '0.0.0.0' });
  expect(said).not.toContain('web page, once');
  expect(said).toMatch(WITHOUT_LINK);
  await end();
});

it('is not printed where nobody reads', async () => {
  const gateway = new OwnProcess(['src/main.ts'], settings());
  await gateway.said(/crossbook book .*\n/);
  expect(gateway.stdout).not.toContain('web page, once');
  expect(gateway.stdout).toMatch(WITHOUT_LINK);
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toBe(0);
});
