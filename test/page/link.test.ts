// The link to the page: printed by a start on a terminal, on loopback, and nowhere else.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createKeyPair } from '../../src/auth/key-pair.ts';
import { OwnProcess, START_FLAGS } from '../support/child-process.ts';
import { send, sendSigned } from '../support/signed-requests.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

const LISTENS = /listening on .*\r?\n/;
const settings = () => ({ CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: folder, CROSSBOOK_WARM_UP: 'off' });

/** What a start prints on a terminal, and its end: a terminal that is closed ends what runs on it. */
async function onTerminal(environment: Readonly<Record<string, string>> = {}) {
  const command = [process.execPath, ...START_FLAGS, 'src/main.ts'].join(' ');
  const env = { PATH: process.env.PATH, ...settings(), ...environment };
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  // A test that fails leaves no gateway: one whose terminal is gone ends.
  onTestFinished(() => void terminal.kill());
  let said = '';
  const printed = Promise.withResolvers<void>();
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    // The examples of a first start come last.
    if (LISTENS.test(said) && said.includes('crossbook book ')) printed.resolve();
  });
  await printed.promise;
  const end = async (): Promise<void> => {
    const ended = once(terminal, 'close');
    terminal.stdin.write('\u0003');
    await ended;
  };
  return { said, end };
}

it('registers the key of the first browser that opens it', async () => {
  const { said, end } = await onTerminal();
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
  const { said, end } = await onTerminal({ CROSSBOOK_HOST: '0.0.0.0' });
  expect(said).not.toContain('web page');
  await end();
});

it('is not printed where nobody reads', async () => {
  const gateway = new OwnProcess(['src/main.ts'], settings());
  await gateway.said(/crossbook book .*\n/);
  expect(gateway.stdout).not.toContain('web page');
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toBe(0);
});
