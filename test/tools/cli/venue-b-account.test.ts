// `crossbook venue-b` at a paper venue B: cash by shard, and its transfer.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PodVenues } from '../../../src/core/domain/pod-accounts.ts';
import { createDemoAccounts, type DemoAccounts } from '../../../src/paper/control/demo-accounts.ts';
import type { Paper } from '../../../src/paper/paper.ts';
import { cashFindings, venueBCommand } from '../../../src/tools/cli/venue-b-account.ts';
import { POLYGON } from '../../../src/venues/venue-a/exchanges.ts';
import { startQuietPaper } from '../../support/quiet-paper.ts';
import { CommandRig } from './command-rig.ts';

let rig: CommandRig;
let paper: Paper;
let accounts: DemoAccounts;
let pods: readonly PodVenues[];
beforeEach(async () => {
  rig = new CommandRig();
  accounts = await createDemoAccounts(POLYGON, ['ed25519']);
  paper = await startQuietPaper(accounts, { isOpeningOnly: true, takerDelayS: 0 });
  pods = [pod('desk', paper.urls.venueB.rest)];
});
afterEach(() => {
  paper.close();
  rig.remove();
});

function pod(podId: string, restUrl: string): PodVenues {
  const { keyId, privateKeyPem } = accounts.venueB.keys[0]!;
  return { podId, venueA: null, venueB: { restUrl, streamUrl: 'ws://127.0.0.1:1', keyId, privateKeyPem } };
}

const run = (...args: string[]) =>
  rig.run(
    venueBCommand(() => pods),
    ...args,
  );
const move = (usd: string, ...more: string[]) => run('transfer', '--from', '0', '--to', '3', '--usd', usd, ...more);

describe('cash', () => {
  it('is shown by shard, to the command and to the doctor', async () => {
    expect(await run('cash')).toEqual({ code: 0, out: '$10000 on shard 0\n', err: '' });
    expect(await cashFindings(pods[0]!)).toEqual([
      { about: 'venues', level: 'ok', says: 'cash of desk at venue B: $10000 on shard 0' },
    ]);
    expect(await cashFindings({ podId: 'other', venueA: null, venueB: null })).toEqual([]);
  });

  it('of one pod of several is named', async () => {
    pods = [...pods, pod('other', paper.urls.venueB.rest)];
    expect(await run('cash')).toMatchObject({ code: 2, err: expect.stringContaining('--pod: is required') });
    expect((await run('cash', '--pod', 'other')).code).toBe(0);
    expect(await run('cash', '--pod', 'nobody')).toMatchObject({ code: 2, err: expect.stringContaining('must have') });
  });
});

describe('a transfer', () => {
  it('moves nothing without the words for it, nor with those of another', async () => {
    for (const words of [[], ['--confirm', 'move 26 from 0 to 3'], ['--confirm', 'yes']]) {
      const { code, err } = await move('25.5', ...words);
      expect([code, err]).toEqual([2, expect.stringContaining("--confirm 'move 25.5 from 0 to 3'")]);
    }
    expect((await run('cash')).out).toBe('$10000 on shard 0\n');
  });

  it('moves the cash with them, once', async () => {
    const { code, out } = await move('25.5', '--confirm', 'move 25.5 from 0 to 3');
    expect(code).toBe(0);
    expect(out).toContain('$9974.5 on shard 0\n$25.5 on shard 3\n');
  });

  it('says in the words of the venue why nothing was moved', async () => {
    expect(await move('10000.01', '--confirm', 'move 10000.01 from 0 to 3')).toEqual({
      code: 1,
      out: '',
      err: 'crossbook: venue B refuses the transfer: insufficient balance\n',
    });
  });

  it.each([
    ['0', '--usd'],
    ['0.00001', '--usd'],
    ['much', '--usd'],
  ])('of %s is a mistake', async (usd, option) => {
    expect(await move(usd)).toMatchObject({ code: 2, err: expect.stringContaining(option) });
  });

  it('goes to another shard', async () => {
    const same = await run('transfer', '--from', '3', '--to', '3', '--usd', '1');
    expect(same).toMatchObject({ code: 2, err: expect.stringContaining('--to: must differ') });
    const named = await run('transfer', '--from', 'a', '--to', '3', '--usd', '1');
    expect(named).toMatchObject({ code: 2, err: expect.stringContaining('--from: must be the number') });
  });

  it('whose answer says nothing is not sent again, and may have been made', async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.writeHead(502).end('bad gateway');
    }).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    pods = [pod('desk', `http://127.0.0.1:${(server.address() as AddressInfo).port}/trade-api/v2`)];
    const { code, err } = await move('1', '--confirm', 'move 1 from 0 to 3');
    expect([code, err, requests]).toEqual([1, expect.stringContaining('before you repeat it'), 1]);
    server.close();
  });
});
