// `crossbook stop`, `resume`, `status` and `latency` beside a running gateway, by its control socket.

import { statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readLatency } from '../../../src/core/runtime/paper-terms.ts';
import type { StatusReport } from '../../../src/core/wire/reports.ts';
import { latencyCommand } from '../../../src/tools/cli/latency.ts';
import { statusCommand } from '../../../src/tools/cli/status.ts';
import { resumeCommand, stopCommand } from '../../../src/tools/cli/stop.ts';
import { errorOf, OrdersRig, orderIdOf } from '../../e2e/orders-rig.ts';
import { eventually } from '../../support/eventually.ts';
import { failJournalOf } from '../../support/fail-journal.ts';
import { someTicker } from '../../support/paper-traders.ts';
import { CommandRig } from './command-rig.ts';

let rig: OrdersRig;
let commands: CommandRig;
let order: object;
beforeAll(async () => {
  rig = await OrdersRig.start('venue-b');
  commands = new CommandRig();
  commands.env = { CROSSBOOK_DATA_DIR: rig.gateway.dataDir };
  await eventually(() => expect(rig.gateway.trading.isTradable('demo', 'venue_a')).toBe(true));
  order = { ticker: await someTicker(rig.gateway.paper!.urls.venueB.rest), side: 'YES', action: 'BUY', count: 1 };
});
afterAll(async () => {
  await rig.close();
  commands.remove();
});
afterEach(async () => {
  for (const scope of rig.gateway.trading.stops) await resume(scope === '*' ? '--all' : scope);
});

const stop = (...args: string[]) => commands.run(stopCommand, ...args);
const resume = (...args: string[]) => commands.run(resumeCommand, ...args);
const status = (...args: string[]) => commands.run((given, io) => statusCommand(given, io, false), ...args);
const submit = () => rig.submit({ ...order, priceCents: 1 });
const gatewayStatus = async () => JSON.parse((await status('--json')).out) as StatusReport;

describe('crossbook stop', () => {
  it('cancels what is open, refuses new orders, and says so; resume ends it', async () => {
    const orderId = orderIdOf(await submit());
    expect(await stop('demo/demo')).toEqual({
      code: 0,
      out: 'stopped demo/demo: new orders get 503 until crossbook resume demo/demo\ncancelled 1, left 0\n',
      err: '',
    });
    expect(await rig.shown(orderId)).toMatchObject({ status: 'CANCELLED', cancelReason: 'STOP' });
    const refused = await submit();
    expect([refused.status, refused.headers['retry-after'], errorOf(refused)]).toEqual([
      503,
      '10',
      { code: 'INTERNAL_ERROR', message: 'the operator has stopped demo/demo: nothing was sent' },
    ]);
    expect(await resume('demo/demo')).toEqual({ code: 0, out: 'resumed demo/demo\n', err: '' });
    expect((await submit()).status).toBe(201);
    expect((await resume('demo/demo')).out).toBe('demo/demo was not stopped\n');
  });

  it('of a pod and of all shows in status and whoami, and each ends by its own name', async () => {
    expect((await stop('demo')).code).toBe(0);
    const all = await stop('--all', '--json');
    expect(JSON.parse(all.out)).toMatchObject({ scope: '*', stopped: ['demo', '*'], leftTotal: 0, isRecorded: true });
    const stopped = await status();
    // A stopped gateway is still ready.
    expect([stopped.code, stopped.out]).toEqual([1, expect.stringContaining('ready\nstopped: demo, all pods\n')]);
    const { json } = await rig.call('GET', '/v1/whoami');
    expect(json).toMatchObject({ venues: [{ tradable: false }, { tradable: false }] });
    expect((await resume('--all')).out).toBe('resumed all pods\nstill stopped: demo\n');
    expect((await gatewayStatus()).venues[0]!.accounts).toEqual([{ podId: 'demo', tradable: false }]);
    expect((await resume('demo')).out).toBe('resumed demo\n');
    expect((await gatewayStatus()).stopped).toEqual([]);
  });

  it('works where the disk takes no record, and says what that means', async () => {
    const orderId = orderIdOf(await submit());
    // The journal must have no lag, since a sync that fails would fail for good.
    await eventually(() => expect(rig.gateway.metrics.rowsOf('journal_lag_records')[0]!.value).toBe(0));
    const giveRoom = failJournalOf(join(rig.gateway.dataDir, 'orders'));
    const stopped = await stop('demo');
    expect([stopped.code, stopped.out]).toEqual([
      1,
      expect.stringContaining('cancelled 1, left 0\nnot all of the stop could'),
    ]);
    expect(errorOf(await submit()).message).toBe('the operator has stopped demo: nothing was sent');
    giveRoom();
    await eventually(async () => expect((await stop('demo')).code).toBe(0));
    expect((await rig.settled(orderId)).status).toBe('CANCELLED');
  });

  it('names what is left where a venue confirms nothing', async () => {
    const orderId = orderIdOf(await submit());
    await rig.fault({
      venue: 'venue_b',
      operation: 'DELETE *',
      countMax: 100,
      fault: { kind: 'lost', isApplied: false },
    });
    const stopped = await stop('demo');
    await rig.control('DELETE', '/faults');
    expect([stopped.code, stopped.out]).toEqual([1, expect.stringContaining('cancelled 0, left 1')]);
    expect(stopped.out).toContain(`  ${orderId}  demo/demo  venue_b `);
    expect((await rig.settled(orderId)).status).toBe('CANCELLED');
  });

  it.each([
    [['nobody'], 'there is no pod and no actor nobody'],
    [[], 'ACTOR or POD, or --all: is required'],
    [[''], 'ACTOR or POD: must not be empty'],
    [['demo', '--all'], 'unexpected argument demo'],
  ])('%j is a mistake', async (args, words) => {
    expect(await stop(...args)).toEqual({ code: 2, out: '', err: `crossbook: ${words}\n` });
  });

  it('says where no gateway runs', async () => {
    const { code, err } = await stop('demo', '--data-dir', commands.file('elsewhere'));
    expect([code, err]).toEqual([1, expect.stringContaining('no gateway runs with this data directory')]);
  });
});

describe('crossbook status', () => {
  it('shows venues, accounts and figures', async () => {
    const { code, out } = await status();
    expect(code).toBe(0);
    expect(out).toMatch(/^crossbook .*, process \d+, since /);
    expect(out).toContain('\nready\n');
    expect(out).toMatch(/\nvenue_b {2}feed ok; .*\n {9}demo trades\n/);
    expect(out).toMatch(/\nsubmissions {2}\d+/);
    const report = await gatewayStatus();
    expect(report.ready).toEqual({ status: 'ready', feeds: { venue_a: 'ok', venue_b: 'ok' } });
    expect(report.submissions.count).toBeGreaterThan(0);
  });

  it('draws anew in a terminal', async () => {
    const { out } = await commands.run((args, io) => statusCommand(args, io, true, 2));
    const frames = out.split('\x1b[H\x1b[J').slice(1);
    expect(frames).toHaveLength(2);
    expect(frames[1]).toMatch(/\nsubmissions {2}\d+, \d+ a second/);
    const gone = await commands.run((args, io) => statusCommand(args, io, true, 1), '--data-dir', commands.file('no'));
    expect([gone.code, gone.out]).toEqual([0, expect.stringContaining('no gateway runs')]);
  });
});

describe('the control socket', () => {
  const path = () => join(rig.gateway.dataDir, 'control.sock');
  const say = (line: string): Promise<string> => {
    const socket = createConnection({ path: path() });
    socket.write(line);
    return text(socket);
  };

  it('is for its owner only', () => {
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['x\n', 'request: is missing; must be an object'],
    ['{"op":"end"}\n', 'op: must be "stop" or "resume" or '],
    ['{"op":"stop"}\n', 'name: is missing; must be a string'],
    ['x'.repeat(5_000), 'a request has at most 4096 bytes'],
  ])('refuses what it cannot read: %#', async (line, words) => {
    expect(JSON.parse(await say(line))).toEqual({ type: 'usage', message: expect.stringContaining(words) });
  });
});

describe('crossbook latency', () => {
  const latency = (...args: string[]) => commands.run(latencyCommand, ...args);

  it('shows what orders and cancels have taken, and writes a file that the paper exchanges take', async () => {
    const orderId = orderIdOf(await submit());
    await rig.call('DELETE', `/v1/venue-b/orders/${orderId}`);
    const { out } = await latency('show');
    expect(out).toMatch(/^venue_b +order +[1-9]\d*( +\d+(\.\d+)?){3}$/m);
    expect(out).toMatch(/^venue_a +cancel +0 +– +– +–$/m);
    const file = commands.file('latency.json');
    writeFileSync(file, (await latency('export', '--venue', 'venue_b', '--feed', '2.5')).out);
    const { feed, order: orders, cancel } = readLatency('--latency', file);
    expect([feed, orders.length, cancel.length]).toEqual([[3], 100, 100]);
  });

  it('writes nothing for a venue that had no order, and refuses a feed that no bot has', async () => {
    expect(await latency('export', '--venue', 'venue_a')).toMatchObject({
      ...{ code: 2, out: '' },
      err: 'crossbook: --venue: this gateway has sent no order to venue_a since its start\n',
    });
    expect(await latency('export', '--venue', 'venue_b', '--feed', 'slow')).toMatchObject({ code: 2, out: '' });
  });
});
