// Orders of a gateway whose journal is a stream of a real NATS. They are sent once the stream has them, and refused in words while it takes
// none. A gateway that reads the stream knows them.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NatsLink } from '../../../src/core/nats/connection.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { openKeyStore } from '../../../src/core/store/key-store.ts';
import { openControl } from '../../../src/gateway/control/control-desk.ts';
import { statusReport } from '../../../src/gateway/status.ts';
import { podsCommand } from '../../../src/tools/cli/pods.ts';
import { Cable } from '../../faults/cable.ts';
import { canMount, fillDisk, freeDisk, mountDisk } from '../../faults/small-disk.ts';
import { eventually } from '../../support/eventually.ts';
import { lacksNats, NatsServer } from '../../support/nats-server.ts';
import {
  atVenueB,
  caller,
  folder,
  metrics,
  open,
  operate,
  start,
  statusOf,
  submission,
  takePod,
  tradingRig,
  venue,
} from './trading-rig.ts';

const URL = 'http://127.0.0.1:8080';
const TAKE_OVER_AFTER_MS = 2_000;
/** Beats of an owner that appends nothing: more than the standby waits for. */
const IDLE_BEATS = 6;

describe.skipIf(lacksNats)('a replicated gateway', () => {
  tradingRig();
  let server: NatsServer;
  beforeEach(async () => {
    server = await NatsServer.start();
  });
  afterEach(() => server.close());

  const startReplicated = (dataDir = folder, takeOverAfterMs: number | null = null) =>
    start('replicated', 1, 'ed25519', { replicated: { nats: server.settings, url: URL, takeOverAfterMs }, dataDir });
  const take = (dataDir: string): Promise<void> => takePod(server, dataDir, URL);
  const closeAll = async (): Promise<void> => {
    for (const trading of open.splice(0)) await trading.close();
  };

  it('sends an order once the stream has it, and knows it after a restart', async () => {
    const order = await submission();
    const made = await operate(await startReplicated(), order);
    expect(made.status).toBe(201);
    const { orderId } = JSON.parse(made.body);
    await closeAll();
    const trading = await startReplicated();
    expect(await statusOf(trading, orderId)).toBe('OPEN');
    const again = await operate(trading, order);
    expect([again.status, JSON.parse(again.body).orderId]).toEqual([201, orderId]);
    expect(await atVenueB()).toBe(1);
  });

  it('4013: goes on to trade when the command gives it the pod that it owns', async () => {
    const owner = await startReplicated();
    const keyStore = openKeyStore(join(folder, 'keys'));
    const readiness = { status: 'ready', feeds: { venue_a: 'ok', venue_b: 'ok' } };
    const status = () => statusReport({ readiness, trading: owner, metrics });
    const endControl = await openControl(
      { trading: owner, keyStore, recorder: null, status, metrics },
      folder,
      silentLog,
    );
    try {
      const env = { CROSSBOOK_DURABILITY: 'replicated', CROSSBOOK_NATS: server.url, CROSSBOOK_PUBLIC_URL: URL };
      const said: string[] = [];
      const io = { out: (text: string) => said.push(text), err: (text: string) => said.push(text), env };
      expect(await podsCommand(['take', 'demo', '--data-dir', folder], io)).toBe(0);
      expect(said.join('')).toMatch(/^pod demo: the gateway of .* runs and owns it: nothing was done\n$/);
      expect((await operate(owner, await submission())).status).toBe(201);
    } finally {
      endControl();
      await keyStore.close();
    }
  });

  it('4024: without its folder of orders has them of the stream, and refuses another stream that lacks them', async () => {
    const order = await submission();
    const { body } = await operate(await startReplicated(), order);
    await closeAll();
    rmSync(join(folder, 'orders'), { recursive: true });
    expect(await statusOf(await startReplicated(), JSON.parse(body).orderId)).toBe('OPEN');
    await closeAll();
    rmSync(join(folder, 'orders'), { recursive: true });
    await server.close();
    server = await NatsServer.start();
    await expect(startReplicated()).rejects.toThrow(/ends at record 0, and has acknowledged \d+: it has lost records/);
  });

  it('is followed by another data directory with the pod’s secret, which trades once it has taken the pod', async () => {
    const order = await submission();
    const made = await operate(await startReplicated(), order);
    await closeAll();
    const other = mkdtempSync(join(tmpdir(), 'crossbook-other-'));
    try {
      await expect(startReplicated(other)).rejects.toThrow('pods/demo.secret of the data directory is not the pod’s');
      cpSync(join(folder, 'pods'), join(other, 'pods'), { recursive: true });
      const standby = await startReplicated(other);
      const elsewhere = await operate(standby, order);
      expect([elsewhere.status, new Map(elsewhere.headers).get('SVC-Pod-Owner')]).toEqual([503, URL]);
      for (const name of ['get', 'cancel'] as const) {
        const { status, headers } = await operate(standby, {
          name,
          venue,
          caller,
          orderId: JSON.parse(made.body).orderId,
        });
        expect([status, new Map(headers).get('SVC-Pod-Owner')]).toEqual([421, URL]);
      }
      expect(standby.recordFault).toBe(`the gateway at ${URL} owns the pod`);
      await take(other);
      await eventually(() => expect([standby.recordFault, standby.isTradable('demo', venue)]).toEqual([null, true]));
      const again = await operate(standby, order);
      expect([again.status, again.body]).toEqual([201, made.body]);
      expect(await atVenueB()).toBe(1);
      await closeAll();
      expect((await operate(await startReplicated(), order)).status).toBe(503);
    } finally {
      await closeAll();
      rmSync(other, { recursive: true });
    }
  });

  it('refuses submissions in words while NATS is down, sends nothing, and is well again afterwards', async () => {
    const trading = await startReplicated();
    const order = await submission();
    await server.kill();
    const refused = await operate(trading, order);
    expect([refused.status, JSON.parse(refused.body).error.message]).toEqual([503, expect.stringContaining('nothing')]);
    expect(await atVenueB()).toBe(0);
    await eventually(() => expect(trading.recordFault).toContain('the stream of the pod cannot be reached'));
    await server.restart();
    await eventually(() => expect(trading.recordFault).toBeNull());
    expect((await operate(trading, order)).status).toBe(201);
    expect(await atVenueB()).toBe(1);
  });

  it('is taken over once nothing is heard of it, and not while it is idle', async () => {
    const order = await submission();
    const owner = await startReplicated();
    const made = await operate(owner, order);
    const other = mkdtempSync(join(tmpdir(), 'crossbook-other-'));
    const link = await NatsLink.connect(server.settings, 'test');
    try {
      cpSync(join(folder, 'pods'), join(other, 'pods'), { recursive: true });
      const standby = await startReplicated(other, TAKE_OVER_AFTER_MS);
      let beats = 0;
      link.subscribe('crossbook.lease.demo', () => {
        beats += 1;
      });
      await eventually(() => expect(beats).toBeGreaterThan(IDLE_BEATS));
      expect(standby.otherOwner).toBe(URL);
      open.splice(open.indexOf(owner), 1);
      await owner.close();
      await eventually(() => expect([standby.otherOwner, standby.isTradable('demo', venue)]).toEqual([null, true]));
      expect((await operate(standby, order)).body).toBe(made.body);
    } finally {
      await link.close();
      await closeAll();
      rmSync(other, { recursive: true });
    }
  });

  it('gives up an order whose record is not acknowledged, and frees its key', async () => {
    const trading = await startReplicated();
    const order = await submission();
    await server.hold();
    const refused = await operate(trading, order);
    expect([refused.status, JSON.parse(refused.body).error.message]).toEqual([
      503,
      expect.stringContaining('the record of the order is not safe'),
    ]);
    server.goOn();
    await eventually(() => expect(trading.recordFault).toBeNull());
    const made = await eventually(async () => {
      const reply = await operate(trading, order);
      expect(reply.status).toBe(201);
      return reply;
    });
    expect(await atVenueB()).toBe(1);
    await closeAll();
    expect(await statusOf(await startReplicated(), JSON.parse(made.body).orderId)).toBe('OPEN');
  });

  it('is well again after its way to NATS was blocked, and after it was cut', async () => {
    const cable = await Cable.lay(server.port);
    const nats = { servers: [`nats://127.0.0.1:${cable.port}`], credentials: null };
    const trading = await start('replicated', 1, 'ed25519', { replicated: { nats, url: URL, takeOverAfterMs: null } });
    const order = await submission();
    const faults: [() => void, () => unknown][] = [
      [() => cable.hush(), () => cable.speak()],
      [() => cable.cut(), () => cable.mend()],
    ];
    for (const [index, [begin, end]] of faults.entries()) {
      begin();
      const own = { ...order, idempotencyKey: `blocked-${index}` };
      const refused = await operate(trading, own);
      expect([refused.status, JSON.parse(refused.body).error.message]).toEqual([
        503,
        expect.stringContaining('nothing'),
      ]);
      expect(await atVenueB()).toBe(index);
      await end();
      await eventually(async () => expect((await operate(trading, own)).status).toBe(201));
      expect(await atVenueB()).toBe(index + 1);
    }
    cable.cut();
  });

  it.skipIf(!canMount())('refuses in words while the disk of NATS is full, and trades once it has room', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'crossbook-nats-disk-'));
    const unmount = mountDisk(disk, 8 * 1024 * 1024);
    const full = await NatsServer.start({ storeFolder: join(disk, 'store') });
    try {
      const trading = await start('replicated', 1, 'ed25519', {
        replicated: { nats: full.settings, url: URL, takeOverAfterMs: null },
      });
      const order = await submission();
      expect((await operate(trading, order)).status).toBe(201);
      fillDisk(disk);
      // The last blocks of its files may have room yet.
      let asked = 0;
      const refused = await eventually(async () => {
        const reply = await operate(trading, { ...order, idempotencyKey: `full-${asked++}` });
        expect(reply.status).toBe(503);
        return reply;
      });
      expect(JSON.parse(refused.body).error.message).toContain('nothing was');
      const atVenue = await atVenueB();
      await operate(trading, { ...order, idempotencyKey: 'last' });
      expect(await atVenueB()).toBe(atVenue);
      freeDisk(disk);
      await full.kill();
      await full.restart();
      await eventually(async () =>
        expect((await operate(trading, { ...order, idempotencyKey: 'last' })).status).toBe(201),
      );
      expect(await atVenueB()).toBe(atVenue + 1);
      await closeAll();
    } finally {
      await closeAll();
      await full.close();
      unmount();
    }
  });

  it('cancels without a record while NATS is silent', async () => {
    const trading = await startReplicated();
    const { body } = await operate(trading, await submission());
    const { orderId } = JSON.parse(body);
    await server.hold();
    const cancelled = await operate(trading, { name: 'cancel', venue, caller, orderId });
    expect([cancelled.status, await atVenueB()]).toEqual([200, 0]);
    server.goOn();
    await eventually(async () => expect(await statusOf(trading, orderId)).toBe('CANCELLED'));
  });
});
