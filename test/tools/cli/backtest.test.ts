// Bots of examples/ against a recording, as `crossbook backtest` runs them: the command is a process, and starts the gateway and the bot.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecording } from '../../../src/market-data/recording/open-recording.ts';
import { complementOfPosition } from '../../../src/venues/venue-a/position-ids.ts';
import { PYTHON } from '../../clients/program.ts';
import { OwnProcess } from '../../support/child-process.ts';
import { lacks } from '../../support/debian-packages.ts';
import { blocksOf } from '../../support/documents.ts';
import { makeRecording, RECORDED_FROM, tickerOf } from '../../support/made-recording.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const NODE = [process.execPath, '--disable-warning=ExperimentalWarning'];
/** The number of repeated runs; `BACKTEST_RUNS=10` proves more. */
const RUNS = Number(process.env.BACKTEST_RUNS ?? 3);
const MAKER = [...NODE, 'examples/maker.ts', tickerOf(1)];

let folder: string;
let recording: string;
let runs = 0;

beforeAll(async () => {
  folder = temporaryFolder();
  recording = join(folder, 'recording');
  await makeRecording({ folder: recording, markets: 3, changesPerS: 20, seconds: 60 });
});
afterAll(() => removeFolder(folder));

async function backtest(options: readonly string[], bot: readonly string[], environment = {}) {
  runs += 1;
  const out = join(folder, `run ${runs}`);
  const played = options.includes('--recording') ? [] : ['--recording', recording];
  const args = ['backtest', ...played, '--out', out, ...options, '--', ...bot];
  const child = new OwnProcess(['src/tools/cli/crossbook.ts', ...args], environment);
  const code = await child.ended;
  return { code, out, said: child.stdout, err: child.stderr };
}

/** A bot that submits an order, prints its status, and ends. */
function submittingBot(operation: string, body: object): readonly string[] {
  const file = join(folder, `${operation}.mts`);
  writeFileSync(
    file,
    `import { readFileSync } from 'node:fs';
    import { createNodeClient, nodeSigner } from '${process.cwd()}/src/tools/client/node-client.ts';
    const { CROSSBOOK_URL, CROSSBOOK_KEY_FILE } = process.env;
    const signer = nodeSigner(JSON.parse(readFileSync(CROSSBOOK_KEY_FILE!, 'utf8')));
    const client = createNodeClient({ url: CROSSBOOK_URL!, signer });
    const placed = await client.call('${operation}', { body: ${JSON.stringify(body)} });
    console.log(placed.ok ? placed.value.value.status : placed.error.message);
    process.exit();`,
  );
  return [...NODE, file];
}

const time = (s: number): string => new Date(RECORDED_FROM + s * 1_000).toISOString();
const textOf = (out: string, name: string): string => readFileSync(join(out, name), 'utf8');

it('trades the same at each run, by the clock of the recording, and ends the bot with it', async () => {
  const first = await backtest(['--latency', 'feed=5,order=20,cancel=20'], MAKER);
  expect([first.code, first.err]).toEqual([0, `crossbook: ${join(first.out, 'report.html')}\n`]);
  expect(textOf(first.out, 'report.html')).toContain('Latency: feed 5 ms, order 20 ms, cancel 20 ms.');
  // Item 5003: the exchanges send their pings by the recording's clock.
  expect(textOf(first.out, 'gateway.log')).not.toContain('is silent');
  expect(first.said).toMatch(/^5 YES at \d+ cents: OPEN$[\s\S]*^all cancelled$/m);
  for (let run = 1; run < RUNS; run += 1) {
    const { said, out } = await backtest(['--latency', 'feed=5,order=20,cancel=20'], MAKER);
    expect(said).toBe(first.said);
    for (const table of ['markets.csv', 'profit.csv']) expect(textOf(out, table)).toBe(textOf(first.out, table));
  }
});

it('4503: trades the same at each run with a step, and says so', async () => {
  const options = ['--from', time(10), '--to', time(30), '--step', '200'];
  const first = await backtest(options, MAKER);
  expect([first.code, textOf(first.out, 'report.html')]).toEqual([0, expect.stringContaining('Step: 200 ms.')]);
  // Item 6004: the report ends with the part of the recording that was played.
  const times = textOf(first.out, 'profit.csv').trimEnd().split('\n').slice(1);
  expect(times.at(-1)! < time(31)).toBe(true);
  for (let run = 1; run < RUNS; run += 1) expect((await backtest(options, MAKER)).said).toBe(first.said);
});

it('shows the books of the recording, checksum by checksum', async () => {
  const tickers = [0, 2].map(tickerOf);
  const { code, said } = await backtest([], [...NODE, 'test/tools/cli/watching-bot.ts', ...tickers]);
  expect(code).toBe(0);
  for (const ticker of tickers) {
    const shown = said.split('\n').filter(line => line.startsWith(`${ticker} `));
    expect(shown).toEqual(recordedChecksums(ticker));
  }
});

/** Returns the checksums of the whole book that begins an epoch, and of each change. */
function recordedChecksums(ticker: string): string[] {
  let epoch = -1;
  const lines: string[] = [];
  for (const event of openRecording(recording).events()) {
    if (event.market.address !== ticker || (event.kind !== 'book' && event.kind !== 'changes')) continue;
    if (event.kind === 'book' && (event.state !== 'LIVE' || event.epoch === epoch)) continue;
    lines.push(`${ticker} ${event.checksum}`);
    ({ epoch } = event);
  }
  return lines;
}

it.skipIf(lacks('python3-cryptography', 'python3-httpx', 'python3-websockets'))(
  'plays a part of it by a factor, to a bot in Python',
  async () => {
    const span = ['--from', time(10), '--to', time(30), '--speed', '10'];
    const { code, said } = await backtest(span, [PYTHON, 'examples/maker.py', tickerOf(1)], {
      PYTHONPATH: 'clients/python',
    });
    expect([code, said]).toEqual([0, expect.stringMatching(/^5 NO at \d+ cents: OPEN$[\s\S]*^all cancelled$/m)]);
  },
);

it('ends with the bot, with its exit code, and gives it address and key', async () => {
  const script = `
    const { CROSSBOOK_URL, CROSSBOOK_KEY_FILE } = process.env;
    const { server, keyId } = { server: CROSSBOOK_URL, ...JSON.parse(require('fs').readFileSync(CROSSBOOK_KEY_FILE)) };
    fetch(server + '/v1/time').then(async it => console.log(keyId.length > 0, it.headers.get('svc-server-time')), console.log)
      .then(() => process.exit(3));`;
  const { code, said, err } = await backtest([], [...NODE, '-e', script]);
  // The clock stands still half a second before the first event.
  expect([code, said]).toEqual([3, `true ${RECORDED_FROM - 500}\n`]);
  expect(err).toMatch(/^crossbook: the bot ended before the recording, with exit code 3\n/);
});

it('6222: reports up to the time when the bot ended, and no holdings or resting orders after it', async () => {
  const calm = join(folder, 'calm');
  await makeRecording({ folder: calm, markets: 1, changesPerS: 1, seconds: 3_600 });
  const body = { ticker: tickerOf(0), side: 'YES', action: 'BUY', count: 5, priceCents: 99 };
  const { code, said, err, out } = await backtest(['--recording', calm], submittingBot('submitVenueBOrder', body));
  expect([code, said]).toEqual([0, 'FILLED\n']);
  expect(err).toMatch(/^crossbook: the bot ended before the recording, with exit code 0\n/);
  const half = new Date(RECORDED_FROM + 1_800_000).toISOString();
  const times = textOf(out, 'profit.csv').trimEnd().split('\n').slice(1);
  expect(times.length).toBeGreaterThan(0);
  expect(times.filter(line => line > half)).toEqual([]);
  expect(textOf(out, 'report.html')).toContain('The bot ended at 2026-11-21T18:');
});

it('6226: values the token of a market whose other token was recorded by that token’s book', async () => {
  const first = String((1n << 248n) + (0x1234n << 120n) + (2n << 104n));
  const own = join(folder, 'one token');
  await makeRecording({ folder: own, markets: 1, changesPerS: 20, seconds: 20, tokenId: first });
  const body = { tokenId: complementOfPosition(first), side: 'BUY', type: 'LIMIT', size: '10', price: '0.90' };
  const { said, out } = await backtest(['--recording', own], submittingBot('submitVenueAOrder', body));
  expect(said).toBe('FILLED\n');
  const [head = '', row = ''] = textOf(out, 'markets.csv').split('\n');
  const cells = row.split(',');
  const [market, held, unrealized] = ['market', 'held', 'unrealized'].map(name => cells[head.split(',').indexOf(name)]);
  expect([market, held, Number(unrealized) < 0]).toEqual([`venue_a ${first}`, '-10', true]);
});

it('4305: runs the bot of README.md, whose order comes before it subscribes', async () => {
  const [bot = ''] = blocksOf(readFileSync('README.md', 'utf8'), '## A bot', 'ts');
  const file = join(folder, 'bot.mts');
  writeFileSync(file, bot.replaceAll("'./src/", `'${process.cwd()}/src/`));
  const { code, said } = await backtest([], [...NODE, file, tickerOf(1)]);
  expect([code, said]).toEqual([0, expect.stringMatching(/^order OPEN\n(?:.* LIVE\n)+/)]);
});

it('says what is wrong before anything plays', async () => {
  const nothing = await backtest(['--from', '2027-01-01T00:00:00Z'], MAKER);
  expect(nothing.code).toBe(1);
  expect(nothing.err).toMatch(/the gateway has ended: --replay: .*nothing was recorded between these times/);
  const words = [
    ['--speed', 'fast', /--speed: must be a number above 0/],
    ['--latency', 'order=soon', /--latency/],
    ['--step', '0.5', /--step: must be/],
    ['--from', 'noon', /--from: must be a time such as/],
  ] as const;
  for (const [option, value, rule] of words) {
    const { code, err, out } = await backtest([option, value], MAKER);
    expect([code, err, existsSync(out)]).toEqual([2, expect.stringMatching(rule), false]);
  }
});
