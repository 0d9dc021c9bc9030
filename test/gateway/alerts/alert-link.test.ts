// Alarms from the main thread to a real server, by the alerts' thread.

import { afterEach, expect, it } from 'vitest';
import { ALARM_KINDS } from '../../../src/core/alerts/alert-settings.ts';
import type { StopScope } from '../../../src/core/domain/operation.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { openAlerts } from '../../../src/gateway/alerts/alert-link.ts';
import { AlertServer } from '../../core/alerts/alert-server.ts';
import { eventually } from '../../support/eventually.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

it('a stop reaches the address, and is counted', async () => {
  const server = await AlertServer.start();
  cleanUps.push(() => server.close());
  const metrics = new Metrics({ operations: [] });
  let stops: readonly StopScope[] = [];
  const trading = {
    listen: () => () => {},
    get stops() {
      return stops;
    },
  };
  const alerts = { url: server.url, format: 'json', kinds: ALARM_KINDS, secret: null } as const;
  cleanUps.push(openAlerts({ alerts, trading, metrics, log: silentLog }));
  stops = ['demo'];
  await eventually(() => expect(metrics.read(metrics.counter('alarms_sent_total'))).toBe(1));
  expect(server.bodies).toMatchObject([{ kind: 'stops', count: 1, lines: ['Stopped: demo.'] }]);
  // What is refused is counted, too.
  server.answers.push({ status: 400 });
  metrics.count('threads_lost_total', 'shm');
  await eventually(() => expect(metrics.read(metrics.counter('alarms_dropped_total'))).toBe(1));
});

it('nothing starts without an address', async () => {
  const trading = { listen: () => () => {}, stops: [] };
  const close = openAlerts({ alerts: null, trading, metrics: new Metrics({ operations: [] }), log: silentLog });
  await expect(close()).resolves.toBeUndefined();
});
