// The command line as a process: it finds its commands, and passes their arguments on.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../support/eventually.ts';
import { CallRig } from './call-rig.ts';

let rig: CallRig;
beforeAll(async () => {
  rig = await CallRig.start();
});
afterAll(() => rig.end());

/** Its outputs, and `code` if that is not 0. */
function run(...args: readonly string[]) {
  const child = promisify(execFile)(process.execPath, ['src/tools/cli/crossbook.ts', ...args], {
    timeout: PATIENCE_MS,
  });
  return child.catch(error => error);
}

describe('crossbook', () => {
  it('finds its commands, and helps with them', async () => {
    const { stdout } = await run('help');
    for (const name of ['book', 'call', 'keys', 'api-keys', 'pods', 'help']) expect(stdout).toContain(`\n  ${name} `);
  });

  it('helps with one command', async () => {
    const { stdout } = await run('help', 'call');
    expect(stdout).toContain('--idempotency-key');
    expect(stdout).not.toContain('--once');
  });

  it.each([[['call', '--help']], [['call', 'GET', '/v1/time', '-h']], [['--help', 'call']]])(
    'helps with %j',
    async args => {
      const [asked, help] = await Promise.all([run(...args), run('help', 'call')]);
      expect(asked).toEqual(help);
      expect(asked.code).toBeUndefined();
    },
  );

  it('says its version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const asked of ['--version', 'version']) expect((await run(asked)).stdout).toBe(`crossbook ${version}\n`);
  });

  it('says no version to a question that it does not know', async () => {
    const stderr = 'crossbook: unexpected argument extra\n';
    expect(await run('version', 'extra')).toMatchObject({ code: 2, stdout: '', stderr });
  });

  it('hands on what a command says', async () => {
    const said = await run('call', 'GET', '/v1/time', '--url', rig.server.url, '--key', rig.keyFile);
    expect(said).toEqual({ stdout: '{}\n', stderr: '' });
  });

  it('hands on how a command ends', async () => {
    expect(await run('call', 'GET')).toMatchObject({ code: 2, stderr: 'crossbook: PATH: is required\n' });
  });

  it.each([['cal'], []])('knows no command %s', async (...args) => {
    expect(await run(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/command.*there are start, book, call/),
    });
  });
});
