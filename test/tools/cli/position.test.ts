// `crossbook position` against a gateway on the paper exchanges. Its demo account has a deposit wallet.

import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { positionCommand } from '../../../src/tools/cli/position.ts';
import { type PaperGateway, startPaperGateway } from '../../clients/paper-gateway.ts';
import { eventually } from '../../support/eventually.ts';
import { ask } from '../../support/paper-traders.ts';
import { CommandRig } from './command-rig.ts';

let paper: PaperGateway;
const rig = new CommandRig();
beforeAll(async () => {
  paper = await startPaperGateway(3);
  await control('PUT', '/venues/venue_a/settlement', { delayMs: 10 });
});
afterAll(async () => {
  rig.remove();
  await paper.close();
});

const where = () => ['--url', paper.gateway.httpUrl, '--data-dir', join(paper.folder, 'data')];
const position = (...args: string[]) => rig.run(positionCommand, ...args, ...where());
const MADE = /^(?<id>[0-9a-f-]{36}) {2}(?<what>.+): (PENDING|SUBMITTED|CONFIRMED)\n$/;

async function control(method: string, path: string, body: object): Promise<void> {
  const url = paper.gateway.paper!.urls.control + path;
  expect((await ask(url, method, body)).status).toBe(200);
}

async function made(what: string, ...args: string[]): Promise<string> {
  const said = await position(...args);
  const { id = '', what: shown } = MADE.exec(said.out)?.groups ?? {};
  expect([said.code, said.err, shown]).toEqual([0, '', what]);
  return id;
}

it.each([
  [['split', 'TOKEN', '0'], /^crossbook: amountUsd: .* \(INVALID_REQUEST\)\n$/],
  [['merge', 'TOKEN', '999999'], /\(INSUFFICIENT_BALANCE\)\n$/],
  [['redeem', '77'], /\(NOT_FOUND\)\n$/],
  [['action', 'none'], /\(NOT_FOUND\)\n$/],
])('says why %j is not done', async (args, words) => {
  const said = await position(...args.map(it => (it === 'TOKEN' ? paper.tokenId : it)));
  expect([said.code, said.out]).toEqual([1, '']);
  expect(said.err).toMatch(words);
});

it('splits and redeems, and shows what became of it', async () => {
  const { tokenId } = paper;
  expect(await position('actions')).toEqual({ code: 0, out: 'no actions\n', err: '' });
  const split = await made('SPLIT 10 shares, $10', 'split', tokenId, '10');
  await eventually(async () => {
    expect((await position('action', split)).out).toMatch(/^status +CONFIRMED$/m);
  });
  await control('POST', `/venues/venue_a/markets/${tokenId}/settle`, { value: '1' });
  const redeem = await made('REDEEM 10 shares, $10', 'redeem', tokenId);
  const [head, ...rows] = (await position('actions')).out
    .trimEnd()
    .split('\n')
    .map(line => line.split(/ {2,}/));
  expect(head).toEqual(['ACTION', 'KIND', 'TOKEN', 'SHARES', 'USD', 'STATUS', 'CREATED']);
  expect(rows.map(row => row.slice(0, 5))).toEqual([
    [redeem, 'REDEEM', tokenId, '10', '10'],
    [split, 'SPLIT', tokenId, '10', '10'],
  ]);
  const newest = await position('actions', '--count', '1');
  expect([newest.out.split('\n').length, newest.err]).toEqual([3, 'there are more: --count\n']);
});

it.each([['redeem'], ['split', '1'], ['merge', '1'], ['actions', '--count', '101'], ['cancel', '1']])(
  'takes no %s %s',
  async (...args) => {
    expect((await position(...args)).code).toBe(2);
  },
);
