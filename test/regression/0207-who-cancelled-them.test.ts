// Found by asking the log why a bot's orders were gone. A dead man's switch that fires is logged. A connection that was gone for longer
// than the grace of `cancelOnDisconnect` was not, so nothing said who had cancelled them.

import { expect, it, onTestFinished } from 'vitest';
import { orderFeedOf } from '../../src/gateway/trading-feed.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { startRunningGateway } from '../support/running-gateway.ts';

it('the log says that a connection was gone for too long', async () => {
  const gateway = await startRunningGateway({ source: { kind: 'synthetic', seed: 1 } });
  onTestFinished(() => gateway.close());
  const reported: unknown[] = [];
  const feed = orderFeedOf(gateway.trading, { ...silentLog, info: (...line) => reported.push(line) });
  await feed.cancelAllOf('key_1', 'demo/demo', 'demo');
  expect(reported).toEqual([['cancelOnDisconnect fires', { keyId: 'key_1' }]]);
});
