// A take-over by a standby that has followed many orders. It accepts the first submission as soon as the accounts are read, however many
// orders there were. TAKE_OVER_ORDERS says how many; the time is printed.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACTOR, orderIdOf, recordOrder } from '../../../bench/order-workload.ts';
import type { OrderId } from '../../../src/core/domain/order.ts';
import { NatsLink } from '../../../src/core/nats/connection.ts';
import { NatsStream } from '../../../src/core/nats/stream.ts';
import { NO_ARCHIVE } from '../../../src/orders/ledger/archive.ts';
import { type Appender, EngineLedger } from '../../../src/orders/ledger/state/engine-ledger.ts';
import { eventually } from '../../support/eventually.ts';
import { lacksNats, NatsServer } from '../../support/nats-server.ts';
import { caller, folder, open, operate, start, submission, takePod, tradingRig } from './trading-rig.ts';

const ORDERS = Number(process.env.TAKE_OVER_ORDERS ?? '2000');
const ORDERS_PER_RECORD = 500;
/** Records that the stream is filled ahead of the standby. */
const AHEAD_MAX = 40;
const URL = 'http://127.0.0.1:8080';
const LONG = { timeout: 3_600_000 };

describe.skipIf(lacksNats)('a pod with many orders', () => {
  tradingRig();
  let server: NatsServer;
  beforeEach(async () => {
    server = await NatsServer.start();
  });
  afterEach(() => server.close());

  it('trades at once after a take-over', LONG, async () => {
    const replicated = { nats: server.settings, url: URL, takeOverAfterMs: null };
    const owner = await start('replicated', 1, 'ed25519', { replicated });
    const other = mkdtempSync(join(tmpdir(), 'crossbook-other-'));
    const link = await NatsLink.connect(server.settings, 'test');
    try {
      cpSync(join(folder, 'pods'), join(other, 'pods'), { recursive: true });
      open.splice(open.indexOf(owner), 1);
      await owner.close();
      const standby = await start('replicated', 1, 'ed25519', { replicated, dataDir: other });
      const order = await submission();
      const query = { actorId: ACTOR, venue: 'venue_a', address: null, status: null, after: null, rowsMax: 1 } as const;
      await fill(link, last =>
        eventually(async () => expect((await standby.history.orders(query))[0]?.orderId).toBe(last)),
      );
      const takenAt = performance.now();
      await takePod(server, other, URL);
      const made = await eventually(async () => {
        const reply = await operate(standby, order);
        expect(reply.status).toBe(201);
        return reply;
      });
      const tookMs = Math.round(performance.now() - takenAt);
      console.log(`first submission accepted ${tookMs} ms after the take-over, with ${ORDERS} orders`);
      expect(JSON.parse(made.body).status).toBe('OPEN');
    } finally {
      await link.close();
      for (const trading of open.splice(0)) await trading.close();
      rmSync(other, { recursive: true });
    }
  });

  /** As a former owner has appended them; one in a thousand is open. `known`: resolves once the standby has the order. */
  async function fill(link: NatsLink, known: (last: OrderId) => Promise<unknown>): Promise<void> {
    const stream = await NatsStream.open(link, 'crossbook-pod-demo', 'crossbook.pod.demo');
    let { last } = await stream.end();
    for (let first = 1; first < ORDERS; first += ORDERS_PER_RECORD) {
      const stored = await stream.append(recordOf(first), last);
      if (stored.type === 'refused') throw new Error(stored.message);
      last = stored.sequence;
      const next = first + ORDERS_PER_RECORD;
      if (next >= ORDERS || last % AHEAD_MAX === 0) await known(orderIdOf(next - 1));
    }
  }
});

function recordOf(first: number): Uint8Array {
  const records: Uint8Array[] = [];
  const appender: Appender = { next: 1, append: record => records.push(Uint8Array.from(record)) };
  new EngineLedger(NO_ARCHIVE).appendTo(appender).change(step => {
    for (let number = first; number < first + ORDERS_PER_RECORD; number++) {
      recordOrder(
        {
          order: orderId => step.order(orderId),
          putOrder: stored => step.putOrder({ ...stored, order: { ...stored.order, podId: caller.podId } }),
          putIdempotency: (...entry) => step.putIdempotency(...entry),
        },
        number,
      );
    }
  });
  return records[0]!;
}
