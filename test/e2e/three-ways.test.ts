// One bot, whose requests follow from the data alone, in three ways. A backtest goes by the recording's clock, and a replay by the wall's. Beside
// live-paper stands a venue that shows the same books. The requests are the same.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openGate } from '../../src/market-data/recording/timeline.ts';
import { createDemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { ed25519KeyOf } from '../../src/paper/demo-pod.ts';
import { POLYGON } from '../../src/venues/venue-a/exchanges.ts';
import { OwnProcess } from '../support/child-process.ts';
import { makeRecording } from '../support/made-recording.ts';
import { startQuietPaper } from '../support/quiet-paper.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const SECONDS = 20;
const SPEED = 5;
const BOT = 'test/support/counting-bot.ts';

let folder: string;
let recording: string;
beforeAll(async () => {
  folder = temporaryFolder();
  recording = join(folder, 'recording');
  await makeRecording({ folder: recording, markets: 2, changesPerS: 20, seconds: SECONDS, hasMarks: true });
});
afterAll(() => removeFolder(folder));

/** Returns the bot's requests, and their hash. `whenReady` is called when the bot has the book. */
async function botAt(gateway: OwnProcess, dataDir: string, whenReady = (): void => {}): Promise<readonly string[]> {
  try {
    const [, port] = await gateway.said(/crossbook listening on http:\S+:(\d+) /);
    const environment = { CROSSBOOK_PORT: port!, CROSSBOOK_KEY_FILE: join(dataDir, 'demo/key.json') };
    const bot = new OwnProcess([BOT], environment);
    await bot.said(/^ready$/m);
    whenReady();
    await bot.said(new RegExp(`^${SECONDS}: `, 'm'));
    bot.signal('SIGTERM');
    await bot.ended;
    return requestsIn(bot.stdout);
  } finally {
    gateway.signal('SIGTERM');
    await gateway.ended;
  }
}

function requestsIn(said: string): readonly string[] {
  return said.split('\n').filter(line => /^(\d+: |hash )/.test(line));
}

async function inBacktest(): Promise<readonly string[]> {
  const out = join(folder, 'backtest');
  const bot = [process.execPath, '--disable-warning=ExperimentalWarning', BOT];
  const command = ['src/tools/cli/crossbook.ts', 'backtest', '--recording', recording, '--out', out, '--', ...bot];
  const backtest = new OwnProcess(command);
  expect([await backtest.ended, backtest.stderr]).toEqual([0, expect.stringContaining('report.html')]);
  return requestsIn(backtest.stdout);
}

function inReplay(): Promise<readonly string[]> {
  const dataDir = join(folder, 'replay');
  const options = ['--replay', recording, '--speed', String(SPEED)];
  const gateway = new OwnProcess(['src/main.ts', ...options], { CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: dataDir });
  return botAt(gateway, dataDir);
}

/** Runs the bot in live-paper. Paper exchanges that play the recording stand for the real venues. */
async function inLivePaper(): Promise<readonly string[]> {
  const gate = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const accounts = await createDemoAccounts(POLYGON);
  const liquidity = { kind: 'recorded', folder: recording, speed: SPEED, loop: false, gate } as const;
  const real = await startQuietPaper(accounts, { liquidity });
  const { keyId, privateKeyPem } = ed25519KeyOf(accounts.venueB);
  const [dataDir, keyFile] = [join(folder, 'live-paper'), join(folder, 'read.pem')];
  writeFileSync(keyFile, privateKeyPem, { mode: 0o600 });
  try {
    const gateway = new OwnProcess(['src/main.ts', '--live-paper'], {
      CROSSBOOK_PORT: '0',
      CROSSBOOK_DATA_DIR: dataDir,
      CROSSBOOK_LIVE_PAPER_OFF: 'venue_a',
      CROSSBOOK_VENUE_B_REST_URL: real.urls.venueB.rest,
      CROSSBOOK_VENUE_B_STREAM_URL: real.urls.venueB.stream,
      CROSSBOOK_VENUE_B_READ_KEY_ID: keyId,
      CROSSBOOK_VENUE_B_READ_KEY_FILE: keyFile,
    });
    return await botAt(gateway, dataDir, () => openGate(gate));
  } finally {
    real.close();
  }
}

it('a bot that depends on data alone sends the same requests in a backtest, in live-paper and in a replay', async () => {
  const requests = await inBacktest();
  expect(requests).toHaveLength(SECONDS + 1);
  expect(requests.at(-1)).toMatch(/^hash [0-9a-f]{64}$/);
  expect(await inReplay()).toEqual(requests);
  expect(await inLivePaper()).toEqual(requests);
});
