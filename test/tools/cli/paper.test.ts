// `crossbook paper` as its user meets it: its addresses, its end, the data that it keeps, and its refusals. Also the programs of docs/PAPER.md, run
// as they are printed there.

import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createDemoAccounts, type DemoAccounts } from '../../../src/paper/control/demo-accounts.ts';
import { paperCommand } from '../../../src/tools/cli/paper.ts';
import { POLYGON } from '../../../src/venues/venue-a/exchanges.ts';
import { OwnProcess } from '../../support/child-process.ts';
import { ask, VenueBTrader } from '../../support/paper-traders.ts';
import { CommandRig } from './command-rig.ts';

const PORT_OPTIONS = [
  ...['--venue-a-port', '--gamma-port', '--data-port', '--venue-b-port'],
  ...['--venue-d-port', '--venue-e-port', '--control-port'],
];
const FREE_PORTS = PORT_OPTIONS.flatMap(option => [option, '0']);
const ROWS = [
  'venue A CLOB',
  'venue A user stream',
  'venue A Gamma',
  'venue A Data API',
  'venue A relayer',
  'venue B',
  'venue D',
  'venue E',
  'control',
] as const;

const rig = new CommandRig();
const accountsFile = join(rig.dataDir, 'paper/accounts.json');
const running: OwnProcess[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    child.signal('SIGKILL');
    await child.ended;
  }
});
afterAll(() => rig.remove());

interface PaperProcess {
  readonly child: OwnProcess;
  /** The URLs, by the words with which they are printed. */
  readonly urls: Readonly<Record<(typeof ROWS)[number], string>>;
}

async function start(...args: readonly string[]): Promise<PaperProcess> {
  const environment = { CROSSBOOK_DATA_DIR: rig.dataDir };
  const child = new OwnProcess(['src/tools/cli/crossbook.ts', 'paper', ...FREE_PORTS, ...args], environment);
  running.push(child);
  await child.said(/^accounts .+\n/m);
  const urlOf = (what: string): string => new RegExp(`^${what} {2,}(.+)$`, 'm').exec(child.stdout)![1]!;
  return { child, urls: Object.fromEntries(ROWS.map(what => [what, urlOf(what)])) as PaperProcess['urls'] };
}

const accounts = (): DemoAccounts => JSON.parse(readFileSync(accountsFile, 'utf8'));

describe('a run', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'says where it listens, and ends on %s with clients connected',
    async signal => {
      const { child, urls } = await start('--intensity', '0');
      const stream = new WebSocket(urls['venue A user stream']);
      await once(stream, 'open');
      expect((await ask(`${urls['venue B']}/exchange/status`)).status).toBe(200);
      const named = {
        'venue_a rest': urls['venue A CLOB'],
        'venue_a gamma': urls['venue A Gamma'],
        'venue_a data': urls['venue A Data API'],
        'venue_a relayer': urls['venue A relayer'],
        'venue_b rest': urls['venue B'],
        'venue_d rest': urls['venue D'],
        'venue_e rest': urls['venue E'],
      };
      expect(await ask(urls.control)).toMatchObject({ body: { urls: named } });
      const goodbye = once(stream, 'close');
      child.signal(signal);
      expect(await child.ended).toBe(0);
      await goodbye;
      expect(child.stderr).toBe('');
    },
  );

  it('keeps its accounts for the next one, for their owner only, and prints none of their secrets', async () => {
    const first = await start('--intensity', '0');
    const before = accounts();
    expect(statSync(accountsFile).mode & 0o777).toBe(0o600);
    first.child.signal('SIGTERM');
    await first.child.ended;
    const { child, urls } = await start('--intensity', '0');
    expect(accounts()).toEqual(before);
    expect(await new VenueBTrader(urls['venue B'], before).balance()).toBe(1_000_000);
    const { privateKey, secret, passphrase } = before.venueA;
    const pems = before.venueB.keys.map(({ privateKeyPem }) => privateKeyPem.split('\n')[1]!);
    for (const hidden of [privateKey, privateKey.slice(2), secret, passphrase, ...pems]) {
      expect(child.stdout + child.stderr + JSON.stringify((await ask(urls.control)).body)).not.toContain(hidden);
    }
  });
});

describe('refuses', () => {
  const run = (...args: string[]) => rig.run(paperCommand, '--data-dir', rig.file('unmade'), ...args);

  it.each([
    [['--intensity', '1', '--replay', 'a.json'], '--intensity: conflicts with --replay'],
    [['--taker-delay', '1', '--replay', 'a.json'], '--taker-delay: conflicts with --replay'],
    [['--speed', '2'], '--speed: requires --replay'],
    [['--loop'], '--loop: requires --replay'],
    [['--replay', 'a.json', '--speed', '0'], '--speed: must be above 0'],
    [['--intensity', 'much'], '--intensity: must be a number from 0 to 100'],
    [['--intensity=-1'], '--intensity: must be a number from 0 to 100'],
    [['--venue-b-port', '65536'], '--venue-b-port: must be an integer from 0 to 65535'],
    [['--control-port', '80.5'], '--control-port: must be an integer from 0 to 65535'],
    [['--gamma-port', ''], '--gamma-port: must be an integer from 0 to 65535'],
    [['--gamma-port', '9105'], '--control-port: must differ from --gamma-port'],
    [['--seed', '1', '--seed', '2'], '--seed: must be given once'],
    [['--taker-delay', '61'], '--taker-delay: must be a number from 0 to 60'],
    [['--chain-id', '1'], '--chain-id: must be 137 or 80002'],
    [['--host', 'example.org'], '--host: must be an IPv4 address'],
    [['--instantly'], '--instantly'],
    [['recording.json'], 'unexpected argument recording.json'],
  ])('%j with exit code 2, naming option and rule, and makes nothing', async (args, message) => {
    const { code, out, err } = await run(...args);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(`crossbook: `)]);
    expect(err).toContain(message);
    expect(existsSync(rig.file('unmade'))).toBe(false);
  });

  it('a recording that cannot be played, naming the file', async () => {
    const said = await rig.run(paperCommand, ...FREE_PORTS, '--replay', rig.file('none.json'));
    expect(said).toEqual({ code: 1, out: '', err: expect.stringContaining('none.json: cannot be read') });
  });

  it('a port that is taken, naming it and its option', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const said = await rig.run(paperCommand, ...FREE_PORTS.slice(0, -2), '--control-port', String(port));
    server.close();
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toMatch(new RegExp(`^crossbook: cannot listen on 127.0.0.1:${port}: .*--control-port.*\n$`));
  });
});

describe('an accounts file', () => {
  const folder = rig.file('broken');
  const file = join(folder, 'paper/accounts.json');
  const run = (...args: string[]) => rig.run(paperCommand, '--data-dir', folder, ...FREE_PORTS, ...args);
  let good: DemoAccounts;

  beforeAll(async () => {
    mkdirSync(join(folder, 'paper'), { recursive: true });
    good = await createDemoAccounts(POLYGON);
  });

  it.each([
    ['is no JSON', () => 'sesame'],
    ['lacks a part', () => JSON.stringify({ venueA: { ...good.venueA, secret: 'sesame' } })],
    ['has a secret that is none', () => JSON.stringify({ ...good, venueA: { ...good.venueA, secret: 'sesame!' } })],
    ['has a key that is none', () => JSON.stringify({ ...good, venueA: { ...good.venueA, privateKey: 'sesame' } })],
  ])('that %s is named, without its content', async (_what, text) => {
    writeFileSync(file, text(), { mode: 0o600 });
    const said = await run();
    expect(said).toEqual({ code: 1, out: '', err: expect.stringContaining(`crossbook: ${file}: `) });
    expect(said.err).not.toContain('sesame');
    expect(readFileSync(file, 'utf8')).toBe(text());
  });

  it('that others may read is refused', async () => {
    writeFileSync(file, JSON.stringify(good));
    chmodSync(file, 0o644);
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('chmod 600') });
    chmodSync(file, 0o600);
  });

  it('of another chain is not used for the requested one', async () => {
    writeFileSync(file, JSON.stringify(good));
    expect(await run('--chain-id', '80002')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^crossbook: --chain-id: /),
    });
  });
});

describe('the programs of docs/PAPER.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/PAPER.md'), 'utf8');
  const programs = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code!);

  it.each([
    ['kalshi-typescript', /fill_count: '1\.00'/],
    ['@polymarket/clob-client-v2', /status: 'matched'/],
  ])('%s trades', async (name, traded) => {
    const printed = programs.find(code => code.includes(`from '${name}'`))!;
    const { urls } = await start('--intensity', '0', '--taker-delay', '0');
    const code = printed
      .replaceAll('data/paper/accounts.json', accountsFile)
      .replaceAll('http://127.0.0.1:9101', urls['venue A CLOB'])
      .replaceAll('http://127.0.0.1:9102', urls['venue A Gamma'])
      .replaceAll('http://127.0.0.1:9104/trade-api/v2', urls['venue B']);
    const child = new OwnProcess(['--input-type=module', '--eval', code]);
    running.push(child);
    expect([await child.ended, child.stderr]).toEqual([0, '']);
    expect(child.stdout).toMatch(traded);
  });
});
