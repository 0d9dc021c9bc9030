// A take-over by a standby that has followed many orders: the first submission is accepted as soon as the accounts are read, however many there
// were. TAKE_OVER_ORDERS says how many; the time is printed.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordOrder, statusOf as statusOfOrder } from '../../bench/order-workload.ts';
import { NO_ARCHIVE } from '../../src/ledger/archive.ts';
import { type Appender, EngineLedger } from '../../src/ledger/state/engine-ledger.ts';
import { LedgerState } from '../../src/ledger/state/state.ts';
import { NatsLink } from '../../src/nats/connection.ts';
import { NatsStream } from '../../src/nats/stream.ts';
import { eventually } from '../support/eventually.ts';
import { lacksNats, NatsServer } from '../support/nats-server.ts';
import { caller, folder, metrics, open, operate, start, submission, takePod, tradingRig } from './trading-rig.ts';

const ORDERS = Number(process.env.TAKE_OVER_ORDERS ?? '2000');
const ORDERS_PER_RECORD = 500;
/** Records that the standby may be behind while the stream is filled. */
const BEHIND_MAX = 20;
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
      const lag = (): number => metrics.rowsOf('history_lag_records')[0]!.value;
      const order = await submission();
      await fill(link, () => eventually(() => expect(lag()).toBeLessThan(BEHIND_MAX)));
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

  /** Records of orders that have ended, as a former owner has appended them. */
  async function fill(link: NatsLink, paced: () => Promise<unknown>): Promise<void> {
    const stream = await NatsStream.open(link, 'crossbook-pod-demo', 'crossbook.pod.demo');
    let { last } = await stream.end();
    for (let first = 1; first <= ORDERS; first += ORDERS_PER_RECORD) {
      const stored = await stream.append(recordOf(first, Math.min(ORDERS_PER_RECORD, ORDERS - first + 1)), last);
      if (stored.type === 'refused') throw new Error(stored.message);
      last = stored.sequence;
      await paced();
    }
  }
});

function recordOf(first: number, count: number): Uint8Array {
  const records: Uint8Array[] = [];
  const appender: Appender = { next: 1, append: record => records.push(Uint8Array.from(record)) };
  new EngineLedger(new LedgerState(NO_ARCHIVE), appender).change(step => {
    for (let number = first; number < first + count; number++) {
      if (statusOfOrder(number) === 'OPEN') continue;
      recordOrder(
        {
          order: orderId => step.order(orderId),
          putOrder: stored => step.putOrder({ ...stored, order: { ...stored.order, podId: caller.podId } }),
          putIdempotency: (...entry) => step.putIdempotency(...entry),
          appendEvent: event => step.appendEvent(event),
        },
        number,
      );
    }
  });
  return records[0]!;
}
