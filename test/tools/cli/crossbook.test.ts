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

/** Runs the command. Returns its outputs, and its exit code if that is not 0. */
function run(...args: readonly string[]) {
  const child = promisify(execFile)(process.execPath, ['src/tools/cli/crossbook.ts', ...args], {
    timeout: PATIENCE_MS,
  });
  return child.catch(error => error);
}

describe('crossbook', () => {
  it('lists its commands, and helps with each, with two examples that its help explains', async () => {
    const { stdout } = await run('help');
    const names = [...stdout.matchAll(/^ {2}([a-z-]+) +\S/gm)].map(([, name]) => name as string);
    expect(names).toEqual(expect.arrayContaining(['markets', 'orders', 'keys', 'api-keys', 'pods', 'help']));
    const helps = await Promise.all(names.map(async name => [name, (await run('help', name)).stdout] as const));
    const anExample = expect.stringContaining('crossbook');
    for (const [name, help] of helps) {
      const [usage = '', examples = ''] = help.split(/\n\n(?= {4}\S)/);
      expect([name, usage.includes(`\n  ${name}`), examples.trimEnd().split('\n')]).toEqual([
        name,
        true,
        [anExample, anExample],
      ]);
      for (const [option] of examples.matchAll(/--(?!help|version)[a-z-]+/g))
        expect([name, usage]).toEqual([name, expect.stringContaining(option)]);
    }
  });

  it('completes commands, their words and their options in bash', async () => {
    const { stdout: script } = await run('completion', 'bash');
    const complete = async (...words: string[]) => {
      const typed = words.map(word => `'${word}'`).join(' ');
      const ask = `COMP_WORDS=(crossbook ${typed}); COMP_CWORD=${words.length}; _crossbook; echo "\${COMPREPLY[*]}"`;
      return (await promisify(execFile)('bash', ['-c', `${script}\n${ask}`])).stdout.trim();
    };
    expect(await complete('pos')).toBe('positions position');
    expect(await complete('order', 'c')).toBe('cancel cancel-all');
    expect(await complete('orders', '--s')).toBe('--status');
    expect((await run('completion', 'zsh')).stdout).toContain(script);
    expect((await run('completion', 'fish')).stdout).toContain(
      "__fish_seen_subcommand_from order' -a 'submit preview get",
    );
    const stderr = expect.stringContaining('bash, zsh or fish');
    expect(await run('completion', 'tcsh')).toMatchObject({ code: 2, stderr });
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

  it('says its version, and what it runs on, to a program', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const { version: node, versions, platform, arch } = process;
    const known = { crossbook: version, node, abi: versions.modules, platform, arch };
    expect(JSON.parse((await run('version', '--json')).stdout)).toEqual(known);
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
      stderr: expect.stringMatching(/command.*crossbook help lists the commands\n$/),
    });
  });

  it('asks whether another command was meant', async () => {
    expect((await run('oders')).stderr).toContain('unknown command oders, did you mean orders?');
    expect((await run('catalogue-of-all')).stderr).not.toContain('did you mean');
  });
});
