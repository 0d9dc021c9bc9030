// Alarms that the alerts' thread takes from the main thread to a real server.

import { afterEach, expect, it } from 'vitest';
import { ownMarket } from '../../../src/catalog/catalog.ts';
import { RowBuilder } from '../../../src/catalog/catalog-rows.ts';
import { SnapshotWriter } from '../../../src/catalog/snapshot-writer.ts';
import { ALARM_KINDS } from '../../../src/core/alerts/alert-settings.ts';
import type { StopScope } from '../../../src/core/domain/operation.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { openAlerts } from '../../../src/gateway/alerts/alert-link.ts';
import type { OrderNews } from '../../../src/orders/engine/engine-messages.ts';
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
    openOrders: [],
    get stops() {
      return stops;
    },
  };
  const alerts = { url: server.url, format: 'json', kinds: ALARM_KINDS, secret: null } as const;
  const catalog = { snapshot: null };
  cleanUps.push(openAlerts({ alerts, trading, catalog, metrics, log: silentLog }));
  stops = ['demo'];
  await eventually(() => expect(metrics.read(metrics.counter('alarms_sent_total'))).toBe(1));
  expect(server.bodies).toMatchObject([{ kind: 'stops', count: 1, lines: ['Stopped: demo.'] }]);
  // Refused alerts are counted, too.
  server.answers.push({ status: 400 });
  metrics.count('threads_lost_total', 'shm');
  await eventually(() => expect(metrics.read(metrics.counter('alarms_dropped_total'))).toBe(1));
});

it('a fill reaches it with the title that the catalog has', async () => {
  const server = await AlertServer.start();
  cleanUps.push(() => server.close());
  let hear: (news: readonly OrderNews[]) => void = () => {};
  const trading = {
    listen: (listener: typeof hear) => {
      hear = listener;
      return () => {};
    },
    stops: [],
    openOrders: [],
  };
  const market = {
    ...{ marketId: 'KX-BOS', title: 'Boston at Los Angeles', label: '', kind: '', line: null },
    phase: 'OPEN',
    opensAt: null,
    closesAt: null,
    occursAt: null,
    outcomes: [{ name: 'Boston', route: { venue: 'venue_b', ticker: 'KX-BOS', side: 'YES' } }],
  } as const;
  const snapshot = new SnapshotWriter().write(
    new RowBuilder().of({ events: [], markets: [ownMarket(market, null, [])] }),
  );
  const alerts = { url: server.url, format: 'slack', kinds: ALARM_KINDS, secret: null } as const;
  const metrics = new Metrics({ operations: [] });
  cleanUps.push(openAlerts({ alerts, trading, catalog: { snapshot }, metrics, log: silentLog }));
  hear([
    {
      ...{ actorId: 'demo/maker', podId: 'demo', cursor: 1, record: null },
      order: {
        ...{
          orderId: '1',
          podId: 'demo',
          actorId: 'demo/maker',
          keyId: 'k',
          status: 'FILLED',
          createdAt: 0,
          venueOrderId: 'v',
        },
        request: { venue: 'venue_b', ticker: 'KX-BOS', side: 'NO', action: 'BUY', size: 2_500_000, price: 4_600 },
        ...{ traded: 2_500_000, cost: 2_500_000n * 4_550n },
      },
    } as unknown as OrderNews,
  ]);
  await eventually(() => expect(server.bodies).toHaveLength(1));
  const { text } = server.bodies[0] as unknown as { text: string };
  expect(text.split('\n').at(-1)).toBe(
    'demo/maker: BUY NO 2.5 at 0.46, 2.5 traded at 0.455, and the order has ended. venue_b KX-BOS: Boston at Los Angeles, Boston',
  );
});

it('nothing starts without an address', async () => {
  const trading = { listen: () => () => {}, stops: [], openOrders: [] };
  const close = openAlerts({
    ...{ alerts: null, trading, catalog: { snapshot: null }, log: silentLog },
    metrics: new Metrics({ operations: [] }),
  });
  await expect(close()).resolves.toBeUndefined();
});
