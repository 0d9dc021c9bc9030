// `crossbook protection` against a gateway on the paper exchanges.

import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { orderCommand } from '../../../src/tools/cli/order.ts';
import { protectionCommand } from '../../../src/tools/cli/protection.ts';
import { type PaperGateway, startPaperGateway } from '../../clients/paper-gateway.ts';
import { eventually } from '../../support/eventually.ts';
import { CommandRig } from './command-rig.ts';

let paper: PaperGateway;
const rig = new CommandRig();
beforeAll(async () => {
  paper = await startPaperGateway();
});
afterAll(async () => {
  rig.remove();
  await paper.close();
});

const where = () => ['--url', paper.gateway.httpUrl, '--data-dir', join(paper.folder, 'data')];
const protection = (...args: string[]) => rig.run(protectionCommand, ...args, ...where());
const buy = (price: string) =>
  rig.run(orderCommand, 'submit', paper.ticker, 'buy-yes', '1', '--price', price, ...where());
const rows = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map(line => line.split(/ {2,}/));

it('sets, lists and ends those of a venue and of a market', async () => {
  expect(await protection('list')).toEqual({ code: 0, out: 'no protections\n', err: '' });
  const { ticker, tokenId } = paper;
  expect(await protection('set', 'venue_b', '--fills-max', '3', '--window-ms', '2000')).toEqual({
    ...{ code: 0, err: '' },
    out: 'venue_b  ARMED, at most 3 fills within 2000 ms\n',
  });
  const ofToken = await protection('set', tokenId, '--shares-max', '2.5', '--window-ms', '500');
  expect(ofToken.out).toBe(`${tokenId}  ARMED, at most 2.5 shares within 500 ms\n`);
  expect(rows((await protection('list')).out)).toEqual([
    ['VENUE', 'MARKET', 'AT MOST', 'WINDOW MS', 'STATE', 'FILLS', 'SHARES', 'TRIGGERED'],
    ['venue_a', tokenId, '2.5 shares', '500', 'ARMED', '0', '0'],
    ['venue_b', 'all', '3 fills', '2000', 'ARMED', '0', '0'],
  ]);
  expect((await protection('end', tokenId)).out).toBe(`${tokenId}  ended\n`);
  expect((await protection('end', 'venue_b')).out).toBe('venue_b  ended\n');
  expect(await protection('end', ticker)).toMatchObject({
    code: 1,
    err: 'crossbook: venue, address: no such protection (NOT_FOUND)\n',
  });
});

it('resets one that was triggered', async () => {
  await protection('set', paper.ticker, '--fills-max', '0', '--window-ms', '1000');
  expect((await buy('0.99')).out).toMatch(/ {2}FILLED\n$/);
  await eventually(async () => {
    const [, row = []] = rows((await protection('list')).out);
    expect(row.slice(0, -1)).toEqual(['venue_b', paper.ticker, '0 fills', '1000', 'TRIGGERED', '1', '1']);
    expect(row.at(-1)).toMatch(/^20\d\d-.*Z$/);
  });
  expect((await buy('0.01')).err).toMatch(/^crossbook: the protection of venue_b .* is triggered/);
  expect(await protection('reset', paper.ticker)).toMatchObject({
    code: 0,
    out: `${paper.ticker}  ARMED, at most 0 fills within 1000 ms\n`,
  });
  expect((await buy('0.01')).out).toMatch(/ {2}OPEN\n$/);
});

it.each([
  [['set', 'venue_b', '--window-ms', '1000'], 2, 'protection set: needs either --fills-max or --shares-max'],
  [
    ['set', 'venue_b', '--fills-max', '1', '--shares-max', '1', '--window-ms', '1000'],
    2,
    'protection set: needs either',
  ],
  [['set', 'venue_b', '--fills-max', 'many', '--window-ms', '1000'], 2, '--fills-max: must be a whole number'],
  [['set', 'venue_b', '--fills-max', '1'], 2, '--window-ms: is required'],
  [['set', 'venue_b', '--fills-max', '1', '--window-ms', '1'], 1, 'windowMs: must be an integer from 100'],
  [['set', 'KXNOTHING', '--fills-max', '1', '--window-ms', '1000'], 1, 'address: no such market (NOT_FOUND)'],
  [['reset'], 2, 'PLACE: is required'],
])('%j is refused', async (args, code, words) => {
  const refused = await protection(...args);
  expect([refused.code, refused.out, refused.err]).toEqual([code, '', expect.stringContaining(`crossbook: ${words}`)]);
});
