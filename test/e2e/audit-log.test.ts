// The audit log of a whole gateway: each step of an order, in the words of the order's views.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import { silentLog } from '../../src/core/runtime/log.ts';
import { orderFeedOf } from '../../src/gateway/trading-feed.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker } from '../support/paper-traders.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { OrdersRig, orderIdOf } from './orders-rig.ts';

const folder = temporaryFolder();
const path = join(folder, 'audit.log');
let rig: OrdersRig;
let ticker: string;
beforeAll(async () => {
  rig = await OrdersRig.start('venue-b', { auditLog: path });
  ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
});
afterAll(async () => {
  await rig.close();
  removeFolder(folder);
});

type Step = { readonly step: string; readonly actor: string; readonly order?: { readonly orderId: string } };
const lines = () => readFileSync(path, 'utf8').split('\n');
const stepsOf = (orderId: string) =>
  lines()
    .filter(text => text.includes(orderId))
    .map(text => (JSON.parse(text) as Step).step);

it('the log has a line for each step of an order', async () => {
  const resting = orderIdOf(await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 2, priceCents: 1 }));
  const taking = orderIdOf(await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 2, priceCents: 99 }));
  await rig.settled(taking);
  await rig.cancel(resting);
  await eventually(() =>
    expect(stepsOf(resting)).toEqual(['submitted', 'rests', 'answered', 'cancel-requested', 'cancelled']),
  );
  await eventually(() =>
    expect(stepsOf(taking)).toEqual(expect.arrayContaining(['submitted', 'fill', 'filled', 'answered'])),
  );
  expect(JSON.parse(lines()[0]!)).toMatchObject({
    step: 'submitted',
    actor: 'demo/demo',
  });
});

it('the log has a line for a stop and for its end, with all that is stopped then', async () => {
  const stops = () => lines().filter(text => text.includes('"step":"stops"'));
  const key = await rig.newKey({ scopes: ['cancel'] });
  expect((await rig.call('POST', '/v1/pod/stop', {}, key)).status).toBe(200);
  await eventually(() => expect(stops().map(text => JSON.parse(text))).toMatchObject([{ stopped: ['demo'] }]));
  const caller = { podId: '*', actorId: '*', keyId: 'test' };
  const operation = { name: 'resume', scope: 'demo', caller } as const;
  await rig.gateway.trading.engine.ask(operation);
  await eventually(() => expect(JSON.parse(stops()[1]!)).toMatchObject({ stopped: [] }));
});

it('the log has a line for each limit that the command line has changed', async () => {
  const changed = rig.gateway.keyStore.setActorLimits('demo', 'demo', { openOrdersMax: 500 });
  expect(changed.ok).toBe(true);
  const changes = [{ limit: 'openOrdersMax', from: null, to: 500 }];
  await eventually(() => {
    const said = lines().filter(text => text.includes('"step":"limit-change"'));
    expect(said.map(text => JSON.parse(text))).toMatchObject([{ scope: 'demo/demo', changes }]);
  });
});

// A dead man's switch that fires is logged. A connection that was gone for longer than the grace of `cancelOnDisconnect` was not, so
// nothing said who had cancelled them.
it('0207: the log says that a connection was gone for too long', async () => {
  const gateway = await sharedGateway('synthetic');
  onTestFinished(() => gateway.close());
  const reported: unknown[] = [];
  const metrics = new Metrics({ operations: [] });
  const feed = orderFeedOf(gateway.trading, { ...silentLog, info: (...line) => reported.push(line) }, metrics);
  await feed.cancelAllOf('key_1', 'demo/demo', 'demo');
  expect(reported).toEqual([['cancelOnDisconnect fires', { keyId: 'key_1' }]]);
  expect(metrics.read(metrics.counter('switches_fired_total', 'disconnect'))).toBe(1);
});
