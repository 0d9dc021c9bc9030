// The programs of examples/ in TypeScript and Python, each against the season on the paper exchanges. They are found by their names, so that none
// is without a test. The maker and the watcher run once more, unchanged, in a backtest of what was recorded then.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MarketChoice } from '../../src/market-data/recording/recorder-settings.ts';
import { createNodeClient, nodeSigner } from '../../src/tools/client/node-client.ts';
import { lacks } from '../support/debian-packages.ts';
import { eventually } from '../support/eventually.ts';
import { newKey } from '../support/new-key.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { type PaperGateway, startPaperGateway } from './paper-gateway.ts';
import { Program, PYTHON, succeeds } from './program.ts';

const FOLDER = resolve('examples');
const LINES_MAX = 90;
const PROGRAMS = ['exporter', 'hedger', 'maker', 'recorder', 'watcher'] as const;
const LANGUAGES = lacks('python3-cryptography', 'python3-httpx', 'python3-websockets') ? ['ts'] : ['py', 'ts'];

/** Counts the rows of a file of JSON lines, or of a table, by DuckDB. */
const COUNT = `
import { DuckDBInstance } from '@duckdb/node-api';
const [from, file] = process.argv.slice(1);
const database = await (await DuckDBInstance.create(file)).connect();
const rows = await database.runAndReadAll('select count(*), count(bid) from ' + from);
console.log(rows.getRows()[0].join(' '));
`;

/** Long enough for a bot of a backtest; the recording grows with the tests. */
const PLAYED_MS = 30_000;

let recording: string;
/** Unix milliseconds. */
let recordedFrom: number;
let paper: PaperGateway;
/** A game that both venues list, by its market at venue B. */
let ticker: string;

beforeAll(async () => {
  recording = temporaryFolder();
  recordedFrom = Date.now();
  paper = await startPaperGateway(undefined, { folder: recording, markets: MarketChoice.ALL, bytesMax: 1e12 });
  const client = clientOf(paper);
  ticker = await eventually(async () => {
    const page = await client.call('listMarkets', { query: { venue: 'venue_a', executable: true, pageSize: 100 } });
    if (!page.ok) throw new Error(page.error.message);
    const pairs = page.value.value.markets.filter(({ outcomes }) => outcomes.length === 2);
    const listings = pairs.flatMap(({ outcomes }) => {
      const isPaired = outcomes.every(it => it.listings.some(({ venue }) => venue === 'VENUE_A'));
      return isPaired ? outcomes.flatMap(it => it.listings) : [];
    });
    // The last has not begun: a bid of one cent rests there.
    const yes = listings.findLast(it => it.venue === 'VENUE_B' && it.side === 'YES' && it.executable);
    if (yes?.venue !== 'VENUE_B') throw new Error('no pair yet');
    return yes.ticker;
  });
});
afterAll(async () => {
  await paper.close();
  removeFolder(recording);
});

const clientOf = ({ gateway }: PaperGateway) =>
  createNodeClient({ url: gateway.httpUrl, signer: nodeSigner(gateway.key) });

function commandOf(name: string, language: string): string[] {
  const path = join(FOLDER, `${name}.${language}`);
  return language === 'py' ? [PYTHON, path] : [process.execPath, '--disable-warning=ExperimentalWarning', path];
}

const start = (name: (typeof PROGRAMS)[number], language: string, ...args: readonly string[]): Program =>
  startIn(paper.folder, name, language, ...args);

/** `folder` has the program's key. */
function startIn(
  folder: string,
  name: (typeof PROGRAMS)[number],
  language: string,
  ...args: readonly string[]
): Program {
  const program = new Program(
    [...commandOf(name, language), ...args],
    { CROSSBOOK_PORT: String(paper.gateway.port) },
    folder,
  );
  // A program that outlived a failed test would go on to trade beside the next.
  onTestFinished(() => program.signal('SIGKILL'));
  return program;
}

it('each is there in both languages, short enough to be read, and has a test here', () => {
  const files = readdirSync(FOLDER).filter(name => /\.(py|ts)$/.test(name));
  expect(files).toEqual(PROGRAMS.flatMap(name => [`${name}.py`, `${name}.ts`]));
  const lengths = files.map(name => [name, readFileSync(join(FOLDER, name), 'utf8').trimEnd().split('\n').length]);
  expect(lengths.filter(([, lines]) => Number(lines) > LINES_MAX)).toEqual([]);
});

it('those in TypeScript fit their types', async () => {
  await succeeds([process.execPath, resolve('node_modules/typescript/bin/tsc'), '--noEmit', '-p', FOLDER]);
});

describe.each(LANGUAGES)('in .%s', language => {
  it.each(['SIGINT', 'SIGTERM'] as const)('the maker quotes both sides, and cancels them at %s', async signal => {
    const maker = start('maker', language, paper.ticker);
    await maker.says(/^5 YES at \d+ cents: OPEN$/m);
    await maker.says(/^5 NO at \d+ cents: OPEN$/m);
    await eventually(async () => expect(await paper.openOrders()).toBe(2));
    maker.signal(signal);
    expect([await maker.ended, maker.said]).toEqual([0, expect.stringMatching(/^all cancelled$/m)]);
    expect(await paper.openOrders()).toBe(0);
  });

  it('the watcher prints what both outcomes of a game cost', async () => {
    const watcher = start('watcher', language);
    await watcher.says(/^[1-9]\d* markets at both venues$/m);
    await watcher.says(/: 0\.\d+ at venue_[ab] \+ 0\.\d+ at venue_[ab] = [01]\.\d+/m);
    watcher.signal('SIGKILL');
    await watcher.ended;
    expect(watcher.said).not.toContain('refused');
  });

  it('the hedger hedges its fill at the other venue', async () => {
    const hedger = start('hedger', language, ticker, '99');
    await hedger.says(/^bid /m);
    await hedger.says(/^hedged (9\.\d+|1\d(\.\d+)?) at 0\.\d+/m);
    hedger.signal('SIGTERM');
    await hedger.ended;
    expect(hedger.said).toMatch(/open and not hedged: 0(\.\d+)?;/);
    const page = await clientOf(paper).call('listVenueAOrders', { query: {} });
    expect(page.ok && page.value.value.orders[0]).toMatchObject({ side: 'BUY', status: 'FILLED' });
  });

  it('the hedger, if it is killed, has its bid cancelled by the dead man’s switch', async () => {
    // With a key of its own: orders of the demo's key are cancelled ten seconds after a maker has left.
    const folder = join(paper.folder, `own-key-${language}`);
    mkdirSync(join(folder, 'data/demo'), { recursive: true });
    writeFileSync(join(folder, 'data/demo/key.json'), JSON.stringify(await newKey(paper.gateway.keyStore)));
    const hedger = startIn(folder, 'hedger', language, ticker, '1');
    await hedger.says(/^bid /m);
    hedger.signal('SIGKILL');
    await hedger.ended;
    const client = clientOf(paper);
    await eventually(async () => {
      const page = await client.call('listVenueBOrders', { query: { ticker } });
      if (!page.ok) throw new Error(page.error.message);
      expect(page.value.value.orders[0]).toMatchObject({ status: 'CANCELLED', cancelReason: 'DEAD_MAN' });
    });
  });

  it('the recorder writes what DuckDB reads', async () => {
    const file = join(paper.folder, `recorded-${language}`);
    const recorder = start('recorder', language, file, paper.ticker, paper.otherTicker);
    await recorder.says(/^([2-9]|\d{2,}) (rows|quotes)/m);
    recorder.signal('SIGTERM');
    expect(await recorder.ended).toBe(0);
    const [from, database] = language === 'ts' ? ['quotes', file] : [`read_json_auto('${file}')`, ':memory:'];
    const [rows, bids] = (
      await succeeds([process.execPath, '--input-type=module', '-e', COUNT, from!, database!])
    ).split(' ');
    expect([Number(rows), Number(bids)]).toEqual([expect.toSatisfy(it => it > 1), expect.toSatisfy(it => it > 0)]);
  });

  it('the exporter serves the positions as metrics', async () => {
    const exporter = start('exporter', language, '0');
    await exporter.says(/^listening .*\d{4}/m);
    const [, port] = /(?:port: |, )(\d+)/.exec(exporter.said)!;
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    exporter.signal('SIGKILL');
    await exporter.ended;
    // The hedger of this language has bought.
    expect(text).toMatch(new RegExp(`^bot_position_contracts{ticker="${ticker}",side="YES"} \\d+$`, 'm'));
    expect(text).toMatch(new RegExp(`^bot_position_profit_usd{ticker="${ticker}",side="YES"} -?[\\d.]+$`, 'm'));
  });

  it('the maker and the watcher run unchanged in a backtest of what they have traded', async () => {
    const runs = {
      maker: [[paper.ticker], /^5 YES at \d+ cents: OPEN$[\s\S]*^all cancelled$/m],
      watcher: [[], /^[1-9]\d* markets at both venues$[\s\S]*: 0\.\d+ at venue_[ab] \+ 0\.\d+ at venue_[ab] = /m],
    } as const;
    for (const [name, [args, pattern]] of Object.entries(runs)) {
      const out = join(paper.folder, `backtest-${name}-${language}`);
      const to = new Date(recordedFrom + PLAYED_MS).toISOString();
      const options = ['backtest', '--recording', recording, '--to', to, '--out', out, '--'];
      const command = [resolve('bin/crossbook'), ...options, ...commandOf(name, language), ...args];
      expect(await succeeds(command)).toMatch(pattern);
    }
  });
});
