// The README's walk-through as a newcomer pastes it. Its blocks run as they stand, in a folder that looks like a fresh clone after `npm
// ci`, on a port of its own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNodeClient, nodeSigner } from '../../src/tools/client/node-client.ts';
import { steadyPort } from '../soak/steady-port.ts';
import { blocksOf, codeBlocksOut } from '../support/documents.ts';
import { eventually } from '../support/eventually.ts';

const README = readFileSync('README.md', 'utf8');
const [START = ''] = blocksOf(README, '## Start', 'sh');
const [TYPED = ''] = blocksOf(README, '## A first order', 'sh');
const [BOT = ''] = blocksOf(README, '## A bot', 'ts');
const [, RUN_BOT = ''] = /`(npx node bot\.ts [^`]+)`/.exec(README) ?? [];
const LINES_MAX = 90;
const WORDS_MAX = 500;
/** The files of a clone that the walk-through needs. */
const CLONED = ['package.json', 'package-lock.json', 'bin', 'src', 'proto', 'docs', 'node_modules'];

/** A shell of its own process group, so that its end is the end of all that it has started. */
class Shell {
  readonly #child;
  readonly ended: Promise<number | null>;
  said = '';

  constructor(script: string, environment: Readonly<Record<string, string>> = {}) {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, npm_config_update_notifier: 'false', CROSSBOOK_PORT: String(port), ...environment };
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    this.#child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: folder,
      env,
      stdio: [...stdio],
      detached: true,
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', text => {
        this.said += text;
      });
    }
    this.ended = once(this.#child, 'close').then(([code]) => code as number | null);
    running.push(this);
  }

  /** Resolves once it has said so. Only the test's time-out ends it: beside other tests a start takes minutes. */
  async says(text: string): Promise<void> {
    let hasEnded = false;
    const end = this.ended.then(() => {
      hasEnded = true;
    });
    while (!this.said.includes(text)) {
      if (hasEnded) throw new Error(this.said);
      await Promise.race([once(this.#child.stdout!, 'data'), end]);
    }
  }

  kill(): void {
    try {
      process.kill(-this.#child.pid!, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

let folder: string;
let port: number;
const running: Shell[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-readme-'));
  for (const name of CLONED) symlinkSync(resolve(name), join(folder, name));
  port = await steadyPort();
});

afterAll(async () => {
  for (const shell of running) shell.kill();
  await Promise.all(running.map(it => it.ended));
  rmSync(folder, { recursive: true });
});

it('starts, shows a book, buys, shows the position, and runs the program', async () => {
  // Installing is what every run of this test stands on.
  const gateway = new Shell(`npm() { [ "$1" = ci ] || command npm "$@"; }\n${START}`);
  await gateway.says(`crossbook listening on http://127.0.0.1:${port} (paper exchanges:`);
  await gateway.says('First start: made the signing key');
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  // Beside other tests the catalog may take longer than lists wait for it.
  const signer = nodeSigner(JSON.parse(readFileSync(join(folder, 'data/demo/key.json'), 'utf8')));
  const client = createNodeClient({ url: `http://127.0.0.1:${port}`, signer });
  const query = { venue: 'venue_b', executable: true, pageSize: 1 } as const;
  await eventually(async () => {
    const page = await client.call('listMarkets', { query });
    expect(page).toMatchObject({ ok: true, value: { value: { markets: [{ outcomes: [{}, {}] }] } } });
  });

  const typing = new Shell(`${TYPED}\necho "the ticker is $ticker"`);
  const code = await typing.ended;
  expect(code, typing.said).toBe(0);
  expect(typing.said).toMatch(/^LIVE /m);
  expect(typing.said).toMatch(/^[\da-f-]{36} {2}FILLED {2}\S/m);
  expect(typing.said).toMatch(/^KX\S+ +YES +3 /m);
  const [, ticker = ''] = /^the ticker is (\S+)$/m.exec(typing.said)!;

  writeFileSync(join(folder, 'bot.ts'), BOT);
  const bot = new Shell(RUN_BOT, { ticker });
  await eventually(() => expect(bot.said).toMatch(/^order OPEN\n(.*\n)*.* LIVE$/m));

  const mistaken = new Shell(RUN_BOT, { ticker: 'NOPE' });
  await eventually(() => expect(mistaken.said).toMatch(/^ticker: .+/m));
});

it('is short: its prose, and the whole of it', () => {
  expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(LINES_MAX);
  expect(codeBlocksOut(README).split(/\s+/).length).toBeLessThanOrEqual(WORDS_MAX);
});
