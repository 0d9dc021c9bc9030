// `crossbook limits`: setting, showing, and the message for each mistake.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import { limitsCommand } from '../../../src/tools/cli/limits.ts';
import { podsCommand } from '../../../src/tools/cli/pods.ts';
import { CommandRig } from './command-rig.ts';

let rig: CommandRig;
const limits = (...args: string[]) => rig.run(limitsCommand, ...args);
const limitsOf = async (actorId: string) =>
  (await rig.records()).actors.find(actor => actor.actorId === actorId)?.limits;

beforeEach(async () => {
  rig = new CommandRig();
  await rig.run(podsCommand, 'create', 'desk');
  for (const actorId of ['hedger', 'maker']) await rig.run(podsCommand, 'add-actor', 'desk', actorId);
});
afterEach(() => rig.remove());

it('sets the limits that are named, lifts those named none, and leaves the rest', async () => {
  const set = (...args: string[]) => limits('set', '--actor', 'maker', ...args);
  const first = await set('--notional-max', '500.50', '--open-orders-max', '20');
  expect(first.out).toBe('actor maker of pod desk: notionalMax 500.5, openOrdersMax 20\n');
  expect(await limitsOf('maker')).toEqual({ ...NO_LIMITS, notionalMax: 500_500_000, openOrdersMax: 20 });
  await set('--notional-max', 'none', '--position-max', '0');
  expect(await limitsOf('maker')).toEqual({ ...NO_LIMITS, openOrdersMax: 20, positionMax: 0 });
  expect(await limitsOf('hedger')).toEqual(NO_LIMITS);
});

const NONE = { ...NO_LIMITS, collarWithoutBook: 'REFUSE' };

it('sets a collar, its way without a book, and rates', async () => {
  const set = (...args: string[]) => limits('set', '--actor', 'maker', ...args);
  await set('--collar-ticks', '5', '--collar-percent', '10', '--collar-without-book', 'pass', '--size-max', '100');
  const last = await set('--order-rate-max', '50', '--order-burst-max', '100', '--cancel-rate-max', '9');
  expect(last.out).toBe(
    'actor maker of pod desk: sizeMax 100, collarTicks 5, collarPercent 10, collarWithoutBook PASS, orderRateMax 50, orderBurstMax 100, cancelRateMax 9\n',
  );
  await set('--collar-without-book', 'refuse', '--cancel-burst-max', '2', '--collar-ticks', 'none');
  expect(await limitsOf('maker')).toMatchObject({ collarWithoutBook: null, cancelBurstMax: 2, collarTicks: null });
});

it('sets the exposure of an actor, and that of all actors of a pod', async () => {
  expect((await limits('set', '--actor', 'maker', '--exposure-max', '250')).out).toContain('exposureMax 250\n');
  expect((await limits('set', '--pod', 'desk', '--exposure-max', '1000')).out).toBe('pod desk: exposureMax 1000\n');
  expect((await limits('list')).out).toMatch(
    /hedger +podExposureMax 1000\n.*maker +exposureMax 250, podExposureMax 1000\n/,
  );
  expect((await limits('set', '--pod', 'desk', '--exposure-max', 'none')).out).toBe('pod desk: none\n');
  const refused = await limits('set', '--pod', 'desk', '--size-max', '1');
  expect(refused.err).toBe('crossbook: limits set: without --actor only --exposure-max can be set\n');
  expect((await limits('set', '--pod', 'x', '--exposure-max', '1')).err).toContain('no pod x');
});

it('lists every actor', async () => {
  await limits('set', '--actor', 'maker', '--position-max', '0.000001');
  const lines = (await limits('list')).out.trimEnd().split('\n');
  expect(lines.map(line => line.split(/ {2,}/))).toEqual([
    ['POD', 'ACTOR', 'LIMITS'],
    ['desk', 'hedger', 'none'],
    ['desk', 'maker', 'positionMax 0.000001'],
  ]);
  expect(JSON.parse((await limits('list', '--json')).out)).toEqual([
    { podId: 'desk', actorId: 'hedger', ...NONE },
    { podId: 'desk', actorId: 'maker', ...NONE, positionMax: '0.000001' },
  ]);
});

describe('what is wrong is named, and nothing changes', () => {
  it.each([
    [[], 'limits: must be followed by set or list'],
    [
      ['set', '--actor', 'maker'],
      'limits set: needs one of --notional-max, --size-max, --open-orders-max, --position-max, --collar-ticks, --collar-percent, --collar-without-book, --order-rate-max, --order-burst-max, --cancel-rate-max, --cancel-burst-max, --exposure-max',
    ],
    [['set', '--position-max', '1'], '--actor: is required'],
    [['set', '--actor', 'x', '--position-max', '1'], '--actor: there is no actor x'],
    [['set', '--actor', 'maker', '--pod', 'x', '--position-max', '1'], '--pod: there is no pod x'],
    ...['-1', '1e3', '0.0000001', '', '+1', '9007199254740993', 'NONE'].map((text): [string[], string] => [
      ['set', '--actor', 'maker', `--notional-max=${text}`],
      '--notional-max: must be a decimal below 9007199254.740992, of at most 6 decimals, or none',
    ]),
    [['set', '--actor', 'maker', '--collar-without-book', 'none'], '--collar-without-book: must be refuse or pass'],
    ...['1.5', '-1', '1000000000'].map((text): [string[], string] => [
      ['set', '--actor', 'maker', `--open-orders-max=${text}`],
      '--open-orders-max: must be a whole number below 1000000000, or none',
    ]),
  ])('%j', async (args, error) => {
    expect(await limits(...args)).toEqual({ code: 2, out: '', err: `crossbook: ${error}\n` });
    expect(await limitsOf('maker')).toEqual(NO_LIMITS);
  });
});

// The refusal demanded a decimal with at most 6 decimals, which the value is, and did not name the bound.
it.each([
  [
    '--notional-max',
    '9007199254.740991',
    '9007199254.740992',
    'a decimal below 9007199254.740992, of at most 6 decimals',
  ],
  ['--position-max', '9007199254.740991', '9007199255', 'a decimal below 9007199254.740992, of at most 6 decimals'],
  ['--open-orders-max', '999999999', '1000000000', 'a whole number below 1000000000'],
])('0209: %s may be %s, and the refusal of %s names the bound', async (option, most, more, rule) => {
  const rig = new CommandRig();
  onTestFinished(() => rig.remove());
  await rig.run(podsCommand, 'create', 'desk');
  await rig.run(podsCommand, 'add-actor', 'desk', 'maker');
  const set = (value: string) => rig.run(limitsCommand, 'set', '--actor', 'maker', option, value);
  expect((await set(most)).code).toBe(0);
  expect(await set(more)).toEqual({ code: 2, out: '', err: `crossbook: ${option}: must be ${rule}, or none\n` });
});

// A digit that became another one was read as if it had been set: another limit of an actor, another public key. Rows of orders and of the
// catalog had checksums, and those of keys had none.
describe('3309: a limit with another digit', () => {
  let rig: CommandRig;
  let folder: string;
  beforeEach(async () => {
    rig = new CommandRig();
    folder = join(rig.dataDir, 'keys');
    for (const args of [
      ['create', 'desk'],
      ['add-actor', 'desk', 'maker'],
    ])
      expect((await rig.run(podsCommand, ...args)).code).toBe(0);
    expect((await rig.run(limitsCommand, 'set', '--actor', 'maker', '--notional-max', '123.45')).code).toBe(0);
  });
  afterEach(() => rig.remove());

  it('is refused, with what to do', async () => {
    const path = join(folder, 'data.mdb');
    const bytes = readFileSync(path);
    const digits = Buffer.from('"notionalMax":123450000');
    // Free pages may have the digits as well.
    for (let at = bytes.indexOf(digits); at >= 0; at = bytes.indexOf(digits, at + 1))
      bytes[at + digits.indexOf('1')] = '9'.charCodeAt(0);
    writeFileSync(path, bytes);
    const words = 'record "actor/desk/maker": has a wrong checksum: restore a backup (docs/OPERATIONS.md, Backups)';
    const { code, err } = await rig.run(limitsCommand, 'list');
    expect([code, err]).toEqual([1, `crossbook: key store ${folder}: ${words}\n`]);
  });
});
